// Text as printf makes it, for reports: at most 511 characters.
#pragma once

#include <cstdarg>
#include <cstdio>
#include <string>

namespace experiments {

__attribute__((format(printf, 1, 2))) inline std::string format(const char* pattern, ...) {
    std::va_list arguments;
    va_start(arguments, pattern);
    char text[512];
    std::vsnprintf(text, sizeof text, pattern, arguments);
    va_end(arguments);
    return text;
}

}  // namespace experiments
