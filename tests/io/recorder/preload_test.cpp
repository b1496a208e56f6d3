// The library of io/recorder/preload, loaded into this test as a library like any other.
#include <cstdint>
#include <filesystem>
#include <thread>

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <time.h>

#include "io/recorder/preload_library.h"

namespace {

constexpr std::int64_t step = 16'666'667;  // nanoseconds
constexpr std::int64_t second = 1'000'000'000;

class Preload : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        library = ::dlopen(io::find_preload().c_str(), RTLD_NOW | RTLD_LOCAL);
        ASSERT_NE(library, nullptr) << ::dlerror();
        ::setenv("TESSERA_CLOCK_STEP_NS", std::to_string(step).c_str(), 1);
        now(CLOCK_MONOTONIC);  // the library reads its environment at the first use
        ::unsetenv("TESSERA_CLOCK_STEP_NS");
    }

    template <class Function>
    static Function function(const char* name) {
        return reinterpret_cast<Function>(::dlsym(library, name));
    }
    static std::int64_t now(clockid_t clock) {
        timespec time{};
        function<int (*)(clockid_t, timespec*)>("clock_gettime")(clock, &time);
        return time.tv_sec * second + time.tv_nsec;
    }
    static void sleep_for(std::int64_t time) {
        const timespec wanted{.tv_sec = time / second, .tv_nsec = time % second};
        function<int (*)(const timespec*, timespec*)>("nanosleep")(&wanted, nullptr);
    }
    // Swaps through libEGL, found as an application finds it. Nothing is displayed; the call fails.
    static bool swap() {
        void* egl = ::dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
        if (egl == nullptr) return false;
        using Swap = unsigned (*)(void*, void*);
        const auto found = function<void* (*)(void*, const char*)>("dlsym")(egl, "eglSwapBuffers");
        EXPECT_NE(found, ::dlsym(egl, "eglSwapBuffers")) << "not the stand-in";
        EXPECT_EQ(reinterpret_cast<Swap>(found)(nullptr, nullptr), 0U);
        return true;
    }

    // Loaded for this test alone, with a graphics library that nothing else knows.
    struct Module {
        void* handle = ::dlopen(TESSERA_TEST_MODULE, RTLD_NOW | RTLD_LOCAL);
        template <class Function>
        Function function(const char* name) const {
            return reinterpret_cast<Function>(::dlsym(handle, name));
        }
    };

    static inline void* library = nullptr;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
};

TEST_F(Preload, TimeStandsStillButForAMomentPerReading) {
    const std::int64_t before = now(CLOCK_MONOTONIC);
    EXPECT_EQ(now(CLOCK_MONOTONIC), before + 1);
    EXPECT_EQ(now(CLOCK_REALTIME) - (1'704'067'200 - 1000) * second, before + 2);
}

TEST_F(Preload, ALoopThatWaitsForTimeToPassEnds) {
    const std::int64_t end = now(CLOCK_MONOTONIC) + second;
    int readings = 0;
    while (now(CLOCK_MONOTONIC) < end && readings < 1'000'000) ++readings;
    EXPECT_LT(readings, 200'000);
}

TEST_F(Preload, ASwapAdvancesTheClockByOneStep) {
    if (!swap()) GTEST_SKIP() << "no libEGL here";
    const std::int64_t before = now(CLOCK_MONOTONIC);
    swap();
    const std::int64_t after = now(CLOCK_MONOTONIC);
    EXPECT_GE(after, before + step - 10);
    EXPECT_LE(after, before + step + 10);
}

TEST_F(Preload, TheDrawingThreadSleepsInItsOwnTimeOnly) {
    if (!swap()) GTEST_SKIP() << "no libEGL here";
    const std::int64_t before = now(CLOCK_MONOTONIC);
    sleep_for(100'000 * second);  // the test would time out
    EXPECT_EQ(now(CLOCK_MONOTONIC), before + 100'000 * second + 1);
}

TEST_F(Preload, AnotherThreadsReadingsDoNotMoveTheDrawingThreadsClock) {
    const std::int64_t before = now(CLOCK_MONOTONIC);
    std::thread{[] {
        for (int i = 0; i < 5000; ++i) now(CLOCK_MONOTONIC);
    }}.join();
    EXPECT_EQ(now(CLOCK_MONOTONIC), before + 1);
}

TEST_F(Preload, AllClocksTellTheSameTime) {
    const std::int64_t start = now(CLOCK_MONOTONIC) / second - 1000;
    EXPECT_EQ(function<time_t (*)(time_t*)>("time")(nullptr), 1'704'067'200 + start);
    timespec utc{};
    EXPECT_EQ(function<int (*)(timespec*, int)>("timespec_get")(&utc, TIME_UTC), TIME_UTC);
    EXPECT_EQ(utc.tv_sec, 1'704'067'200 + start);
    EXPECT_EQ(function<clock_t (*)()>("clock")() / CLOCKS_PER_SEC, start);
}

TEST_F(Preload, FindsTheGraphicsLibraryThatOnlyTheCallerKnows) {
    const Module module;
    ASSERT_NE(module.handle, nullptr) << ::dlerror();
    using Find = void* (*)(const unsigned char*);
    using Swap = void (*)(void*, unsigned long);
    const auto find = module.function<void* (*)(Find, const char*)>("find");
    const auto find_ours = function<Find>("glXGetProcAddressARB");
    const auto swap_ours = function<Swap>("glXSwapBuffers");
    EXPECT_EQ(find(find_ours, "pictures"), module.function<void*>("pictures"));
    EXPECT_EQ(find(find_ours, "glXSwapBuffers"), reinterpret_cast<void*>(swap_ours));
    EXPECT_EQ(module.function<int (*)(Swap)>("pictures_after")(swap_ours), 1);
}

TEST_F(Preload, LooksUpAmongEverythingWhatOnlyTheCallerKnows) {
    const Module module;
    ASSERT_NE(module.handle, nullptr) << ::dlerror();
    using LookUp = void* (*)(void*, const char*);
    const auto look_up = module.function<void* (*)(LookUp, void*, const char*)>("look_up");
    EXPECT_EQ(look_up(function<LookUp>("dlsym"), RTLD_DEFAULT, "glXSwapBuffers"), function<void*>("glXSwapBuffers"));
}

using PreloadDeathTest = Preload;

TEST_F(PreloadDeathTest, SaysWhichFunctionNoLibraryHas) {
    const auto swap_ours = function<unsigned (*)(void*, void*, const int*, int)>("eglSwapBuffersWithDamageEXT");
    EXPECT_DEATH(swap_ours(nullptr, nullptr, nullptr, 0),
                 "no library of this program has the function eglSwapBuffersWithDamageEXT");
}

TEST_F(Preload, OtherLookUpsGiveWhatTheSystemGives) {
    const auto look_up = function<void* (*)(void*, const char*)>("dlsym");
    EXPECT_EQ(look_up(RTLD_DEFAULT, "getpid"), ::dlsym(RTLD_DEFAULT, "getpid"));
    EXPECT_EQ(look_up(RTLD_DEFAULT, "no_such_function"), nullptr);
    EXPECT_EQ(look_up(RTLD_DEFAULT, "eglSwapBuffers"), nullptr) << "nobody has it, so nobody may find it";
}

}  // namespace
