// The table of what is refused, in models/functional/README.md, beside the refusals in the sources.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace {

const std::filesystem::path folder = std::filesystem::path(TESSERA_SOURCE) / "models/functional";

std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

// What a source file calls not supported, by the words of its messages up to what is put in when it runs.
std::map<std::string, std::filesystem::path> refusals() {
    static const std::regex patterns[] = {
        std::regex(R"re("([^" ][^"]*[^" ,]),? (?:is|are) not supported)re"),
        std::regex(R"re(\bunsupported\([^;]*?"([^"]+[^" ])[ ]?"(?:\)| \+))re"),
        std::regex(R"re(\brefuse_(?:if|unless_null)\([^;]*"([^" ][^"]*)"\))re"),
    };
    std::map<std::string, std::filesystem::path> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().extension() != ".cpp") continue;
        const std::string text = std::regex_replace(text_of(entry.path()), std::regex("\"\\s*\\n\\s*\""), "");
        // By statements: std::regex takes stack for every letter that it looks at.
        std::istringstream statements(text);
        for (std::string statement; std::getline(statements, statement, ';');)
            for (const std::regex& pattern : patterns)
                for (std::sregex_iterator at(statement.begin(), statement.end(), pattern), end; at != end; ++at)
                    found.emplace((*at)[1], entry.path());
    }
    return found;
}

TEST(RefusalsList, HasWhatTheSourcesRefuse) {
    const std::string readme = text_of(folder / "README.md");
    const auto found = refusals();
    EXPECT_GT(found.size(), 50U);
    for (const auto& [words, source] : found)
        EXPECT_NE(readme.find(words), std::string::npos) << source << ": \"" << words << "\" is not in the README";
}

}  // namespace
