#include "experiments/tessera/fact_sheet.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "io/json.h"
#include "io/printable.h"

namespace experiments {

namespace {

std::string key(std::string name) {
    std::replace(name.begin(), name.end(), ' ', '_');
    return io::json_text(name);
}

std::string value(const Cell& cell) {
    if (!cell.plain) return io::json_text(cell.text);
    return cell.plain_text.empty() ? cell.text : cell.plain_text;
}

std::string padded(const Cell& cell, std::size_t width) {
    const std::string text = io::printable(cell.text);
    const std::string space(width - text.size(), ' ');
    return cell.plain ? space + text : text + space;
}

std::string table_text(const FactTable& table) {
    std::vector<std::size_t> widths;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        std::size_t width = table.columns[c].size();
        for (const auto& row : table.rows) width = std::max(width, io::printable(row[c].text).size());
        widths.push_back(width);
    }
    std::string text = "\n" + table.name + "\n";
    const auto add = [&](const auto& cell_of) {
        std::string line;
        for (std::size_t c = 0; c < widths.size(); ++c) line += "  " + padded(cell_of(c), widths[c]);
        text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    };
    add([&](std::size_t c) {
        Cell title(table.columns[c]);
        title.plain = !table.rows.empty() && table.rows.front()[c].plain;  // above numbers: to the right
        return title;
    });
    for (const auto& row : table.rows) add([&](std::size_t c) { return row[c]; });
    return text;
}

}  // namespace

Cell Cell::real(double value, int decimals) {
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", decimals, value);
    Cell cell(std::isfinite(value) ? text : "inf");
    cell.plain = true;
    if (!std::isfinite(value)) cell.plain_text = "null";
    return cell;
}

Cell Cell::yes_or_no(bool value) {
    Cell cell(value ? "yes" : "no");
    cell.plain = true;
    cell.plain_text = value ? "true" : "false";
    return cell;
}

std::string FactSheet::as_text() const {
    std::size_t width = 0;
    for (const auto& [name, cell] : facts) width = std::max(width, io::printable(name).size());
    std::string text;
    for (const auto& [fact, cell] : facts) {
        const std::string name = io::printable(fact);
        text += name + std::string(width - name.size() + 2, ' ') + io::printable(cell.text) + "\n";
    }
    for (const FactTable& table : tables) text += table_text(table);
    return text;
}

std::string FactSheet::as_json() const {
    std::string text = "{\n";
    for (const auto& [name, cell] : facts) text += "  " + key(name) + ": " + value(cell) + ",\n";
    for (const FactTable& table : tables) {
        text += "  " + key(table.name) + ": [";
        for (std::size_t r = 0; r < table.rows.size(); ++r) {
            text += r == 0 ? "\n    {" : ",\n    {";
            for (std::size_t c = 0; c < table.columns.size(); ++c)
                text += (c == 0 ? "" : ", ") + key(table.columns[c]) + ": " + value(table.rows[r][c]);
            text += "}";
        }
        text += table.rows.empty() ? "],\n" : "\n  ],\n";
    }
    text.erase(text.size() - 2, 1);  // the last comma
    return text + "}\n";
}

}  // namespace experiments
