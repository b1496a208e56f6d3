#include "io/frame_marks.h"

#include "io/recording/recording.h"
#include "models/functional/virgl/frame_ends.h"

namespace io {

namespace {

struct Mark {
    std::uint32_t frame = 0;
    std::uint64_t offset = 0;
    RecordKind kind = RecordKind::skipped;
};

std::vector<Mark> frame_marks(models::functional::Bytes stream) {
    std::vector<Mark> marks;
    RecordingReader reader{stream};
    for (Record record; reader.next_of_any_kind(record);)
        if (record.kind == RecordKind::skipped || record.kind == RecordKind::filled)
            marks.push_back({.offset = record.offset, .kind = record.kind});
    if (marks.empty()) return marks;
    const models::functional::FrameEnds ends(stream);
    std::uint32_t frame = 0;
    for (Mark& mark : marks) {
        while (frame < ends.all().size() && ends.all()[frame].offset < mark.offset) ++frame;
        mark.frame = frame;
    }
    return marks;
}

}  // namespace

std::map<std::uint32_t, std::vector<std::uint64_t>> pictures_left_out(models::functional::Bytes stream) {
    std::map<std::uint32_t, std::vector<std::uint64_t>> found;
    for (const Mark& mark : frame_marks(stream))
        if (mark.kind == RecordKind::skipped) found[mark.frame].push_back(mark.offset);
    return found;
}

std::map<std::uint32_t, std::uint64_t> work_starts(models::functional::Bytes stream) {
    std::map<std::uint32_t, std::uint64_t> found;
    for (const Mark& mark : frame_marks(stream)) found[mark.frame] = mark.offset;
    return found;
}

}  // namespace io
