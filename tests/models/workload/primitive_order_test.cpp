#include "models/workload/primitive_order.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/models/scene.h"
#include "tests/models/synthetic_frame.h"

namespace models {
namespace {

RC_GTEST_PROP(PrimitiveOrder, HasEveryQuadOfThePassOnceByPrimitiveThenByTile, ()) {
    synthetic::Options options;
    options.seed = *rc::gen::arbitrary<std::uint64_t>();
    options.passes = *rc::gen::inRange(1U, 4U);
    options.draws = *rc::gen::inRange(1U, 4U);
    options.primitives = *rc::gen::inRange(1U, 8U);
    const Frame frame = synthetic::Generator(options).frame();
    std::size_t quads = 0;
    for (const Pass& pass : frame.passes) {
        const PrimitiveOrder order(frame, pass);
        RC_ASSERT(order.primitives() == options.draws * options.primitives);
        RC_ASSERT(order.first_primitive() == frame.draws[pass.first_draw].first_primitive);
        RC_ASSERT(order.first_quad(0) == 0U);
        RC_ASSERT(order.first_quad(order.primitives()) == order.quads().size());
        for (std::uint32_t i = 0; i < order.primitives(); ++i)
            for (std::uint32_t at = order.first_quad(i); at < order.first_quad(i + 1); ++at) {
                RC_ASSERT(frame.quads[order.quads()[at]].primitive == order.first_primitive() + i);
                // Tiles are numbered before quads are.
                RC_ASSERT((at == order.first_quad(i) || order.quads()[at - 1] < order.quads()[at]));
            }
        quads += order.quads().size();
    }
    RC_ASSERT(quads == frame.quads.size());
}

TEST(PrimitiveOrder, IsEmptyWhereAPassDrawsNothing) {
    Scene scene;
    scene.pass(2);
    scene.draw(DrawKind::clear);
    const Frame& frame = scene.finish();
    const PrimitiveOrder order(frame, frame.passes[0]);
    EXPECT_EQ(order.primitives(), 0U);
    EXPECT_TRUE(order.quads().empty());
}

TEST(PrimitiveOrder, KnowsPrimitivesWithoutQuads) {
    Scene scene;
    scene.pass(2);
    scene.draw();
    for (int i = 0; i < 3; ++i) scene.primitive(2);
    scene.quad(1, 0);  // of the last
    scene.quad(0, 5);
    scene.draw(DrawKind::clear);
    const Frame& frame = scene.finish();
    const PrimitiveOrder order(frame, frame.passes[0]);
    ASSERT_EQ(order.primitives(), 3U);
    EXPECT_EQ(order.first_quad(1), 0U);
    EXPECT_EQ(order.first_quad(2), 0U);
    EXPECT_EQ(order.first_quad(3), 2U);
    EXPECT_EQ(order.quads(), (std::vector<std::uint32_t>{0, 1}));
}

}  // namespace
}  // namespace models
