// What a model includes: the headers of engine/ itself, and what they include in turn.
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace engine {
namespace {

namespace fs = std::filesystem;

const fs::path source = TESSERA_SOURCE_DIR;

// All that a header of the tree includes, itself with it: of the tree by path, of the system as written.
void walk(const std::string& header, std::set<std::string>& found) {
    if (!found.insert(header).second || !fs::exists(source / header)) return;
    static const std::regex include(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
    std::ifstream file(source / header);
    for (std::string line; std::getline(file, line);)
        if (std::smatch match; std::regex_search(line, match, include)) walk(match[1], found);
}

bool is_for_the_kernel_only(const std::string& header) {
    static const std::regex kernel(
        "oneapi/.*|tbb/.*|boost/.*|mpi\\.h|hwloc.*|engine/transport/.*|engine/scheduling/.*|engine/events/"
        "calendar\\.h");
    return std::regex_match(header, kernel);
}

TEST(Includes, NoHeaderOfAModelReachesTheCalendarTheTransportOrTheirLibraries) {
    int headers = 0;
    for (const auto& entry : fs::directory_iterator(source / "engine")) {
        if (entry.path().extension() != ".h") continue;
        ++headers;
        const std::string header = "engine/" + entry.path().filename().string();
        std::set<std::string> found;
        walk(header, found);
        for (const std::string& each : found) EXPECT_FALSE(is_for_the_kernel_only(each)) << header << " -> " << each;
    }
    EXPECT_GT(headers, 10);
}

TEST(Includes, NoFileOfAModelReachesThemEither) {
    for (const auto& entry : fs::recursive_directory_iterator(source / "models")) {
        if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
        std::set<std::string> found;
        walk(fs::relative(entry.path(), source).string(), found);
        for (const std::string& each : found)
            EXPECT_FALSE(is_for_the_kernel_only(each)) << entry.path() << " -> " << each;
    }
}

TEST(Includes, TheKernelItselfReachesThemSoTheWalkFindsThem) {
    std::set<std::string> found;
    walk("engine/scheduling/worker.h", found);
    for (const char* header : {"engine/events/calendar.h", "engine/transport/link.h", "boost/lockfree/spsc_queue.hpp"})
        EXPECT_TRUE(found.contains(header)) << header;
}

}  // namespace
}  // namespace engine
