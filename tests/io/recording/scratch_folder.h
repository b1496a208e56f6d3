// A folder of its own for every test, gone when the test ends.
#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <stdlib.h>

class ScratchFolder : public testing::Test {
  public:
    ScratchFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "tessera-test.XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch folder");
        folder_ = name;
    }
    ~ScratchFolder() override {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

  protected:
    const std::filesystem::path& folder() const { return folder_; }
    std::size_t entries() const {
        return static_cast<std::size_t>(
            std::distance(std::filesystem::directory_iterator{folder_}, std::filesystem::directory_iterator{}));
    }
    std::filesystem::path write(const std::string& name, std::span<const std::byte> bytes) const {
        auto path = folder_ / name;
        std::ofstream{path, std::ios::binary}.write(reinterpret_cast<const char*>(bytes.data()),
                                                    static_cast<std::streamsize>(bytes.size()));
        return path;
    }
    std::filesystem::path write(const std::string& name, const std::string& text) const {
        return write(name, std::as_bytes(std::span(text)));
    }
    static std::vector<std::byte> read(const std::filesystem::path& path) {
        std::ifstream file{path, std::ios::binary};
        const std::string text{std::istreambuf_iterator<char>{file}, {}};
        const auto bytes = std::as_bytes(std::span(text));
        return {bytes.begin(), bytes.end()};
    }

  private:
    std::filesystem::path folder_;
};
