#include "io/file.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/io/temporary_folder.h"

namespace {

TEST(File, ErrorsNameThePathAndTheReason) {
    const tests::TemporaryFolder folder;
    const auto message = [](auto&& action) -> std::string {
        try {
            action();
        } catch (const engine::IoError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(message([&] { io::read_file(folder / "absent", 100); }),
              "cannot read " + (folder / "absent").string() + ": No such file or directory");
    io::write_file(folder / "file", "x");
    const auto refused = [&](const std::string& path, const std::string& reason) {
        EXPECT_EQ(message([&] { io::create_folder(folder / path); }),
                  "cannot create the folder " + (folder / path).string() + ": " + (folder / reason).string() +
                      "; remove it, or write to another place");
    };
    refused("file", "file is no folder");
    refused("file/below", "file is no folder");
    for (const char* const target : {"absent", "itself"}) {
        std::filesystem::create_symlink(target, folder / "itself");
        refused("itself", "itself is a link to " + std::string(target) + ", which is not there");
        refused("itself/below/it", "itself is a link to " + std::string(target) + ", which is not there");
        std::filesystem::remove(folder / "itself");
    }
    std::filesystem::create_directory_symlink(folder.path(), folder / "link");
    EXPECT_EQ(message([&] { io::create_folder(folder / "link/new/folder"); }), "");
    EXPECT_THAT(message([&] { io::read_file(folder / "file", 0); }), testing::HasSubstr("larger than 0 bytes"));
}

}  // namespace
