#include "io/run_folder.h"

#include <fstream>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "io/file.h"
#include "io/frame_trace_file.h"
#include "io/image_file.h"
#include "io/results_file.h"
#include "tests/io/sample_results.h"
#include "tests/io/temporary_folder.h"

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class RunFolder : public testing::Test {
  protected:
    // As a run does it; `label` is in all that it writes.
    void write(io::RunFolder& run, const std::string& label) const {
        run.make_room();
        io::write_file(run.machine(), "# tessera " + label + "\n");
        io::create_folder(run.images() / label);
        io::write_image_file(run.images() / label / "frame_0000.png", io::encode_png({1, 1, {0, 0, 0, 0}}),
                             io::Existing::keep);
        io::create_folder(run.traces());
        io::FrameTraceWriter(run.traces() / (label + ".h5"), {"test", "none", ""}).finish({});
        io::write_results(run.results(), tests::sample_results());
        run.keep();
    }
    void complete_run(const std::string& label, bool force = false) const {
        io::RunFolder run(path_, {force, {}});
        write(run, label);
        run.complete();
    }
    std::vector<std::string> names(const std::string& below = "") const {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(path_ / below))
            names.push_back(entry.path().filename());
        std::sort(names.begin(), names.end());
        return names;
    }
    std::string label(const std::string& below = "") const {
        return io::read_file(path_ / below / "resolved.toml", 100).substr(10, 3);
    }
    std::string refusal(const io::OutputPolicy& policy) const {
        try {
            const io::RunFolder run(path_, policy);
        } catch (const engine::ConfigError& error) {
            return error.what();
        }
        return "";
    }
    const tests::TemporaryFolder folder_;
    const std::filesystem::path path_ = folder_ / "a/out";
};

