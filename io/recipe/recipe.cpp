#include "io/recipe/recipe.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <string_view>

#include "engine/error.h"
#include "io/toml_file.h"

namespace io {

namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 20;
constexpr std::uint64_t tap_pictures = 3;  // that a key is held: who polls the keyboard misses a shorter stroke

using engine::ConfigError;

class RecipeReader {
  public:
    explicit RecipeReader(const std::filesystem::path& path) : path_(path) {}
    Recipe read();

  private:
    [[noreturn]] void fail(const toml::node& node, const std::string& problem) const {
        fail(node.source().begin, problem);
    }
    [[noreturn]] void fail(toml::source_position where, const std::string& problem) const {
        throw ConfigError(path_.string() + ":" + std::to_string(where.line) + ":" + std::to_string(where.column) +
                          ": " + problem);
    }
    std::string text(const std::string& key, const toml::node& node) const;
    std::vector<std::string> texts(const std::string& key, const toml::node& node) const;
    std::map<std::string, std::string> text_table(const std::string& key, const toml::node& node) const;
    std::map<std::string, std::string> files(const toml::node& node) const;
    std::uint64_t count(const std::string& key, const toml::node& node) const;
    InputStep step(const toml::node& node) const;
    std::vector<InputStep> as_xdotool(const InputStep& step, const toml::node& node) const;
    void take(Recipe& recipe, const std::string& key, const toml::node& node) const;
    void take_input(RecordOptions& options, const toml::node& node) const;

