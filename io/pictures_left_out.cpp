#include "io/pictures_left_out.h"

#include "io/recording/recording.h"
#include "models/functional/virgl/frame_ends.h"

namespace io {

std::map<std::uint32_t, std::vector<std::uint64_t>> pictures_left_out(models::functional::Bytes stream) {
    std::map<std::uint32_t, std::vector<std::uint64_t>> found;
    std::vector<std::uint64_t> skipped;
    RecordingReader reader{stream};
    for (Record record; reader.next_of_any_kind(record);)
        if (record.kind == RecordKind::skipped) skipped.push_back(record.offset);
    if (skipped.empty()) return found;
    const models::functional::FrameEnds ends(stream);
    std::uint32_t frame = 0;
    for (const std::uint64_t offset : skipped) {
        while (frame < ends.all().size() && ends.all()[frame].offset < offset) ++frame;
        found[frame].push_back(offset);
    }
    return found;
}

}  // namespace io
