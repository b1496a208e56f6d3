// A shader that fails while it draws ends the frame by name, the same for every number of threads. The batches of a
// thread whose tile failed do not reach into its next tile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/functional/pipeline/scene.h"

namespace models::functional {
namespace {

constexpr std::string_view samples_volume = R"(FRAG
PROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 3D, FLOAT
  0: TEX OUT[0], IN[0], SAMP[0], 3D
  1: END
)";

// Samples a volume where x is over a half, of a window.
constexpr std::string_view samples_volume_at_the_right = R"(FRAG
PROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 3D, FLOAT
DCL TEMP[0..1]
IMM[0] FLT32 {0x3f000000, 0x3f400000, 0x00000000, 0x3f800000}
  0: MOV TEMP[0], IN[0]
  1: SLT TEMP[1].x, IMM[0].xxxx, IN[0].xxxx
  2: IF TEMP[1].xxxx :4
  3:   TEX TEMP[0], IN[0], SAMP[0], 3D
  4: ENDIF
  5: MOV OUT[0], TEMP[0]
  6: END
)";

constexpr std::string_view endless = R"(FRAG
PROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL TEMP[0]
  0: BGNLOOP
  1:   MOV TEMP[0], IN[0]
  2: ENDLOOP
  3: MOV OUT[0], TEMP[0]
  4: END
)";

// 64 tiles, drawn 4 times over.
Scene failing_scene(std::string_view shader) {
    Scene scene(256, 256);
    scene.bind_texture(scene.texture(4, {WordList(16, 0xff8040ff)}));
    scene.fragment_shader(shader);
    scene.vertices(whole_window(0));
    for (int i = 0; i < 4; ++i) scene.draw_call(6, Scene::triangles);
    scene.end_frame();
    return scene;
}

class FailingShader : public testing::TestWithParam<bool> {
  protected:
    static void expect_error(std::string_view shader, const std::string& text) {
        const Scene scene = failing_scene(shader);
        const std::string error = error_of([&] { render(scene.stream.bytes(), 1, GetParam()); });
        EXPECT_THAT(error, testing::AllOf(testing::StartsWith("byte "), testing::HasSubstr(text)));
        for (int i = 0; i < 10; ++i)
            for (const int threads : {2, 3, 8})
                EXPECT_EQ(error_of([&] { render(scene.stream.bytes(), threads, GetParam()); }), error);
    }
};

TEST_P(FailingShader, IsReportedWhenEveryTileFails) {
    expect_error(samples_volume, "instruction 0 samples a 3D texture on unit 0, which holds a 2D texture");
}

TEST_P(FailingShader, IsReportedWhenSomeTilesFail) {
    expect_error(samples_volume_at_the_right, "instruction 3 samples a 3D texture on unit 0");
}

TEST_P(FailingShader, IsReportedWhenALoopDoesNotEnd) {
    expect_error(endless, "65536 rounds");
}

INSTANTIATE_TEST_SUITE_P(Frames, FailingShader, testing::Bool(),
                         [](const auto& traced) { return traced.param ? "Traced" : "Untraced"; });

}  // namespace
}  // namespace models::functional
