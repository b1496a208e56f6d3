// The reader of machine descriptions.
#include "io/config_file.h"
#include "models/machine_parameters.h"
#include "tests/fuzz/accept.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const tests::MemoryFile file(std::as_bytes(std::span(data, size)));
    models::MachineParameters machine;
    // What is accepted can be written down and read again.
    if (tests::accepts([&] { io::read_config(file.path(), {}, {}, machine); })) {
        const std::string resolved = io::resolved_toml(machine, "fuzz");
        const tests::MemoryFile again(std::as_bytes(std::span(resolved)));
        models::MachineParameters same;
        io::read_config(again.path(), {}, {}, same);
    }
    return 0;
}
