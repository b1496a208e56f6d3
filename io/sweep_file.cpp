#include "io/sweep_file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <map>
#include <sstream>
#include <string_view>

#include <xxhash.h>

#include "engine/error.h"
#include "io/toml_file.h"

namespace io {

namespace {

using engine::ConfigError;
using Settings = std::vector<std::pair<std::string, std::string>>;

constexpr std::size_t most_bytes = std::size_t{1} << 20;
constexpr std::size_t most_points = 100'000;
constexpr std::size_t most_name = 120;  // characters, for the hash to fit into a file name with them

class Reader {
  public:
    explicit Reader(const std::filesystem::path& path)
        : path_(path),
          table_(parse_toml_file(path, read_toml_file(path, most_bytes))) {}

    Sweep read() {
        check_keys(table_, {"machine", "machines", "workloads", "frames", "threads", "checkpoint_every", "set", "grid",
                            "zip", "list", "slurm"});
        Sweep sweep;
        sweep.frames = optional_text("frames");
        sweep.checkpoint_every = optional_text("checkpoint_every");
        if (const toml::node* threads = table_.get("threads")) {
            const auto value = threads->value_exact<std::int64_t>();
            if (!value || *value < 1 || *value > 256) fail(*threads, "threads: expected a number from 1 to 256");
            sweep.threads = static_cast<int>(*value);
        }
        const std::vector<std::string> machines = read_machines();
        const std::vector<std::string> workloads = read_workloads();
        const std::vector<Settings> points = points_of(sweep.varied);
        if (points.size() > most_points / machines.size() / workloads.size())
            throw ConfigError(path_.string() + ": expected at most " + std::to_string(most_points) +
                              " points, found more");
        for (const std::string& machine : machines)
            for (const std::string& workload : workloads)
                for (const Settings& point : points) {
                    SweepPoint made{{}, machine, beside(workload), point};
                    made.name = name_of(made, machines.size() > 1, sweep);
                    sweep.points.push_back(std::move(made));
                }
        check_names(sweep);
        sweep.settings = settings_;
        sweep.others = others_;
        if (const toml::table* table = section("slurm")) sweep.slurm = slurm_task(*table);
        return sweep;
    }

