#include "io/checkpoint_file.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "io/file.h"
#include "tests/io/temporary_folder.h"

namespace {

using testing::HasSubstr;

class CheckpointFile : public testing::Test {
  protected:
    static std::vector<std::byte> bytes(char c, std::size_t count = 1000) {
        return std::vector<std::byte>(count, static_cast<std::byte>(c));
    }
    static std::string text(const std::filesystem::path& path) { return io::read_file(path, 1 << 20); }
    static void put(const std::filesystem::path& path, const std::string& text) {
        std::ofstream(path, std::ios::binary) << text;
    }
    static void damage(const std::filesystem::path& path, std::size_t byte) {
        std::string contents = text(path);
        contents.at(byte) ^= 1;
        put(path, contents);
    }
    template <class E>
    std::string refusal() const {
        try {
            (void)io::read_checkpoint(paths_);
        } catch (const E& error) {
            return error.what();
        }
        return "";
    }
    const tests::TemporaryFolder folder_;
    const io::CheckpointPaths paths_{folder_ / "checkpoint", folder_ / "checkpoint_previous"};
};

TEST_F(CheckpointFile, GivesBackWhatWasWrittenLast) {
    for (const std::size_t size : {0U, 1U, 100'000U}) {
        io::write_checkpoint(paths_, bytes('a', size));
        const io::StoredCheckpoint stored = io::read_checkpoint(paths_);
        EXPECT_EQ(stored.bytes, bytes('a', size));
        EXPECT_EQ(stored.path, paths_.newest);
        EXPECT_EQ(stored.complaint, "");
    }
    EXPECT_TRUE(io::is_checkpoint(paths_.newest));
    put(folder_ / "notes.txt", "TESSERA RESULTS 1\n");
    EXPECT_FALSE(io::is_checkpoint(folder_ / "notes.txt"));
}

TEST_F(CheckpointFile, ThatIsDamagedAnywhereOrCutOffLetsTheOneBeforeCount) {
    io::write_checkpoint(paths_, bytes('a'));
    io::write_checkpoint(paths_, bytes('b'));
    const std::string whole = text(paths_.newest);
    const auto expect_previous = [&](const std::string& complaint) {
        const io::StoredCheckpoint stored = io::read_checkpoint(paths_);
        EXPECT_EQ(stored.bytes, bytes('a'));
        EXPECT_EQ(stored.path, paths_.previous);
        EXPECT_THAT(stored.complaint, HasSubstr(complaint));
    };
    for (const std::size_t byte : {0U, 20U, 40U, 512U, 900U, 1511U}) {
        damage(paths_.newest, byte);
        expect_previous(paths_.newest.string());
        put(paths_.newest, whole);
    }
    for (const std::size_t size : {0U, 30U, 512U, 1500U}) {
        put(paths_.newest, whole.substr(0, size));
        expect_previous(paths_.newest.string());
    }
    std::filesystem::remove(paths_.newest);  // as a program leaves it that is killed between the two renames
    expect_previous("it is not there");
}

TEST_F(CheckpointFile, SaysWhatIsWrongWithBoth) {
    EXPECT_THAT(refusal<engine::ConfigError>(), HasSubstr("holds no checkpoint"));
    io::write_checkpoint(paths_, bytes('a'));
    damage(paths_.newest, 1000);
    EXPECT_THAT(refusal<engine::InputError>(), HasSubstr("checkpoint: damaged"));
    io::write_checkpoint(paths_, bytes('b'));
    damage(paths_.newest, 1000);
    EXPECT_THAT(refusal<engine::InputError>(), HasSubstr("checkpoint: damaged"));
    EXPECT_THAT(refusal<engine::InputError>(), HasSubstr("checkpoint_previous: damaged"));
}

TEST_F(CheckpointFile, OfAnotherFormatIsRefusedByItsVersion) {
    io::write_checkpoint(paths_, bytes('a'));
    io::FileKind kind = io::checkpoint_kind();
    ++kind.version;
    io::write_label(paths_.newest, kind);
    EXPECT_THAT(refusal<engine::InputError>(), HasSubstr("checkpoint, version 2; this program reads version 1"));
}

TEST_F(CheckpointFile, ThatCannotBeWrittenLeavesTheOneThereIs) {
    const tests::SmallFileSystem disk(100 * 1024);
    if (!disk.mounted()) GTEST_SKIP() << "mounting a tmpfs is not permitted here";
    const io::CheckpointPaths paths{disk / "checkpoint", disk / "checkpoint_previous"};
    io::write_checkpoint(paths, bytes('a'));
    EXPECT_THROW(io::write_checkpoint(paths, bytes('b', 200 * 1024)), engine::IoError);
    EXPECT_EQ(io::read_checkpoint(paths).bytes, bytes('a'));
    EXPECT_FALSE(std::filesystem::exists(paths.previous));
}

}  // namespace
