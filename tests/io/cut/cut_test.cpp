// What a cut must be: frame by frame the same pictures and the same trace as the whole recording.
#include "io/cut/cut.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "io/frame_marks.h"
#include "models/functional/renderer.h"
#include "tests/io/cut/cut_comparison.h"
#include "tests/models/functional/pipeline/compute_scene.h"
#include "tests/models/functional/pipeline/scene.h"

namespace {

using models::functional::FunctionalRenderer;
using models::functional::Image;
using models::functional::ObjectType;
using models::functional::Scene;
using models::functional::VirglCommand;
using models::functional::VtestCommand;
using models::functional::WordList;
using testing::HasSubstr;

using io::Cut;
using io::cut;
using io::expect_same;

constexpr std::uint32_t patches = 14;  // a kind of primitive that is refused
constexpr std::uint32_t white = 0xffffffff, grey = 0xff808080, black = 0xff000000;

TEST(Cut, WhatEarlierFramesDrewIntoTheWindowIsThere) {
    Scene scene(16, 16);
    scene.clear(Scene::clear_all, {0.25F, 0.5F, 0.75F, 1});
    scene.end_frame();
    scene.draw({{-1, -1, 0, 1}, {0, -1, 0, 1}, {-1, 0, 0, 1}});  // without a clear
    scene.end_frame();
    scene.draw({{1, 1, 0, 1}, {0, 1, 0, 1}, {1, 0, 0, 1}});
    scene.end_frame();
    for (std::uint32_t first = 0; first < 3; ++first) expect_same(scene.stream.bytes(), first, 2);
    EXPECT_GT(cut(scene.stream.bytes(), 2, 2).report.bytes_filled, 16U * 16 * 4);
}

// Each launch adds the numbers of another buffer, which is uploaded once, to those that the last one left.
models::functional::ComputeScene adding(std::uint32_t frames) {
    models::functional::ComputeScene scene;
    const std::uint32_t sum = scene.buffer(WordList(8, 0)), more = scene.buffer(WordList(8, 3));
    scene.program(models::functional::linear_program(
        8, "DCL BUFFER[0..1]\n",
        "LOAD TEMP[2].x, BUFFER[0], TEMP[1].xxxx\nLOAD TEMP[3].x, BUFFER[1], TEMP[1].xxxx\n"
        "UADD TEMP[2].x, TEMP[2].xxxx, TEMP[3].xxxx\nSTORE BUFFER[0].x, TEMP[1].xxxx, TEMP[2].xxxx\n"));
    scene.bind_buffer(0, sum, 32);
    scene.bind_buffer(1, more, 32);
    for (std::uint32_t frame = 1; frame <= frames; ++frame) {
        scene.launch({8, 1, 1}, {1, 1, 1});
        scene.read_back(sum, WordList(8, 3 * frame));
    }
    return scene;
}

TEST(Cut, FramesThatOnlyComputeGoOnFromWhatThoseBeforeLeft) {
    const models::functional::ComputeScene scene = adding(3);
    for (std::uint32_t first = 0; first < 3; ++first) {
        const Cut part = cut(scene.stream.bytes(), first, 2);
        EXPECT_EQ(part.frames, static_cast<int>(3 - first));
        FunctionalRenderer renderer(part.recording.bytes(), {.threads = 1});
        for (std::uint32_t frame = first; frame < 3; ++frame) {
            ASSERT_TRUE(renderer.next_frame(nullptr, nullptr, nullptr));
            ASSERT_EQ(renderer.read_backs().size(), 1U);
            EXPECT_TRUE(renderer.read_backs()[0].right());
        }
        EXPECT_FALSE(renderer.next_frame(nullptr, nullptr, nullptr));
    }
}

TEST(Cut, WhatAFrameClearsIsNotFilled) {
    Scene scene(16, 16);
    scene.clear(Scene::clear_all, {1, 1, 1, 1});
    scene.end_frame();
    scene.clear(Scene::clear_all, {0.5F, 0, 0, 1});
    scene.end_frame();
    expect_same(scene.stream.bytes(), 1, 1);
    EXPECT_EQ(cut(scene.stream.bytes(), 1, 1).report.bytes_filled, 0U);
}

TEST(Cut, ATargetThatNothingWritesHasItsColours) {
    Scene scene(16, 16);
    scene.clear(Scene::clear_all, {1, 0.5F, 0, 1});
    scene.end_frame();
    scene.clear(models::functional::clear_depth_bit);
    const std::uint32_t other = scene.handle(), surface = scene.handle();
    scene.stream.resource(other, 2, 67, 10, 16, 16);
    scene.commands.create(ObjectType::surface, {surface, other, 67, 0, 0});
    scene.target({surface}, 0, 16, 16);
    scene.clear(Scene::clear_all, {0, 0, 1, 1});
    scene.target({Scene::window_surface}, 0, 16, 16);
    scene.clear(Scene::clear_all, {0, 1, 0, 1});
    scene.end_frame();
    expect_same(scene.stream.bytes(), 1, 1);
}

TEST(Cut, WhatIsClearedBeforeTheFramesIsNotRendered) {
    Scene scene(16, 16);
    scene.clear(Scene::clear_all, {1, 1, 1, 1});
    scene.draw(models::functional::whole_window(0), patches);
    scene.end_frame();
    scene.clear(Scene::clear_all, {0.5F, 0, 0, 1});
    scene.end_frame();
    const Cut part = cut(scene.stream.bytes(), 1, 1);
    FunctionalRenderer renderer(part.recording.bytes(), {.threads = 1});
    Image image;
    EXPECT_TRUE(renderer.next_frame(nullptr, &image, nullptr));
    EXPECT_EQ(image.rgba[0], 128);
    FunctionalRenderer whole(scene.stream.bytes(), {.threads = 1});
    EXPECT_THROW(whole.next_frame(nullptr, &image, nullptr), engine::InputError);
}

TEST(Cut, WhatIsDrawnBeforeTheFramesAndReadInThemIsRendered) {
    Scene scene(16, 16);
    scene.clear(Scene::clear_all, {1, 1, 1, 1});
    scene.draw(models::functional::whole_window(0), patches);
    scene.end_frame();
    scene.clear(models::functional::clear_depth_bit, {});
    scene.end_frame();
    EXPECT_THROW(cut(scene.stream.bytes(), 1, 1), engine::InputError);
}

TEST(Cut, TexturesHaveAllLevelsAsTheyWereUploadedAndCopiedInto) {
    Scene scene(16, 16);
    const std::uint32_t texture = scene.texture(2, {{white, black, grey, white}, {grey}});
    const std::uint32_t other = scene.texture(2, {{black, black, black, black}, {white}});
    scene.bind_texture(texture, 1, true);
    scene.fragment_shader(models::functional::textured);
    scene.draw(models::functional::whole_window(0));
    scene.blit(other, 1, 1, texture, 0, 2);
    scene.end_frame();
    scene.draw(models::functional::whole_window(0));
    scene.end_frame();
    scene.bind_texture(other, 1, true);
    scene.draw(models::functional::whole_window(0));
    scene.end_frame();
    expect_same(scene.stream.bytes(), 1, 2);
    expect_same(scene.stream.bytes(), 2, 2);
}

TEST(Cut, TexturesHaveWhatWasClearedInPartBeforeAndWithinTheFrames) {
    Scene scene(16, 16);
    const std::uint32_t texture = scene.texture(2, {{white, black, grey, white}});
    scene.bind_texture(texture);
    scene.fragment_shader(models::functional::textured);
    for (std::uint32_t x = 0; x < 2; ++x) {
        scene.commands.add(VirglCommand::clear_texture, {texture, 0, x, x, 0, 1, 1, 1, 0xff0000ff, 0, 0, 0});
        scene.draw(models::functional::whole_window(0));
        scene.end_frame();
    }
    expect_same(scene.stream.bytes(), 1, 1);
}

TEST(Cut, ObjectsThatWereDestroyedWhileBoundStayBound) {
    Scene scene(16, 16);
    const std::uint32_t blend = scene.handle();
    const WordList half{blend, 0, 0, Scene::translucent, 0, 0, 0, 0, 0, 0, 0};
    const WordList opaque{blend, 0, 0, Scene::opaque, 0, 0, 0, 0, 0, 0, 0};
    scene.commands.create(ObjectType::blend, half)
        .bind(ObjectType::blend, blend)
        .add(VirglCommand::destroy_object, {blend}, ObjectType::blend)
        .create(ObjectType::blend, opaque);  // the same handle means another object now
    scene.clear(Scene::clear_all, {1, 0, 0, 1});
    scene.end_frame();
    scene.draw(models::functional::whole_window(0, std::array{0.0F, 1.0F, 0.0F, 0.5F}));
    scene.end_frame();
    expect_same(scene.stream.bytes(), 1, 1);
}

TEST(Cut, StateThatWasSetManyTimesIsSetOnce) {
    Scene scene(16, 16);
    scene.clear(Scene::clear_all);
    scene.end_frame();
    for (std::uint32_t i = 0; i < 2000; ++i) {
        scene.blend(i % 2 == 0 ? Scene::translucent : Scene::opaque);
        scene.commands.add(VirglCommand::set_constant_buffer, {1, 0, i, i, i, i});
    }
    scene.end_frame();
    scene.draw(models::functional::whole_window(0, std::array{0.0F, 1.0F, 0.0F, 0.5F}));
    scene.end_frame();
    expect_same(scene.stream.bytes(), 2, 2);
    // The objects live on; the bindings and constants do not: about half of the bytes.
    const std::size_t created = std::size_t{2000} * 4 * 12;
    EXPECT_LT(cut(scene.stream.bytes(), 2, 2).recording.bytes().size(), created + 8000);
}

TEST(Cut, SubContextsKeepTheirStateAndTheCurrentOneIsCurrent) {
    Scene scene(16, 16);
    scene.clear(Scene::clear_all, {0, 0, 1, 1});
    scene.commands.add(VirglCommand::create_sub_ctx, {7})
        .add(VirglCommand::set_sub_ctx, {7})
        .create(ObjectType::surface, {1, Scene::window, 1, 0, 0})
        .add(VirglCommand::set_framebuffer_state, {1, 0, 1});
    scene.end_frame();
    scene.clear(4, {0, 1, 0, 1});
    scene.end_frame();
    scene.commands.add(VirglCommand::set_sub_ctx, {0});
    scene.draw({{-1, -1, 0, 1}, {0, -1, 0, 1}, {-1, 0, 0, 1}});
    scene.end_frame();
    expect_same(scene.stream.bytes(), 1, 2);
    expect_same(scene.stream.bytes(), 2, 2);
}

TEST(Cut, ResourcesHaveTheirAddressesAlthoughOthersAreGone) {
    Scene scene(16, 16);
    scene.clear(Scene::clear_all);
    const std::uint32_t gone = scene.texture(32, {WordList(1024, white)});
    scene.end_frame();
    const std::uint32_t texture = scene.texture(2, {{white, black, grey, white}});
    scene.submit();
    scene.stream.message(VtestCommand::resource_unref, {gone});
    scene.bind_texture(texture);
    scene.fragment_shader(models::functional::textured);
    scene.end_frame();
    scene.draw(models::functional::whole_window(0));
    scene.end_frame();
    expect_same(scene.stream.bytes(), 2, 2);
}

// Two pictures that the recorder left out before the first of two frames.
Scene with_pictures_left_out() {
    Scene scene(16, 16);
    const auto leave_out = [&] {
        scene.submit();
        scene.stream.record(static_cast<std::uint8_t>(io::RecordKind::skipped), {});
    };
    scene.clear(Scene::clear_all, {0.25F, 0.5F, 0.75F, 1});
    leave_out();
    scene.draw({{-1, -1, 0, 1}, {0, -1, 0, 1}, {-1, 0, 0, 1}});
    leave_out();
    scene.draw({{1, 1, 0, 1}, {0, 1, 0, 1}, {1, 0, 0, 1}});
    scene.end_frame();
    scene.draw(models::functional::whole_window(0, std::array{0.0F, 1.0F, 0.0F, 0.5F}));
    scene.end_frame();
    return scene;
}

TEST(Cut, TracesAreThoseOfTheWholeRecordingBehindThePicturesLeftOut) {
    const Scene scene = with_pictures_left_out();
    const Cut part = cut(scene.stream.bytes(), 0, 1);
    FunctionalRenderer whole(scene.stream.bytes(), {.threads = 1});
    FunctionalRenderer same(part.recording.bytes(), {.threads = 1});
    io::begin_frame(whole, scene.stream.bytes(), 0);
    io::begin_frame(same, part.recording.bytes(), 0);
    io::FramePair pair;
    pair.expect_same(whole, same);
    pair.expect_same(whole, same);
    EXPECT_TRUE(io::pictures_left_out(part.recording.bytes()).empty());
}

TEST(Cut, AFrameThatEndsAmongPicturesLeftOutIsRefusedByTheRenderer) {
    Scene scene(16, 16);
    scene.end_frame();
    FunctionalRenderer renderer(scene.stream.bytes(), {.threads = 1});
    EXPECT_THAT(models::functional::error_of([&] { renderer.execute_to(scene.stream.bytes().size()); }),
                HasSubstr("a frame ends before a picture that was left out of it"));
}

// A texture that is uploaded in the first of four frames, and constants that all of them set.
Scene with_texture_and_constants() {
    Scene scene(16, 16);
    const std::uint32_t texture = scene.texture(2, {{white, black, grey, white}});
    scene.bind_texture(texture);
    scene.fragment_shader(models::functional::textured);
    for (std::uint32_t frame = 0; frame < 4; ++frame) {
        scene.commands.add(VirglCommand::set_constant_buffer, {0, 1, frame, frame, frame, frame});
        scene.draw(models::functional::whole_window(0));
        scene.commands.add(VirglCommand::set_constant_buffer, {1, 1, frame, frame, frame, frame});
        scene.draw(models::functional::whole_window(0));
        scene.end_frame();
    }
    return scene;
}

TEST(Cut, WhatFillsTheTexturesIsNoUploadOfTheFirstFrame) {
    const Scene scene = with_texture_and_constants();
    expect_same(scene.stream.bytes(), 1, 3);
    expect_same(scene.stream.bytes(), 3, 3);
    const Cut part = cut(scene.stream.bytes(), 1, 1);
    models::Frame own;
    models::Frame with_filling;
    Image image;
    FunctionalRenderer renderer(part.recording.bytes(), {.threads = 1});
    io::begin_frame(renderer, part.recording.bytes(), 0);
    renderer.next_frame(&own, &image, &image);
    FunctionalRenderer unaware(part.recording.bytes(), {.threads = 1});
    unaware.next_frame(&with_filling, &image, &image);
    EXPECT_GT(with_filling.uploads.size(), own.uploads.size());
    EXPECT_EQ(with_filling.draws.size(), own.draws.size());
}

TEST(Cut, ACutOfACutIsACutOfTheWhole) {
    const Scene scene = with_texture_and_constants();
    const Cut once = cut(scene.stream.bytes(), 1, 3);
    for (std::uint32_t first = 0; first < 3; ++first) {
        expect_same(once.recording.bytes(), first, 2);
        const Cut twice = cut(once.recording.bytes(), first, 2);
        const Cut direct = cut(scene.stream.bytes(), first + 1, 3);
        EXPECT_TRUE(std::ranges::equal(twice.recording.bytes(), direct.recording.bytes()));
    }
}

TEST(Cut, TellsOfEveryPictureThatItDrawsBeforeTheFramesAndCanBeGivenUp) {
    const Scene scene = with_pictures_left_out();
    const io::CutSink sink{.add = [](io::RecordKind, std::span<const std::byte>) {}, .end_frame = [] {}};
    std::vector<std::uint64_t> told;
    io::CutOptions options{.frames = {1, 1}, .threads = 1};
    options.on_drawn = [&](std::uint64_t drawn, std::uint64_t of) {
        EXPECT_EQ(of, 3U);
        told.push_back(drawn);
    };
    io::cut_recording(scene.stream.bytes(), options, sink);
    EXPECT_THAT(told, testing::ElementsAre(0, 1, 2, 3));
    options.on_drawn = [](std::uint64_t drawn, std::uint64_t) {
        if (drawn == 2) throw engine::InputError("enough");
    };
    EXPECT_THROW(io::cut_recording(scene.stream.bytes(), options, sink), engine::InputError);
}

TEST(Cut, StartsBehindTheLastPictureThatTheRecorderLeftOut) {
    const Scene scene = with_pictures_left_out();
    const Cut part = cut(scene.stream.bytes(), 0, 0);
    EXPECT_EQ(part.report.frames, 1U);
    models::Frame frame;
    Image of_cut;
    Image of_whole;
    Image reference;
    FunctionalRenderer(part.recording.bytes(), {.threads = 1}).next_frame(&frame, &of_cut, &reference);
    FunctionalRenderer(scene.stream.bytes(), {.threads = 1}).next_frame(nullptr, &of_whole, &reference);
    EXPECT_EQ(of_cut.rgba, of_whole.rgba);
    EXPECT_EQ(frame.draws.size(), 1U) << "what was drawn before is still drawn";
}

std::string refusal(const Scene& scene, std::uint32_t first, std::uint32_t last) {
    return models::functional::error_of([&] { cut(scene.stream.bytes(), first, last); });
}

TEST(Cut, FramesThatAreNotThereAreRefused) {
    Scene scene(16, 16);
    scene.end_frame();
    scene.end_frame();
    EXPECT_THAT(refusal(scene, 2, 2), HasSubstr("holds 2 frames, expected frame 2"));
    EXPECT_THAT(refusal(scene, 1, 5), HasSubstr("holds 2 frames, expected frame 5"));
}

TEST(Cut, AResourceThatIsGoneButStillBoundIsRefused) {
    Scene scene(16, 16);
    const std::uint32_t texture = scene.texture(2, {{white, black, grey, white}});
    scene.bind_texture(texture);
    scene.fragment_shader(models::functional::textured);
    scene.submit();
    scene.stream.message(VtestCommand::resource_unref, {texture});
    scene.end_frame();
    scene.draw(models::functional::whole_window(0));
    scene.end_frame();
    EXPECT_THAT(refusal(scene, 1, 1), HasSubstr("destroyed before is still in use; cut at another frame"));
}

class CutRecording : public testing::TestWithParam<const char*> {};

TEST_P(CutRecording, EveryFrameIsAsInTheWhole) {
    const std::filesystem::path path = std::filesystem::path(TESSERA_RECORDINGS) / GetParam();
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
    const std::vector<std::byte> stream = io::load_recording(path);
    expect_same(stream, 1, 1);
}

INSTANTIATE_TEST_SUITE_P(Recordings, CutRecording,
                         testing::Values("es2_desktop_blur.vtr.zst", "es2_texture.vtr.zst", "g_oa120.vtr.zst"),
                         [](const auto& name) {
                             const std::string text = name.param;
                             return text.substr(0, text.find('.'));
                         });

}  // namespace
