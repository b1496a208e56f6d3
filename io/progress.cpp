#include "io/progress.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <unistd.h>

#include "io/log.h"

namespace io {

namespace {

constexpr double seconds_between_bars = 0.1;
constexpr double seconds_between_lines = 30;
constexpr std::size_t bar_characters = 30;

int tenths(double fraction) {
    return static_cast<int>(std::max(fraction, 0.0) * 10 + 1e-6);
}

std::string percent(double fraction) {
    return std::to_string(static_cast<int>(fraction * 100)) + " %";
}

}  // namespace

std::vector<std::string> Progress::style_names() {
    return {"auto", "bar", "log", "none"};
}

Progress::Progress(Style style) : style_(style) {
    if (style_ == Style::automatic) style_ = ::isatty(STDERR_FILENO) == 1 ? Style::bar : Style::log;
}

void Progress::update(double fraction, const std::string& what) {
    fraction = std::min(fraction, 1.0);
    const double since_last = engine::seconds_since(last_);
    if (style_ == Style::bar && since_last >= seconds_between_bars) draw_bar(fraction, what);
    const bool moved = tenths(fraction) > told_tenths_;
    if (style_ == Style::log && (moved || since_last >= seconds_between_lines)) write_line(fraction, what);
}

void Progress::clear() {
    if (width_ == 0) return;
    std::fprintf(stderr, "\r%*s\r", static_cast<int>(width_), "");
    std::fflush(stderr);
    width_ = 0;
}

void Progress::draw_bar(double fraction, const std::string& what) {
    std::string line = what;
    if (fraction >= 0) {
        const auto full = static_cast<std::size_t>(fraction * bar_characters);
        line = "[" + std::string(full, '#') + std::string(bar_characters - full, '.') + "] " + percent(fraction) +
               remaining(fraction) + "  " + what;
    }
    std::fprintf(stderr, "\r%-*s", static_cast<int>(width_), line.c_str());
    std::fflush(stderr);
    width_ = line.size();
    last_ = Clock::now();
}

void Progress::write_line(double fraction, const std::string& what) {
    log_note(fraction < 0 ? what : percent(fraction) + remaining(fraction) + "  " + what);
    last_ = Clock::now();
    told_tenths_ = tenths(fraction);
}

std::string Progress::remaining(double fraction) const {
    const double passed = engine::seconds_since(start_);
    if (fraction < 0.01 || passed < 1) return "";
    return ", " + duration_text(passed / fraction * (1 - fraction)) + " to go";
}

std::string duration_text(double seconds) {
    const auto whole = static_cast<long>(std::lround(seconds));
    char text[48];
    if (whole < 60)
        std::snprintf(text, sizeof text, "%ld s", whole);
    else if (whole < 3600)
        std::snprintf(text, sizeof text, "%ld min %02ld s", whole / 60, whole % 60);
    else
        std::snprintf(text, sizeof text, "%ld h %02ld min", whole / 3600, whole / 60 % 60);
    return text;
}

}  // namespace io
