// A folder of images that a command writes: frame_NNNN.png.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "io/output.h"

namespace io {

class OutputImages {
  public:
    // Creates the folder if absent, and locks it. Images that are there of frames `first` to `last` must be Tessera's
    // own, and are replaced with --force only (output.h); those of other frames stay.
    OutputImages(std::filesystem::path folder, std::uint32_t first, std::uint32_t last, const OutputPolicy& policy);

    void write(std::uint32_t frame, const std::string& png);
    // After the last one: what is left of another run's images of these frames goes.
    void finish();

  private:
    std::filesystem::path folder_;
    OutputLock lock_;
    std::vector<std::filesystem::path> replaced_;  // sorted; not written yet
};

}  // namespace io
