// Parameters: each is declared once, as one data member of a group, with name, default, range, documentation and
// source. Reading a configuration, checking it, `tessera params`, resolved.toml and the provenance of results follow
// from that line.
//
//     struct TextureCacheParameters : ParameterGroup {
//         using ParameterGroup::ParameterGroup;
//         Parameter<Bytes> capacity{this, "capacity", 16_KiB, {1_KiB, 1_MiB}, "data capacity", "paper 004, Table I"};
//     };
//     struct MachineParameters : ParameterGroup {
//         TextureCacheParameters texture_cache{this, "texture_cache", "private texture cache of a fragment processor"};
//     };
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/error.h"
#include "engine/units.h"

namespace engine {

class ParameterGroup;

// What is the same for every parameter. Values travel as text ("16 KiB", "true", "8"), the form a person writes.
class ParameterBase {
  public:
    ParameterBase(ParameterGroup* group, std::string_view name, std::string_view doc, std::string_view source);
    ParameterBase(const ParameterBase&) = delete;
    ParameterBase& operator=(const ParameterBase&) = delete;
    virtual ~ParameterBase() = default;

    const std::string& name() const { return name_; }
    const std::string& doc() const { return doc_; }
    const std::string& source() const { return source_; }  // paper and section, or data file; "design" where we chose

    // Throws ConfigError saying what was expected and what was found (the caller adds where it was written).
    virtual void set(std::string_view text) = 0;
    // True if the value is written in TOML without quotes (integers and booleans).
    virtual bool bare() const = 0;
    virtual std::string value_text() const = 0;
    virtual std::string default_text() const = 0;
    virtual std::string range_text() const = 0;
    // Values that bound what is allowed, as they are written: both ends of a range, all of a list.
    virtual std::vector<std::string> extremes() const = 0;
    virtual std::string unit() const = 0;

  private:
    std::string name_, doc_, source_;
};

// A named group of parameters and of further groups; the tree of groups is the tree of TOML tables.
class ParameterGroup {
  public:
    ParameterGroup() = default;  // the root
    ParameterGroup(ParameterGroup* parent, std::string_view name, std::string_view doc);
    ParameterGroup(const ParameterGroup&) = delete;  // members point at their group
    ParameterGroup& operator=(const ParameterGroup&) = delete;
    virtual ~ParameterGroup() = default;

    const std::string& name() const { return name_; }
    const std::string& doc() const { return doc_; }
    const std::vector<ParameterBase*>& parameters() const { return parameters_; }
    const std::vector<ParameterGroup*>& groups() const { return groups_; }

    // What one range cannot say (a capacity that its ways do not divide, ...): throws ConfigError naming the
    // parameters.
    virtual void check() const {}
    void check_all() const;  // of the groups within first: who is wrong by itself is named so

  private:
    friend class ParameterBase;
    std::string name_, doc_;
    std::vector<ParameterBase*> parameters_;
    std::vector<ParameterGroup*> groups_;
};

std::int64_t parse_quantity(std::string_view text, std::string_view unit, const Suffix* suffixes, std::size_t count,
                            bool bare);
std::string quantity_text(std::int64_t value, const Suffix* suffixes, std::size_t count);

template <class T>
struct Range {
    T least, most;
};

// An integer quantity: int, Bytes, Cycles or Frequency.
template <class T>
class Parameter final : public ParameterBase {
  public:
    Parameter(ParameterGroup* group, std::string_view name, T fallback, Range<T> range, std::string_view doc,
              std::string_view source)
        : ParameterBase(group, name, doc, source),
          value_(fallback),
          default_(fallback),
          range_(range) {}

    T operator()() const { return value_; }
    std::int64_t count() const { return Unit<T>::count(value_); }

