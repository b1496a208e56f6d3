// The reader of workload files.
#include "io/recipe/recipe.h"
#include "tests/fuzz/accept.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const tests::MemoryFile file(std::as_bytes(std::span(data, size)));
    tests::accepts([&] { io::read_recipe(file.path()); });
    return 0;
}