  private:
    std::string place(const toml::node& at) const {
        const toml::source_position where = at.source().begin;
        return path_.string() + ":" + std::to_string(where.line) + ":" + std::to_string(where.column) + ": ";
    }
    [[noreturn]] void fail(const toml::node& at, const std::string& what) const { throw ConfigError(place(at) + what); }
    void check_keys(const toml::table& table, const std::vector<std::string>& known) const {
        for (const auto& [key, value] : table) {
            if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
            fail(value, "unknown key '" + std::string(key.str()) + "'" + remedy(key.str(), known));
        }
    }
    const toml::node& required(const char* key) const {
        const toml::node* const node = table_.get(key);
        if (node == nullptr) throw ConfigError(path_.string() + ": expected a key '" + key + "', found none");
        return *node;
    }
    std::string optional_text(const char* key) {
        const toml::node* const node = table_.get(key);
        return node == nullptr ? "" : other(*node, key);
    }
    std::string other(const toml::node& node, const char* key) {
        const std::string text = text_of(node, key);
        if (text.empty()) fail(node, std::string(key) + ": expected a text that is not empty");
        others_.push_back({place(node), key, text});
        return text;
    }
    std::string setting(const toml::node& node, const std::string& parameter) {
        const std::string text = text_of(node, parameter);
        settings_.push_back({place(node), parameter, text});
        return text;
    }
    std::vector<std::string> settings(const toml::node& node, const std::string& parameter) {
        std::vector<std::string> all;
        for (const toml::node& each : list_of(node, parameter)) all.push_back(setting(each, parameter));
        return all;
    }
    // As --set takes it.
    std::string text_of(const toml::node& node, const std::string& key) const {
        if (const auto text = node.value_exact<std::string>()) return *text;
        if (const auto number = node.value_exact<std::int64_t>()) return std::to_string(*number);
        if (const auto flag = node.value_exact<bool>()) return *flag ? "true" : "false";
        if (const auto number = node.value_exact<double>()) {
            std::ostringstream out;
            out.precision(17);
            out << *number;
            return out.str();
        }
        fail(node, key + ": expected a text, a number, true or false");
    }
    const toml::array& list_of(const toml::node& node, const std::string& key) const {
        const toml::array* const array = node.as_array();
        if (array == nullptr || array->empty()) fail(node, key + ": expected a list that is not empty");
        return *array;
    }
    std::vector<std::string> texts(const toml::node& node, const std::string& key) const {
        std::vector<std::string> all;
        for (const toml::node& each : list_of(node, key)) all.push_back(text_of(each, key));
        return all;
    }
    std::vector<std::string> read_machines() {
        const toml::node *const one = table_.get("machine"), *const several = table_.get("machines");
        if ((one == nullptr) == (several == nullptr))
            throw ConfigError(path_.string() + ": expected either 'machine' or 'machines', found " +
                              (one == nullptr ? "none" : "both"));
        std::vector<std::string> machines;
        const auto add = [&](const toml::node& node, const char* key) {
            const std::string& machine = machines.emplace_back(other(node, key));
            if (machine.ends_with(".toml")) machines.back() = others_.back().text = beside(machine).string();
        };
        if (one != nullptr)
            add(*one, "machine");
        else
            for (const toml::node& each : list_of(*several, "machines")) add(each, "machines");
        return machines;
    }
    std::vector<std::string> read_workloads() const {
        const toml::node& node = required("workloads");
        std::vector<std::string> workloads = texts(node, "workloads");
        std::map<std::filesystem::path, std::size_t> first;
        for (std::size_t i = 0; i < workloads.size(); ++i) {
            if (workloads[i].empty()) fail(*node.as_array()->get(i), "workloads: expected a text that is not empty");
            if (const auto found = first.emplace(beside(workloads[i]).lexically_normal(), i); !found.second)
                fail(*node.as_array()->get(i), "workloads: '" + workloads[i] + "' is named twice, first as '" +
                                                   workloads[found.first->second] + "'");
        }
        return workloads;
    }
    std::filesystem::path beside(const std::filesystem::path& given) const {
        return std::filesystem::absolute(path_).parent_path().lexically_normal() / given;
    }
    const toml::table* section(const char* key) const {
        const toml::node* const node = table_.get(key);
        if (node == nullptr) return nullptr;
        if (!node->is_table()) fail(*node, std::string(key) + ": expected a table");
        return node->as_table();
    }
    // Parameters are dotted keys, in quotation marks or not: [set] l2.ways = 8 is a table in a table.
    template <class F>
    void for_each_setting(const toml::table& table, const std::string& prefix, F f) const {
        std::vector<std::pair<toml::source_position, std::string>> keys;
        for (const auto& [key, value] : table) keys.emplace_back(key.source().begin, std::string(key.str()));
        std::sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) {
            return a.first.line != b.first.line ? a.first.line < b.first.line : a.first.column < b.first.column;
        });
        for (const auto& [where, key] : keys) {
            const toml::node& node = *table.get(key);
            if (const toml::table* inner = node.as_table())
                for_each_setting(*inner, prefix + key + ".", f);
            else
                f(prefix + key, node);
        }
    }
    static void set(Settings& settings, const std::string& parameter, const std::string& value) {
        for (auto& [known, old] : settings)
            if (known == parameter) {
                old = value;
                return;
            }
        settings.emplace_back(parameter, value);
    }
    // Of all points of a machine and a workload.
    std::vector<Settings> points_of(std::vector<std::string>& varied) {
        std::map<std::string, std::string> sections;
        const auto vary = [&](const std::string& parameter, const toml::node& node, const char* in) {
            const std::string& first = sections.emplace(parameter, in).first->second;
            if (first != in) fail(node, parameter + ": varies in " + first + " already; expected it in one of them");
            if (std::find(varied.begin(), varied.end(), parameter) == varied.end()) varied.push_back(parameter);
        };
        std::vector<Settings> points(1);
        if (const toml::table* table = section("set"))
            for_each_setting(*table, "", [&](const std::string& parameter, const toml::node& node) {
                set(points[0], parameter, setting(node, parameter));
            });
        if (const toml::table* table = section("grid"))
            for_each_setting(*table, "", [&](const std::string& parameter, const toml::node& node) {
                vary(parameter, node, "[grid]");
                const std::vector<std::string> values = settings(node, parameter);
                if (points.size() * values.size() > most_points) fail(node, "expected at most 100000 points");
                std::vector<Settings> more;
                for (const Settings& point : points)
                    for (const std::string& value : values) set(more.emplace_back(point), parameter, value);
                points = std::move(more);
            });
        if (const toml::table* table = section("zip")) points = zipped(points, *table, vary);
        if (const toml::node* list = table_.get("list")) points = listed(points, *list, vary);
        return points;
    }
    template <class Vary>
    std::vector<Settings> zipped(const std::vector<Settings>& points, const toml::table& table, Vary vary) {
        std::vector<Settings> steps;
        for_each_setting(table, "", [&](const std::string& parameter, const toml::node& node) {
            vary(parameter, node, "[zip]");
            const std::vector<std::string> values = settings(node, parameter);
            if (steps.empty()) steps.resize(values.size());
            if (values.size() != steps.size())
                fail(node, parameter + ": expected " + std::to_string(steps.size()) + " values as before it, found " +
                               std::to_string(values.size()));
            for (std::size_t i = 0; i < values.size(); ++i) set(steps[i], parameter, values[i]);
        });
        return steps.empty() ? points : product(points, steps);
    }
    template <class Vary>
    std::vector<Settings> listed(const std::vector<Settings>& points, const toml::node& list, Vary vary) {
        const toml::array* const array = list.as_array();
        if (array == nullptr || array->empty()) fail(list, "list: expected tables, as [[list]]");
        std::vector<Settings> steps;
        for (const toml::node& each : *array) {
            if (!each.is_table()) fail(each, "list: expected a table");
            Settings& step = steps.emplace_back();
            for_each_setting(*each.as_table(), "", [&](const std::string& parameter, const toml::node& node) {
                if (parameter == "name") return set(step, parameter, text_of(node, parameter));
                vary(parameter, node, "[[list]]");
                set(step, parameter, setting(node, parameter));
            });
        }
        return product(points, steps);
    }
    static std::vector<Settings> product(const std::vector<Settings>& points, const std::vector<Settings>& steps) {
        std::vector<Settings> more;
        for (const Settings& point : points)
            for (const Settings& step : steps) {
                Settings& made = more.emplace_back(point);
                for (const auto& [parameter, value] : step) set(made, parameter, value);
            }
        return more;
    }
    // "openarena-banks=4-1a2b3c4d". The hash is of all that decides the results.
    static std::string name_of(SweepPoint& point, bool with_machine, const Sweep& sweep) {
        std::string name = point.workload.stem().string(),
                    all = point.machine + '\n' + point.workload.string() + '\n' + sweep.frames + '\n';
        if (with_machine) name += "-" + std::filesystem::path(point.machine).stem().string();
        const auto given = std::find_if(point.settings.begin(), point.settings.end(),
                                        [](const auto& setting) { return setting.first == "name"; });
        if (given != point.settings.end()) {
            name += "-" + given->second;
            point.settings.erase(given);
        }
        for (const auto& [parameter, value] : point.settings) {
            all += parameter + '=' + value + '\n';
            if (std::find(sweep.varied.begin(), sweep.varied.end(), parameter) != sweep.varied.end())
                name += "-" + parameter.substr(parameter.rfind('.') + 1) + "=" + value;
        }
        for (char& c : name)
            if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '=' && c != '_' && c != '.')
                c = '_';
        if (name.size() > most_name) name.resize(most_name);
        char hash[16];
        std::snprintf(hash, sizeof hash, "-%08x", XXH32(all.data(), all.size(), 0));
        return name + hash;
    }
    void check_names(const Sweep& sweep) const {
        std::map<std::string, int> count;
        for (const SweepPoint& point : sweep.points)
            if (++count[point.name] > 1) throw ConfigError(path_.string() + ": two points are the same: " + point.name);
    }

    struct Unit {
        std::string_view name;
        double scale;
    };
    static constexpr std::array<Unit, 3> times{{{"s", 1}, {"min", 60}, {"h", 3600}}};
    static constexpr std::array<Unit, 2> sizes{{{"MiB", 0x1p20}, {"GiB", 0x1p30}}};

    // A number and a unit. `expected`: in words.
    template <std::size_t N>
    double quantity(const toml::node& node, const std::string& key, const std::array<Unit, N>& units,
                    const std::string& expected) const {
        const std::string text = text_of(node, key);
        double number = 0;
        const char* const end = text.data() + text.size();
        const auto [rest, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
        std::string_view name(rest, static_cast<std::size_t>(end - rest));
        while (name.starts_with(' ')) name.remove_prefix(1);
        for (const Unit& unit : units)
            if (error == std::errc{} && name == unit.name && number > 0 && number * unit.scale <= 1e15)
                return number * unit.scale;
        fail(node, key + ": expected " + expected + ", found \"" + text + "\"");
    }
    double time_of(const toml::table& table, const char* key, double otherwise) const {
        const toml::node* const node = table.get(key);
        if (node == nullptr) return otherwise;
        return quantity(*node, key, times, R"(a time as in "90 s", "10 min" or "2 h")");
    }
    // What becomes a line of its own, or a word, of a script.
    std::vector<std::string> lines(const toml::table& table, const char* key) const {
        const toml::node* const node = table.get(key);
        if (node == nullptr) return {};
        std::vector<std::string> all = texts(*node, key);
        for (const std::string& each : all)
            if (each.find_first_of("\n\r") != std::string::npos)
                fail(*node, std::string(key) + ": expected lines without line breaks");
        return all;
    }
    std::string word(const toml::table& table, const char* key) const {
        const toml::node* const node = table.get(key);
        if (node == nullptr) return {};
        std::string text = text_of(*node, key);
        const auto is_plain = [](unsigned char c) {
            return std::isgraph(c) != 0 && c != '"' && c != '\'' && c != '\\';
        };
        if (text.empty() || !std::all_of(text.begin(), text.end(), is_plain))
            fail(*node, std::string(key) + ": expected a name without blanks, found \"" + text + "\"");
        return text;
    }
    SlurmTask slurm_task(const toml::table& table) const {
        check_keys(table,
                   {"time", "margin", "least", "restarts", "memory", "partition", "account", "options", "setup"});
        SlurmTask task;
        task.time = time_of(table, "time", 0);
        if (task.time < 60)
            fail(table.get("time") != nullptr ? *table.get("time") : table,
                 "slurm: expected a time limit of at least a minute, as time = \"2 h\"");
        task.margin = time_of(table, "margin", std::min(120.0, task.time / 4));
        task.least = time_of(table, "least", std::min(30.0, task.time / 4));
        if (task.margin + task.least > task.time)
            fail(table, "slurm: expected that 'margin' and 'least' fit into 'time'");
        if (const toml::node* const restarts = table.get("restarts")) {
            const auto value = restarts->value_exact<std::int64_t>();
            if (!value || *value < 0 || *value > 100'000)
                fail(*restarts, "restarts: expected a number from 0 to 100000");
            task.restarts = static_cast<int>(*value);
        }
        if (const toml::node* const memory = table.get("memory"))
            task.memory =
                static_cast<std::int64_t>(quantity(*memory, "memory", sizes, R"(a size as in "500 MiB" or "4 GiB")"));
        task.partition = word(table, "partition");
        task.account = word(table, "account");
        task.options = lines(table, "options");
        task.setup = lines(table, "setup");
        for (const std::string& option : task.options) check_option(option, *table.get("options"));
        return task;
    }
    void check_option(const std::string& option, const toml::node& where) const {
        static constexpr std::array<std::string_view, 12> ours{"array",  "cpus-per-task", "error",  "mem",
                                                               "nodes",  "no-requeue",    "ntasks", "open-mode",
                                                               "output", "requeue",       "time",   "wrap"};
        if (!option.starts_with("--"))
            fail(where, "options: expected options of sbatch in their long form, found \"" + option + "\"");
        const std::string name = option.substr(2, option.find_first_of("= ") - 2);
        if (std::find(ours.begin(), ours.end(), name) != ours.end())
            fail(where, "options: --" + name + " is decided by the sweep");
    }

    std::filesystem::path path_;
    toml::table table_;
    std::vector<SweepText> settings_, others_;
};

}  // namespace

Sweep read_sweep(const std::filesystem::path& path) {
    return Reader(path).read();
}

}  // namespace io
