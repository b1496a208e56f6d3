// The X server of a recording. Skipped where it is not installed.
#include "io/recorder/helpers.h"

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "tests/io/recording/scratch_folder.h"

namespace {

class DisplayTest : public ScratchFolder {
  protected:
    void SetUp() override {
        if (io::find_program("Xvfb").empty()) GTEST_SKIP() << "Xvfb is not installed";
    }

    // What a client is told that connects with this cookie: 1 for come in, 0 for no.
    static int answer(const io::Display& display, const std::string& cookie) {
        const std::string name = "/tmp/.X11-unix/X" + display.name().substr(1);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        name.copy(address.sun_path + 1, sizeof address.sun_path - 1);  // abstract
        const io::Descriptor server{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
        const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
        EXPECT_EQ(::connect(server.number(), reinterpret_cast<const sockaddr*>(&address), size), 0);
        std::string hello{'l', 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0};  // little-endian, protocol 11.0
        if (!cookie.empty()) {
            hello[6] = 18;
            hello[8] = 16;
            hello += std::string("MIT-MAGIC-COOKIE-1") + std::string(2, '\0') + cookie;
        }
        EXPECT_EQ(::send(server.number(), hello.data(), hello.size(), 0), static_cast<ssize_t>(hello.size()));
        char first = -1;
        EXPECT_EQ(::recv(server.number(), &first, 1, 0), 1);
        return first;
    }
    static std::string cookie_of(const io::Display& display) {
        std::ifstream file{display.authority(), std::ios::binary};
        const std::string entry{std::istreambuf_iterator<char>{file}, {}};
        return entry.substr(entry.size() - 16);
    }
};

TEST_F(DisplayTest, LetsInOnlyThoseWhoHaveTheCookie) {
    const io::Display display{{64, 64}, folder()};
    EXPECT_EQ(answer(display, cookie_of(display)), 1);
    EXPECT_EQ(answer(display, ""), 0);
    EXPECT_EQ(answer(display, std::string(16, 'x')), 0);
}

TEST_F(DisplayTest, ListensNowhereButAtTheAbstractSocket) {
    const io::Display display{{64, 64}, folder()};
    const std::string number = display.name().substr(1);
    EXPECT_FALSE(std::filesystem::exists("/tmp/.X11-unix/X" + number));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = ::htonl(INADDR_LOOPBACK);
    address.sin_port = ::htons(static_cast<std::uint16_t>(6000 + std::stoi(number)));
    const io::Descriptor client{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    EXPECT_NE(::connect(client.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
}

TEST_F(DisplayTest, ItsCookieIsTheUsersAloneAndNewEveryTime) {
    std::filesystem::create_directory(folder() / "second");
    const io::Display first{{64, 64}, folder()};
    const io::Display second{{64, 64}, folder() / "second"};
    EXPECT_EQ(std::filesystem::status(first.authority()).permissions(),
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    EXPECT_NE(cookie_of(first), cookie_of(second));
}

}  // namespace
