// Child processes that never outlive the recorder: each leads a process group of its own, and the system kills it if
// the recorder dies without a chance to. Knows nothing of what the programs are for.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "io/recording/file.h"

namespace io {

// The variables of a child: the recorder's own, changed by set() and unset().
class Environment {
  public:
    static Environment inherited();
    void set(const std::string& name, const std::string& value) { variables_[name] = value; }
    void unset(const std::string& name) { variables_.erase(name); }
    std::string get(const std::string& name) const;  // "" if unset
    std::vector<std::string> as_list() const;        // "NAME=value"

  private:
    std::map<std::string, std::string> variables_;
};

// Where Debian installs games; not in everybody's PATH.
inline constexpr const char* games_folder = "/usr/games";

// Where the shell would find it, or among the games; empty if nowhere.
std::filesystem::path find_program(const std::string& name);

struct Launch {
    std::vector<std::string> command;  // [0] is looked up in PATH
    Environment environment;
    int output = -1;               // stdout and stderr of the child; -1: the recorder's
    int inherited = -1;            // a descriptor the child keeps under the same number; -1: none
    bool fixed_addresses = false;  // no address space randomisation, where the system permits that
    // Programs that are set-user-ID or set-group-ID run as the caller, and so with the libraries of LD_PRELOAD: the
    // system's loader leaves them out where a program gains privileges.
    bool no_new_privileges = false;
};

class Process {
  public:
    // Throws engine::ConfigError if the program cannot be started, naming why.
    explicit Process(const Launch& launch);
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;
    ~Process() { stop(); }

    pid_t id() const { return id_; }
    int watch() const { return watch_.number(); }  // becomes readable when the process ends
    bool ended();                                  // reaps it
    std::string how_it_ended() const;              // "exit code 1", "signal 11 (Segmentation fault)"; "" while it runs
    bool succeeded() const { return status_ == 0; }
    // Ends the process and its group: asks first, and kills what is still there after `patience`.
    void stop(std::chrono::milliseconds patience = std::chrono::milliseconds{2000}) noexcept;

  private:
    pid_t id_ = -1;
    Descriptor watch_;
    std::optional<int> status_;  // of waitpid
    bool stopped_ = false;
};

// Descendants that left their groups and were orphaned become children of the caller while this lives, and are killed
// when it ends; children the caller had before are left alone.
class OrphanCollector {
  public:
    OrphanCollector();
    OrphanCollector(const OrphanCollector&) = delete;
    OrphanCollector& operator=(const OrphanCollector&) = delete;
    ~OrphanCollector();

  private:
    std::vector<pid_t> older_;
    int was_collecting_ = 0;
};

// What a program prints in the language C; empty if it is missing or fails.
std::string output_of(const std::vector<std::string>& command);

}  // namespace io
