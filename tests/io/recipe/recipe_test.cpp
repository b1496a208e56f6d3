#include "io/recipe/recipe.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "io/file.h"
#include "tests/io/temporary_folder.h"

namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

constexpr const char* required = "title = 'Game: level'\npackages = ['game', 'game-data']\ncommand = ['game', '-l']\n";

class RecipeFile : public testing::Test {
  protected:
    io::Recipe read(const std::string& text) {
        io::write_file(path(), text);
        return io::read_recipe(path());
    }
    std::string refusal(const std::string& text) {
        try {
            read(text);
        } catch (const engine::ConfigError& error) {
            return error.what();
        }
        return "none";
    }
    std::filesystem::path path() const { return folder_ / "game.toml"; }

    tests::TemporaryFolder folder_;
};

TEST_F(RecipeFile, SaysEverythingThatARecordingNeeds) {
    const io::Recipe recipe = read(std::string(required) +
                                   "size = '2160x1080'\ngles = '3'\nfps = 30\nreal_time = true\nskip = 20\nframes = 4\n"
                                   "environment = { A = 'b' }\n"
                                   "input = [[10, 'key', 'Return'], [10, 'mousemove', '1', '2']]\n"
                                   "[files]\n'.game/rc' = 'width {width}'\n");
    EXPECT_EQ(recipe.name, "game");
    EXPECT_EQ(recipe.title, "Game: level");
    EXPECT_THAT(recipe.packages, ElementsAre("game", "game-data"));
    const io::RecordOptions& options = recipe.options;
    EXPECT_THAT(options.command, ElementsAre("game", "-l"));
    EXPECT_EQ(options.size.width, 2160);
    EXPECT_EQ(options.size.height, 1080);
    EXPECT_EQ(options.gles, io::GlesLevel::gles3);
    EXPECT_EQ(options.frames_per_second, 30);
    EXPECT_TRUE(options.real_time);
    EXPECT_FALSE(read(required).options.real_time);
    EXPECT_EQ(options.skip, 20U);
    EXPECT_EQ(options.frames, 4U);
    EXPECT_EQ(options.environment.at("A"), "b");
    EXPECT_EQ(options.home->at(".game/rc"), "width {width}");
    EXPECT_EQ(options.workload, "game");
    ASSERT_EQ(options.input.size(), 2U);
    EXPECT_EQ(options.input[1].picture, 10U);
    EXPECT_THAT(options.input[1].words, ElementsAre("mousemove", "1", "2"));
}

TEST_F(RecipeFile, ATapHoldsAKeyOrAButtonForThreePictures) {
    const auto steps = read(std::string(required) +
                            "input = [[10, 'tap', 'Return'], [11, 'mousemove', '1', '2'], [20, 'tap', 'mouse3']]\n")
                           .options.input;
    std::vector<std::string> told;
    for (const io::InputStep& step : steps)
        told.push_back(std::to_string(step.picture) + " " + step.words[0] + " " + step.words[1]);
    EXPECT_THAT(
        told, ElementsAre("10 keydown Return", "11 mousemove 1", "13 keyup Return", "20 mousedown 3", "23 mouseup 3"));
}

TEST_F(RecipeFile, TheHomeIsTheApplicationsOwnEvenWithoutFiles) {
    const io::Recipe recipe = read(required);
    ASSERT_TRUE(recipe.options.home.has_value());
    EXPECT_TRUE(recipe.options.home->empty());
    EXPECT_EQ(recipe.options.gles, io::GlesLevel::gles2);
}

