#include "experiments/tessera/dram_pattern_option.h"

#include <charconv>
#include <vector>

#include "engine/error.h"
#include "engine/parameter.h"

namespace experiments {

using models::DramOrder;

namespace {

struct Name {
    const char* name;
    DramOrder order;
    bool is_chase;
};
constexpr Name names[] = {{"chase-random", DramOrder::random, true},
                          {"chase-sequential", DramOrder::sequential, true},
                          {"stream", DramOrder::sequential, false},
                          {"random", DramOrder::random, false}};
const std::string stride = "stride:";
constexpr std::uint64_t most_stride = std::uint64_t{1} << 32U;

[[noreturn]] void refuse(const std::string& text) {
    std::vector<std::string> all{stride};
    for (const Name& each : names) all.emplace_back(each.name);
    const std::size_t colon = text.find(':');
    const std::string hint = engine::nearest(text.substr(0, colon == std::string::npos ? colon : colon + 1), all);
    throw engine::ConfigError(
        "--pattern: expected chase-random, chase-sequential, stream, random or stride:BYTES, found '" + text + "'" +
        (hint.empty() ? "" : ", did you mean '" + hint + (hint == stride ? "BYTES" : "") + "'?"));
}

}  // namespace

void read_pattern(const std::string& text, models::DramPattern& pattern) {
    for (const Name& each : names)
        if (text == each.name) {
            pattern.order = each.order;
            pattern.is_chase = each.is_chase;
            return;
        }
    if (!text.starts_with(stride)) refuse(text);
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data() + stride.size(), end, pattern.stride);
    if (error != std::errc{} || rest != end || pattern.stride < 1 || pattern.stride > most_stride)
        throw engine::ConfigError("--pattern: expected stride:BYTES with 1 .. " + std::to_string(most_stride) +
                                  " bytes, found '" + text + "'");
    pattern.order = DramOrder::stride;
    pattern.is_chase = false;
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
