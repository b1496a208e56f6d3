#include "engine/parameter.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <limits>
#include <numeric>
#include <utility>

namespace engine {

ParameterBase::ParameterBase(ParameterGroup* group, std::string_view name, std::string_view doc,
                             std::string_view source)
    : name_(name),
      doc_(doc),
      source_(source) {
    group->parameters_.push_back(this);
}

ParameterGroup::ParameterGroup(ParameterGroup* parent, std::string_view name, std::string_view doc)
    : name_(name),
      doc_(doc) {
    parent->groups_.push_back(this);
}

void ParameterGroup::check_all() const {
    for (const ParameterGroup* group : groups_) group->check_all();
    check();
}

std::int64_t parse_quantity(std::string_view text, std::string_view unit, const Suffix* suffixes, std::size_t count,
                            bool bare) {
    std::string expected = "an integer";
    if (!bare) {
        expected = "a quantity in " + std::string(unit) + " with its unit, a whole number of ";
        for (std::size_t i = 0; i < count; ++i)
            expected += (i == 0 ? "" : i + 1 < count ? ", " : " or ") + std::string(suffixes[i].text);
    }
    const auto fail = [&] { throw ConfigError("expected " + expected + ", found \"" + std::string(text) + "\""); };

    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{}) fail();
    std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    if (bare && rest.empty()) return number;
    for (std::size_t i = 0; i < count; ++i) {
        if (rest != suffixes[i].text) continue;
        std::int64_t scaled = 0;
        if (__builtin_mul_overflow(number, suffixes[i].scale, &scaled)) fail();
        return scaled;
    }
    fail();
    return 0;
}

std::string quantity_text(std::int64_t value, const Suffix* suffixes, std::size_t count) {
    const Suffix* best = nullptr;  // the largest unit that divides the value
    for (std::size_t i = 0; i < count; ++i)
        if (value % suffixes[i].scale == 0 && (value != 0 || suffixes[i].scale == 1) &&
            (best == nullptr || suffixes[i].scale > best->scale))
            best = &suffixes[i];
    assert(best != nullptr);  // every list of suffixes has one of scale 1
    return std::to_string(value / best->scale) + " " + std::string(best->text);
}

void Flag::set(std::string_view text) {
    if (text != "true" && text != "false")
        throw ConfigError("expected true or false, found \"" + std::string(text) + "\"");
    value_ = text == "true";
}

ChoiceBase::ChoiceBase(ParameterGroup* group, std::string_view name, std::vector<std::string> names,
                       std::size_t fallback, std::string_view doc, std::string_view source)
    : ParameterBase(group, name, doc, source),
      names_(std::move(names)),
      position_(fallback),
      default_(fallback) {}

void ChoiceBase::set(std::string_view text) {
    const auto found = std::find(names_.begin(), names_.end(), text);
    if (found == names_.end()) {
        const std::string hint = nearest(text, names_);
        throw ConfigError("expected " + range_text() + ", found \"" + std::string(text) + "\"" +
                          (hint.empty() ? "" : "; did you mean \"" + hint + "\"?"));
    }
    position_ = static_cast<std::size_t>(found - names_.begin());
}

std::string ChoiceBase::range_text() const {
    std::string text = "one of";
    for (const std::string& name : names_) text += " " + name;
    return text;
}

namespace {

// Characters that are to be put in, left out, replaced, or exchanged with the one before, to make one text the other.
std::size_t edits(std::string_view from, std::string_view to) {
    std::vector<std::size_t> before(to.size() + 1), last(to.size() + 1), row(to.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= from.size(); ++i) {
        before = std::exchange(last, row);
        row[0] = i;
        for (std::size_t j = 1; j <= to.size(); ++j) {
            row[j] = std::min({last[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1), last[j] + 1, row[j - 1] + 1});
            if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
    }
    return row.back();
}

}  // namespace

std::string nearest(std::string_view wrong, const std::vector<std::string>& candidates) {
    std::string best;
    std::size_t best_distance = std::max<std::size_t>(1, wrong.size() / 3) + 1;
    for (const std::string& candidate : candidates)
        if (const std::size_t distance = edits(wrong, candidate); distance < best_distance) {
            best_distance = distance;
            best = candidate;
        }
    return best;
}

}  // namespace engine
