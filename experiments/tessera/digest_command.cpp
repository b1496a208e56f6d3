#include "experiments/tessera/digest_command.h"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "engine/error.h"
#include "experiments/tessera/options.h"
#include "io/results_file.h"

namespace experiments {

namespace {

void print_digest(const std::filesystem::path& given) {
    const std::filesystem::path path = io::results_path(given);
    const io::Results results = io::read_results(path);
    const std::string computed = io::results_digest(results);
    const std::string stored = io::stored_digest(path);
    if (computed != stored)
        throw engine::InputError(path.string() + ": its contents have the digest " + computed + ", it says " + stored);
    std::printf("%s\n", computed.c_str());
    if (!results.complete)
        std::fprintf(stderr, "note: the run did not end; frames that are there: %zu\n", results.frames.size());
}

}  // namespace

void add_digest_command(Commands& commands) {
    auto path = std::make_shared<std::filesystem::path>();
    Command command = commands.add("digest", "print the fingerprint of results, recomputed from the numbers");
    command.add_option("DIR", *path, "folder with results.h5, or the file").required();
    command.footer(
        "The digest is that of the simulated numbers alone: the same for every number of threads and\n"
        "ranks, every partition and every repetition.");
    command.callback([path] { print_digest(*path); });
}

}  // namespace experiments
