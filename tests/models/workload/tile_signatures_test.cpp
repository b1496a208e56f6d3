#include "models/workload/tile_signatures.h"

#include <functional>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/machine_parameters.h"
#include "tests/models/resolving_scene.h"

namespace models {
namespace {

using testing::ElementsAre;

// Frames of one pass of three tiles, all of whose colours are known by these hashes.
class TileSignaturesTest : public testing::Test {
  protected:
    TileSignaturesTest() {
        scene.pass(3);
        scene.finish();
        frame = scene.frame;
        frame.colour_hashes = {11, 12, 13};
    }
    // Which tiles of the first pass are unchanged.
    std::vector<bool> load(const Frame& next) {
        PassOrder order;
        order.load(next, {});
        Resolves resolves;
        resolves.load(next, order, false);
        signatures.load(next, resolves);
        std::vector<bool> unchanged;
        for (std::uint32_t tile = 0; tile < 3; ++tile)
            unchanged.push_back(signatures.is_unchanged(next.passes[0], tile));
        return unchanged;
    }
    // The frame, changed.
    Frame after(const std::function<void(Frame&)>& change) const {
        Frame changed = frame;
        change(changed);
        return changed;
    }
    static Upload upload(Address address, std::uint64_t bytes) {
        Upload made;
        made.address = address;
        made.bytes = bytes;
        return made;
    }

