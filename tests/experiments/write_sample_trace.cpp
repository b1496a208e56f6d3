// Writes a small frame trace, and some of its tables as JSON for the tests of the Python package.
//     write_sample_trace TRACE.h5 EXPECTED.json GRAPHICS.h5
// GRAPHICS.h5 has the same frames without compute kernels.

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
    write_column(out, "draws.early_test", frame.draws, [](const auto& d) { return d.early_test; });
    write_column(out, "draws.stencil_write", frame.draws, [](const auto& d) { return d.stencil_write; });
    write_column(out, "draws.discards", frame.draws, [](const auto& d) { return d.discards; });
    write_column(out, "draws.samples", frame.draws, [](const auto& d) { return d.samples; });
    write_column(out, "draws.blend", frame.draws, [](const auto& d) { return d.blend; });
    write_column(out, "draws.colour_mask", frame.draws, [](const auto& d) { return d.colour_mask; });
    write_column(out, "draws.first_constant", frame.draws, [](const auto& d) { return d.first_constant; });
    write_column(out, "quads.visible", frame.quads, [](const auto& q) { return q.visible; });
    write_column(out, "quads.early_test", frame.quads, [](const auto& q) { return q.early_test; });
    write_column(out, "quads.shaded", frame.quads, [](const auto& q) { return q.shaded; });
    write_column(out, "quads.reconstructed", frame.quads, [](const auto& q) { return q.reconstructed; });
    write_column(out, "quads.cluster", frame.quads, [](const auto& q) { return q.cluster; });
    write_column(out, "quads.first_constant_access", frame.quads,
                 [](const auto& q) { return q.first_constant_access; });
    write_column(out, "accesses.samples", frame.accesses, [](const auto& a) { return a.samples; });
    write_column(out, "accesses.lod", frame.accesses, [](const auto& a) { return a.lod; });
    write_column(out, "accesses.filter", frame.accesses, [](const auto& a) { return static_cast<int>(a.filter); });
    write_column(out, "accesses.texel_bytes", frame.accesses, [](const auto& a) { return a.texel_bytes; });
    write_column(out, "accesses.bias", frame.accesses, [](const auto& a) { return a.bias; });
    write_column(out, "tiles.input_hash", frame.tiles, [](const auto& t) { return t.input_hash; });
    write_column(out, "colour_hashes", frame.colour_hashes, [](const auto& h) { return h; });
    write_column(out, "constants.stage", frame.constants, [](const auto& c) { return static_cast<int>(c.stage); });
    write_column(out, "constants.address", frame.constants, [](const auto& c) { return c.address; });
    write_column(out, "constant_accesses.first_index", frame.constant_accesses,
                 [](const auto& a) { return a.first_index; });
    write_column(out, "constant_indices", frame.constant_indices, [](const auto& i) { return i; });
    write_column(out, "uploads.before_draw", frame.uploads, [](const auto& u) { return u.before_draw; });
    write_column(out, "uploads.address", frame.uploads, [](const auto& u) { return u.address; });
    write_column(out, "kernels.grid_x", frame.kernels, [](const auto& k) { return k.grid[0]; });
    write_column(out, "kernels.before_draw", frame.kernels, [](const auto& k) { return k.before_draw; });
    write_column(out, "thread_groups.path", frame.thread_groups, [](const auto& g) { return g.path; });
    write_column(out, "memory_accesses.base", frame.memory_accesses, [](const auto& m) { return m.base; });
    write_column(out, "memory_accesses.threads", frame.memory_accesses, [](const auto& m) { return m.threads; });
    write_column(out, "thread_addresses", frame.thread_addresses, [](const auto& a) { return a; });
    write_column(out, "kernel_blocks", frame.kernel_blocks, [](const auto& b) { return b; });
    write_column(out, "presented.red", frame.presented, [](const auto& p) { return p.red; });
    write_column(out, "presented.blue_squared", frame.presented, [](const auto& p) { return p.blue_squared; });
    write_column(out, "draws.index_address", frame.draws, [](const auto& d) { return d.index_address; });
    out << "  \"number\": " << frame.number << "\n}";
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) return std::fprintf(stderr, "usage: write_sample_trace TRACE.h5 EXPECTED.json GRAPHICS.h5\n"), 2;
    tests::SampleTrace sample;
    tests::SampleTrace graphics_sample(1, tests::SampleTrace::Kernels::none);
    io::FrameTraceWriter graphics(argv[3], {"write_sample_trace", "none", ""});
    io::FrameTraceWriter writer(argv[1], {"write_sample_trace", "none", ""});
    std::ofstream expected(argv[2]);
    expected << "[\n";
    for (std::uint32_t number = 4; number < 7; ++number) {
        const models::Frame frame = sample.frame(number);
        models::functional::Image image{4, 2, std::vector<std::uint8_t>(32, static_cast<std::uint8_t>(number))};
        writer.append(frame, io::encode_png(image));
        graphics.append(graphics_sample.frame(number), io::encode_png(image));
        write_expected(expected, frame);
        expected << (number == 6 ? "\n]\n" : ",\n");
    }
    writer.finish(tests::SampleTrace::programs());
    graphics.finish(tests::SampleTrace::programs());
    return 0;
}
