// A family: several ways of doing one thing (replacement policies, prefetchers), of which a configuration names one.
// Each member is a class of its own file with a `static constexpr std::string_view name`; the family's list names the
// members.
//
//     using Replacement = Family<LeastRecentlyUsed, Random>;
//     engine::Choice<std::size_t> replacement{this, "replacement", options_of<Replacement>(), 0, "...", "..."};
//     Replacement policy(parameters.replacement(), sets, ways);
//     policy.visit([&](auto& member) { member.touch(set, way); });
//
// visit() chooses the member by its number: no virtual call, and the compiler sees into the member.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "engine/archive.h"
#include "engine/parameter.h"

namespace models {

template <class... Members>
class Family {
  public:
    static constexpr std::array<std::string_view, sizeof...(Members)> names{Members::name...};

    // What get(std::type_identity<Member>()) gives for each member, by number.
    template <class Get>
    static constexpr auto of_each(Get get) {
        return std::array{get(std::type_identity<Members>())...};
    }

    // The member with this number in the list, made of these arguments.
    template <class... Arguments>
    explicit Family(std::size_t member, const Arguments&... arguments)
        : member_(make(member, std::index_sequence_for<Members...>(), arguments...)) {}

    template <class Visitor>
    decltype(auto) visit(Visitor&& visitor) {
        return std::visit(std::forward<Visitor>(visitor), member_);
    }
    template <class Visitor>
    decltype(auto) visit(Visitor&& visitor) const {
        return std::visit(std::forward<Visitor>(visitor), member_);
    }
    void serialize(engine::Archive& archive) {
        visit([&](auto& member) { archive(member); });
    }

  private:
    using Member = std::variant<Members...>;
    template <std::size_t... i, class... Arguments>
    static Member make(std::size_t member, std::index_sequence<i...> /*all*/, const Arguments&... arguments) {
        assert(member < sizeof...(Members));
        using Maker = Member (*)(const Arguments&...);
        constexpr Maker makers[] = {
            +[](const Arguments&... with) { return Member(std::in_place_index<i>, with...); }...};
        return makers[member](arguments...);
    }
    Member member_;
};

// Of a parameter that chooses a member by its number.
template <class AFamily>
std::vector<engine::Choice<std::size_t>::Option> options_of() {
    std::vector<engine::Choice<std::size_t>::Option> options;
    for (const std::string_view name : AFamily::names) options.push_back({name, options.size()});
    return options;
}

}  // namespace models
