#include "experiments/tessera/cache_command.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "experiments/tessera/cache_report.h"
#include "experiments/tessera/options.h"
#include "io/address_trace.h"
#include "io/config_file.h"
#include "io/log.h"
#include "models/base/without_effect.h"
#include "models/prefetch/prefetch_parameters.h"

namespace experiments {
namespace {

const std::map<std::string, io::TraceFormat> formats{{"dramsim3", io::TraceFormat::dramsim3},
                                                     {"ramulator", io::TraceFormat::ramulator},
                                                     {"list", io::TraceFormat::list},
                                                     {"din", io::TraceFormat::din}};

struct CacheArguments {
    std::vector<std::string> overrides;
    std::filesystem::path trace;
    std::string format;
    bool json = false;
};

struct Parameters {
    models::ParameterGroup root;
    models::PrefetchParameters prefetch{&root, "prefetch"};
    models::CacheParameters cache{&root, "cache", "the cache", models::texture_cache_defaults, &prefetch};
};

void read_parameters(const CacheArguments& arguments, Parameters& parameters) {
    io::override_parameters(arguments.overrides, parameters.root);
    const models::CacheParameters& cache = parameters.cache;
    const std::string reason = "this plays one access after the other, and memory answers at once";
    models::WithoutEffect found;
    found.add(cache, reason,
              {&cache.banks, &cache.ports, &cache.latency, &cache.fill_cycles, &cache.targets, &cache.eviction_buffer});
    if (cache.prefetcher() == 0) found.add(cache, reason, {&cache.mshrs});  // prefetches go only where one is left
    parameters.prefetch.add_without_effect(found, {cache.prefetcher()});
    for (const std::string& line : found.lines()) io::log_warning(line);
}

std::vector<std::string> format_names() {
    std::vector<std::string> names;
    names.reserve(formats.size());
    for (const auto& [name, format] : formats) names.push_back(name);
    return names;
}

std::vector<io::TraceFormat> expected_formats(const std::string& name) {
    if (!name.empty()) return {formats.at(name)};
    std::vector<io::TraceFormat> all;
    all.reserve(formats.size());
    for (const auto& [each, format] : formats) all.push_back(format);
    return all;
}

void play(const CacheArguments& arguments) {
    Parameters parameters;
    read_parameters(arguments, parameters);
    io::AddressTraceReader trace(arguments.trace, expected_formats(arguments.format));
    models::CacheStudy study(parameters.cache.shape(1));
    for (io::AddressTrace::Access access; trace.next(access);)
        if (!study.access(access.address, access.is_write))
            trace.refuse_address("addresses in at most " + std::to_string(study.regions().most()) + " regions of " +
                                 std::to_string(study.regions().bytes()) + " bytes");
    const models::CacheFigures figures = study.figures();
    arguments.json ? print_cache_json(figures) : print_cache_text(figures, parameters.cache);
}

}  // namespace

void add_cache_command(Commands& commands) {
    auto arguments = std::make_shared<CacheArguments>();
    Command command = commands.add("cache", "play a trace on one cache alone: hits, misses by class, reuse distances");
    command.add_option("--trace", arguments->trace, "the addresses that are accessed").type_name("FILE").required();
    command.add_option("--format", arguments->format, "of the trace [told by its first line]")
        .type_name("FORMAT")
        .one_of(format_names());
    command
        .add_option("--set", arguments->overrides,
                    "change a parameter of the cache, as in cache.ways=8, or of prefetchers, as in\n"
                    "prefetch.stride_degree=4: those of a machine's texture_cache and prefetch, see tessera params")
        .type_name("PATH=VALUE")
        .one_value();
    command.add_flag("--json", arguments->json, "print one JSON object");
    command.footer(
        "Traces have a request a line; addresses are bytes, decimal or 0x..., and those of din hexadecimal:\n"
        "  dramsim3   ADDRESS READ|WRITE CYCLE; cycles are not looked at\n"
        "  ramulator  LD|ST ADDRESS, R|W ADDRESS or ADDRESS R|W\n"
        "  list       ADDRESS or ADDRESS R|W\n"
        "  din        0|1|2 ADDRESS, Dinero's: a read, a write, an instruction fetch (read from the same cache);\n"
        "             without --format only if the first address has a digit a to f\n"
        "No format has sizes: each request accesses one line. Misses are cold (never accessed before), capacity (a\n"
        "fully associative LRU cache of the size misses, too) or conflict. Belady's hits are of lines; where the "
        "write\n"
        "policy does not keep writes, the optimum need not keep what it misses, either. What is left dirty at the end\n"
        "is not written. Time does not pass: banks, ports, latency, mshrs, targets and buffers change nothing.\n"
        "The trace is read once, line by line. A request needs 12 to 20 bytes of memory and some 0.5 us, a line that "
        "is\n"
        "accessed 120 bytes: 10 million requests to 600 thousand lines took 5 s and 220 MB.\n"
        "JSON keys of bytes end in _B, those of lines in _lines; the other counts are accesses.\n\n"
        "Example:  tessera cache --trace gcc.din --format din --set cache.capacity=\"32 KiB\" --set cache.line=\"32 "
        "B\"");
    command.callback([arguments] { play(*arguments); });
}

}  // namespace experiments
