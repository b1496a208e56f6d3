#include "io/address_trace.h"

#include <algorithm>

#include "engine/error.h"

namespace io {
namespace {

using Access = AddressTrace::Access;

bool is_one_of(std::string_view word, std::string_view first, std::string_view second) {
    return word == first || word == second;
}
bool starts_like_number(std::string_view word) {
    return word[0] >= '0' && word[0] <= '9';
}
bool has_only(std::string_view word, std::string_view letters) {
    return word.find_first_not_of(letters) == std::string_view::npos;
}
bool starts_like_din(const LineWords& line) {
    return line.count() > 1 && line[0].size() == 1 && has_only(line[0], "012");
}

std::uint64_t address(const LineWords& line, std::size_t index) {
    static const std::string expected = "an address, decimal or 0x...";
    return line.number(index, LineWords::Number::decimal_or_0x, expected);
}

Access timed(const LineWords& line) {
    constexpr std::uint64_t most_cycles = std::uint64_t{1} << 60U;
    static const std::string expected = "a cycle";
    Access access{address(line, 0), 0, line.choice(1, "READ", "WRITE")};
    access.cycle = line.number(2, LineWords::Number::decimal_or_0x, expected);
    if (access.cycle > most_cycles) line.refuse(2, "a cycle up to " + std::to_string(most_cycles));
    line.expect_end_after(3);
    return access;
}

Access operation_first(const LineWords& line, std::string_view read, std::string_view write) {
    const bool is_write = line.choice(0, read, write);
    const Access access{address(line, 1), 0, is_write};
    line.expect_end_after(2);
    return access;
}

Access address_first(const LineWords& line) {
    const Access access{address(line, 0), 0, line.choice(1, "R", "W")};
    line.expect_end_after(2);
    return access;
}

Access address_alone(const LineWords& line) {
    if (line.count() > 1) return address_first(line);
    return {address(line, 0), 0, false};
}

Access labelled(const LineWords& line) {
    static const std::string expected = "a hexadecimal address";
    if (line[0].size() != 1 || !has_only(line[0], "012"))
        line.refuse(0, "0 (a read), 1 (a write) or 2 (an instruction fetch)");
    return {line.number(1, LineWords::Number::hexadecimal, expected), 0, line[0] == "1"};
}

}  // namespace

// A way to write a request. Columns: its format; what it looks like; which word is the address; whether a first line is
// of this kind; the request of a line.
struct AddressTraceReader::Kind {
    TraceFormat format;
    const char* looks;
    std::size_t address;
    bool (*is)(const LineWords& first);
    Access (*read)(const LineWords& line);
};

const AddressTraceReader::Kind AddressTraceReader::kinds[] = {
    {TraceFormat::dramsim3, "ADDRESS READ|WRITE CYCLE", 0,
     [](const LineWords& line) { return line.count() > 1 && is_one_of(line[1], "READ", "WRITE"); }, timed},
    {TraceFormat::ramulator, "LD|ST ADDRESS", 1, [](const LineWords& line) { return is_one_of(line[0], "LD", "ST"); },
     [](const LineWords& line) { return operation_first(line, "LD", "ST"); }},
    {TraceFormat::ramulator, "R|W ADDRESS", 1, [](const LineWords& line) { return is_one_of(line[0], "R", "W"); },
     [](const LineWords& line) { return operation_first(line, "R", "W"); }},
    {TraceFormat::list, "ADDRESS", 0,
     [](const LineWords& line) {
         return line.count() == 1 ? starts_like_number(line[0]) : is_one_of(line[1], "R", "W");
     },
     address_alone},
    {TraceFormat::ramulator, "ADDRESS R|W", 0,
     [](const LineWords& line) { return line.count() > 1 && is_one_of(line[1], "R", "W"); }, address_first},
    {TraceFormat::din, "0|1|2 HEXADDRESS", 1,
     [](const LineWords& line) {
         return starts_like_din(line) && has_only(line[1], "0123456789abcdefABCDEF") &&
                !has_only(line[1], "0123456789");
     },
     labelled},
};

AddressTraceReader::AddressTraceReader(const std::filesystem::path& path, std::span<const TraceFormat> formats)
    : lines_(path) {
    for (const Kind& kind : kinds)
        if (std::find(formats.begin(), formats.end(), kind.format) != formats.end()) expected_.push_back(&kind);
}

const AddressTraceReader::Kind& AddressTraceReader::kind_of(const LineWords& line) const {
    if (expected_.size() == 1) return *expected_[0];
    std::string all;
    bool may_be_din = false;
    for (const Kind* kind : expected_) {
        if (kind->is(line)) return *kind;
        if (!all.empty()) all += kind == expected_.back() ? " or " : ", ";
        all += kind->looks;
        may_be_din |= kind->format == TraceFormat::din && starts_like_din(line) && starts_like_number(line[1]);
    }
    if (may_be_din)
        line.refuse(1, "an address that shows that the trace is din (with a digit a to f; else give --format din)");
    line.refuse(0, all);
}

bool AddressTraceReader::next(Access& access) {
    std::string_view text;
    do {
        if (!lines_.next(text)) {
            if (kind_ == nullptr) throw engine::InputError(lines_.path().string() + ": expected requests, found none");
            return false;
        }
        line_.emplace(lines_, text);
    } while (line_->count() == 0);
    if (kind_ == nullptr) kind_ = &kind_of(*line_);
    access = kind_->read(*line_);
    if (access.cycle < cycle_)
        line_->refuse(2, "a cycle not before " + std::to_string(cycle_) + ", that of the line before");
    cycle_ = access.cycle;
    return true;
}

bool AddressTraceReader::has_cycles() const {
    return kind_ != nullptr && kind_->format == TraceFormat::dramsim3;
}

void AddressTraceReader::refuse_address(const std::string& expected) const {
    line_->refuse(kind_->address, expected);
}

AddressTrace read_address_trace(const std::filesystem::path& path, std::uint64_t memory) {
    constexpr TraceFormat formats[] = {TraceFormat::dramsim3, TraceFormat::ramulator};
    AddressTraceReader reader(path, formats);
    AddressTrace trace;
    for (AddressTrace::Access access; reader.next(access); trace.accesses.push_back(access))
        if (access.address >= memory)
            reader.refuse_address("an address below the " + std::to_string(memory) + " bytes of memory");
    trace.has_cycles = reader.has_cycles();
    return trace;
}

}  // namespace io
