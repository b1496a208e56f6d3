#include "experiments/tessera/options.h"

#include <cstdint>
#include <filesystem>
#include <sstream>

#include <CLI/CLI.hpp>

namespace experiments {

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
    option_->check(CLI::IsMember(values));
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
    return Option(app_->add_option(name, value, description));
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
    return Option(app_->add_option_function<std::string>(name, read, description));
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
    try {
        app_->parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() != 0) throw UsageError(error.what());
        std::ostringstream text;  // of help or version, which CLI11 throws, too
        app_->exit(error, text);
        return text.str();
    }
    return {};
}

}  // namespace experiments
