#include "models/geometry.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/bench.h"

namespace models {
namespace {

using engine::Time;

// The geometry front end before a memory that answers after 60 ticks. Passes of one draw each.
class GeometryTest : public testing::Test {
  protected:
    GeometryTest() {
        parameters.l2.slices.set("1");
        parameters.l2.requests_per_port.set("64");
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
    // Parameter buffers are given back at these times.
    void run(const std::vector<Time>& freed) {
        workload.load(trace, frame);
        geometry = &simulation.add<Geometry>(parameters, workload);
        auto& source = simulation.add<bench::Source<PassFreed>>("freed");
        ready = &simulation.add<bench::Sink<PassReady>>("ready");
        memory = &simulation.add<bench::Memory>("memory", -1, 60);
        simulation.connect(source.out, geometry->freed, 1);
        simulation.connect(geometry->ready, ready->in, 1);
        simulation.connect(geometry->memory.requests[0], memory->in, 1);
        simulation.connect(memory->out, geometry->replies[0], 1);
        geometry->begin_frame();
        geometry->wake_at(0);
        for (std::size_t i = 0; i < freed.size(); ++i) source.send_at(freed[i], {static_cast<std::uint32_t>(i)});
        simulation.run({});
    }
    std::uint64_t counter(const std::string& name) const {
        std::uint64_t sum = 0;
        for (const auto& info : geometry->counters().all())
            if (info.name == name || (info.name.size() > name.size() && name[0] == '_' &&
                                      info.name.substr(info.name.size() - name.size()) == name))
                sum += *info.value;
        return sum;
    }

    MachineParameters parameters;
    FrameTrace trace;
    Frame frame;
    Workload workload{parameters};
    engine::Simulation simulation;
    Geometry* geometry = nullptr;
    bench::Sink<PassReady>* ready = nullptr;
    bench::Memory* memory = nullptr;
};

std::vector<std::uint32_t> strip(std::uint32_t triangles) {
    std::vector<std::uint32_t> corners;
    for (std::uint32_t t = 0; t < triangles; ++t)
        for (std::uint32_t corner = 0; corner < 3; ++corner) corners.push_back(t + corner);
    return corners;
}

TEST_F(GeometryTest, ShadesAVertexOnceWhileItIsRemembered) {
    draw(strip(100), 102);
    run({1'000'000});
    EXPECT_EQ(counter("_vertices"), 102U);
    EXPECT_EQ(counter("vertices_reused"), 198U);
    EXPECT_EQ(counter("vertices_assembled"), 300U);
}

TEST_F(GeometryTest, ShadesAVertexAgainThatHasBeenForgotten) {
    parameters.geometry.post_transform_entries.set("4");
    std::vector<std::uint32_t> corners = {0, 1, 2, 3, 4, 5, 0, 1, 2};  // 0 is pushed out by 4, ...
    draw(corners, 6);
    run({1'000'000});
    EXPECT_EQ(counter("_vertices"), 9U);
}

TEST_F(GeometryTest, RemembersAllVerticesOfADrawIfToldTo) {
    parameters.geometry.post_transform_entries.set("0");
    std::vector<std::uint32_t> corners = strip(100);
    const std::vector<std::uint32_t> again = corners;
    corners.insert(corners.end(), again.begin(), again.end());
    draw(corners, 102);
    run({1'000'000});
    EXPECT_EQ(counter("_vertices"), 102U);
}

TEST_F(GeometryTest, AssemblesAtMostOneVertexACycle) {
    draw(strip(400), 402);
    run({1'000'000});
    EXPECT_GE(ready->times().at(0), 1200 * 2);
    EXPECT_LE(ready->times().at(0), 1200 * 2 * 3 / 2 + 1000);
}

TEST_F(GeometryTest, ReadsIndicesAndAttributesOfTheDraw) {
    draw(strip(50), 52);  // 150 indices of 2 bytes: 5 lines; a vertex of 16 bytes in every line
    run({1'000'000});
    std::set<BlockNumber> indices, attributes;
    for (const auto& [time, request] : memory->seen) {
        if (request.operation != MemoryOperation::read) continue;
        if (request.block >= 0x10000 / 64 && request.block < 0x10000 / 64 + 64) indices.insert(request.block);
        if (request.block >= 0x40000 / 64 && request.block < 0x40000 / 64 + 64) attributes.insert(request.block);
    }
    EXPECT_EQ(indices.size(), 5U);
    EXPECT_EQ(attributes.size(), 52U);
    EXPECT_EQ(counter("index_lines"), 5U);
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

TEST_F(GeometryTest, ReadsTheIndicesAgainForEveryInstance) {
    draw(strip(50), 52);
    Draw& first = frame.draws[0];
    const std::vector<std::uint32_t> once = frame.fetches;
    for (const std::uint32_t vertex : once) frame.fetches.push_back(vertex + 52);
    for (std::uint32_t v = 0; v < 52; ++v) frame.vertices.push_back({v, 1, 0, 0});
    first.fetch_count = 300;
    first.vertex_count = 104;
    run({1'000'000});
    EXPECT_EQ(counter("index_lines"), 10U);
    EXPECT_EQ(counter("_vertices"), 104U);
}

}  // namespace
}  // namespace models
