// The points of a sweep, each run by a tessera of its own, several side by side:
//
//     DIR/points.csv         a line a point: name, machine, workload, the settings that vary, state, seconds, message
//     DIR/NAME/              what `tessera run` writes
//     DIR/logs/NAME.log      what it said
//     DIR/logs/NAME.state    how far it is (point_state.h)
//
// A point whose results are complete is not run again; one that was stopped goes on from its checkpoint. So the same
// command again does what is left, whatever ended the last one. Results of another machine or other frames than a point
// names now, as its file has changed, are refused (sweep_check.h).
#pragma once

#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "engine/error.h"
#include "engine/wall_clock.h"
#include "experiments/tessera/point_state.h"
#include "experiments/tessera/sweep_check.h"
#include "io/output_lock.h"
#include "io/sweep_file.h"

namespace experiments {

class SweepRun {
  public:
    SweepRun(io::Sweep sweep, std::filesystem::path folder);

    // Runs what is not done, `jobs` points side by side. After so many seconds it stops as after a signal: with
    // checkpoints. One line a point that ends. The exit code: done if all are, stopped after a signal or in time, else
    // the greatest of those that failed.
    engine::ExitCode run(int jobs, double seconds = std::numeric_limits<double>::infinity());
    // The same of one point, called by its name or its number from 0. It may be run while others of the sweep are, here
    // or on other nodes.
    engine::ExitCode run_alone(const std::string& point, double seconds = std::numeric_limits<double>::infinity());
    // A line a point: how far it is.
    void list();
    // Points that are neither done nor being run.
    std::vector<std::size_t> left();
    // Before others write into the folder. Throws engine::IoError.
    void create_folders() const;
    void write_table() const;

  private:
    using Clock = engine::Clock;
    using Kind = PointState::Kind;
    struct Running {
        pid_t process = 0;
        Clock::time_point began, last_sign;
        double seconds_before = 0;           // of the starts that this one goes on with
        std::optional<io::OutputLock> lock;  // of its state
    };
    void check_what_is_there(std::size_t number);
    std::filesystem::path folder_of(std::size_t number) const { return folder_ / sweep_.points[number].name; }
    std::filesystem::path log_of(std::size_t number) const { return logs() / (sweep_.points[number].name + ".log"); }
    std::filesystem::path state_of(std::size_t number) const {
        return logs() / (sweep_.points[number].name + ".state");
    }
    std::filesystem::path logs() const { return folder_ / "logs"; }
    bool has_checkpoint(std::size_t number) const;
    enum class Look { at_results, at_states };
    PointState look_at(std::size_t number, Look look) const;
    void look_at_all(Look look);
    std::size_t number_of(const std::string& point) const;
    engine::ExitCode run(const std::vector<std::size_t>& chosen, int jobs, double seconds);
    std::vector<std::string> command_of(std::size_t number) const;
    double seconds_left() const;
    void begin(std::size_t number);
    pid_t start(std::size_t number);
    bool end_one();
    void end(std::size_t number, int status);
    std::string last_error(std::size_t number) const;
    void write_table_beside_others();
    void say(std::size_t number) const;
    engine::ExitCode exit_code(const std::vector<std::size_t>& chosen) const;

    io::Sweep sweep_;
    std::filesystem::path folder_;
    SweepCheck check_;
    std::vector<PointState> states_;  // of all points
    std::map<std::size_t, Running> running_;
    bool alone_ = false;     // one point is run, perhaps while others are by others
    bool stopping_ = false;  // a signal came
    Clock::time_point began_;
    double seconds_ = 0;
};

}  // namespace experiments