    void set(std::string_view written) override {
        const std::int64_t count =
            parse_quantity(written, Unit<T>::name, Unit<T>::suffixes, std::size(Unit<T>::suffixes), Unit<T>::bare);
        if (count < Unit<T>::count(range_.least) || count > Unit<T>::count(range_.most))
            throw ConfigError("expected " + range_text() + ", found " + std::string(written));
        value_ = Unit<T>::make(count);
    }
    bool bare() const override { return Unit<T>::bare; }
    std::string value_text() const override { return text(value_); }
    std::string default_text() const override { return text(default_); }
    std::string range_text() const override { return text(range_.least) + " .. " + text(range_.most); }
    std::vector<std::string> extremes() const override { return {text(range_.least), text(range_.most)}; }
    std::string unit() const override { return std::string(Unit<T>::name); }

  private:
    static std::string text(T value) {
        return Unit<T>::bare ? std::to_string(Unit<T>::count(value))
                             : quantity_text(Unit<T>::count(value), Unit<T>::suffixes, std::size(Unit<T>::suffixes));
    }
    T value_, default_;
    Range<T> range_;
};

// Yes or no.
class Flag final : public ParameterBase {
  public:
    Flag(ParameterGroup* group, std::string_view name, bool fallback, std::string_view doc, std::string_view source)
        : ParameterBase(group, name, doc, source),
          value_(fallback),
          default_(fallback) {}
    bool operator()() const { return value_; }
    void set(std::string_view text) override;
    bool bare() const override { return true; }
    std::string value_text() const override { return value_ ? "true" : "false"; }
    std::string default_text() const override { return default_ ? "true" : "false"; }
    std::string range_text() const override { return "true or false"; }
    std::vector<std::string> extremes() const override { return {"false", "true"}; }
    std::string unit() const override { return "1"; }

  private:
    bool value_, default_;
};

// The untyped part of Choice.
class ChoiceBase : public ParameterBase {
  public:
    void set(std::string_view text) override;
    bool bare() const override { return false; }
    std::string value_text() const override { return names_[position_]; }
    std::string default_text() const override { return names_[default_]; }
    std::string range_text() const override;
    std::vector<std::string> extremes() const override { return names_; }
    std::string unit() const override { return "1"; }

  protected:
    ChoiceBase(ParameterGroup* group, std::string_view name, std::vector<std::string> names, std::size_t fallback,
               std::string_view doc, std::string_view source);
    std::size_t position() const { return position_; }  // in the list of names

  private:
    std::vector<std::string> names_;
    std::size_t position_, default_;
};

// One of a list of names, each of which stands for a value.
//
//     enum class TileOrder { row, morton };
//     Choice<TileOrder> order{this, "order", {{"row", TileOrder::row}, {"morton", TileOrder::morton}}, TileOrder::row,
//                             "order in which tiles are rendered", "design"};
template <class T>
class Choice final : public ChoiceBase {
  public:
    struct Option {
        std::string_view name;
        T value;
    };
    Choice(ParameterGroup* group, std::string_view name, const std::vector<Option>& options, T fallback,
           std::string_view doc, std::string_view source)
        : ChoiceBase(group, name, names_of(options), position_of(options, fallback), doc, source) {
        for (const Option& option : options) values_.push_back(option.value);
    }
    T operator()() const { return values_[position()]; }

  private:
    static std::vector<std::string> names_of(const std::vector<Option>& options) {
        std::vector<std::string> names;
        for (const Option& option : options) names.emplace_back(option.name);
        return names;
    }
    static std::size_t position_of(const std::vector<Option>& options, T fallback) {
        std::size_t i = 0;
        while (!(options.at(i).value == fallback)) ++i;  // throws if it is none of the options
        return i;
    }
    std::vector<T> values_;
};

// The candidate nearest to `wrong` in edit distance, or empty if none is near: for "did you mean". Near is one edit in
// three characters, and in fewer; two characters that changed places are one edit.
std::string nearest(std::string_view wrong, const std::vector<std::string>& candidates);

}  // namespace engine
