#include "experiments/tessera/time_range.h"

#include <charconv>

#include "engine/error.h"

namespace experiments {

TimeRange parse_time_range(const std::string& text) {
    TimeRange range;
    const char* const end = text.data() + text.size();
    const auto from = std::from_chars(text.data(), end, range.from);
    bool fine = from.ec == std::errc{} && from.ptr != end && *from.ptr == ':';
    if (fine) {
        const auto to = std::from_chars(from.ptr + 1, end, range.to);
        fine = to.ec == std::errc{} && to.ptr == end && range.from >= 0 && range.to > range.from;
    }
    if (!fine)
        throw engine::ConfigError("--log-messages: expected FROM:TO in ticks with 0 <= FROM < TO, found '" + text +
                                  "'");
    return range;
}

}  // namespace experiments
