#include "io/line_reader.h"

#include <utility>

#include "io/recording/input_file.h"

namespace io {

LineReader::LineReader(std::filesystem::path path)
    : path_(std::move(path)),
      file_(open_input(path_)),
      block_(std::size_t{1} << 20) {}

bool LineReader::next(std::string_view& line) {
    begun_.clear();
    std::size_t end = 0;
    while ((end = text_.find('\n')) == std::string_view::npos && !at_end_ && begun_.size() <= longest) {
        begun_ += text_;
        const std::size_t size = read_bytes(file_, block_, path_);
        text_ = {reinterpret_cast<const char*>(block_.data()), size};
        at_end_ = size < block_.size();
    }
    if (end == std::string_view::npos && begun_.empty() && text_.empty()) return false;
    const bool is_whole = end != std::string_view::npos;
    line = text_.substr(0, end);
    text_.remove_prefix(is_whole ? end + 1 : text_.size());
    if (!begun_.empty()) line = begun_ += line;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    line = line.substr(0, longest + 1);
    ++number_;
    return true;
}

}  // namespace io