    const std::filesystem::path& path_;
};

std::string RecipeReader::text(const std::string& key, const toml::node& node) const {
    if (const auto* value = node.as_string()) return value->get();
    fail(node, key + ": expected a text in quotation marks");
}

std::vector<std::string> RecipeReader::texts(const std::string& key, const toml::node& node) const {
    const toml::array* list = node.as_array();
    if (list == nullptr) fail(node, key + ": expected a list of texts such as [\"neverball\"]");
    std::vector<std::string> words;
    for (const toml::node& word : *list) words.push_back(text(key, word));
    return words;
}

std::map<std::string, std::string> RecipeReader::text_table(const std::string& key, const toml::node& node) const {
    const toml::table* table = node.as_table();
    if (table == nullptr) fail(node, key + ": expected a table of texts");
    std::map<std::string, std::string> entries;
    for (const auto& [name, value] : *table) entries[std::string(name.str())] = text(key, value);
    return entries;
}

// What keeps a path from naming a file in the home folder; "" if nothing does. The folder is new and has no links.
std::string problem_with_path(const std::string& name) {
    const std::filesystem::path path = name;
    if (path.is_absolute()) return "an absolute path";
    if (name.find('\0') != std::string::npos) return "a zero byte in it";
    if (!path.has_filename()) return "none";
    if (name == ".run") return "the folder that is there already";
    for (const auto& part : path)
        if (part.empty() || part == "." || part == "..") return "'" + part.string() + "' in it";
    return "";
}

std::map<std::string, std::string> RecipeReader::files(const toml::node& node) const {
    std::map<std::string, std::string> entries = text_table("files", node);
    for (const auto& [key, value] : *node.as_table()) {
        const std::string name(key.str());
        const std::string problem = problem_with_path(name);
        if (!problem.empty())
            fail(key.source().begin,
                 "files: expected the path of a file in the home folder, found " + problem + ": '" + name + "'");
        for (auto parent = std::filesystem::path(name).parent_path(); !parent.empty(); parent = parent.parent_path())
            if (entries.contains(parent))
                fail(key.source().begin, "files: '" + parent.string() + "' is a file, and a folder in '" + name + "'");
    }
    return entries;
}

std::uint64_t RecipeReader::count(const std::string& key, const toml::node& node) const {
    const auto* value = node.as_integer();
    if (value == nullptr || value->get() < 0 || static_cast<std::uint64_t>(value->get()) > most_pictures)
        fail(node, key + ": expected a number of pictures from 0 to " + std::to_string(most_pictures));
    return static_cast<std::uint64_t>(value->get());
}

InputStep RecipeReader::step(const toml::node& node) const {
    const toml::array* words = node.as_array();
    if (words == nullptr || words->size() < 2) fail(node, "input: expected steps such as [10, \"key\", \"Return\"]");
    InputStep result;
    result.picture = count("input", *words->get(0));
    for (std::size_t i = 1; i < words->size(); ++i) result.words.push_back(text("input", *words->get(i)));
    return result;
}

// A tap is two steps; everything else is for xdotool as it stands.
std::vector<InputStep> RecipeReader::as_xdotool(const InputStep& step, const toml::node& node) const {
    if (step.words[0] != "tap") return {step};
    if (step.words.size() != 2)
        fail(node, "input: expected one key or mouse button to tap, such as \"Return\" or \"mouse1\"");
    const std::string& what = step.words[1];
    const bool button = what.size() == 6 && what.starts_with("mouse") && what[5] >= '1' && what[5] <= '9';
    const std::string device = button ? "mouse" : "key";
    const std::string name = button ? what.substr(5) : what;
    return {{step.picture, {device + "down", name}}, {step.picture + tap_pictures, {device + "up", name}}};
}

void RecipeReader::take_input(RecordOptions& options, const toml::node& node) const {
    const toml::array* steps = node.as_array();
    if (steps == nullptr) fail(node, "input: expected a list of steps");
    std::uint64_t last = 0;
    for (const toml::node& entry : *steps) {
        const InputStep next = step(entry);
        if (next.picture < last)
            fail(entry, "input: steps come in the order of their pictures; " + std::to_string(next.picture) +
                            " stands after " + std::to_string(last));
        last = next.picture;
        for (InputStep& one : as_xdotool(next, entry)) options.input.push_back(std::move(one));
    }
    std::stable_sort(options.input.begin(), options.input.end(),
                     [](const InputStep& a, const InputStep& b) { return a.picture < b.picture; });
}

void RecipeReader::take(Recipe& recipe, const std::string& key, const toml::node& node) const {
    RecordOptions& options = recipe.options;
    if (key == "title")
        recipe.title = text(key, node);
    else if (key == "packages")
        recipe.packages = texts(key, node);
    else if (key == "command")
        options.command = texts(key, node);
    else if (key == "skip")
        options.skip = count(key, node);
    else if (key == "frames")
        options.frames = count(key, node);
    else if (key == "environment")
        options.environment = text_table(key, node);
    else if (key == "files")
        options.home = files(node);
    else if (key == "input")
        take_input(options, node);
    else if (key == "size") {
        try {
            options.size = parse_screen_size(text(key, node), "size");
        } catch (const ConfigError& error) {
            fail(node, error.what());
        }
    } else if (key == "gles") {
        const auto level = parse_gles_level(text(key, node));
        if (!level) fail(node, "gles: expected \"2\", \"3\", \"3.1\" or \"full\", found \"" + text(key, node) + "\"");
        options.gles = *level;
    } else if (key == "fps") {
        const auto value = node.value<double>();
        if (!value || !(*value >= 0.001 && *value <= 1e6)) fail(node, "fps: expected a number from 0.001 to 1e6");
        options.frames_per_second = *value;
    } else if (key == "real_time") {
        const auto value = node.value_exact<bool>();
        if (!value) fail(node, "real_time: expected true or false");
        options.real_time = *value;
    } else {
        fail(node, "unknown key '" + key + "'" +
                       remedy(key, {"title", "packages", "command", "size", "gles", "fps", "real_time", "skip",
                                    "frames", "environment", "input", "files"}));
    }
}

Recipe RecipeReader::read() {
    const toml::table table = parse_toml_file(path_, read_toml_file(path_, most_bytes));
    Recipe recipe;
    recipe.name = path_.stem().string();
    recipe.options.home.emplace();
    for (const auto& [key, node] : table) take(recipe, std::string(key.str()), node);
    for (const char* key : {"title", "packages", "command"})
        if (!table.contains(key)) throw ConfigError(path_.string() + ": expected the key '" + key + "', found none");
    if (recipe.options.command.empty()) fail(*table.get("command"), "command: expected a program and its arguments");
    recipe.options.workload = recipe.name;
    return recipe;
}

}  // namespace

Recipe read_recipe(const std::filesystem::path& path) {
    return RecipeReader(path).read();
}

std::vector<std::string> recipe_names(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    std::error_code absent;
    for (const auto& entry : std::filesystem::directory_iterator(folder, absent))
        if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

ScreenSize parse_screen_size(const std::string& text, const std::string& what) {
    ScreenSize size;
    const char* end = text.data() + text.size();
    const auto width = std::from_chars(text.data(), end, size.width);
    if (width.ec == std::errc{} && width.ptr != end && *width.ptr == 'x') {
        const auto height = std::from_chars(width.ptr + 1, end, size.height);
        if (height.ec == std::errc{} && height.ptr == end) return size;
    }
    throw ConfigError(what + ": expected WIDTHxHEIGHT such as 800x600, found " + text);
}

}  // namespace io
