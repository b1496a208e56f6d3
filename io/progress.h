// How far a long piece of work has come, on standard error: a bar with the time to go on a terminal, else a line every
// tenth of the work or 30 s, so that logs stay readable.
#pragma once

#include <string>
#include <vector>

#include "engine/wall_clock.h"

namespace io {

class Progress {
  public:
    enum class Style { automatic, bar, log, none };
    static std::vector<std::string> style_names();  // "auto", "bar", "log", "none", in the order of Style

    explicit Progress(Style style);
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress() { clear(); }

    // `fraction` of the work done, 0 to 1; negative when nobody knows. `what`: what is going on now.
    void update(double fraction, const std::string& what);

    // Takes the bar away, so that other lines may be written.
    void clear();

  private:
    using Clock = engine::Clock;
    void draw_bar(double fraction, const std::string& what);
    void write_line(double fraction, const std::string& what);
    std::string remaining(double fraction) const;

    Style style_;
    Clock::time_point start_ = Clock::now();
    Clock::time_point last_ = start_;
    int told_tenths_ = 0;    // of the work, when a line was last written
    std::size_t width_ = 0;  // characters of the bar on the screen
};

// "8 s", "3 min 20 s", "2 h 05 min"
std::string duration_text(double seconds);

}  // namespace io
