// JSON as it is written.
#pragma once

#include <string>
#include <string_view>

namespace io {

// The text in quotation marks. UTF-8 stays as it is.
std::string json_text(std::string_view text);

}  // namespace io
