#include "experiments/tessera/provenance.h"

#include <array>
#include <cstdlib>
#include <ctime>

#include <unistd.h>

#include "experiments/tessera/command_line.h"
#include "experiments/tessera/version.h"

namespace experiments {

std::string host_name() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::string wall_time() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text.data();
}

std::vector<io::NamedText> run_provenance(const RunRequest& request, int ranks,
                                          const std::vector<io::ConfigText>& configuration,
                                          const std::string& resolved) {
    std::vector<io::NamedText> entries{
        {"source", version_text()},
        {"command_line", command_line()},
        {"config_path", configuration.back().path.string()},
        {"config_toml", configuration.back().text},
    };
    for (std::size_t i = 0; i + 1 < configuration.size(); ++i)  // the bases, the first one first
        entries.push_back({"config_base_" + std::to_string(i) + "_toml", configuration[i].text});
    std::string overrides;
    for (const std::string& text : request.overrides) overrides += text + "\n";
    entries.push_back({"overrides", overrides});
    entries.push_back({"resolved_toml", resolved});
    entries.push_back({"ranks", std::to_string(ranks)});
    entries.push_back({"threads_per_rank", std::to_string(request.threads)});
    entries.push_back({"partition", request.partition});
    entries.push_back({"frames", request.frames.text()});
    entries.push_back({"tie_seed", std::to_string(request.tie_seed)});
    if (!request.log.empty()) entries.push_back({"log_messages", request.log.text()});
    entries.push_back({"host", host_name()});
    if (const char* job = std::getenv("SLURM_JOB_ID"))  // NOLINT(concurrency-mt-unsafe): nobody sets it
        entries.push_back({"slurm_job_id", job});
    entries.push_back({"start_time", wall_time()});
    for (io::NamedText& entry : build_provenance()) entries.push_back(std::move(entry));
    return entries;
}

}  // namespace experiments
