#include "io/recorder/input_script.h"

#include <poll.h>

#include "engine/error.h"

namespace io {

void InputScript::play(std::uint64_t picture) {
    const std::lock_guard lock{mutex_};
    for (; next_ < steps_.size() && steps_[next_].picture <= picture; ++next_) {
        const InputStep& step = steps_[next_];
        std::vector<std::string> command{"xdotool"};
        command.insert(command.end(), step.words.begin(), step.words.end());
        Process process{{.command = command, .environment = environment_}};
        pollfd end{process.watch(), POLLIN, 0};
        while (!process.ended()) ::poll(&end, 1, 100);
        if (process.succeeded()) continue;
        std::string text;
        for (const std::string& word : command) text += (text.empty() ? "" : " ") + word;
        throw engine::ConfigError("input after picture " + std::to_string(step.picture) + ": '" + text +
                                  "' ended with " + process.how_it_ended());
    }
}

}  // namespace io
