// What the renderer refuses: for tests that ask for one such thing each.
#pragma once

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/functional/pipeline/scene.h"

namespace models::functional {

struct Refusal {
    const char* name;     // of the test
    const char* message;  // part of the error
    std::function<void(Scene&)> ask;
};

// What is asked for is refused by name, with the byte offset of the command.
inline void expect_refused(const Refusal& refusal) {
    Scene scene(8, 8);
    refusal.ask(scene);
    scene.end_frame();
    EXPECT_THAT(error_of([&] { render(scene.stream.bytes()); }),
                testing::AllOf(testing::StartsWith("byte "), testing::HasSubstr(refusal.message)));
}

}  // namespace models::functional
