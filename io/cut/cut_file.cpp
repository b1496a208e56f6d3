#include "io/cut/cut_file.h"

#include "engine/error.h"
#include "io/recording/origin.h"
#include "io/recording/recording_writer.h"

namespace io {

CutFileReport cut_recording_file(const std::vector<std::byte>& stream, const std::filesystem::path& from,
                                 const std::filesystem::path& to, const std::string& note, const CutOptions& options,
                                 Existing existing) {
    RecordingOrigin origin = origin_of(stream);
    origin.emplace_back("cut", note);
    RecordingWriter writer(to, origin, existing);
    const CutSink sink{.add = [&](RecordKind kind, std::span<const std::byte> payload) { writer.add(kind, payload); },
                       .end_frame = [&] { writer.end_frame(); }};
    CutFileReport report;
    try {
        report.cut = cut_recording(stream, options, sink);
    } catch (const engine::InputError& error) {
        throw engine::InputError(from.string() + ": " + error.what());
    }
    writer.commit();
    report.bytes = writer.size();
    return report;
}

}  // namespace io
