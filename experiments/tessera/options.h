// The program's commands and their options. CLI11 reads the command line; only options.cpp includes it, as every file
// that does takes seconds to compile.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace experiments {

// What is wrong with the command line as such.
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Which texts an option takes.
struct ValueCheck {
    std::string values;                                           // for the help; may be empty
    std::function<std::string(const std::string& text)> refusal;  // why not this one; empty where it is taken
};

// An option of a command, or an argument without a name. Copies are of the same one.
class Option {
  public:
    explicit Option(CLI::Option* option) : option_(option) {}

    Option& type_name(const std::string& name);
    Option& required();
    Option& check(const ValueCheck& check);
    Option& one_of(const std::vector<std::string>& values);
    Option& may_be_empty();                      // as no other text may
    Option& one_value();                         // each time it is given, not all that follow
    Option& excludes(const std::string& other);  // "--list": one that is there already
    Option& needs(const std::string& other);     // likewise

  private:
    CLI::Option* option_;
};

// A command, as `tessera run`. Copies are of the same one.
class Command {
  public:
    explicit Command(CLI::App* app) : app_(app) {}

    std::string name() const;
    // Values are strings, paths, numbers, or vectors of them: options.cpp lists the types. `name`: "-o,--output", or
    // "MACHINE" of an argument without a name.
    template <class Value>
    Option add_option(const std::string& name, Value& value, const std::string& description);
    // The text is given to `read`.
    Option add_option_function(const std::string& name, const std::function<void(const std::string&)>& read,
                               const std::string& description);
    Option add_flag(const std::string& name, bool& value, const std::string& description);
    void footer(const std::string& text);
    void before_parsing(const std::function<void()>& check);  // called where the command is named
    void callback(const std::function<void()>& run);
    // On the command line that was read.
    bool is_given(const std::string& option) const;

  private:
    CLI::App* app_;
};

// All of them: the program.
class Commands {
  public:
    Commands(const std::string& program, const std::string& description, const std::string& version);
    ~Commands();
    Commands(const Commands&) = delete;
    Commands& operator=(const Commands&) = delete;

    Command add(const std::string& name, const std::string& description);
    std::vector<Command> all() const;
    void footer(const std::string& text);
    // Runs the command that is asked for. Returns what is to be printed where help or the version was asked for
    // instead. Throws UsageError, and what the command throws.
    std::string parse(int argc, const char* const* argv);

  private:
    std::unique_ptr<CLI::App> app_;
};

}  // namespace experiments
