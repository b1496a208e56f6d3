// The real program, run as a user would.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "tests/io/temporary_folder.h"

namespace tests {

struct ProgramEnd {
    int code = -1;  // exit code; 128 + signal
    std::string out, err;
};

inline std::string read_text(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline ProgramEnd run_shell(const std::string& command) {
    const TemporaryFolder folder;
    // Two mpiruns at a time that share a folder for their sessions sometimes remove it under each other.
    const std::string sessions = "OMPI_MCA_orte_tmpdir_base=" + folder.path().string();
    const std::string line = "export " + sessions + " ; { " + command + " ; } >" + (folder / "out").string() + " 2>" +
                             (folder / "err").string();
    const int status = std::system(line.c_str());  // NOLINT(concurrency-mt-unsafe): tests are one thread
    ProgramEnd end;
    end.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    end.out = read_text(folder / "out");
    end.err = read_text(folder / "err");
    return end;
}

// `arguments` as in a shell.
inline ProgramEnd tessera(const std::string& arguments) {
    return run_shell(std::string(TESSERA_PROGRAM) + " " + arguments);
}

inline bool have_mpirun() {
    return run_shell("command -v mpirun").code == 0;
}

// Under MPI on this machine, however few cores it has and whoever we are.
inline std::string launcher(int ranks) {
    return "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ASAN_OPTIONS=detect_leaks=0 mpirun -n " +
           std::to_string(ranks) + " --oversubscribe --bind-to none ";
}
inline ProgramEnd tessera_on_ranks(int ranks, const std::string& arguments) {
    return run_shell(launcher(ranks) + TESSERA_PROGRAM + " " + arguments);
}

// On two hosts with a rank each; code 77 where this machine cannot play two hosts.
inline ProgramEnd tessera_on_two_hosts(const std::string& arguments) {
    return run_shell("OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ASAN_OPTIONS=detect_leaks=0 bash " +
                     std::string(TESSERA_TWO_HOSTS) + " mpirun " + TESSERA_PROGRAM + " " + arguments);
}

// A small frame trace of three frames, numbered 4 to 6. It is written once and copied, as most tests begin with it.
inline std::filesystem::path sample_trace(const TemporaryFolder& folder) {
    static const TemporaryFolder written;
    static const ProgramEnd end =
        run_shell(std::string(TESSERA_SAMPLE_WRITER) + " " + (written / "kernels.h5").string() + " " +
                  (written / "expected.json").string() + " " + (written / "sample.h5").string());
    if (end.code != 0) throw std::runtime_error("cannot write the sample trace: " + end.err);
    for (const char* const name : {"kernels.h5", "expected.json", "sample.h5"})
        std::filesystem::copy_file(written / name, folder / name, std::filesystem::copy_options::overwrite_existing);
    return folder / "sample.h5";
}

// Two frames of a real application, recorded by the program itself; an empty path where there is no such application.
inline std::filesystem::path recorded_application(const TemporaryFolder& folder) {
    if (run_shell("command -v glmark2-es2 && command -v Xvfb && command -v virgl_test_server").code != 0) return {};
    const std::filesystem::path path = folder / "application.vtr.zst";
    const ProgramEnd end =
        tessera("record -o " + path.string() +
                " --frames 2 --gles 2 --size 160x120 --private-socket -- glmark2-es2 -s 160x120 -b texture:nframes=2");
    if (end.code != 0) throw std::runtime_error("cannot record: " + end.err);
    return path;
}

// Names in a folder, hidden ones too, sorted.
inline std::vector<std::string> names_in(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
}

// A user's mistake: one line on standard error.
inline void expect_one_line(const ProgramEnd& end, int code, const std::string& part) {
    EXPECT_EQ(end.code, code) << end.err;
    EXPECT_THAT(end.err, testing::StartsWith("error: "));
    EXPECT_THAT(end.err, testing::HasSubstr(part));
    EXPECT_EQ(std::count(end.err.begin(), end.err.end(), '\n'), 1) << end.err;
}

inline std::string quoted(const std::filesystem::path& path) {
    return "'" + path.string() + "'";
}

}  // namespace tests
