// Facts about a file as people read them (lines and tables) and as programs do (JSON): one description, two texts.
// Control characters of the file are escaped in both.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace experiments {

struct Cell {
    template <std::unsigned_integral Number>
    Cell(Number number) : text(std::to_string(number)),
                          plain(true) {}                 // NOLINT(google-explicit-constructor)
    Cell(std::string words) : text(std::move(words)) {}  // NOLINT(google-explicit-constructor)
    Cell(const char* words) : text(words) {}             // NOLINT(google-explicit-constructor)
    static Cell real(double value, int decimals);        // infinite: "inf", in JSON null
    static Cell yes_or_no(bool value);                   // in JSON true or false

    std::string text;
    bool plain = false;      // JSON without quotation marks
    std::string plain_text;  // in JSON, where it differs from `text`
};

struct FactTable {
    std::string name;                  // "frames"
    std::vector<std::string> columns;  // "vertices", in JSON the keys
    std::vector<std::vector<Cell>> rows;
};

struct FactSheet {
    std::vector<std::pair<std::string, Cell>> facts;
    std::vector<FactTable> tables;

    std::string as_text() const;
    std::string as_json() const;  // an object; spaces in names become underscores
};

}  // namespace experiments
