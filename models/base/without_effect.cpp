#include "models/base/without_effect.h"

#include <algorithm>

namespace models {

void WithoutEffect::add(const engine::ParameterGroup& group, const std::string& reason, Parameters only,
                        Parameters all_but, const std::string& parent) {
    const auto is_in = [](const Parameters& list, const engine::ParameterBase* one) {
        return std::find(list.begin(), list.end(), one) != list.end();
    };
    for (const engine::ParameterBase* parameter : group.parameters())
        if ((only.size() == 0 || is_in(only, parameter)) && !is_in(all_but, parameter) &&
            parameter->value_text() != parameter->default_text())
            lines_.push_back(parent + group.name() + "." + parameter->name() + " = " + parameter->value_text() +
                             " has no effect: " + reason);
}

}  // namespace models
