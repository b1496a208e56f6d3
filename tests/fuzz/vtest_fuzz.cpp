// The vtest and virgl decoder and all behind it: a recording without its first four bytes is rendered and traced.
#include <algorithm>
#include <vector>

#include "models/functional/renderer.h"
#include "tests/fuzz/accept.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace models::functional;
    std::vector<std::byte> stream{std::byte{'V'}, std::byte{'T'}, std::byte{'R'}, std::byte{'0'}};
    std::transform(data, data + size, std::back_inserter(stream), [](std::uint8_t byte) { return std::byte{byte}; });
    tests::accepts([&] {
        // Less memory than a recording of the size may have: large surfaces take time, and find nothing more.
        FunctionalRenderer renderer(stream,
                                    {.threads = 1, .undefined_as_zero = true, .memory = std::uint64_t{1} << 20});
        models::Frame frame;
        Image image, reference;
        while (renderer.next_frame(&frame, &image, &reference)) {
        }
    });
    return 0;
}
