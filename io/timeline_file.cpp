#include "io/timeline_file.h"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "io/file.h"
#include "io/json.h"

namespace io {

namespace {

using engine::Timeline;

// Viewers ignore keys that they do not know.
constexpr std::string_view start = "{\"generator\": \"Tessera\"";

std::int64_t first_moment(const std::vector<Timeline>& ranks) {
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    for (const Timeline& rank : ranks)
        for (const Timeline::Lane& lane : rank.lanes)
            for (const Timeline::Slice& slice : lane.slices) first = std::min(first, slice.begin);
    return first;
}

// "1234.567": microseconds, which is what the format counts in.
std::string microseconds(std::int64_t nanoseconds) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%" PRId64 ".%03d", nanoseconds / 1000,
                  static_cast<int>(nanoseconds % 1000));
    return text.data();
}

std::string name_of(std::int32_t what, const std::vector<std::string>& processes) {
    switch (what) {
        case Timeline::window:
            return "\"window\"";
        case Timeline::messages:
            return "\"messages\"";
        case Timeline::wait:
            return "\"wait\"";
        case Timeline::unmeasured:
            return "\"not measured\"";
        default:
            return processes[static_cast<std::size_t>(what)];
    }
}

class Writer {
  public:
    Writer(std::int64_t origin, const engine::Graph& graph) : origin_(origin) {
        for (const engine::Graph::Process& process : graph.processes) processes_.push_back(json_text(process.name));
    }
    void add_name(const char* kind, std::size_t rank, std::size_t thread, const std::string& name) {
        begin("M", rank, thread);
        text_ += std::string(", \"name\": \"") + kind + R"(", "args": {"name": )" + json_text(name) + "}}";
    }
    void add_lane(std::size_t rank, std::size_t thread, const Timeline::Lane& lane, std::size_t most) {
        for (const Timeline::Slice& slice : lane.slices) {
            begin("X", rank, thread);
            text_ += ", \"ts\": " + microseconds(slice.begin - origin_) +
                     ", \"dur\": " + microseconds(slice.end - slice.begin) +
                     ", \"name\": " + name_of(slice.what, processes_);
            if (slice.what == Timeline::unmeasured)
                text_ += ", \"args\": {\"waited_us\": " +
                         microseconds(std::llround(static_cast<double>(slice.waited) * 1e9)) + "}";
            text_ += "}";
        }
        if (!lane.full) return;
        begin("i", rank, thread);
        text_ += ", \"s\": \"t\", \"ts\": " + microseconds(lane.slices.back().end - origin_) +
                 ", \"name\": \"recording ends after " + std::to_string(most) + " slices\"}";
        full_ = true;
    }
    std::string finish() && {
        text_ += std::string("\n], \"otherData\": {\"complete\": ") + (full_ ? "false" : "true") + "}}\n";
        return std::move(text_);
    }

  private:
    void begin(const char* phase, std::size_t rank, std::size_t thread) {
        text_ += std::string(first_ ? "\n" : ",\n") + "{\"ph\": \"" + phase + "\", \"pid\": " + std::to_string(rank) +
                 ", \"tid\": " + std::to_string(thread);
        first_ = false;
    }

    std::int64_t origin_;
    std::vector<std::string> processes_;
    std::string text_ = std::string(start) + ", \"displayTimeUnit\": \"ns\", \"traceEvents\": [";
    bool first_ = true, full_ = false;
};

}  // namespace

bool is_timeline(const std::filesystem::path& path) {
    std::string found(start.size(), '\0');
    found.resize(read_bytes(open_for_reading(path), std::as_writable_bytes(std::span(found)), path));
    return found == start;
}

void write_timeline(const std::filesystem::path& path, const std::vector<Timeline>& ranks, const engine::Graph& graph,
                    Existing existing) {
    Writer writer(first_moment(ranks), graph);
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        writer.add_name("process_name", rank, 0, "rank " + std::to_string(rank));
        for (std::size_t thread = 0; thread < ranks[rank].lanes.size(); ++thread) {
            writer.add_name("thread_name", rank, thread, "thread " + std::to_string(thread));
            writer.add_lane(rank, thread, ranks[rank].lanes[thread], ranks[rank].most());
        }
    }
    write_file(path, std::move(writer).finish(), existing);
}

}  // namespace io
