#include "engine/own_mistakes.h"

#include <cassert>
#include <exception>

#include <gtest/gtest.h>

namespace engine {
namespace {

void fail_an_assertion() {
    answer_for_own_mistakes();
    const bool two_and_two_make_five = false;
    assert(two_and_two_make_five);
}

void end_by(void (*end)()) {
    answer_for_own_mistakes();
    end();
}

TEST(OwnMistakesDeathTest, AFailedAssertionEndsWithExitCode1AndSaysWhoseMistakeItIs) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(fail_an_assertion(), testing::ExitedWithCode(1),
                "Assertion `two_and_two_make_five' failed.\nerror: this is a mistake of the program, not yours");
}

TEST(OwnMistakesDeathTest, SoDoesWhatEndsByAbort) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(end_by([] { std::terminate(); }), testing::ExitedWithCode(1), "a mistake of the program");
}

}  // namespace
}  // namespace engine