    Scene scene;
    Frame frame;
    TileSignatures signatures{true};
};

TEST_F(TileSignaturesTest, TilesWithTheHashOfTheLastStoreAreUnchanged) {
    EXPECT_THAT(load(frame), ElementsAre(false, false, false));
    EXPECT_THAT(load(frame), ElementsAre(true, true, true));
    frame.colour_hashes[1] = 99;
    EXPECT_THAT(load(frame), ElementsAre(true, false, true));
    frame.colour_hashes[1] = 12;  // not the last
    EXPECT_THAT(load(frame), ElementsAre(true, false, true));
    EXPECT_THAT(load(frame), ElementsAre(true, true, true));
}

TEST_F(TileSignaturesTest, NoneIsUnchangedUnlessToldTo) {
    signatures = TileSignatures(false);
    load(frame);
    EXPECT_THAT(load(frame), ElementsAre(false, false, false));
}

TEST_F(TileSignaturesTest, AHashOfZeroIsNotKnown) {
    frame.colour_hashes[2] = 0;
    load(frame);
    EXPECT_THAT(load(frame), ElementsAre(true, true, false));
}

TEST_F(TileSignaturesTest, AllTargetsHaveToBeTheSame) {
    frame.passes[0].colour.push_back({1 << 24, 96, 32, 4});
    frame.passes[0].colour.push_back({});  // absent
    frame.colour_hashes = {11, 21, 0, 12, 22, 0, 13, 23, 0};
    load(frame);
    EXPECT_THAT(load(frame), ElementsAre(true, true, true));
    frame.colour_hashes[1] = 99;
    frame.colour_hashes[6] = 98;
    EXPECT_THAT(load(frame), ElementsAre(false, true, false));
}

TEST_F(TileSignaturesTest, APassWithoutColoursHasNoneThatMemoryHas) {
    frame.passes[0].colour = {{}};
    load(frame);
    EXPECT_THAT(load(frame), ElementsAre(false, false, false));
}

TEST_F(TileSignaturesTest, APassThatStoresNothingIsNotTheLastStore) {
    load(frame);
    EXPECT_THAT(load(after([](Frame& next) {
                    next.passes[0].colour_store = false;
                    next.colour_hashes = {1, 2, 3};
                })),
                ElementsAre(false, false, false));
    EXPECT_THAT(load(frame), ElementsAre(true, true, true));
}

TEST_F(TileSignaturesTest, WhatTheDriverWritesToIsForgotten) {
    const Address begin = frame.passes[0].colour[0].address, bytes = 3 * 32 * 32 * 4;
    const auto survives = [&](const Upload& written) -> bool {
        load(frame);
        load(after([&](Frame& next) {
            next.passes[0].colour_store = false;
            next.uploads = {written};
        }));
        return load(frame)[0];
    };
    EXPECT_TRUE(survives(upload(begin - 64, 64)));
    EXPECT_TRUE(survives(upload(begin + bytes, 64)));
    EXPECT_TRUE(survives(upload(begin + 64, 0)));
    EXPECT_FALSE(survives(upload(begin - 64, 65)));
    EXPECT_FALSE(survives(upload(begin + bytes - 1, 64)));
    EXPECT_FALSE(survives(upload(begin - 64, bytes + 128)));
}

TEST_F(TileSignaturesTest, AnUploadCountsBeforeOrAfterThePassAsItsDrawSaysOrBoth) {
    const Pass pass = frame.passes[0];
    ASSERT_EQ(pass.first_draw, 0U);
    // Of the frame with the upload, and of the next one.
    const auto are_unchanged = [&](std::uint32_t before_draw, std::uint32_t draws) -> std::vector<bool> {
        const Frame written = after([&](Frame& next) {
            next.draws.resize(draws);
            next.passes[0].draw_count = draws;
            next.uploads = {upload(pass.colour[0].address, 64)};
            next.uploads[0].before_draw = before_draw;
        });
        load(frame);
        const bool unchanged = load(written)[0];
        return {unchanged, load(frame)[0]};
    };
    EXPECT_THAT(are_unchanged(0, 2), ElementsAre(false, true));
    EXPECT_THAT(are_unchanged(1, 2), ElementsAre(false, false));
    EXPECT_THAT(are_unchanged(2, 2), ElementsAre(true, false));
}

TEST_F(TileSignaturesTest, WhatAnotherSurfaceIsStoredOverIsForgotten) {
    const Address begin = frame.passes[0].colour[0].address;
    const auto survives = [&](const std::function<void(Pass&)>& change) -> bool {
        load(frame);
        load(after([&](Frame& next) { change(next.passes[0]); }));
        return load(frame)[0];
    };
    EXPECT_TRUE(survives([&](Pass& pass) { pass.colour[0].address = 1 << 24; }));
    EXPECT_FALSE(survives([&](Pass& pass) { pass.colour[0].address = begin + 4096; }));
    EXPECT_FALSE(survives([&](Pass& pass) { pass.colour[0].bytes_per_texel = 8; }));
    EXPECT_FALSE(survives([&](Pass& pass) {
        pass.colour_store = false;
        pass.depth = {begin + 4096, 96, 32, 2};
        pass.depth_store = true;
    }));
    EXPECT_TRUE(survives([&](Pass& pass) {
        pass.colour_store = false;
        pass.depth = {begin + 4096, 96, 32, 2};
    }));
}

TEST_F(TileSignaturesTest, PassesOfOneFrameFollowOneAnother) {
    const std::vector<Surface> colour = scene.frame.passes[0].colour;
    scene.pass(3).colour = colour;
    scene.finish();
    scene.frame.colour_hashes = {11, 12, 13, 11, 99, 13};
    load(scene.frame);
    std::vector<bool> second;
    for (std::uint32_t tile = 0; tile < 3; ++tile)
        second.push_back(signatures.is_unchanged(scene.frame.passes[1], tile));
    EXPECT_THAT(second, ElementsAre(true, false, true));
    EXPECT_THAT(load(scene.frame), ElementsAre(true, false, true));  // against the second pass of the frame before
}

TEST(TileSignatures, OfATileResolvedOnChipAreThoseOfWhatIsStored) {
    ResolvingScene scene;
    scene.finish();
    scene.frame.colour_hashes = {1, 2, 3, 4};
    const MachineParameters parameters;
    Workload workload({1 << 30, Rendering::tiled, parameters.tiling, true, true});
    workload.load(scene.trace, scene.frame);
    scene.frame.colour_hashes = {1, 2, 3, 5};
    workload.load(scene.trace, scene.frame);
    EXPECT_TRUE(workload.signatures().is_unchanged(scene.frame.passes[0], 0));
    EXPECT_FALSE(workload.signatures().is_unchanged(scene.frame.passes[0], 1));
    // A frame that goes by elsewhere counts, too.
    scene.frame.colour_hashes = {1, 2, 6, 5};
    workload.pass_over(scene.trace, scene.frame);
    workload.load(scene.trace, scene.frame);
    EXPECT_TRUE(workload.signatures().is_unchanged(scene.frame.passes[0], 0));
    EXPECT_TRUE(workload.signatures().is_unchanged(scene.frame.passes[0], 1));
}

}  // namespace
}  // namespace models
