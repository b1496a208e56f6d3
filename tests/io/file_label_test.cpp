#include "io/file_label.h"

#include <fstream>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/io/temporary_folder.h"

namespace {

const io::FileKind kind{"TESSERA TEST ", "tests", 3};

std::string message(const std::filesystem::path& path, const io::FileKind& expected = kind) {
    try {
        io::check_label(path, expected);
    } catch (const engine::InputError& error) {
        return std::string(error.what()).substr(path.string().size());
    }
    return "";
}

TEST(FileLabel, AFileWithItsLabelIsAccepted) {
    const tests::TemporaryFolder folder;
    std::ofstream(folder / "f") << std::string(io::label_bytes, '\0') << "the content";
    io::write_label(folder / "f", kind);
    EXPECT_EQ(message(folder / "f"), "");
    EXPECT_TRUE(io::has_label(folder / "f", kind));
    EXPECT_FALSE(io::has_label(folder / "f", {"TESSERA OTHER ", "others", 3}));
}

TEST(FileLabel, AnotherKindVersionLengthOrContentIsTold) {
    const tests::TemporaryFolder folder;
    std::ofstream(folder / "f") << std::string(io::label_bytes, '\0') << "the content";
    io::write_label(folder / "f", kind);
    EXPECT_EQ(message(folder / "f", {"TESSERA OTHER ", "others", 3}),
              ": byte 0: not a file of Tessera others (expected \"TESSERA OTHER \"), found 54 45 53 53 (text)");
    std::ofstream(folder / "recording") << "VTR0";
    EXPECT_EQ(message(folder / "recording"),
              ": byte 0: not a file of Tessera tests (expected \"TESSERA TEST \"), found 56 54 52 30 (a recording: "
              "`tessera trace`, `cut`, `run` and `info` read it)");
    EXPECT_EQ(message(folder / "f", {"TESSERA TEST ", "tests", 4}), ": tests, version 3; this program reads version 4");
    std::ofstream(folder / "f", std::ios::app) << "!";
    EXPECT_EQ(message(folder / "f"), ": longer than it says: expected 523 bytes, found 524");
    std::filesystem::resize_file(folder / "f", 523);
    EXPECT_EQ(message(folder / "f"), "");
    std::fstream file(folder / "f", std::ios::in | std::ios::out);
    file.seekp(520);
    file << "X";
    file.close();
    EXPECT_EQ(message(folder / "f").substr(0, 34), ": damaged: the content's digest is");
}

}  // namespace
