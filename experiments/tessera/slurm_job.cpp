#include "experiments/tessera/slurm_job.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <sstream>

#include <sys/mman.h>
#include <unistd.h>

#include "engine/error.h"
#include "experiments/tessera/version.h"
#include "io/file.h"
#include "io/recorder/process.h"

namespace experiments {

namespace {

// What every script has below its variables. Why it is as it is, of Slurm 22.05:
// - A signal before the limit (--signal) comes once more right after a restart, at times on every one: a job that
//   heeds it never gets on. Tasks ask how much time is left instead, and heed no signal before `least`.
// - SLURM_JOB_END_TIME is not set. squeue knows.
// - Of the tasks of an array one has the number of the whole array: $SLURM_JOB_ID would requeue all of them.
constexpr const char* script_body = R"(
task=${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}

# Seconds until Slurm ends this task, which it prints as [[days-]hours:]minutes:seconds; the limit if it does not say.
seconds_left() {
    local text part days=0 seconds=0
    text=$(squeue --noheader --jobs="$task" --Format=TimeLeft)
    text=${text// /}
    [[ $text =~ ^([0-9]+-)?[0-9]+(:[0-9]+)+$ ]] || { echo "$limit"; return; }
    [[ $text == *-* ]] && days=${text%%-*}
    for part in $(tr : ' ' <<< "${text#*-}"); do seconds=$((seconds * 60 + 10#$part)); done
    echo $((days * 86400 + seconds))
}

stop_after=$(($(seconds_left) - margin))
((stop_after > ${least%.*})) || stop_after=$least
point=${points[$SLURM_ARRAY_TASK_ID]}
echo "task $task, restart ${SLURM_RESTART_COUNT:-0} on $(hostname): $point for $stop_after s"

# SIGTERM is the end: of scancel, or of the time. SIGUSR1 asks to stop and to go on later.
run=
cancelled=false
trap 'signalled=true; cancelled=true; kill -TERM $run 2>/dev/null' TERM
trap 'signalled=true; while ((SECONDS < ${least%.*})) && kill -0 $run 2>/dev/null; do sleep 1; done
      kill -TERM $run 2>/dev/null' USR1
"$tessera" sweep "$spec" -o "$folder" --point "$point" --stop-after "$stop_after s" &
run=$!
$cancelled && kill -TERM $run
signalled=true
while $signalled; do signalled=false; wait $run; code=$?; done  # a signal ends `wait`, too

if ((code == 75)) && ! $cancelled; then
    if ((${SLURM_RESTART_COUNT:-0} < restarts)); then
        echo "task $task is queued again"
        scontrol requeue "$task"
    else
        echo "task $task was queued $restarts times and is not done: it needs a greater time limit"
    fi
fi
exit $code
)";

// As one word of a shell.
std::string quoted(const std::string& text) {
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

// As sbatch reads a path of output from a line of options.
std::string output_pattern(const std::filesystem::path& folder) {
    std::string pattern = "\"";
    for (const char c : folder.string()) {
        if (c == '"' || c == '\\' || c == '\n' || c == '\r')
            throw engine::ConfigError(
                "--slurm: expected a folder without quotation marks, backslashes and line breaks "
                "in its path, found " +
                folder.string());
        pattern += c == '%' ? std::string("%%") : std::string(1, c);
    }
    return pattern + "/logs/slurm-%A_%a.log\"";
}

std::string options(const SlurmJob& job, const io::Sweep& sweep) {
    const io::SlurmTask& task = *sweep.slurm;
    std::vector<std::string> options = {
        "--job-name=tessera-sweep",
        "--array=" + array_expression(job.points, job.at_once),
        "--time=" + std::to_string(static_cast<long>(std::ceil(task.time / 60))),  // minutes
        "--nodes=1",
        "--ntasks=1",
        "--cpus-per-task=" + std::to_string(sweep.threads),
        "--requeue",
        "--open-mode=append",
        "--output=" + output_pattern(job.folder),
    };
    if (task.memory > 0) options.push_back("--mem=" + std::to_string((task.memory + 0xfffff) >> 20) + "M");
    if (!task.partition.empty()) options.push_back("--partition=" + task.partition);
    if (!task.account.empty()) options.push_back("--account=" + task.account);
    options.insert(options.end(), task.options.begin(), task.options.end());
    std::string text;
    for (const std::string& option : options) text += "#SBATCH " + option + "\n";
    return text;
}

std::string variable(const std::string& name, const std::string& value, const std::string& comment) {
    std::string line = name + "=" + value;
    if (!comment.empty()) line += std::string(line.size() < 40 ? 40 - line.size() : 2, ' ') + "# " + comment;
    return line + "\n";
}

std::string seconds(double seconds) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3f", seconds);
    return text.data();
}

struct Answer {
    std::string text;  // of both outputs
    bool succeeded = false;
};

Answer ask(const std::vector<std::string>& command) {
    const io::Descriptor output{::memfd_create("tessera", MFD_CLOEXEC)};
    if (!output.is_open()) io::fail_with_errno("cannot start " + command[0]);
    io::Process process{{.command = command, .environment = io::Environment::inherited(), .output = output.number()}};
    while (!process.ended()) ::usleep(10'000);
    Answer answer{{}, process.succeeded()};
    std::array<char, 4096> part{};
    for (ssize_t size = 0;
         (size = ::pread(output.number(), part.data(), part.size(), static_cast<off_t>(answer.text.size()))) > 0;)
        answer.text.append(part.data(), static_cast<std::size_t>(size));
    return answer;
}

// Why sbatch did not take a job, on one line.
std::string reason(const std::string& text) {
    std::istringstream lines(text);
    std::string all;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("sbatch: ")) line.erase(0, 8);
        if (line.starts_with("error: ")) line.erase(0, 7);
        if (!line.empty()) all += (all.empty() ? "" : "; ") + line;
    }
    return all.empty() ? "it does not say why" : all;
}

// The line that is a number, perhaps with the name of a cluster: "1234;north".
std::string job_number(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::string number = line.substr(0, line.find(';'));
        if (!number.empty() && number.find_first_not_of("0123456789") == std::string::npos) return number;
    }
    return {};
}

void check_that_no_other_is_under_way(const SlurmJob& job) {
    if (!io::exists(job.number())) return;
    const std::string number = job_number(io::read_file(job.number(), 1024));
    if (number.empty()) return;
    const Answer queue = ask({"squeue", "--noheader", "--jobs=" + number});  // fails if it has forgotten the job
    if (queue.succeeded && !queue.text.empty())
        throw engine::ConfigError("job " + number + " of this sweep is still in the queue (squeue --jobs=" + number +
                                  "): wait until it is done, or end it with scancel " + number);
}

}  // namespace

std::string array_expression(const std::vector<std::size_t>& numbers, int at_once) {
    std::string text;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t last = i;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
        text += (text.empty() ? "" : ",") + std::to_string(numbers[i]);
        if (last > i) text += "-" + std::to_string(numbers[last]);
        i = last + 1;
    }
    return at_once > 0 ? text + "%" + std::to_string(at_once) : text;
}

