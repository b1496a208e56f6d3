// JSON as it is written.
#pragma once

#include <string>
#include <string_view>

namespace io {

// The text in quotation marks. UTF-8 stays as it is but for control characters (C0, DEL, C1), which are escaped; a byte
// that is not UTF-8 becomes the replacement character.
std::string json_text(std::string_view text);

}  // namespace io
