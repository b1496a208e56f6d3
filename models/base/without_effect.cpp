#include "models/base/without_effect.h"

#include <algorithm>

namespace models {

void WithoutEffect::add(const engine::ParameterGroup& group, const std::string& reason, Parameters only,
                        Parameters all_but, const std::string& parent) {
    const auto is_in = [](const Parameters& list, const engine::ParameterBase* one) {
        return std::find(list.begin(), list.end(), one) != list.end();
    };
    for (const engine::ParameterBase* parameter : group.parameters()) {
        const bool is_meant = (only.size() == 0 || is_in(only, parameter)) && !is_in(all_but, parameter);
        if (is_meant && parameter->value_text() != parameter->default_text() && told_.insert(parameter).second)
            lines_.push_back(parent + group.name() + "." + parameter->name() + " = " + parameter->value_text() +
                             " has no effect: " + reason);
    }
}

void WithoutEffect::add_with_groups(const engine::ParameterGroup& group, const std::string& reason, Parameters all_but,
                                    const std::string& parent) {
    add(group, reason, {}, all_but, parent);
    for (const engine::ParameterGroup* inner : group.groups())
        add_with_groups(*inner, reason, all_but, parent + group.name() + ".");
}

}  // namespace models
