#include "experiments/tessera/number_option.h"

#include <charconv>
#include <string>

namespace experiments {

ValueCheck whole_number(std::uint64_t least, std::uint64_t most) {
    const std::string range = std::to_string(least) + " .. " + std::to_string(most);
    const auto refusal = [=](const std::string& text) -> std::string {
        std::uint64_t number = 0;
        const char* const end = text.data() + text.size();
        const auto [rest, error] = std::from_chars(text.data(), end, number);
        const bool padded = text.size() > 1 && text.front() == '0';
        if (error == std::errc{} && rest == end && !padded && number >= least && number <= most) return {};
        return "expected a whole number, " + range + ", found '" + text + "'";
    };
    return {range, refusal};
}

}  // namespace experiments
