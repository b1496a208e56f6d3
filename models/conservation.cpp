#include "models/conservation.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace models {
namespace {

using std::uint64_t;

class Court {
  public:
    void equal(const std::string& law, uint64_t left, uint64_t right) {
        if (left != right) violations_.push_back({law, left, right});
    }
    void at_most(const std::string& law, uint64_t left, uint64_t right) {
        if (left > right) violations_.push_back({law, left, right});
    }
    std::vector<Violation> verdict() { return std::move(violations_); }

  private:
    std::vector<Violation> violations_;
};

bool ends_with(std::string_view text, std::string_view ending) {
    return text.size() >= ending.size() && text.substr(text.size() - ending.size()) == ending;
}

void check_quads(const Ledger& ledger, Court& court) {
    const uint64_t out = ledger.sum("raster", "quads_out");
    court.equal("quads rasterised = quads killed by the early depth test + quads handed out",
                ledger.sum("raster", "quads"), ledger.sum("raster", "quads_killed") + out);
    court.equal("quads handed out = quads received by fragment processors", out,
                ledger.sum("fragment_processor", "quads_in"));
    court.equal("quads received = quads finished by fragment processors", ledger.sum("fragment_processor", "quads_in"),
                ledger.sum("fragment_processor", "quads_out"));
    court.equal("quads finished by fragment processors = quads received by blending",
                ledger.sum("fragment_processor", "quads_out"), ledger.sum("blending", "quads_in"));
    court.equal("quads received by blending = quads blended", ledger.sum("blending", "quads_in"),
                ledger.sum("blending", "quads_blended"));
    court.equal("tiles rendered by raster = tiles finished by blending", ledger.sum("raster", "tiles"),
                ledger.sum("blending", "tiles"));
}

void check_geometry(const Ledger& ledger, Court& court) {
    court.equal("indices fetched = vertices assembled", ledger.sum("geometry", "indices"),
                ledger.sum("geometry", "vertices_assembled"));
    court.equal("indices fetched = vertices reused + vertices shaded", ledger.sum("geometry", "indices"),
                ledger.sum("geometry", "vertices_reused") + ledger.sum_ending("geometry", "_vertices"));
    court.equal("list entries written = list entries read", ledger.sum("geometry", "list_entries"),
                ledger.sum("raster", "tile_primitives"));
    court.equal("primitives read for tiles = primitives set up", ledger.sum("raster", "tile_primitives"),
                ledger.sum("raster", "primitives"));
}

// Every cache of every process: its counters share a prefix and one of them is "..._merged".
void check_caches(const Ledger& ledger, Court& court) {
    constexpr std::string_view mark = "_merged";
    // Counters of a cache are declared together: the others are near.
    const auto value = [&](const Ledger::Entry& like, const std::string& name) {
        const std::vector<Ledger::Entry>& all = ledger.entries();
        const auto here = static_cast<std::size_t>(&like - all.data());
        for (std::size_t i = here - std::min<std::size_t>(here, 8); i < std::min(all.size(), here + 8); ++i)
            if (all[i].process == like.process && all[i].name == name) return all[i].value;
        assert(false);
        return uint64_t{0};
    };
    for (const Ledger::Entry& entry : ledger.entries()) {
        if (!ends_with(entry.name, mark)) continue;
        const std::string prefix(entry.name.substr(0, entry.name.size() - mark.size()));
        const std::string cache = entry.process->name() + "." + prefix;
        const uint64_t misses = value(entry, prefix + "_misses");
        court.equal(cache + ": accesses = hits + merged + misses", value(entry, prefix + "_accesses"),
                    value(entry, prefix + "_hits") + entry.value + misses);
        court.equal(cache + ": misses = fills", misses, value(entry, prefix + "_fills"));
    }
}

void check_requests(const Ledger& ledger, Court& court) {
    uint64_t reads = 0, writes = 0;
    for (const char* kind : {"geometry", "raster", "fragment_processor", "blending"}) {
        const uint64_t r = ledger.sum(kind, "memory_reads"), w = ledger.sum(kind, "memory_writes");
        court.equal(std::string(kind) + ": requests to the L2 cache = answers", r + w,
                    ledger.sum(kind, "memory_replies"));
        reads += r;
        writes += w;
    }
    court.equal("geometry: lines requested = misses of its caches + lines of indices",
                ledger.sum("geometry", "memory_reads"),
                ledger.sum_ending("geometry", "_misses") + ledger.sum("geometry", "index_lines"));
    court.equal("geometry: writes = lines and parts written to the parameter buffer",
                ledger.sum("geometry", "memory_writes"),
                ledger.sum("geometry", "parameter_lines") + ledger.sum("geometry", "parameter_parts"));
    court.equal("raster: lines requested = misses of the tile cache + old depths", ledger.sum("raster", "memory_reads"),
                ledger.sum("raster", "tile_cache_misses") + ledger.sum("raster", "depth_lines_loaded"));
    court.equal("fragment processors: lines requested = misses of their caches",
                ledger.sum("fragment_processor", "memory_reads"), ledger.sum_ending("fragment_processor", "_misses"));
    court.equal("fragment processors: lines looked up for textures = accesses of texture caches",
                ledger.sum("fragment_processor", "texture_blocks"),
                ledger.sum("fragment_processor", "texture_cache_accesses"));
    court.equal("blending: lines requested = old colours", ledger.sum("blending", "memory_reads"),
                ledger.sum("blending", "lines_loaded"));
    court.equal("blending: writes = lines stored", ledger.sum("blending", "memory_writes"),
                ledger.sum("blending", "lines_stored"));
    court.equal("reads of all processors = reads served by the L2 cache", reads, ledger.sum("l2_slice", "reads"));
    court.equal("writes of all processors = writes served by the L2 cache", writes, ledger.sum("l2_slice", "writes"));
}

void check_memory(const Ledger& ledger, Court& court) {
    const auto l2 = [&](const char* name) { return ledger.sum("l2_slice", name); };
    const auto dram = [&](const char* name) { return ledger.sum("dram_channel", name); };
    court.equal("L2 cache: requests = answers", l2("requests"), l2("replies"));
    court.equal("L2 cache: requests = reads + writes", l2("requests"), l2("reads") + l2("writes"));
    court.equal("L2 cache: requests = hits + merged + misses + allocations", l2("requests"),
                l2("hits") + l2("merged") + l2("misses") + l2("allocations"));
    court.equal("L2 cache: misses = fills", l2("misses"), l2("fills"));
    court.equal("L2 cache: write-backs = their acknowledgements", l2("write_backs"), l2("write_acknowledgements"));
    court.equal("lines read from DRAM = misses of the L2 cache", dram("reads"), l2("misses"));
    court.equal("lines written to DRAM = write-backs of the L2 cache", dram("writes"), l2("write_backs"));
    court.equal("bytes moved by DRAM = (misses + write-backs) x 64", dram("bytes"),
                (l2("misses") + l2("write_backs")) * block_bytes);
    court.equal("DRAM: row hits + row misses = reads + writes", dram("row_hits") + dram("row_misses"),
                dram("reads") + dram("writes"));
}

struct Work {
    uint64_t quads = 0, killed = 0, accesses = 0, blocks = 0;
    uint64_t quad_instructions = 0, thread_instructions = 0;
    uint64_t tiles = 0, primitives = 0, indices = 0, vertices = 0;
};

uint64_t path_length(const Path& path) {
    uint64_t length = 0;
    for (const PathRun& run : path) length += run.count;
    return length;
}

void add_quad(const FrameTrace& trace, const Frame& frame, const Quad& quad, Work& work) {
    ++work.quads;
    if (quad.early_pass == 0) {
        ++work.killed;
        return;
    }
    const Draw& draw = frame.draws[frame.primitives[quad.primitive].draw];
    const Program& program = trace.programs[draw.fragment_program];
    const Path& path = program.paths[quad.path];
    const uint64_t length = path_length(path);
    work.quad_instructions += length;
    work.thread_instructions += length * static_cast<uint64_t>(std::popcount(quad.early_pass));
    std::uint32_t access = quad.first_access;
    for (const PathRun& run : path)
        for (std::uint32_t i = run.first; i < std::uint32_t{run.first} + run.count; ++i) {
            if (opcode_info(program.instructions[i].opcode).unit != Unit::texture) continue;
            ++work.accesses;
            work.blocks += frame.accesses[access++].block_count;
        }
}

Work count_work(const FrameTrace& trace, const Frame& frame) {
    Work work;
    for (const Pass& pass : frame.passes)
        for (std::uint32_t t = 0; t < pass.tiles_x * pass.tiles_y; ++t) {
            const Tile& tile = frame.tiles[pass.first_tile + t];
            for (std::uint32_t q = 0; q < tile.quad_count; ++q)
                add_quad(trace, frame, frame.quads[tile.first_quad + q], work);
        }
    for (const Pass& pass : frame.passes)
        for (std::uint32_t d = 0; d < pass.draw_count; ++d) {
            const Draw& draw = frame.draws[pass.first_draw + d];
            work.primitives += draw.primitive_count;
            if (draw.kind != DrawKind::geometry) continue;
            work.indices += draw.fetch_count;
            std::vector<bool> named(draw.vertex_count);
            for (std::uint32_t i = 0; i < draw.fetch_count; ++i) named[frame.fetches[draw.first_fetch + i]] = true;
            work.vertices += static_cast<uint64_t>(std::count(named.begin(), named.end(), true));
        }
    return work;
}

}  // namespace

