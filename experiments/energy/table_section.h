// A section of an energy table's TOML, with what errors say of it. Internal to table_file.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "engine/error.h"
#include "experiments/energy/table.h"
#include "io/toml_file.h"

namespace energy {

// What is missing or wrong is an engine::ConfigError that starts with FILE:LINE:COLUMN.
class Section {
  public:
    Section(const std::string& path, const toml::table& table, std::string called)
        : path_(path),
          table_(table),
          called_(std::move(called)) {}

    std::string where() const { return place(table_); }
    [[noreturn]] void fail(const std::string& what) const { fail(table_, what); }

    // Refuses others.
    const Section& knows(std::initializer_list<const char*> keys) const {
        const std::vector<std::string> known(keys.begin(), keys.end());
        for (const auto& [key, value] : table_) {
            if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
            throw engine::ConfigError(place(key.source().begin) + "unknown key '" + std::string(key.str()) + "' in " +
                                      called_ + io::remedy(key.str(), known));
        }
        return *this;
    }
    bool has(const char* key) const { return table_.contains(key); }

    std::string text(const char* key) const { return text(required(key), key); }
    bool flag(const char* key) const {
        const auto* const value = required(key).as_boolean();
        if (value == nullptr) fail(required(key), key, "true or false");
        return value->get();
    }
    std::vector<std::string> texts(const char* key) const {
        const toml::node& node = required(key);
        const toml::array* const array = node.as_array();
        if (array == nullptr || array->empty()) fail(node, key, "a list of texts that is not empty");
        std::vector<std::string> all;
        for (const toml::node& each : *array) all.push_back(text(each, key));
        return all;
    }
    double between(const char* key, double least, double most) const {
        const double value = number(required(key), key);
        if (value < least || value > most)
            fail(required(key), key, "a number from " + short_number(least) + " to " + short_number(most));
        return value;
    }
    // At least 1, and whole.
    double count(const char* key) const {
        const double value = number(required(key), key);
        if (value < 1 || value != std::floor(value)) fail(required(key), key, "a whole number, at least 1");
        return value;
    }
    // Of shares of a whole.
    Range share(const char* key) const { return range(key, 1); }
    // One figure is a value that is known exactly.
    Range range(const char* key, double most = largest) const {
        const toml::node& node = required(key);
        const auto figure = [&](const toml::node& each) {
            const double value = number(each, key);
            if (value < 0) fail(each, key, "no negative figure");
            if (value > most) fail(each, key, "at most " + short_number(most));
            return value;
        };
        if (node.is_number()) return {figure(node), figure(node), figure(node)};
        const toml::array* const array = node.as_array();
        if (array == nullptr || array->size() != 3)
            fail(node, key, "one number, or three: a low, a typical and a high figure");
        const Range range{figure(*array->get(0)), figure(*array->get(1)), figure(*array->get(2))};
        if (range.low > range.typical || range.typical > range.high) fail(node, key, "low <= typical <= high");
        return range;
    }
    Range range_or_none(const char* key) const { return has(key) ? range(key) : Range{}; }
    // A number, a parameter's name, or a list of both.
    Product product(const char* key, double otherwise) const {
        Product product{otherwise, {}};
        if (!has(key)) return product;
        const toml::node& node = required(key);
        product.factor = 1;
        const auto add = [&](const toml::node& each) {
            if (const auto* name = each.as_string()) {
                product.parameters.push_back(name->get());
                return;
            }
            const double value = number(each, key);
            if (value <= 0) fail(each, key, "more than 0");
            if (value > largest) fail(each, key, "at most " + short_number(largest));
            product.factor *= value;
        };
        if (const toml::array* const array = node.as_array())
            for (const toml::node& each : *array) add(each);
        else
            add(node);
        return product;
    }
    // Wide enough for all that was ever made: beyond it stands a figure in another unit, as mV.
    double voltage() const { return between("voltage", 0.1, 10); }
    Technology technology() const { return {between("node_nm", 1, 1000), voltage()}; }

    Section section(const char* key) const {
        const toml::node& node = required(key);
        if (!node.is_table()) fail(node, key, "a table");
        return {path_, *node.as_table(), "[" + std::string(key) + "]"};
    }
    std::vector<std::pair<std::string, Section>> sections(const char* key) const {
        const Section all = section(key);
        std::vector<std::pair<std::string, Section>> found;
        for (const auto& [name, node] : all.table_) {
            if (!node.is_table()) fail(node, key, "tables in it");
            const std::string called = "[" + std::string(key) + "." + std::string(name.str()) + "]";
            found.emplace_back(std::string(name.str()), Section(path_, *node.as_table(), called));
        }
        return found;
    }
    std::vector<Section> list(const char* key) const {
        const toml::node& node = required(key);
        const toml::array* const array = node.as_array();
        if (array == nullptr || array->empty() || !array->is_homogeneous(toml::node_type::table))
            fail(node, key, "tables, as [[" + std::string(key) + "]]");
        std::vector<Section> all;
        for (const toml::node& each : *array) all.emplace_back(path_, *each.as_table(), "[[" + std::string(key) + "]]");
        return all;
    }
    std::vector<Section> list_or_none(const char* key) const { return has(key) ? list(key) : std::vector<Section>(); }
    std::vector<std::string> keys() const {
        std::vector<std::string> keys;
        for (const auto& [key, value] : table_) keys.emplace_back(key.str());
        return keys;
    }

  private:
    static constexpr double largest = 1e12;  // beyond it is no energy, area or number of anything, but a slip

    std::string place(const toml::source_position& where) const {
        return path_ + ":" + std::to_string(where.line) + ":" + std::to_string(where.column) + ": ";
    }
    std::string place(const toml::node& node) const { return place(node.source().begin); }
    [[noreturn]] void fail(const toml::node& at, const std::string& what) const {
        throw engine::ConfigError(place(at) + what);
    }
    [[noreturn]] void fail(const toml::node& at, const char* key, const std::string& expected) const {
        std::string found;
        if (const auto* text = at.as_string()) found = "the text '" + text->get() + "'";
        if (const auto value = at.value<double>(); value && at.is_number()) found = short_number(*value);
        fail(at, called_ + ", " + key + ": expected " + expected + (found.empty() ? "" : ", found " + found));
    }
    static std::string short_number(double value) {
        char text[32];
        std::snprintf(text, sizeof text, "%g", value);
        return text;
    }
    const toml::node& required(const char* key) const {
        const toml::node* const node = table_.get(key);
        if (node == nullptr) fail("expected a key '" + std::string(key) + "' in " + called_ + ", found none");
        return *node;
    }
    std::string text(const toml::node& node, const char* key) const {
        const auto* const text = node.as_string();
        if (text == nullptr || text->get().empty()) fail(node, key, "a text in quotation marks");
        return text->get();
    }
    double number(const toml::node& node, const char* key) const {
        const auto value = node.value<double>();
        if (!node.is_number() || !value || !std::isfinite(*value)) fail(node, key, "a number");
        return *value;
    }

    const std::string& path_;
    const toml::table& table_;
    std::string called_;
};

}  // namespace energy
