// Writes a small frame trace, and some of its tables as JSON for the tests of the Python package.
//     write_sample_trace TRACE.h5 EXPECTED.json

#include <cstdio>
#include <fstream>

#include "io/frame_trace_file.h"
#include "io/image_file.h"
#include "tests/io/sample_trace.h"

namespace {

template <class Rows, class Get>
void write_column(std::ofstream& out, const char* name, const Rows& rows, Get get) {
    out << "  \"" << name << "\": [";
    const char* separator = "";
    for (const auto& row : rows) {
        out << separator << +get(row);
        separator = ", ";
    }
    out << "],\n";
}

void write_expected(std::ofstream& out, const models::Frame& frame) {
    out << "{\n";
    write_column(out, "quads.primitive", frame.quads, [](const auto& q) { return q.primitive; });
    write_column(out, "quads.early_pass", frame.quads, [](const auto& q) { return q.early_pass; });
    write_column(out, "quads.written", frame.quads, [](const auto& q) { return q.written; });
    write_column(out, "quads.first_access", frame.quads, [](const auto& q) { return q.first_access; });
    write_column(out, "accesses.first_block", frame.accesses, [](const auto& a) { return a.first_block; });
    write_column(out, "blocks", frame.blocks, [](const auto& b) { return b; });
    write_column(out, "fetches", frame.fetches, [](const auto& f) { return f; });
    write_column(out, "draws.first_vertex", frame.draws, [](const auto& d) { return d.first_vertex; });
    write_column(out, "draws.index_address", frame.draws, [](const auto& d) { return d.index_address; });
    out << "  \"number\": " << frame.number << "\n}";
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) return std::fprintf(stderr, "usage: write_sample_trace TRACE.h5 EXPECTED.json\n"), 2;
    tests::SampleTrace sample;
    io::FrameTraceWriter writer(argv[1], {"write_sample_trace", "none", ""});
    std::ofstream expected(argv[2]);
    expected << "[\n";
    for (std::uint32_t number = 4; number < 7; ++number) {
        const models::Frame frame = sample.frame(number);
        models::functional::Image image{4, 2, std::vector<std::uint8_t>(32, static_cast<std::uint8_t>(number))};
        writer.append(frame, io::encode_png(image));
        write_expected(expected, frame);
        expected << (number == 6 ? "\n]\n" : ",\n");
    }
    writer.finish(tests::SampleTrace::programs());
    return 0;
}
