#include "experiments/tessera/open_recording.h"

#include <cstdio>

#include "io/digest.h"
#include "io/file.h"
#include "io/frame_trace_file.h"
#include "io/printable.h"
#include "io/recording/origin.h"
#include "io/recording/recording.h"

namespace experiments {

std::vector<std::byte> open_recording(const std::filesystem::path& path) {
    std::vector<std::byte> stream = io::load_recording(path);
    if (!io::has_checksums(stream))
        std::fprintf(stderr,
                     "note: %s has no checksums: damage may go unnoticed; `tessera cut` and `tessera record` write "
                     "recordings that have them\n",
                     io::printable(path.string()).c_str());
    return stream;
}

std::string digest_of_recording(std::span<const std::byte> stream) {
    io::Digest digest;
    digest.add_bytes(stream.data(), stream.size());
    return digest.hex();
}

std::string digest_of_traced_recording(const std::filesystem::path& trace) {
    return io::exists(trace) ? io::FrameTraceFile(trace).origin().recording_digest : std::string();
}

}  // namespace experiments
