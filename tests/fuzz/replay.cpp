// TARGET FOLDER...: gives a fuzz target the files of folders (those that exist) and some inputs of no meaning. A crash
// is the only way to fail, as with libFuzzer.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

std::vector<std::filesystem::path> files_of(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    if (std::filesystem::exists(folder))
        for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

int main(int argc, char** argv) {
    int inputs = 0;
    const auto take = [&](const std::vector<std::uint8_t>& input) {
        LLVMFuzzerTestOneInput(input.data(), input.size());
        ++inputs;
    };
    for (int i = 1; i < argc; ++i) {
        for (const std::filesystem::path& path : files_of(argv[i])) {
            std::ifstream file(path, std::ios::binary);
            take({std::istreambuf_iterator<char>(file), {}});
        }
    }
    std::mt19937 numbers(1);  // the same on every machine
    for (int i = 0; i < 100; ++i) {
        std::vector<std::uint8_t> input(numbers() % 256);
        for (std::uint8_t& byte : input) byte = static_cast<std::uint8_t>(numbers());
        take(input);
    }
    std::cout << inputs << " inputs\n";
}