TEST_F(RecipeFile, MistakesNameLineAndColumn) {
    const std::string rest = required;
    EXPECT_THAT(refusal(rest + "fames = 4"), HasSubstr("game.toml:4:9: unknown key 'fames', did you mean 'frames'?"));
    EXPECT_THAT(refusal(rest + "frames = -1"),
                HasSubstr("game.toml:4:10: frames: expected a number of pictures from 0 to"));
    EXPECT_THAT(refusal(rest + "size = '2160'"), HasSubstr("expected WIDTHxHEIGHT such as 800x600, found 2160"));
    EXPECT_THAT(refusal(rest + "gles = '4'"), HasSubstr("expected \"2\", \"3\", \"3.1\" or \"full\", found \"4\""));
    EXPECT_THAT(refusal(rest + "real_time = 1"), HasSubstr("real_time: expected true or false"));
    EXPECT_THAT(refusal(rest + "fps = 0"), HasSubstr("fps: expected a number from"));
    EXPECT_THAT(refusal(rest + "input = [['key', 'Return']]"), HasSubstr("input: expected a number of pictures"));
    EXPECT_THAT(refusal(rest + "input = [[1]]"), HasSubstr("input: expected steps such as"));
    EXPECT_THAT(refusal(rest + "input = [[1, 'tap', 'a', 'b']]"), HasSubstr("input: expected one key or mouse button"));
    EXPECT_THAT(refusal(rest + "input = [[5, 'a'], [4, 'b']]"), HasSubstr("in the order of their pictures"));
    EXPECT_THAT(refusal(rest + "environment = 3"), HasSubstr("environment: expected a table of texts"));
    EXPECT_THAT(refusal("title = 'x'\npackages = []\n"), EndsWith("expected the key 'command', found none"));
    EXPECT_THAT(refusal("title = 'x'\npackages = []\ncommand = []"), HasSubstr("expected a program"));
    EXPECT_THAT(refusal("title = "), HasSubstr("game.toml:1:"));
    EXPECT_THAT(refusal("title = '\xff'"), HasSubstr("game.toml:1:10: not valid UTF-8"));
    EXPECT_THAT(refusal(rest + "input = 'Return'"), HasSubstr("game.toml:4:9: input: expected a list of steps"));
    EXPECT_THAT(refusal("packages = 'game'"), HasSubstr("packages: expected a list of texts such as [\"neverball\"]"));
    EXPECT_THAT(refusal("title = 3"), HasSubstr("title: expected a text in quotation marks"));
}

TEST_F(RecipeFile, FilesOutsideTheHomeAreRefusedWhereTheyStand) {
    const auto of = [&](const std::string& name) {
        return refusal(required + ("[files]\n'rc' = ''\n" + name + " = 'x'\n"));
    };
    EXPECT_THAT(of("'/etc/x'"),
                HasSubstr("game.toml:6:1: files: expected the path of a file in the home folder, found an "
                          "absolute path: '/etc/x'"));
    EXPECT_THAT(of("'../x'"),
                HasSubstr("game.toml:6:1: files: expected the path of a file in the home folder, found '..'"));
    EXPECT_THAT(of("'a/../../x'"), HasSubstr("found '..' in it: 'a/../../x'"));
    EXPECT_THAT(of("'./x'"), HasSubstr("found '.' in it"));
    EXPECT_THAT(of("'..'"), HasSubstr("found '..' in it"));
    EXPECT_THAT(of("''"), HasSubstr("found none"));
    EXPECT_THAT(of("'folder/'"), HasSubstr("found none"));
    EXPECT_THAT(of("'.run'"), HasSubstr("found the folder that is there already"));
    EXPECT_THAT(of("\"a\\u0000b\""), HasSubstr("found a zero byte"));
    EXPECT_THAT(of("'rc/x'"), HasSubstr("files: 'rc' is a file, and a folder in 'rc/x'"));
    EXPECT_EQ(of("'.game/..rc/x'"), "none");
}

TEST_F(RecipeFile, NumbersOfPicturesHaveAnEnd) {
    EXPECT_THAT(refusal(std::string(required) + "skip = 9223372036854775807"),
                HasSubstr("skip: expected a number of pictures from 0 to 1000000000"));
}

TEST(Recipes, OfTheTreeAreAllReadableAndSayHowMuchToRecord) {
    const std::filesystem::path folder = std::filesystem::path(TESSERA_SOURCE) / "experiments/workloads";
    const std::vector<std::string> names = io::recipe_names(folder);
    EXPECT_GE(names.size(), 10U);
    EXPECT_TRUE(std::ranges::is_sorted(names));
    for (const std::string& name : names) {
        const io::Recipe recipe = io::read_recipe(folder / (name + ".toml"));
        EXPECT_GT(recipe.options.frames, 0U) << name;
        EXPECT_FALSE(recipe.packages.empty()) << name;
        for (const io::InputStep& step : recipe.options.input)
            EXPECT_LT(step.picture, recipe.options.skip + recipe.options.frames) << name << ": never played";
    }
}

TEST_F(RecipeFile, KeysOfVeryManyPartsAndHugeFilesAreRefused) {
    std::string key = "a";
    for (int i = 0; i < 200'000; ++i) key += ".a";
    EXPECT_THAT(refusal(required + key + " = 1\n"), EndsWith("game.toml:4:32: a key of more than 16 parts"));
    EXPECT_THAT(refusal(std::string((std::size_t{1} << 20) + 1, '#')), HasSubstr("expected TOML of at most 1048576"));
}

TEST_F(RecipeFile, FilesOfTheHomeFolderMayHaveLinesInAnyLanguage) {
    const io::Recipe recipe = read(std::string(required) + "[files]\nrc = \"\"\"\nname = Jürgen\n\"\"\"\n");
    EXPECT_EQ(recipe.options.home->at("rc"), "name = Jürgen\n");
}

}  // namespace
