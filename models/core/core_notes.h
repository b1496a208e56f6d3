// What a core has noted in a series of its own.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace models {

inline constexpr std::array<std::string_view, 2> core_kinds{"fragment_processor", "vertex_processor"};
inline std::vector<std::string> core_kind_names() {
    return {core_kinds.begin(), core_kinds.end()};
}

struct CoreNotes {
    std::uint32_t kind = 0;  // of core_kinds
    std::uint32_t core = 0;  // among those of its kind
    std::vector<std::uint64_t> values;
};

}  // namespace models
