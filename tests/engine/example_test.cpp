// The example of engine/README.md.
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "engine/simulation.h"

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace): as a reader of the example would write

// clang-format off
struct Read { std::int64_t address; };  // messages: plain values of at most 40 bytes, without pointers
struct Line { std::int64_t address; };

class Core : public Clocked<Core> {  // steps at the edges of its clock
  public:
    explicit Core(int index) : Clocked("core", index, 2) { wake_at(0); }
    Time step() {  // one clock cycle at now(); returns when it wants the next one
        if (reads_left_ == 0 || waiting_) return never;  // sleeps; a message wakes it
        reads.send({64 * --reads_left_}, 1);
        waiting_ = true;
        ++sent;
        return never;
    }
    void on_line(const Line& /*line*/) { waiting_ = false; }
    std::string unfinished() const override { return waiting_ ? "waits for a line" : ""; }

    Out<Read> reads{this, "reads", 1};  // departs at least 1 tick after the event that sends it
    In<Line> lines{this, "lines", handler<&Core::on_line>};
    Counter sent{&counters(), "reads", "1", "reads sent to the memory"};

  private:
    std::int64_t reads_left_ = 100;
    bool waiting_ = false;
};

class Memory : public EventDriven<Memory> {  // reacts to messages
  public:
    explicit Memory(int cores)
        : EventDriven("memory", -1),
          reads(this, "reads", cores, handler<&Memory::on_read>),
          lines(this, "lines", cores, Time{20}) {}
    void on_read(const Read& read, int core) { lines[core].send({read.address}, 20); }

    Row<In<Read>> reads;
    Row<Out<Line>> lines;
};

RunReport simulate(const Plan& plan) {
    Simulation simulation;
    auto& memory = simulation.add<Memory>(2);
    for (int i = 0; i < 2; ++i) {
        auto& core = simulation.add<Core>(i);
        simulation.connect(core.reads, memory.reads[i], 3);  // latency in ticks
        simulation.connect(memory.lines[i], core.lines, 3);
    }
    return simulation.run(plan);  // Plan{}: one thread. Plan{1, 2, {0, 0, 1}}: process 2 on thread 1
}
// clang-format on

std::string text_of(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

TEST(Example, IsTheOneOfTheReadme) {
    const std::filesystem::path here = __FILE__;
    const std::string readme = text_of(here.parent_path() / "../../engine/README.md"), source = text_of(here);
    const std::string mark = "using namespace engine;\n\n", off = "// clang-format off\n", on = "// clang-format on";
    const std::size_t begin = readme.find(mark) + mark.size(), end = readme.find("```", begin);
    const std::size_t first = source.find(off) + off.size(), last = source.find(on);
    ASSERT_NE(end, std::string::npos);
    EXPECT_EQ(readme.substr(begin, end - begin), source.substr(first, last - first));
}

TEST(Example, GivesTheSameOnOneThreadAndOnTwo) {
    const RunReport one = simulate(Plan{});
    const RunReport two = simulate(Plan{1, 2, {0, 0, 1}});
    EXPECT_EQ(one.messages, 400U);
    EXPECT_EQ(one.end, 2800);  // 100 round trips of 28 ticks: 1 + 3 there, 20 + 3 back, 1 to the next edge
    EXPECT_EQ(two.messages, one.messages);
    EXPECT_EQ(two.end, one.end);
    EXPECT_EQ(two.messages, one.messages);
}

}  // namespace
