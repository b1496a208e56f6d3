#include "io/output_images.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "io/file.h"
#include "io/image_file.h"
#include "io/recording/temporary_name.h"

namespace io {

namespace {

std::filesystem::path created(std::filesystem::path folder) {
    create_folder(folder);
    return folder;
}

// Of "frame_0012.png" 12, of anything else -1.
std::int64_t frame_of(const std::string& name) {
    constexpr std::string_view start = "frame_", end = ".png";
    if (!name.starts_with(start) || !name.ends_with(end) || name.size() <= start.size() + end.size()) return -1;
    std::uint32_t number = 0;
    const char* const last = name.data() + name.size() - end.size();
    const auto [at, error] = std::from_chars(name.data() + start.size(), last, number);
    return error == std::errc() && at == last ? std::int64_t{number} : -1;
}

}  // namespace

OutputImages::OutputImages(std::filesystem::path folder, std::uint32_t first, std::uint32_t last,
                           const OutputPolicy& policy)
    : folder_(created(std::move(folder))),
      lock_(OutputLock::of_folder(folder_)) {
    std::vector<std::filesystem::path> unfinished;  // of a program that was killed
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
        const bool is_whole = !is_unfinished(entry.path());
        const std::filesystem::path name = is_whole ? entry.path() : entry.path().stem();
        const std::int64_t frame = frame_of(name.filename().string());
        if (frame >= first && frame <= last) (is_whole ? replaced_ : unfinished).push_back(entry.path());
    }
    for (const std::filesystem::path& left : unfinished) std::filesystem::remove(left);
    std::sort(replaced_.begin(), replaced_.end());
    for (const std::filesystem::path& image : replaced_) check_output(image, image_output, policy);
}

void OutputImages::write(std::uint32_t frame, const std::string& png) {
    const std::filesystem::path path = image_path(folder_, frame);
    const auto there = std::lower_bound(replaced_.begin(), replaced_.end(), path);
    const bool replaces = there != replaced_.end() && *there == path;
    write_image_file(path, png, replaces ? Existing::replace : Existing::keep);
    if (replaces) replaced_.erase(there);
}

void OutputImages::finish() {
    for (const std::filesystem::path& image : replaced_) std::filesystem::remove(image);
    replaced_.clear();
}

}  // namespace io
