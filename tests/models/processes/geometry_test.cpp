#include "models/processes/geometry.h"

#include <bit>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/base/laws.h"
#include "models/machine_parameters.h"
#include "tests/models/bench.h"

namespace models {
namespace {

using engine::Time;

VerticesShaded shaded_answer(const ShadeVertices& warp) {
    std::uint32_t count = 0;
    for (const std::uint64_t word : warp.mask) count += static_cast<std::uint32_t>(std::popcount(word));
    return {count};
}
using VertexProcessor = bench::Echo<ShadeVertices, VerticesShaded, shaded_answer>;

// The geometry front end before two vertex processors that shade a warp in 30 ticks and a memory that answers after 60
// ticks. A cycle is two ticks. Passes of one draw each.
class GeometryTest : public testing::Test {
  protected:
    GeometryTest() {
        trace.programs.resize(1);
        trace.programs[0].stage = ShaderStage::vertex;
        trace.programs[0].instructions.resize(4);
        trace.programs[0].paths = {{{0, 4}}};
    }
    // A pass with a draw of triangles whose corners are these vertices of `count`; all cover `tiles` tiles of a row.
    void draw(const std::vector<std::uint32_t>& corners, std::uint32_t count, std::uint16_t tiles = 1) {
        Draw draw;
        draw.index_bytes = 2;
        draw.index_address = 0x10000;
        draw.vertex_program = 0;
        draw.varying_count = 2;
        draw.first_attribute = static_cast<std::uint32_t>(frame.attributes.size());
        draw.attribute_count = 1;
        frame.attributes.push_back({0x40000, 64, 16, 0});
        draw.first_vertex = static_cast<std::uint32_t>(frame.vertices.size());
        draw.vertex_count = count;
        for (std::uint32_t v = 0; v < count; ++v) frame.vertices.push_back({v, 0, 0, 0});
        draw.first_fetch = static_cast<std::uint32_t>(frame.fetches.size());
        draw.fetch_count = static_cast<std::uint32_t>(corners.size());
        frame.fetches.insert(frame.fetches.end(), corners.begin(), corners.end());
        draw.first_primitive = static_cast<std::uint32_t>(frame.primitives.size());
        draw.primitive_count = draw.assembled_primitives = draw.fetch_count / 3;
        for (std::uint32_t p = 0; p < draw.primitive_count; ++p) {
            Primitive primitive;
            primitive.draw = static_cast<std::uint32_t>(frame.draws.size());
            for (std::uint32_t corner = 0; corner < 3; ++corner) primitive.vertices[corner] = 3 * p + corner;
            primitive.tile_x1 = static_cast<std::uint16_t>(tiles - 1);
            frame.primitives.push_back(primitive);
        }
        Pass pass;
        pass.tiles_x = 64;
        pass.tiles_y = 1;
        pass.first_draw = static_cast<std::uint32_t>(frame.draws.size());
        pass.draw_count = 1;
        pass.first_tile = static_cast<std::uint32_t>(frame.tiles.size());
        frame.tiles.resize(frame.tiles.size() + 64);
        frame.draws.push_back(draw);
        frame.passes.push_back(pass);
    }
    // Something behind the draws of the last pass that has neither vertices nor primitives.
    void clear() {
        frame.draws.emplace_back().kind = DrawKind::clear;
        frame.draws.back().first_primitive = static_cast<std::uint32_t>(frame.primitives.size());
        ++frame.passes.back().draw_count;
    }
    // Parameter buffers are given back at these times, passes are stored at those.
    void run(const std::vector<Time>& freed, const std::vector<Time>& stored = {}) {
        build(0, stored);
        auto& source = simulation.add<bench::Source<PassFreed>>("freed");
        ready = &simulation.add<bench::Sink<PassReady>>("ready");
        simulation.connect(source.out, geometry->freed[0], 1);
        simulation.connect(geometry->ready[0], ready->in, 1);
        for (std::size_t i = 0; i < freed.size(); ++i) source.send_at(freed[i], {static_cast<std::uint32_t>(i)});
        simulate();
    }
    // The raster front end has room for so many primitives, and takes one at each of these times.
    void stream(int room, const std::vector<Time>& taken, const std::vector<Time>& stored = {}) {
        build(room, stored);
        auto& source = simulation.add<bench::Source<PrimitivesTaken>>("taken");
        streamed = &simulation.add<bench::Sink<StreamedPrimitive>>("streamed");
        simulation.connect(source.out, geometry->primitives_taken[0], 1);
        simulation.connect(geometry->primitives[0], streamed->in, 1);
        for (const Time time : taken) source.send_at(time, {1});
        simulate();
    }

