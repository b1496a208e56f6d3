#include "io/parameter_reference.h"

#include <algorithm>
#include <array>
#include <vector>

#include "io/json.h"

namespace io {

namespace {

struct Row {
    std::string path, value, unit, range, doc, source;
};

void collect(const engine::ParameterGroup& group, const std::string& prefix, std::vector<Row>& rows) {
    for (const engine::ParameterBase* p : group.parameters())
        rows.push_back({prefix + p->name(), p->default_text(), p->unit(), p->range_text(), p->doc(), p->source()});
    for (const engine::ParameterGroup* child : group.groups()) collect(*child, prefix + child->name() + ".", rows);
}

std::string as_json(const std::vector<Row>& rows) {
    std::string out = "[\n";
    for (const Row& row : rows) {
        out += R"(  {"path": )" + json_text(row.path) + R"(, "default": )" + json_text(row.value) + R"(, "unit": )" +
               json_text(row.unit) + R"(, "range": )" + json_text(row.range) + R"(, "doc": )" + json_text(row.doc) +
               R"(, "source": )" + json_text(row.source) + "}";
        out += &row == &rows.back() ? "\n" : ",\n";
    }
    return out + "]\n";
}

std::string as_markdown(const std::vector<Row>& rows) {
    std::string out = "| parameter | default | range | unit | meaning | source |\n|---|---|---|---|---|---|\n";
    for (const Row& row : rows)
        out += "| `" + row.path + "` | " + row.value + " | " + row.range + " | " + row.unit + " | " + row.doc + " | " +
               row.source + " |\n";
    return out;
}

std::string as_table(const std::vector<Row>& rows) {
    constexpr std::array columns{&Row::path, &Row::value, &Row::unit, &Row::range};
    const Row titles{"parameter", "default", "unit", "range", "meaning (source)", ""};
    std::array<std::size_t, columns.size()> width{};
    const auto measure = [&](const Row& row) {
        for (std::size_t c = 0; c < columns.size(); ++c) width[c] = std::max(width[c], (row.*columns[c]).size());
    };
    measure(titles);
    for (const Row& row : rows) measure(row);
    std::string out;
    const auto print = [&](const Row& row) {
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const std::string& text = row.*columns[c];
            out += text + std::string(width[c] - text.size() + 2, ' ');
        }
        out += row.doc + (row.source.empty() ? "" : " (" + row.source + ")") + "\n";
    };
    print(titles);
    for (const Row& row : rows) print(row);
    return out;
}

}  // namespace

std::string parameter_reference(const engine::ParameterGroup& root, ReferenceFormat format) {
    std::vector<Row> rows;
    collect(root, "", rows);
    switch (format) {
        case ReferenceFormat::json:
            return as_json(rows);
        case ReferenceFormat::markdown:
            return as_markdown(rows);
        case ReferenceFormat::table:
            break;
    }
    return as_table(rows);
}

}  // namespace io
