#include "experiments/tessera/dram_pattern_option.h"

#include <charconv>

#include "engine/error.h"

namespace experiments {

using models::DramOrder;

void read_pattern(const std::string& text, models::DramPattern& pattern) {
    struct Name {
        const char* name;
        DramOrder order;
        bool is_chase;
    };
    for (const Name& each : {Name{"chase-random", DramOrder::random, true},
                             {"chase-sequential", DramOrder::sequential, true},
                             {"stream", DramOrder::sequential, false},
                             {"random", DramOrder::random, false}})
        if (text == each.name) {
            pattern.order = each.order;
            pattern.is_chase = each.is_chase;
            return;
        }
    const std::string stride = "stride:";
    const char* const begin = text.data() + stride.size();
    const char* const end = text.data() + text.size();
    if (text.starts_with(stride)) {
        const auto [rest, error] = std::from_chars(begin, end, pattern.stride);
        if (error == std::errc{} && rest == end && pattern.stride > 0 && pattern.stride <= std::uint64_t{1} << 32U) {
            pattern.order = DramOrder::stride;
            pattern.is_chase = false;
            return;
        }
        throw engine::ConfigError("--pattern: expected stride:BYTES with 1 .. 4294967296 bytes, found '" + text + "'");
    }
    throw engine::ConfigError(
        "--pattern: expected chase-random, chase-sequential, stream, random or stride:BYTES, found '" + text + "'");
}

double read_share(const std::string& option, const std::string& text, bool may_be_zero) {
    double share = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), share);
    const bool is_number = error == std::errc{} && rest == text.data() + text.size();
    if (is_number && share <= 1 && (share > 0 || (may_be_zero && share == 0))) return share;
    throw engine::ConfigError(option + ": expected a number " + (may_be_zero ? "from 0 to 1" : "above 0, up to 1") +
                              ", found '" + text + "'");
}

}  // namespace experiments
