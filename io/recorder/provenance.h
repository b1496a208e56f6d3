// What a recording says it was made with: the application, and the Debian packages of everything that decides what is
// on the wire. Nothing in it depends on when or where it was recorded, so that equal recordings are equal files.
#pragma once

#include "io/recorder/recorder.h"
#include "io/recording/origin.h"

namespace io {

// Names: source, command, package, mesa, renderer, gles, size, clock, skipped_frames; "package" and those of Mesa are
// "NAME VERSION", or left out where the file belongs to no Debian package.
RecordingOrigin recording_origin(const RecordOptions& options, const std::vector<std::string>& command);

}  // namespace io