TEST_F(RunFolder, OfARunThatWritesNothingIsNotLeft) {
    {
        const io::RunFolder run(path_, {});
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(RunFolder, OfARunThatFailsBeforeItHasATraceIsNotLeft) {
    {
        io::RunFolder run(path_, {});
        run.make_room();
        io::create_folder(run.traces());
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(RunFolder, WithResultsIsRefusedWithoutForce) {
    complete_run("old");
    EXPECT_EQ(refusal({}), (path_ / "results.h5").string() + " exists; --force replaces it");
    EXPECT_THAT(names(), ElementsAre("images", "resolved.toml", "results.h5", "traces"));
}

TEST_F(RunFolder, HoldsNothingOfTheEarlierRunWhenTheNextIsComplete) {
    complete_run("old");
    complete_run("new", true);
    EXPECT_THAT(names(), ElementsAre("images", "resolved.toml", "results.h5", "traces"));
    EXPECT_THAT(names("images"), ElementsAre("new"));
    EXPECT_THAT(names("traces"), ElementsAre("new.h5"));
}

// Without results: results.h5 was removed, or never written.
TEST_F(RunFolder, LeftOversOfARunAreNotTakenForThoseOfTheNext) {
    complete_run("old");
    std::filesystem::remove(path_ / "results.h5");
    EXPECT_THAT(refusal({}), HasSubstr("exists; --force replaces it"));
    complete_run("new", true);
    EXPECT_THAT(names("images"), ElementsAre("new"));
    EXPECT_THAT(names("traces"), ElementsAre("new.h5"));
}

TEST_F(RunFolder, GivesTheEarlierRunBackIfTheNextFailsBeforeItHasResults) {
    complete_run("old");
    {
        const io::RunFolder run(path_, {true, {}});
    }
    EXPECT_EQ(label(), "old");
    {
        io::RunFolder run(path_, {true, {}});
        run.make_room();
        EXPECT_THAT(names("replaced"), ElementsAre("images", "resolved.toml", "results.h5", "traces"));
        io::create_folder(run.traces());
        io::FrameTraceWriter(run.traces() / "new.h5", {"test", "none", ""}).finish({});
    }
    EXPECT_EQ(label(), "old");
    EXPECT_THAT(names(), ElementsAre("images", "resolved.toml", "results.h5", "traces"));
    EXPECT_THAT(names("traces"), ElementsAre("old.h5"));
}

TEST_F(RunFolder, KeepsBothRunsIfTheNextFailsWhenItHasResults) {
    complete_run("old");
    {
        io::RunFolder run(path_, {true, {}});
        write(run, "new");
    }
    EXPECT_EQ(label(), "new");
    EXPECT_EQ(label("replaced"), "old");
    EXPECT_THAT(refusal({}), HasSubstr("exists"));
    {
        io::RunFolder run(path_, {true, {}});
        write(run, "xxx");
    }
    EXPECT_EQ(label("replaced"), "old");
    EXPECT_EQ(label("replaced_2"), "new");
    complete_run("yyy", true);
    EXPECT_THAT(names(), ElementsAre("images", "resolved.toml", "results.h5", "traces"));
}

TEST_F(RunFolder, WithWhatIsNotTesserasIsRefusedAndLeftAlone) {
    for (const char* name :
         {"images/old/notes.txt", "images/notes.txt", "traces/x.h5", "resolved.toml", "results.h5"}) {
        std::filesystem::remove_all(path_);
        complete_run("old");
        std::ofstream(path_ / name) << "mine";
        EXPECT_THAT(refusal({true, {}}), HasSubstr((path_ / name).string() + " is not ")) << name;
        EXPECT_EQ(io::read_file(path_ / name, 100), "mine");
    }
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_ / "results.h5/mine");
    EXPECT_THAT(refusal({true, {}}), HasSubstr("results.h5 is a folder, which is never replaced"));
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
    std::filesystem::create_directory_symlink(folder_.path(), path_ / "images");
    EXPECT_THAT(refusal({true, {}}), HasSubstr("images is no folder"));
    std::filesystem::remove(path_ / "images");
    std::ofstream(path_ / "notes.txt") << "mine";  // in nobody's way
    complete_run("new");
    complete_run("yyy", true);
    EXPECT_EQ(io::read_file(path_ / "notes.txt", 100), "mine");
}

TEST_F(RunFolder, WithAnInputInItIsRefused) {
    complete_run("old");
    for (const char* name : {"resolved.toml", "results.h5", "traces/old.h5"})
        EXPECT_THAT(refusal({true, {path_ / name}}), HasSubstr("is read by this command")) << name;
    EXPECT_EQ(refusal({true, {folder_ / "elsewhere"}}), "");
}

TEST_F(RunFolder, IsOneRunsAtATime) {
    io::RunFolder run(path_, {});
    EXPECT_THROW(io::RunFolder(path_, {}), engine::IoError);
    EXPECT_THROW(io::RunFolder(path_, {true, {}}), engine::IoError);
}

TEST_F(RunFolder, KnowsWhichNamesAreItsOwn) {
    for (const char* name : {"out/results.h5", "out/./images/p.json", "out/../out/traces", "out/replaced_2/x"})
        EXPECT_TRUE(io::RunFolder::is_reserved("out", name)) << name;
    for (const char* name : {"out/p.json", "p.json", "outer/results.h5", "results.h5"})
        EXPECT_FALSE(io::RunFolder::is_reserved("out", name)) << name;
}

TEST_F(RunFolder, OfARunThatGoesOnIsTakenOverAsItIsAndKeptWhateverHappens) {
    EXPECT_THROW(io::RunFolder{path_}, engine::ConfigError);
    {
        io::RunFolder run(path_, {false, {}});
        run.make_room();
        io::write_file(run.machine(), "# tessera one\n");
        io::write_checkpoint(run.checkpoints(), {});
        run.keep();
    }
    {
        io::RunFolder run(path_);
    }
    EXPECT_THAT(names(), ElementsAre("checkpoint", "resolved.toml"));
    EXPECT_THAT(refusal({false, {}}), HasSubstr("holds a run that was stopped; --resume " + path_.string()));
    {
        io::RunFolder run(path_);
        write(run, "two");
        io::write_checkpoint(run.checkpoints(), {});
    }
    for (const char* item : {"images/two/frame_0001.png", "traces/two.h5", "checkpoint"})
        std::ofstream(io::unfinished_name(path_ / item)) << "killed";
    std::ofstream(path_ / "images/two/notes.txt") << "not yours";
    {
        io::RunFolder run(path_);
    }
    EXPECT_THAT(names("images/two"), ElementsAre("frame_0000.png", "notes.txt"));
    EXPECT_THAT(names("traces"), ElementsAre("two.h5"));
    EXPECT_THAT(names(),
                ElementsAre("checkpoint", "checkpoint_previous", "images", "resolved.toml", "results.h5", "traces"));
    io::RunFolder(path_).complete();
    EXPECT_THAT(names(), ElementsAre("images", "resolved.toml", "results.h5", "traces"));
}

TEST_F(RunFolder, AStoppedRunIsPutAsideByForceAndComesBackIfTheNewOneFails) {
    {
        io::RunFolder run(path_, {false, {}});
        run.make_room();
        io::write_checkpoint(run.checkpoints(), {});
        run.keep();
    }
    {
        io::RunFolder run(path_, {true, {}});
        run.make_room();
        EXPECT_THAT(names(), testing::Not(testing::Contains("checkpoint")));
    }
    EXPECT_THAT(names(), ElementsAre("checkpoint"));
    complete_run("one", true);
    EXPECT_THAT(names(), ElementsAre("images", "resolved.toml", "results.h5", "traces"));
}

}  // namespace
