#include "experiments/tessera/run_length.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include "engine/error.h"

namespace experiments {

namespace {

constexpr double most_seconds = 1e9;
constexpr double most_count = 1e15;

struct Unit {
    std::string_view name;
    double seconds;  // 0: none of wall time
};
constexpr std::array<Unit, 7> units = {
    {{"s", 1}, {"min", 60}, {"h", 3600}, {"cycles", 0}, {"cycle", 0}, {"frames", 0}, {"frame", 0}}};

}  // namespace

RunLength parse_run_length(const std::string& option, const std::string& text) {
    double number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
    std::string_view name(rest, static_cast<std::size_t>(end - rest));
    while (name.starts_with(' ')) name.remove_prefix(1);
    for (const Unit& unit : units) {
        if (error != std::errc{} || name != unit.name) continue;
        RunLength length;
        const bool whole = number == std::floor(number) && number >= 1 && number <= most_count;
        if (unit.seconds > 0 && number > 0 && number * unit.seconds <= most_seconds)
            length.seconds = number * unit.seconds;
        else if (unit.seconds == 0 && whole)
            (name.starts_with("cycle") ? length.cycles : length.frames) = static_cast<std::int64_t>(number);
        if (length.given()) return length;
    }
    throw engine::ConfigError(option +
                              ": expected a time of the wall clock as in \"90 s\", \"10 min\" or \"2 h\", a number of "
                              "\"cycles\" of the GPU, or of \"frames\", more than 0, found \"" +
                              text + "\"");
}

Milestone::Milestone(const RunLength& length, Clock::time_point wall, engine::Time simulated, engine::Time cycle)
    : length_(length),
      wall_(wall) {
    if (length_.cycles == 0) return;
    const engine::Time most = engine::end_of_time / cycle;
    step_ = std::min<engine::Time>(length_.cycles, most) * cycle;
    time_ = simulated + step_;
}

double Milestone::seconds_left() const {
    if (length_.seconds == 0) return std::numeric_limits<double>::infinity();
    return length_.seconds - engine::seconds_since(wall_);
}

bool Milestone::is_reached(engine::Time now) const {
    return now >= time_ || seconds_left() <= 0 || (length_.frames > 0 && frames_ >= length_.frames);
}

void Milestone::go_on() {
    wall_ = Clock::now();
    frames_ = 0;
    if (step_ > 0) time_ += step_;
}

}  // namespace experiments
