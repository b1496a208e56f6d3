// The recordings beside the repository: every frame near its reference image, its trace lawful and the same on two
// threads. Skipped where they are absent.
#include <cstdlib>
#include <filesystem>
#include <string>

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

class Recording : public testing::TestWithParam<Expectation> {};

TEST_P(Recording, IsDrawnAsItsReferenceImages) {
    const std::filesystem::path path = recordings() / (std::string(GetParam().name) + ".vtr.zst");
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
    const std::vector<std::byte> stream = io::load_recording(path);
    FunctionalRenderer one(stream, {.threads = 1, .undefined_as_zero = GetParam().undefined});
    FunctionalRenderer two(stream, {.threads = 2, .undefined_as_zero = GetParam().undefined});
    std::size_t frames = 0;
    Image image, reference;
    for (Frame a, b; one.next_frame(&a, &image, &reference); ++frames) {
        ASSERT_TRUE(two.next_frame(&b, nullptr, nullptr));
        EXPECT_TRUE(a == b);
        EXPECT_TRUE(a.check.present);
        EXPECT_GE(a.check.psnr, GetParam().psnr) << "frame " << a.number;
        ASSERT_EQ(image.rgba.size(), reference.rgba.size());
        EXPECT_LE(share_of_far_pixels(image, reference), GetParam().far_pixels) << "frame " << a.number;
        check_laws(a, one.programs());
    }
    EXPECT_EQ(frames, GetParam().frames);
}

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
                                         Expectation{"es2_jellyfish", 3, 90}, Expectation{"es2_refract", 3, 80},
                                         Expectation{"es2_shading_phong", 3, 90}, Expectation{"es2_shadow", 3, 120},
                                         Expectation{"es2_terrain", 3, 66}, Expectation{"es2_texture", 3, 95},
                                         Expectation{"g_neverball120", 2, 90}, Expectation{"g_oa120", 2, 85},
                                         Expectation{"g_teeworlds", 2, 88}),
                         [](const testing::TestParamInfo<Expectation>& recording) { return recording.param.name; });

}  // namespace
}  // namespace models::functional
