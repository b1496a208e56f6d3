#include "io/log.h"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include "io/printable.h"

namespace io {

namespace {

spdlog::logger& logger() {
    static spdlog::logger instance = [] {
        spdlog::logger made("tessera", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
        made.set_pattern("[%H:%M:%S] %^%v%$");
        return made;
    }();
    return instance;
}

}  // namespace

void log_note(const std::string& text) {
    logger().info(printable(text));
}

void log_warning(const std::string& text) {
    logger().warn("warning: " + printable(text));
}

}  // namespace io