std::string job_script(const SlurmJob& job, const io::Sweep& sweep) {
    if (!sweep.slurm)
        throw engine::ConfigError(
            job.spec.string() +
            ": --slurm expected a table [slurm] with the limit of a task, as time = \"2 h\"; found "
            "none");
    const io::SlurmTask& task = *sweep.slurm;
    std::string text =
        "#!/bin/bash\n" + options(job, sweep) + "\n# Written by " + version_text() + ". By hand: sbatch " +
        quoted(job.script().string()) + "\n\n" + variable("tessera", quoted(job.program.string()), "") +
        variable("spec", quoted(job.spec.string()), "") + variable("folder", quoted(job.folder.string()), "") +
        variable("limit", std::to_string(std::lround(std::ceil(task.time / 60) * 60)), "seconds") +
        variable("margin", std::to_string(std::lround(std::ceil(task.margin))),
                 "seconds before the limit: for the checkpoint") +
        variable("least", seconds(task.least), "seconds that every start gets on") +
        variable("restarts", std::to_string(task.restarts), "at most") +
        "points=(  # by name: their numbers change when others are added\n";
    for (const std::size_t point : job.points)
        text += "    [" + std::to_string(point) + "]=" + sweep.points[point].name + "\n";
    text += ")\n";
    if (!task.setup.empty()) text += "\n";
    for (const std::string& line : task.setup) text += line + "\n";
    return text + script_body;
}

std::string submit(const SlurmJob& job) {
    if (io::find_program("sbatch").empty())
        throw engine::IoError("sbatch: command not found; on a machine of the cluster: sbatch " +
                              quoted(job.script().string()));
    check_that_no_other_is_under_way(job);
    const Answer answer = ask({"sbatch", "--parsable", job.script().string()});
    std::string number = job_number(answer.text);
    if (!answer.succeeded || number.empty())
        throw engine::IoError("sbatch does not take " + job.script().string() + ": " + reason(answer.text));
    io::write_file(job.number(), number + "\n");
    return number;
}

}  // namespace experiments
