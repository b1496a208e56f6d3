// Texts from elsewhere (names in a recording, of files, of operations) as they may be printed on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace io {

// Control characters (C0 with line ends and tabs, DEL, C1) and bytes that are not UTF-8 become \xNN, byte by byte; all
// else stays as it is.
std::string printable(std::string_view text);

// As one word of a command that a person may copy into a shell: in quotation marks where it needs them.
std::string shell_word(const std::string& text);

}  // namespace io
