#include "io/recorder/x_authority.h"

#include <array>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

#include "io/recording/file.h"

namespace io {
namespace {

constexpr std::string_view any_family = "\xff\xff";  // FamilyWild of X.h
constexpr std::string_view method = "MIT-MAGIC-COOKIE-1";

// With its length in front, the most significant byte first.
std::string counted(std::string_view text) {
    std::string bytes{static_cast<char>(text.size() >> 8), static_cast<char>(text.size())};
    return bytes.append(text);
}

std::string new_cookie() {
    std::array<char, 16> cookie{};
    if (::getrandom(cookie.data(), cookie.size(), 0) != static_cast<ssize_t>(cookie.size()))
        fail_with_errno("cannot get random bytes");
    return {cookie.data(), cookie.size()};
}

}  // namespace

void write_x_authority(const std::filesystem::path& path) {
    const std::string address;
    const std::string number;
    const std::string entry =
        std::string(any_family) + counted(address) + counted(number) + counted(method) + counted(new_cookie());
    const Descriptor file{::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)};
    if (!file.is_open() || ::write(file.number(), entry.data(), entry.size()) != static_cast<ssize_t>(entry.size()))
        fail_with_errno("cannot write " + path.string());
}

}  // namespace io
