#include "models/functional/memory_meter.h"

#include <cstdio>
#include <numeric>

#include "engine/error.h"

namespace models::functional {

std::string memory_text(std::uint64_t bytes) {
    constexpr double kib = 1 << 10, mib = 1 << 20, gib = 1 << 30;
    const auto size = static_cast<double>(bytes);
    char text[48];
    if (size < mib)
        std::snprintf(text, sizeof text, "%.1f KiB", size / kib);
    else if (size < gib)
        std::snprintf(text, sizeof text, "%.1f MiB", size / mib);
    else
        std::snprintf(text, sizeof text, "%.2f GiB", size / gib);
    return text;
}

std::uint64_t MemoryMeter::taken() const {
    return std::accumulate(taken_.begin(), taken_.end(), std::uint64_t{0});
}

void MemoryMeter::set(Use use, std::uint64_t bytes) {
    std::uint64_t& taken_by_it = taken_[static_cast<std::size_t>(use)];
    if (bytes > taken_by_it && bytes - taken_by_it > left_) refuse(bytes - taken_by_it);
    taken_by_it = bytes;
    left_ = limit_ - taken();
}

void MemoryMeter::take_for_tile(std::uint64_t bytes) {
    if (growth_.fetch_add(bytes, std::memory_order_relaxed) + bytes > left_) throw Exceeded{};
}

void MemoryMeter::settle_tiles() {
    set(Use::tiles, taken(Use::tiles) + growth_.exchange(0, std::memory_order_relaxed));
}

std::string MemoryMeter::text() const {
    static constexpr std::array<const char*, uses> names = {
        "recording", "textures and buffers", "draw", "draws that wait", "tiles", "paths", "frame trace", "writing"};
    constexpr std::uint64_t least = 1 << 16;  // others are not worth a word
    std::string parts;
    for (std::size_t i = 0; i < uses; ++i)
        if (taken_[i] >= least)
            parts += std::string(parts.empty() ? " (" : ", ") + names[i] + " " + memory_text(taken_[i]);
    return memory_text(taken()) + parts + (parts.empty() ? "" : ")");
}

void MemoryMeter::refuse(std::uint64_t more) const {
    const std::string where = passes_ > 0 ? "in its pass " + std::to_string(passes_ - 1) : "before its first pass";
    throw engine::InputError(
        "frame " + std::to_string(frame_) + " needs more memory than the limit of " + memory_text(limit_) + ": " +
        where + " it takes " + text() + " and needs " +
        (more > 0 ? memory_text(more) + " more" : "more than the rest for its quads") +
        "; `tessera trace --memory-limit` sets the limit, and a frame of fewer pictures needs less "
        "(`tessera record` and `tessera cut` choose the pictures)");
}

}  // namespace models::functional
