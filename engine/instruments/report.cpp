#include "engine/instruments/report.h"

#include <algorithm>
#include <cstddef>

namespace engine {

void RunReport::append(const RunReport& next) {
    end = next.end;
    messages += next.messages;
    steps += next.steps;
    windows += next.windows;
    null_messages += next.null_messages;
    reductions += next.reductions;
    sequential += next.sequential;
    window_length = next.window_length;
    stopped_at = next.stopped_at;
    stopped_by = next.stopped_by;
    seconds += next.seconds;
    workers.resize(std::max(workers.size(), next.workers.size()));
    for (std::size_t i = 0; i < next.workers.size(); ++i) {
        WorkerReport& worker = workers[i];
        worker.work += next.workers[i].work;
        worker.wait += next.workers[i].wait;
        worker.messages += next.workers[i].messages;
        worker.calendar_mark = std::max(worker.calendar_mark, next.workers[i].calendar_mark);
        worker.backlog_mark = std::max(worker.backlog_mark, next.workers[i].backlog_mark);
    }
    profile.add(next.profile);
}

}  // namespace engine
