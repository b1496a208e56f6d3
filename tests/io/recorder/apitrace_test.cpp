// What is known of an apitrace before it is played.
#include "io/recorder/apitrace.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "io/recorder/process.h"
#include "tests/io/recording/scratch_folder.h"

namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string info(const std::string& interface, int frames) {
    return "{\n  \"FileName\": \"a \\\"API\\\": b\",\n  \"API\": \"" + interface +
           "\",\n  \"FramesCount\": " + std::to_string(frames) + ",\n  \"ContainerSize\": 9\n}\n";
}

std::string refusal(const std::string& text) {
    try {
        io::replay_described_by(text, "game.trace");
    } catch (const engine::InputError& error) {
        return error.what();
    }
    return "none";
}

TEST(Apitrace, IsPlayedThroughTheWindowSystemItWasTakenFrom) {
    const io::ApitraceReplay phone = io::replay_described_by(info("OpenGL/GLES1/GLES2/VG + EGL", 6), "game.trace");
    EXPECT_THAT(phone.command, ElementsAre("eglretrace", "game.trace"));
    EXPECT_EQ(phone.frames, 6U);
    const io::ApitraceReplay desk = io::replay_described_by(info("OpenGL + GLX/WGL/CGL", 1), "-x");
    EXPECT_THAT(desk.command, ElementsAre("glretrace", "./-x"));
}

TEST(Apitrace, WhatCannotBePlayedIsRefused) {
    EXPECT_THAT(refusal(info("Unknown API", 0)), HasSubstr("game.trace: expected an apitrace"));
    EXPECT_THAT(refusal(""), HasSubstr("another kind of file"));
    EXPECT_THAT(refusal(info("OpenGL + GLX/WGL/CGL", 0)), HasSubstr("cut short"));
    EXPECT_THAT(refusal(info("DirectX", 5)), HasSubstr("expected calls of OpenGL or OpenGL ES, found DirectX"));
}

class ApitraceFile : public ScratchFolder {};

TEST_F(ApitraceFile, OfAnotherKindIsRefused) {
    EXPECT_THROW(io::replay_of(folder() / "missing.trace"), engine::IoError);
    EXPECT_THROW(io::replay_of(folder()), engine::IoError);
    if (io::find_program("apitrace").empty()) GTEST_SKIP() << "apitrace is not installed";
    std::ofstream(folder() / "other.trace") << "no apitrace";
    EXPECT_THROW(io::replay_of(folder() / "other.trace"), engine::InputError);
}

}  // namespace
