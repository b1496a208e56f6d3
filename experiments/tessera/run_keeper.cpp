#include "experiments/tessera/run_keeper.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "experiments/tessera/summary.h"
#include "io/file.h"
#include "io/image_file.h"
#include "io/printable.h"
#include "io/results_file.h"

namespace experiments {

namespace {

constexpr double commit_share = 0.05;  // of the wall time may go into committing results

// A line for each start of the program.
std::string segments_text(const std::vector<RunSegment>& segments) {
    std::string text;
    for (const RunSegment& segment : segments)
        text += segment.start_time + " " + segment.host + ", ranks " + std::to_string(segment.ranks) + ", threads " +
                std::to_string(segment.threads) + ", partition " + segment.partition + ": ticks " +
                std::to_string(segment.from) + " to " + std::to_string(segment.to) + "\n";
    return text;
}

}  // namespace

RunKeeper::RunKeeper(io::RunFolder& folder, RunIdentity& identity, RunProgress& progress, bool several)
    : folder_(folder),
      identity_(identity),
      progress_(progress),
      results_(progress.results),
      several_(several),
      committed_(progress.results.frames.size()) {}

// Nothing in the folder before there is something to keep.
void RunKeeper::prepare() {
    if (std::exchange(prepared_, true)) return;
    folder_.make_room();
    io::write_file(folder_.machine(), identity_.machine);
}

void RunKeeper::write_image(const OpenWorkload& workload, std::size_t position) const {
    const std::string png = workload.trace->png(position);
    if (png.empty()) return;
    const std::filesystem::path folder = several_ ? folder_.images() / workload.label : folder_.images();
    io::create_folder(folder);
    io::write_image_file(io::image_path(folder, workload.trace->frame_number(position)), png, io::Existing::replace);
}

void RunKeeper::keep_frame(const OpenWorkload& workload, std::size_t position) {
    pictures_.push_back({&workload, position});
    if (engine::seconds_since(last_commit_) * commit_share >= commit_seconds_) commit();
}

void RunKeeper::commit() {
    if (committed_ < results_.frames.size()) write_results();
}

void RunKeeper::commit_complete() {
    results_.complete = true;
    write_results();
    folder_.complete();
}

void RunKeeper::write_results() {
    const auto start = engine::Clock::now();
    prepare();
    results_.totals = performance_totals(results_);
    if (progress_.segments.size() > 1) {
        std::erase_if(results_.provenance, [](const io::NamedText& entry) { return entry.name == "segments"; });
        results_.provenance.push_back({"segments", segments_text(progress_.segments)});
    }
    for (const Picture& picture : pictures_) write_image(*picture.workload, picture.position);
    pictures_.clear();
    io::write_results(folder_.results(), results_);
    folder_.keep();
    committed_ = results_.frames.size();
    last_commit_ = engine::Clock::now();
    commit_seconds_ = engine::seconds_since(start);
}

void RunKeeper::write_checkpoint(const engine::MessageLog& log) {
    commit();
    prepare();
    engine::MessageLog& all = results_.determinism.log;
    const engine::MessageLog before = all;
    results_.determinism.add_log(progress_.time, log);
    const std::vector<std::byte> bytes = to_bytes(identity_, progress_);
    all = before;
    io::write_checkpoint(folder_.checkpoints(), bytes);
    folder_.keep();
}

void RunKeeper::end_early(const std::string& why) {
    commit();
    if (results_.frames.empty()) {
        std::fprintf(stderr, "%s before the first frame was done: there are no results\n", why.c_str());
    } else {
        const io::FrameResult& last = results_.frames.back();
        const std::string frame = several_ ? results_.workloads[last.workload].label + " frame " : "frame ";
        std::fprintf(stderr, "%s after %s%d: %s holds the frames done so far\n", why.c_str(), frame.c_str(),
                     static_cast<int>(last.number), folder_.results().c_str());
    }
    if (io::exists(folder_.checkpoints().newest))
        std::fprintf(stderr, "the run is not complete; tessera run --resume %s goes on with it\n",
                     io::shell_word(folder_.results().parent_path().string()).c_str());
}

}  // namespace experiments
