#include "io/recording/origin.h"

#include <string_view>

#include <gtest/gtest.h>

namespace {

io::RecordingOrigin decoded(std::string_view text) {
    return io::decode_origin(std::as_bytes(std::span(text)));
}

TEST(Origin, LineEndsAndBackslashesSurvive) {
    const io::RecordingOrigin origin{{"a", "one\ntwo\\n"}, {"b", ""}, {"c", "x=y"}};
    EXPECT_EQ(decoded(io::encode_origin(origin)), origin);
}

TEST(Origin, WhatIsNotNameAndTextIsLeftOut) {
    const io::RecordingOrigin expected{{"a", "1"}, {"b", "2"}};
    EXPECT_EQ(decoded("a=1\nnonsense\n=3\n\nb=2"), expected);
    EXPECT_TRUE(decoded("").empty());
}

}  // namespace