  private:
    void build(int streamed_primitives, const std::vector<Time>& stored) {
        workload.load(trace, frame);
        geometry = &simulation.add<Geometry>(Geometry::Shape{parameters.geometry,
                                                             parameters.tiling,
                                                             {2, 4, 2},
                                                             4,
                                                             {1, credits, 2, 2, block_bytes},
                                                             "vertex_processor",
                                                             streamed_primitives},
                                             workload);
        auto& stored_source = simulation.add<bench::Source<PassStored>>("stored");
        simulation.connect(stored_source.out, geometry->stored, 1);
        for (std::size_t i = 0; i < stored.size(); ++i)
            stored_source.send_at(stored[i], {static_cast<std::uint32_t>(i)});
        for (int i = 0; i < 2; ++i) {
            processors.push_back(&simulation.add<VertexProcessor>("vertex_processor", i, 30));
            simulation.connect(geometry->vertices[i], processors.back()->in, 1);
            simulation.connect(processors.back()->out, geometry->shaded[i], 1);
        }
        memory = &simulation.add<bench::Memory>("memory", -1, memory_time);
        simulation.connect(geometry->memory.requests, memory->in, 1);
        simulation.connect(memory->out, geometry->replies, 1);
    }
    void simulate() {
        geometry->begin_frame();
        geometry->wake_at(0);
        simulation.run({});
        Laws laws;
        geometry->add_laws(laws);
        const Ledger ledger(simulation.processes(), simulation.collect_counters());
        for (const Violation& violation : ledger.violations(laws)) ADD_FAILURE() << violation.text();
    }

  protected:
    std::uint64_t counter(const std::string& name) const { return bench::counter(*geometry, name); }

