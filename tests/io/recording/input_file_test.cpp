#include "io/recording/input_file.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "engine/error.h"
#include "tests/io/recording/scratch_folder.h"

namespace {

class InputFile : public ScratchFolder {
  protected:
    std::string refusal(const std::filesystem::path& path) const {
        try {
            io::open_input(path);
        } catch (const engine::IoError& error) {
            return error.what();
        }
        return "none";
    }
};

std::string described(const std::string& text) {
    return io::describe_content(std::as_bytes(std::span(text)));
}

TEST_F(InputFile, IsAFileAndNothingElse) {
    const auto expected = [](const std::filesystem::path& path, const std::string& found) {
        return "cannot read " + path.string() + ": expected a regular file, found " + found;
    };
    const std::filesystem::path pipe = folder() / "pipe", socket = folder() / "socket";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_EQ(refusal(pipe), expected(pipe, "a pipe"));  // nobody writes to it: to wait would be for ever
    EXPECT_EQ(refusal("/dev/zero"), expected("/dev/zero", "a device"));
    EXPECT_EQ(refusal(folder()), expected(folder(), "a folder"));
    EXPECT_THAT(refusal(folder() / "absent"), testing::HasSubstr("No such file or directory"));
    sockaddr_un address{AF_UNIX, {}};
    socket.string().copy(address.sun_path, sizeof address.sun_path - 1);
    const io::Descriptor listener{::socket(AF_UNIX, SOCK_STREAM, 0)};
    ASSERT_EQ(::bind(listener.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(refusal(socket), expected(socket, "a socket"));
}

TEST_F(InputFile, IsOpenedThroughALinkAndReadAsItIs) {
    const auto path = write("file", "contents");
    std::filesystem::create_symlink(path, folder() / "link");
    const io::Descriptor file = io::open_input(folder() / "link");
    EXPECT_EQ(io::size_of(file, path), 8U);
    std::vector<std::byte> bytes(20);
    EXPECT_EQ(io::read_bytes(file, bytes, path), 8U);
}

TEST(FileContent, IsToldByItsFirstBytes) {
    EXPECT_EQ(described(""), "an empty file");
    EXPECT_EQ(described("VTR0\1"), "56 54 52 30 (a recording: `tessera trace`, `cut`, `run` and `info` read it)");
    EXPECT_EQ(described("TESSERA RESULTS 2\n"),
              "54 45 53 53 (Tessera results: `tessera digest` and `tessera compare` read them)");
    EXPECT_THAT(described("TESSERA FRAME TRACE 3\n"), testing::HasSubstr("(a frame trace: `tessera run`, `plan`"));
    EXPECT_THAT(described("\x28\xb5\x2f\xfd...."), testing::HasSubstr("zstd"));
    EXPECT_THAT(described("\x89HDF\r\n"), testing::HasSubstr("without Tessera's label"));
    EXPECT_THAT(described("\x1f\x8b\x08"), testing::HasSubstr("only zstd is understood"));
    EXPECT_THAT(described(std::string("at\0\1\2", 5)), testing::HasSubstr("apitrace"));
    EXPECT_EQ(described("attack = 1\n"), "61 74 74 61 (text)");
    EXPECT_EQ(described(std::string("\0\0\0\0\0", 5)), "00 00 00 00");
}

}  // namespace