Ledger::Ledger(const Processes& processes, const std::vector<uint64_t>& values, const std::vector<uint64_t>& before) {
    std::size_t i = 0;
    for (const auto& process : processes)
        for (const engine::CounterInfo& counter : process->counters().all()) {
            entries_.push_back({process.get(), counter.name, values.at(i) - (before.empty() ? 0 : before.at(i))});
            ++i;
        }
    assert(i == values.size());
}

uint64_t Ledger::sum(std::string_view kind, std::string_view name) const {
    uint64_t total = 0;
    [[maybe_unused]] bool found = false;
    for (const Entry& entry : entries_) {
        if (entry.name != name || entry.process->kind() != kind) continue;
        total += entry.value;
        found = true;
    }
    assert(found);
    return total;
}

uint64_t Ledger::sum_ending(std::string_view kind, std::string_view ending) const {
    uint64_t total = 0;
    [[maybe_unused]] bool found = false;
    for (const Entry& entry : entries_) {
        if (!ends_with(entry.name, ending) || entry.process->kind() != kind) continue;
        total += entry.value;
        found = true;
    }
    assert(found);
    return total;
}

std::string Violation::text() const {
    return law + ": " + std::to_string(left) + " against " + std::to_string(right);
}

std::vector<Violation> check_conservation(const Ledger& ledger) {
    Court court;
    check_quads(ledger, court);
    check_geometry(ledger, court);
    check_caches(ledger, court);
    check_requests(ledger, court);
    check_memory(ledger, court);
    return court.verdict();
}

