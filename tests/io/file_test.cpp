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
    EXPECT_EQ(message([&] { io::create_folder(folder / "file/below"); }),
              "cannot create the folder " + (folder / "file/below").string() + ": Not a directory");
    EXPECT_THAT(message([&] { io::read_file(folder / "file", 0); }), testing::HasSubstr("larger than 0 bytes"));
}

}  // namespace
