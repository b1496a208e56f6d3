#include "experiments/tessera/options.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <sstream>
#include <type_traits>

#include <CLI/CLI.hpp>

#include "engine/parameter.h"

namespace experiments {

namespace {

constexpr const char* not_empty = "not empty";  // the name of a check

std::string did_you_mean(const std::string& found, const std::vector<std::string>& known) {
    if (found.size() < 3) return {};  // everything is near it
    const std::string near = engine::nearest(found, known);
    return near.empty() ? std::string() : ", did you mean '" + near + "'?";
}

// As of a script's variable that is not set: taken for a value it would stand for nothing, and the option be ignored.
void refuse_empty(CLI::Option* option) {
    const auto refusal = [](const std::string& text) {
        return text.empty() ? std::string("expected a value, found an empty text") : std::string();
    };
    option->check(refusal, "", not_empty);
}

// The first argument that no option of the command took.
std::string extra(const CLI::App& command) {
    std::vector<std::string> options;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
    for (const std::string& argument : command.remaining()) {
        const std::string name = argument.substr(0, argument.find('='));
        if (!name.starts_with('-')) return "expected no more arguments, found '" + argument + "'";
        return "unknown option '" + name + "'" + did_you_mean(name, options);
    }
    return {};
}

// CLI11 takes some: "--force=false", and "--force=$X" where X is not set for --force.
void refuse_values_of_flags(const CLI::App& program, int argc, const char* const* argv) {
    const CLI::App* command = &program;
    for (const CLI::App* one : program.get_subcommands([](const CLI::App*) { return true; }))
        if (argc > 1 && one->get_name() == argv[1]) command = one;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--") return;
        const std::size_t end = argument.find('=');
        if (!argument.starts_with("--") || end == std::string::npos) continue;
        const std::string name = argument.substr(0, end);
        const CLI::Option* option = command->get_option_no_throw(name);
        if (option != nullptr && option->get_items_expected_max() == 0)
            throw UsageError(name + ": expected no value, found '" + argument.substr(end + 1) +
                             "'; give it alone, or leave it out");
    }
}

std::string what_is_wrong(const CLI::ParseError& error, const CLI::App& program) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError))
        for (const CLI::App* command : program.get_subcommands())
            if (std::string text = extra(*command); !text.empty()) return text;
    std::string text = error.what();
    const std::string once = "At Most 1 required but received ";
    if (const std::size_t at = text.find(once); at != std::string::npos)
        text = text.substr(0, at) + "expected once, found " + text.substr(at + once.size()) + " times";
    const std::string missing = ": 1 required ";
    if (const std::size_t at = text.find(missing); at != std::string::npos && text.ends_with(" missing"))
        text = text.substr(0, at) + ": expected a value, found none";
    return text;
}

}  // namespace

Option& Option::type_name(const std::string& name) {
    option_->type_name(name);
    return *this;
}

Option& Option::required() {
    option_->required();
    return *this;
}

Option& Option::check(const ValueCheck& check) {
    option_->check(check.refusal, check.values);
    return *this;
}

Option& Option::one_of(const std::vector<std::string>& values) {
    std::string list;
    for (const std::string& value : values) list += (list.empty() ? "" : ", ") + value;
    const auto refusal = [values, list](const std::string& text) -> std::string {
        if (std::find(values.begin(), values.end(), text) != values.end()) return {};
        return "expected one of " + list + ", found '" + text + "'" + did_you_mean(text, values);
    };
    option_->check(refusal, "{" + list + "}");
    return *this;
}

Option& Option::may_be_empty() {
    option_->get_validator(not_empty)->active(false);
    return *this;
}

Option& Option::one_value() {
    option_->allow_extra_args(false);
    return *this;
}

Option& Option::excludes(const std::string& other) {
    option_->excludes(other);
    return *this;
}

Option& Option::needs(const std::string& other) {
    option_->needs(other);
    return *this;
}

std::string Command::name() const {
    return app_->get_name();
}

template <class Value>
Option Command::add_option(const std::string& name, Value& value, const std::string& description) {
    CLI::Option* const option = app_->add_option(name, value, description);
    if constexpr (!std::is_arithmetic_v<Value>) refuse_empty(option);
    return Option(option);
}

template Option Command::add_option(const std::string&, std::string&, const std::string&);
template Option Command::add_option(const std::string&, std::filesystem::path&, const std::string&);
template Option Command::add_option(const std::string&, int&, const std::string&);
template Option Command::add_option(const std::string&, std::int64_t&, const std::string&);
template Option Command::add_option(const std::string&, std::uint64_t&, const std::string&);
template Option Command::add_option(const std::string&, double&, const std::string&);
template Option Command::add_option(const std::string&, std::vector<std::string>&, const std::string&);
template Option Command::add_option(const std::string&, std::vector<std::filesystem::path>&, const std::string&);

Option Command::add_option_function(const std::string& name, const std::function<void(const std::string&)>& read,
                                    const std::string& description) {
    CLI::Option* const option = app_->add_option_function<std::string>(name, read, description);
    refuse_empty(option);
    return Option(option);
}

Option Command::add_flag(const std::string& name, bool& value, const std::string& description) {
    return Option(app_->add_flag(name, value, description));
}

void Command::footer(const std::string& text) {
    app_->footer(text);
}

void Command::before_parsing(const std::function<void()>& check) {
    app_->preparse_callback([check](std::size_t /*words*/) { check(); });
}

void Command::callback(const std::function<void()>& run) {
    app_->callback(run);
}

bool Command::is_given(const std::string& option) const {
    return app_->count(option) > 0;
}

Commands::Commands(const std::string& program, const std::string& description, const std::string& version)
    : app_(std::make_unique<CLI::App>(description, program)) {
    app_->set_version_flag("--version", version);
    app_->require_subcommand(1);
}

Commands::~Commands() = default;

Command Commands::add(const std::string& name, const std::string& description) {
    return Command(app_->add_subcommand(name, description));
}

std::vector<Command> Commands::all() const {
    std::vector<Command> commands;
    for (CLI::App* command : app_->get_subcommands({})) commands.emplace_back(command);
    return commands;
}

void Commands::footer(const std::string& text) {
    app_->footer(text);
}

std::string Commands::parse(int argc, const char* const* argv) {
    refuse_values_of_flags(*app_, argc, argv);
    try {
        app_->parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() != 0) throw UsageError(what_is_wrong(error, *app_));
        std::ostringstream text;  // of help or version, which CLI11 throws, too
        app_->exit(error, text);
        return text.str();
    }
    return {};
}

}  // namespace experiments
