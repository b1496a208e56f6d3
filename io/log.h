// Lines for a person who watches, on standard error, with the time of day in front; control characters are escaped
// (printable.h).
#pragma once

#include <string>

namespace io {

void log_note(const std::string& text);
void log_warning(const std::string& text);

}  // namespace io
