// The points of a sweep, each run by a tessera of its own, several side by side:
//
//     DIR/points.csv      a line a point: name, machine, workload, the settings that vary, state, seconds, exit code,
//     message DIR/NAME/           what `tessera run` writes DIR/logs/NAME.log   what it said
//
// A point whose results are complete is not run again; one that was stopped goes on from its checkpoint. So the same
// command again does what is left, whatever ended the last one.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

#include "engine/error.h"
#include "io/sweep_file.h"

namespace experiments {

class SweepRun {
  public:
    SweepRun(io::Sweep sweep, std::filesystem::path folder, int jobs);

    // Runs what is not done, or only the point with this number (from 0; below 0: all). One line a point that ends. The
    // exit code: done if all that were to be run are, stopped after a signal, else the greatest of those that failed.
    engine::ExitCode run(int only);
    // A line a point: what `run` would find.
    void list() const;

  private:
    enum class State { waiting, running, done, stopped, failed };
    struct Point {
        State state = State::waiting;
        pid_t process = 0;
        std::chrono::steady_clock::time_point began;
        double seconds = 0;
        int exit_code = 0;
        std::string message;
    };
    std::filesystem::path folder_of(std::size_t number) const { return folder_ / sweep_.points[number].name; }
    std::filesystem::path log_of(std::size_t number) const {
        return folder_ / "logs" / (sweep_.points[number].name + ".log");
    }
    void find_done();
    std::vector<std::string> command_of(std::size_t number) const;
    void start(std::size_t number);
    void end(std::size_t number, int status);
    std::string last_error(std::size_t number) const;
    void write_table() const;
    void say(std::size_t number) const;

    io::Sweep sweep_;
    std::filesystem::path folder_;
    int jobs_;
    std::vector<Point> points_;
    bool stopping_ = false;  // a signal came
};

}  // namespace experiments
