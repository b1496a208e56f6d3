#include "io/timeline_file.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/io/temporary_folder.h"

namespace {

using engine::Timeline;

engine::Graph graph() {
    engine::Graph graph;
    graph.processes = {{"core[0]", "core", 1}, {"a \"b\" \\", "a", 1}};
    return graph;
}

std::vector<Timeline> two_ranks() {
    std::vector<Timeline> ranks(2, Timeline(3));
    ranks[0].lanes.resize(2);
    ranks[0].lanes[0].slices = {{1'000'000'000, 1'000'001'500, Timeline::wait, 0},
                                {1'000'001'500, 1'000'002'500, Timeline::window, 0},
                                {1'000'001'600, 1'000'001'999, 0, 0}};
    ranks[0].lanes[0].full = true;
    ranks[1].lanes.resize(1);
    ranks[1].lanes[0].slices = {{1'000'002'000, 1'000'003'000, Timeline::unmeasured, 0.5e-6F},
                                {1'000'004'000, 1'000'004'001, 1, 0}};
    return ranks;
}

// What Python makes of it.
std::string python(const std::filesystem::path& path, const std::string& expression) {
    const std::string result = path.string() + ".txt";
    const std::string command =
        "python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); e = d[\"traceEvents\"]; "
        "x = [v for v in e if v[\"ph\"] == \"X\"]; print(" +
        expression + ")' " + path.string() + " > " + result;
    EXPECT_EQ(std::system(command.c_str()), 0);  // NOLINT(concurrency-mt-unsafe): tests are one thread
    std::ifstream file(result);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(TimelineFile, IsJsonWithASliceForEverySlice) {
    const tests::TemporaryFolder folder;
    const std::filesystem::path path = folder / "p.json";
    io::write_timeline(path, two_ranks(), graph());
    EXPECT_EQ(python(path, "[(v[\"pid\"], v[\"tid\"], v[\"ts\"], v[\"dur\"]) for v in x]"),
              "[(0, 0, 0.0, 1.5), (0, 0, 1.5, 1.0), (0, 0, 1.6, 0.399), (1, 0, 2.0, 1.0), (1, 0, 4.0, 0.001)]\n");
    EXPECT_EQ(python(path, "[v[\"name\"] for v in x]"),
              "['wait', 'window', 'core[0]', 'not measured', 'a \"b\" \\\\']\n");
    EXPECT_EQ(python(path, "[v[\"args\"] for v in x if \"args\" in v]"), "[{'waited_us': 0.5}]\n");
}

TEST(TimelineFile, NamesRanksAndThreadsAndSaysWhereRecordingEnded) {
    const tests::TemporaryFolder folder;
    const std::filesystem::path path = folder / "p.json";
    io::write_timeline(path, two_ranks(), graph());
    EXPECT_EQ(python(path, "[v[\"args\"][\"name\"] for v in e if v[\"ph\"] == \"M\"]"),
              "['rank 0', 'thread 0', 'thread 1', 'rank 1', 'thread 0']\n");
    EXPECT_EQ(python(path, "[(v[\"name\"], v[\"tid\"]) for v in e if v[\"ph\"] == \"i\"], d[\"otherData\"]"),
              "[('recording ends after 3 slices', 0)] {'complete': False}\n");
}

TEST(TimelineFile, OfNothingIsJsonToo) {
    const tests::TemporaryFolder folder;
    io::write_timeline(folder / "p.json", {}, graph());
    EXPECT_EQ(python(folder / "p.json", "len(e), d[\"otherData\"]"), "0 {'complete': True}\n");
}

TEST(TimelineFile, ThatCannotBeWrittenIsAnIoError) {
    EXPECT_THROW(io::write_timeline("/nowhere/p.json", two_ranks(), graph()), engine::IoError);
}

}  // namespace