    int credits = 64;  // of its memory port
    Time memory_time = 60;
    MachineParameters parameters;
    FrameTrace trace;
    Frame frame;
    Workload workload{{1 << 30, Rendering::tiled, parameters.tiling}};
    engine::Simulation simulation;
    Geometry* geometry = nullptr;
    bench::Sink<PassReady>* ready = nullptr;
    bench::Sink<StreamedPrimitive>* streamed = nullptr;
    bench::Memory* memory = nullptr;
    std::vector<VertexProcessor*> processors;
};

std::vector<std::uint32_t> strip(std::uint32_t triangles) {
    std::vector<std::uint32_t> corners;
    for (std::uint32_t t = 0; t < triangles; ++t)
        for (std::uint32_t corner = 0; corner < 3; ++corner) corners.push_back(t + corner);
    return corners;
}

TEST_F(GeometryTest, AssemblesWhatTheProcessorsShade) {
    draw(strip(100), 102);
    run({1'000'000});
    EXPECT_EQ(counter("vertices_sent"), 102U);
    EXPECT_EQ(counter("vertices_reused"), 198U);
    EXPECT_EQ(counter("vertices_assembled"), 300U);
    EXPECT_EQ(counter("assembled_primitives"), 100U);
    EXPECT_EQ(processors[0]->seen.size() + processors[1]->seen.size(), 26U);  // 25 warps of four, one of two
}

// Before there is an index no processor has a vertex to shade: that is memory's doing.
TEST_F(GeometryTest, SaysWhetherItWaitsForIndicesOrForVertices) {
    memory_time = 5000;
    draw(strip(4), 6);
    run({1'000'000});
    EXPECT_GT(counter("cycles_waits_indices"), 5000U / 2 - 10);
    EXPECT_LT(counter("cycles_waits_vertices"), 200U);
    EXPECT_GT(counter("cycles_waits_vertices"), 20U);
}

TEST_F(GeometryTest, HasAPlaceForEveryVertexThatItSends) {
    parameters.geometry.vertex_queue.set("4");  // before and after a processor
    draw(strip(100), 102);
    run({1'000'000});
    for (const VertexProcessor* processor : processors)
        for (std::size_t i = 2; i < processor->seen.size(); ++i)
            EXPECT_GT(processor->seen[i].first, processor->seen[i - 2].first + 30);
}

TEST_F(GeometryTest, AssemblesAtMostOneVertexACycle) {
    draw(strip(400), 402);
    run({1'000'000});
    EXPECT_GE(ready->times().at(0), 1200 * 2);
    EXPECT_LE(ready->times().at(0), 1200 * 2 * 3 / 2 + 1000);
}

TEST_F(GeometryTest, WritesPrimitivesAndListsToTheParameterBuffer) {
    draw(strip(64), 66, 3);  // 64 primitives of 100 bytes in 3 tiles each
    run({1'000'000});
    std::set<BlockNumber> written;
    for (const auto& [time, request] : memory->seen)
        if (request.operation != MemoryOperation::read) written.insert(request.block);
    const PolygonLists& lists = workload.lists(0);
    EXPECT_EQ(written.size() * block_bytes, lists.bytes);
    EXPECT_EQ(counter("list_entries"), 192U);
    EXPECT_GE(counter("cycles_waits_lists"), 20U);      // the last answers
    EXPECT_EQ(counter("parameter_lines"), 100U + 12U);  // 6400 bytes; 3 lists of 4 chunks, all full
    EXPECT_EQ(counter("parameter_parts"), 0U);
}

TEST_F(GeometryTest, IsAtMostOnePassAhead) {
    for (int pass = 0; pass < 4; ++pass) draw(strip(4), 6);
    run({100'000, 200'000, 300'000, 400'000});
    ASSERT_EQ(ready->arrivals.size(), 4U);
    EXPECT_LT(ready->times()[1], 100'000);
    EXPECT_GT(ready->times()[2], 100'000);
    EXPECT_LT(ready->times()[2], 200'000);
    EXPECT_GT(ready->times()[3], 200'000);
}

TEST_F(GeometryTest, TellsOfAPassOnlyWhenItsListsAreInMemory) {
    draw(strip(20), 22);
    run({1'000'000});
    Time last_write = 0;
    for (const auto& [time, request] : memory->seen)
        if (request.operation != MemoryOperation::read) last_write = time;
    EXPECT_GT(ready->times().at(0), last_write + 60);
}

TEST_F(GeometryTest, ShadesNoVerticesThatReadAPassBeforeItIsStored) {
    draw(strip(4), 6);
    draw(strip(4), 6);
    frame.passes[0].colour = {{0x800000, 32, 32, 4}};
    frame.colour_hashes.resize(frame.tiles.size());
    Program textured = trace.programs[0];
    textured.instructions[0].opcode = Opcode::tex;
    trace.programs.push_back(textured);
    frame.draws[1].vertex_program = 1;
    frame.vertex_accesses = {{0, 1}};
    frame.vertex_blocks = {0x800000 / 64 + 5};
    for (std::uint32_t v = 0; v < 6; ++v) frame.vertices[frame.draws[1].first_vertex + v].first_access = 0;
    run({100'000, 200'000}, {50'000, 60'000});
    ASSERT_EQ(ready->arrivals.size(), 2U);
    EXPECT_LT(ready->times()[0], 50'000);
    EXPECT_GT(ready->times()[1], 50'000);
    EXPECT_LT(ready->times()[1], 60'000);
    EXPECT_GT(counter("cycles_waits_passes"), 20'000U);
}

TEST_F(GeometryTest, AccountsForAllItsTime) {
    draw(strip(100), 102);
    run({1'000'000});
    geometry->end_frame();
    Laws laws;
    geometry->time.add_laws(laws, "geometry");
    const Ledger ledger(simulation.processes(), simulation.collect_counters());
    EXPECT_TRUE(ledger.violations(laws, 0, geometry->now()).empty());
    EXPECT_GE(counter("cycles_assembly"), 300U);
    EXPECT_GT(counter("cycles_lists"), 0U);
}

TEST_F(GeometryTest, StreamsPrimitivesAndClearsInTheOrderOfCommandsThenTheEndOfThePass) {
    draw(strip(3), 5);
    clear();
    clear();
    draw(strip(2), 4);
    clear();
    stream(100, {});
    std::vector<std::pair<std::uint32_t, std::uint32_t>> said;
    for (const auto& arrival : streamed->arrivals) said.emplace_back(arrival.message.primitive, arrival.message.draw);
    using Item = std::pair<std::uint32_t, std::uint32_t>;
    EXPECT_THAT(said, testing::ElementsAre(Item{0, 0}, Item{1, 0}, Item{2, 0}, Item{none, 1}, Item{none, 2},
                                           Item{none, none}, Item{3, 3}, Item{4, 3}, Item{none, 4}, Item{none, none}));
    EXPECT_EQ(geometry->builder(), nullptr);
    EXPECT_EQ(counter("draws"), 5U);
}

TEST_F(GeometryTest, StreamsAsFarAsTheRasterHasRoomAlsoForClearsAndTheEndsOfPasses) {
    draw(strip(2), 4);
    clear();
    draw(strip(1), 3);
    std::vector<Time> taken;
    for (Time time = 10'000; taken.size() < 6; time += 1000) taken.push_back(time);
    stream(1, taken);
    ASSERT_EQ(streamed->arrivals.size(), 6U);
    EXPECT_LT(streamed->times()[0], 1000);
    for (std::size_t i = 1; i < 6; ++i) {  // sent in the first cycle after the credit has come
        EXPECT_GT(streamed->times()[i], taken[i - 1]);
        EXPECT_LT(streamed->times()[i], taken[i - 1] + 20);
    }
    EXPECT_GT(counter("cycles_waits_raster"), 6000U);
    EXPECT_EQ(geometry->unfinished(), "");
}

TEST_F(GeometryTest, ShadesNoVerticesThatReadAPassBeforeItIsInMemoryAlsoWhereItStreams) {
    draw(strip(1), 3);
    draw(strip(1), 3);
    frame.passes[0].colour = {{0x800000, 32, 32, 4}};
    frame.colour_hashes.resize(64);
    Program textured = trace.programs[0];
    textured.instructions[0].opcode = Opcode::tex;
    trace.programs.push_back(textured);
    frame.draws[1].vertex_program = 1;
    frame.vertex_accesses = {{0, 1}};
    frame.vertex_blocks = {0x800000 / 64 + 5};
    stream(100, {}, {50'000});
    ASSERT_EQ(streamed->arrivals.size(), 4U);
    EXPECT_LT(streamed->times()[1], 1000);
    EXPECT_GT(streamed->times()[2], 50'000);
}

TEST_F(GeometryTest, UploadsAlsoInAFrameThatDrawsNothing) {
    frame.uploads.emplace_back().address = 0x8000;
    frame.uploads.back().bytes = 200;
    run({});
    ASSERT_EQ(memory->seen.size(), 4U);
    for (BlockNumber i = 0; i < 4; ++i) {
        EXPECT_EQ(memory->seen[i].second.block, 0x8000U / 64 + i);
        EXPECT_EQ(memory->seen[i].second.client, MemoryClient::upload);
    }
    EXPECT_TRUE(ready->arrivals.empty());
}

TEST_F(GeometryTest, SaysForHowLongItUploadsWhenNothingIsLeftToBeDrawn) {
    draw(strip(4), 6);
    frame.uploads.emplace_back().address = 0x8000;
    frame.uploads.back().bytes = 64 * 5000;
    run({1'000'000});
    const std::uint64_t drawn = static_cast<std::uint64_t>(ready->times().at(0)) / 2;
    EXPECT_EQ(counter("lines_uploaded"), 5000U);
    EXPECT_GE(counter("cycles_uploads"), 5000 - drawn);
    EXPECT_LE(counter("cycles_uploads"), 5000U);
}

TEST_F(GeometryTest, UploadsWhileItDrawsAlsoWhatComesBehindTheLastDraw) {
    draw(strip(4), 6);
    frame.uploads.emplace_back().address = 0x8000;
    frame.uploads.back().bytes = 64 * 500;
    frame.uploads.back().before_draw = 1;
    run({1'000'000});
    EXPECT_EQ(counter("lines_uploaded"), 500U);
    EXPECT_LT(ready->times().at(0), 500 * 2);  // nothing waits for it
}

// With room for four requests, which the driver's writes would have for themselves.
TEST_F(GeometryTest, LetsTheDriversWritesTakeWhatRoomIsLeft) {
    draw(strip(4), 6);
    frame.uploads.emplace_back().address = 0x8000;
    frame.uploads.back().bytes = 64 * 500;
    credits = 4;
    run({1'000'000});
    EXPECT_EQ(counter("lines_uploaded"), 500U);
    EXPECT_GT(memory->seen.back().first, 500 / 4 * 60);
    EXPECT_LT(ready->times().at(0), 2000);
}

}  // namespace
}  // namespace models
