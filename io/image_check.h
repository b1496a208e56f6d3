// What the numbers that compare an image with its reference can be, wherever a file states them. Internal to io.
#pragma once

#include <string>

#include "models/frame_trace/frame_trace.h"

namespace io {

// "psnr: expected at least 0 dB, or infinite"; empty where all are possible.
inline std::string problem_of(const models::ImageCheck& check) {
    if (!(check.psnr >= 0)) return "psnr: expected at least 0 dB, or infinite";  // NaN neither
    if (!(check.ssim >= -1 && check.ssim <= 1)) return "ssim: expected -1 to 1";
    if (!(check.share_off >= 0 && check.share_off <= 1)) return "share_off: expected 0 to 1";
    return "";
}

}  // namespace io
