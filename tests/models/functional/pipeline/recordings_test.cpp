// The recordings beside the repository: every frame near its reference image, its trace lawful and the same on two
// threads. Skipped where they are absent.
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/recording/recording.h"
#include "tests/models/functional/pipeline/frame_laws.h"
#include "tests/models/functional/pipeline/scene.h"

namespace models::functional {
namespace {

std::filesystem::path recordings() {
    const char* shared = std::getenv("TESSERA_SHARED");  // NOLINT(concurrency-mt-unsafe): before any thread
    return std::filesystem::path(shared != nullptr ? shared : TESSERA_SOURCE "/../shared") / "recordings";
}

struct Expectation {
    const char* name;
    std::size_t frames;
    double psnr;  // dB, of every frame
    bool undefined = false;
    double far_pixels = 0.001;  // share of pixels with a colour more than 4 of 255 from the reference, at most
};

double share_of_far_pixels(const Image& image, const Image& reference) {
    std::size_t far = 0;
    for (std::size_t pixel = 0; pixel < image.rgba.size(); pixel += 4) {
        bool near = true;
        for (std::size_t c = pixel; c < pixel + 3; ++c) near &= std::abs(image.rgba[c] - reference.rgba[c]) <= 4;
        far += near ? 0 : 1;
    }
    return static_cast<double>(far) / (static_cast<double>(image.rgba.size()) / 4);
}

// By place and hash of inputs: the colours of the tile's targets.
using KnownTiles = std::map<std::tuple<Address, std::size_t, std::uint64_t>, std::vector<std::uint64_t>>;

// Tiles of the same target with the same inputs have the same colours, in whatever frame.
void check_equal_tiles(const Frame& frame, KnownTiles& known) {
    for (const Pass& pass : frame.passes) {
        if (pass.colour.empty()) continue;
        for (std::size_t t = 0; t < std::size_t{pass.tiles_x} * pass.tiles_y; ++t) {
            const auto first =
                frame.colour_hashes.begin() + static_cast<std::ptrdiff_t>(pass.first_hash + t * pass.colour.size());
            const std::vector<std::uint64_t> colours(first, first + static_cast<std::ptrdiff_t>(pass.colour.size()));
            const auto at =
                known.try_emplace({pass.colour[0].address, t, frame.tiles[pass.first_tile + t].input_hash}, colours)
                    .first;
            EXPECT_EQ(at->second, colours) << "frame " << frame.number << " tile " << t;
        }
    }
}

class Recording : public testing::TestWithParam<Expectation> {};

TEST_P(Recording, IsDrawnAsItsReferenceImages) {
    const std::filesystem::path path = recordings() / (std::string(GetParam().name) + ".vtr.zst");
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
    const std::vector<std::byte> stream = io::load_recording(path);
    FunctionalRenderer one(stream, {.threads = 1, .undefined_as_zero = GetParam().undefined});
    FunctionalRenderer two(stream, {.threads = 2, .undefined_as_zero = GetParam().undefined});
    std::size_t frames = 0;
    KnownTiles known;
    Image image, reference;
    for (Frame a, b; one.next_frame(&a, &image, &reference); ++frames) {
        ASSERT_TRUE(two.next_frame(&b, nullptr, nullptr));
        EXPECT_TRUE(a == b);
        EXPECT_TRUE(a.check.present);
        EXPECT_GE(a.check.psnr, GetParam().psnr) << "frame " << a.number;
        ASSERT_EQ(image.rgba.size(), reference.rgba.size());
        EXPECT_LE(share_of_far_pixels(image, reference), GetParam().far_pixels) << "frame " << a.number;
        check_laws(a, one.programs());
        check_equal_tiles(a, known);
    }
    EXPECT_EQ(frames, GetParam().frames);
}

TEST_P(Recording, IsTheSameWithoutTheColoursOfHiddenLanes) {
    const std::filesystem::path path = recordings() / (std::string(GetParam().name) + ".vtr.zst");
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
    const std::vector<std::byte> stream = io::load_recording(path);
    FunctionalRenderer all(stream, {.threads = 1, .undefined_as_zero = GetParam().undefined});
    FunctionalRenderer seen(stream, {.threads = 1, .undefined_as_zero = GetParam().undefined, .without_hidden = true});
    Image expected, image;
    for (Frame a, b; all.next_frame(&a, &expected, nullptr);) {
        ASSERT_TRUE(seen.next_frame(&b, &image, nullptr));
        EXPECT_TRUE(image.rgba == expected.rgba) << "frame " << a.number;
        EXPECT_TRUE(a.colour_hashes == b.colour_hashes) << "frame " << a.number;  // of every pass
        EXPECT_TRUE(a.quads == b.quads) << "frame " << a.number;
    }
}

struct Computation {
    const char* name;
    std::size_t frames;
    double psnr;                 // dB, of every frame with a picture
    std::size_t read_backs = 0;  // of all frames
};
class ComputeRecording : public testing::TestWithParam<Computation> {};

TEST_P(ComputeRecording, GivesTheBytesAndImagesThatWereRecorded) {
    const std::filesystem::path path =
        recordings().parent_path() / "recordings_compute" / (std::string(GetParam().name) + ".vtr.zst");
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
    const std::vector<std::byte> stream = io::load_recording(path);
    FunctionalRenderer one(stream, {.threads = 1}), two(stream, {.threads = 2});
    std::size_t frames = 0, read_backs = 0;
    Image image, other, reference;
    for (Frame a, b; one.next_frame(&a, &image, &reference); ++frames) {
        ASSERT_TRUE(two.next_frame(&b, &other, nullptr));
        EXPECT_TRUE(a == b);
        EXPECT_EQ(image.rgba, other.rgba);
        EXPECT_GT(one.kernels(), 0U);
        EXPECT_TRUE(image.empty() || a.check.psnr >= GetParam().psnr) << "frame " << a.number << " " << a.check.psnr;
        EXPECT_EQ(image.empty(), !one.read_backs().empty());
        for (const ReadBackCheck& check : one.read_backs()) EXPECT_TRUE(check.right()) << "frame " << a.number;
        read_backs += one.read_backs().size();
        check_laws(a, one.programs());
    }
    EXPECT_EQ(frames, GetParam().frames);
    EXPECT_EQ(read_backs, GetParam().read_backs);
}
// c_mpv spreads the error of each pixel over its neighbours, which makes much of a difference in the last bit.
INSTANTIATE_TEST_SUITE_P(Shared, ComputeRecording,
                         testing::Values(Computation{"c_suite", 10, 0, 11}, Computation{"c_five", 5, 0, 5},
                                         Computation{"c_window", 3, 120}, Computation{"c_mpv", 3, 40}),
                         [](const testing::TestParamInfo<Computation>& recording) { return recording.param.name; });

TEST(UndefinedRecording, IsRefusedByName) {
    const std::filesystem::path path = recordings() / "es2_ideas.vtr.zst";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
    const std::vector<std::byte> stream = io::load_recording(path);
    EXPECT_THAT(error_of([&] { render(stream); }), testing::HasSubstr("DRAW_VBO: what is drawn is undefined"));
}

// In frames 0 and 1 of es2_ideas a shader reads elements of an array that it never wrote; the reference images show
// whatever was in memory when they were made. Only the logo that it draws differs: models/functional/README.md.
INSTANTIATE_TEST_SUITE_P(Shared, Recording,
                         testing::Values(Expectation{"es2_build", 3, 90}, Expectation{"es2_desktop_blur", 3, 120},
                                         Expectation{"es2_desktop_shadow", 3, 120},
                                         Expectation{"es2_ideas", 3, 25, true, 0.006},
                                         Expectation{"es2_jellyfish", 3, 90}, Expectation{"es2_refract", 3, 98},
                                         Expectation{"es2_shading_phong", 3, 90}, Expectation{"es2_shadow", 3, 120},
                                         Expectation{"es2_terrain", 3, 90}, Expectation{"es2_texture", 3, 95},
                                         Expectation{"g_neverball120", 2, 90}, Expectation{"g_oa120", 2, 85},
                                         Expectation{"g_teeworlds", 2, 88}),
                         [](const testing::TestParamInfo<Expectation>& recording) { return recording.param.name; });

}  // namespace
}  // namespace models::functional
