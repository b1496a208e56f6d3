// Cutting from file to file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "io/cut/cut.h"
#include "io/recording/file.h"

namespace io {

struct CutFileReport {
    CutReport cut;
    std::uint64_t bytes = 0;  // of the file
};

// `stream` is what load_recording() gave of `from`. `to` may be `from`, which is replaced then; nothing changes unless
// all went well. The origin of the new recording is that of the old one, with `note` as "cut". Throws as
// cut_recording() and RecordingWriter do, an engine::InputError with the name of the file.
CutFileReport cut_recording_file(const std::vector<std::byte>& stream, const std::filesystem::path& from,
                                 const std::filesystem::path& to, const std::string& note, const CutOptions& options,
                                 Existing existing = Existing::replace);

}  // namespace io