std::vector<Violation> check_work(const Ledger& ledger, const FrameTrace& trace, const Frame& frame,
                                  int groups_per_warp) {
    Court court;
    const Work work = count_work(trace, frame);
    const auto fragment = [&](const char* name) { return ledger.sum("fragment_processor", name); };
    court.equal("passes rendered = passes of the frame", ledger.sum("raster", "passes"), frame.passes.size());
    court.equal("draws executed = draws of the frame", ledger.sum("geometry", "draws"), frame.draws.size());
    court.equal("primitives written = primitives of the frame", ledger.sum("geometry", "primitives"), work.primitives);
    court.equal("indices fetched = indices of the frame", ledger.sum("geometry", "indices"), work.indices);
    court.at_most("vertices named by the frame <= vertices shaded", work.vertices,
                  ledger.sum_ending("geometry", "_vertices"));
    court.equal("quads rasterised = quads of the frame", ledger.sum("raster", "quads"), work.quads);
    court.equal("quads killed by the early depth test = those of the frame", ledger.sum("raster", "quads_killed"),
                work.killed);
    court.equal("texture accesses executed = those of the frame", fragment("texture_accesses"), work.accesses);
    court.equal("lines looked up for textures = those of the frame", fragment("texture_blocks"), work.blocks);
    court.equal("instructions of threads = those of the frame", fragment("thread_instructions"),
                work.thread_instructions);
    if (groups_per_warp == 1)
        court.equal("instructions of fragment warps = lengths of the quads' paths", fragment("warp_instructions"),
                    work.quad_instructions);
    else
        court.at_most("instructions of fragment warps <= lengths of the quads' paths", fragment("warp_instructions"),
                      work.quad_instructions);
    return court.verdict();
}

}  // namespace models
