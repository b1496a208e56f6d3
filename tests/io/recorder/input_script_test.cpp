// With a program of the same name in place of xdotool, which writes down what it was asked.
#include "io/recorder/input_script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "engine/error.h"
#include "tests/io/recording/scratch_folder.h"

namespace {

class Input : public ScratchFolder {
  protected:
    void SetUp() override {
        write("xdotool", "#!/bin/sh\necho \"$@\" >>" + (folder() / "asked").string() + "\n[ \"$1\" != wrong ]\n");
        std::filesystem::permissions(folder() / "xdotool", std::filesystem::perms::owner_all);
        before_ = io::Environment::inherited().get("PATH");
        ::setenv("PATH", (folder().string() + ":" + before_).c_str(), 1);
    }
    void TearDown() override { ::setenv("PATH", before_.c_str(), 1); }

    std::string asked() const {
        if (!std::filesystem::exists(folder() / "asked")) return "";
        const auto bytes = read(folder() / "asked");
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }

  private:
    std::string before_;
};

TEST_F(Input, EachStepIsPlayedOnceAfterItsPicture) {
    io::InputScript script({{2, {"key", "a"}}, {2, {"key", "b"}}, {5, {"click", "1"}}}, io::Environment::inherited());
    script.play(1);
    EXPECT_EQ(asked(), "");
    script.play(2);
    EXPECT_EQ(asked(), "key a\nkey b\n");
    script.play(3);
    script.play(7);
    EXPECT_EQ(asked(), "key a\nkey b\nclick 1\n");
    script.play(8);
    EXPECT_EQ(asked(), "key a\nkey b\nclick 1\n");
}

TEST_F(Input, WhatXdotoolRefusesIsNamedWithItsPicture) {
    io::InputScript script({{3, {"wrong", "key"}}}, io::Environment::inherited());
    try {
        script.play(3);
        FAIL() << "was not refused";
    } catch (const engine::ConfigError& error) {
        EXPECT_STREQ(error.what(), "input after picture 3: 'xdotool wrong key' ended with exit code 1");
    }
}

}  // namespace
