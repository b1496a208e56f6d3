#include "io/recorder/vtest_socket.h"

#include <cstring>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "engine/error.h"
#include "tests/io/recording/scratch_folder.h"

namespace {

class ListeningSocket : public ScratchFolder {
  protected:
    std::filesystem::path path() const { return folder() / "socket"; }

    // A socket of another program, which no longer runs unless it `listens`.
    io::Descriptor foreign_socket(bool listens) const {
        io::Descriptor socket{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
        sockaddr_un name{};
        name.sun_family = AF_UNIX;
        std::strncpy(name.sun_path, path().c_str(), sizeof name.sun_path - 1);
        EXPECT_EQ(::bind(socket.number(), reinterpret_cast<const sockaddr*>(&name), sizeof name), 0);
        if (listens) {
            EXPECT_EQ(::listen(socket.number(), 1), 0);
        }
        return socket;
    }
    std::string refusal() const {
        try {
            const io::ListeningSocket socket{path()};
        } catch (const engine::IoError& error) {
            return error.what();
        }
        return "none";
    }
};

TEST_F(ListeningSocket, ItIsThereWhileItLivesAndNotAfterwards) {
    {
        const io::ListeningSocket socket{path()};
        EXPECT_TRUE(io::connect_to(path()).is_open());
        EXPECT_TRUE(socket.accept().is_open());
    }
    EXPECT_EQ(entries(), 0U);
    EXPECT_FALSE(io::connect_to(path()).is_open());
}

TEST_F(ListeningSocket, IsForTheUserAloneWhateverTheMask) {
    const mode_t before = ::umask(0);
    const io::ListeningSocket socket{path()};
    ::umask(before);
    EXPECT_EQ(std::filesystem::status(path()).permissions(),
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST_F(ListeningSocket, AnAbandonedSocketIsReplaced) {
    foreign_socket(false).close();
    ASSERT_EQ(entries(), 1U);
    const io::ListeningSocket socket{path()};
    EXPECT_TRUE(io::connect_to(path()).is_open());
}

TEST_F(ListeningSocket, ASocketThatIsAnsweredIsRefusedAndLeftAlone) {
    const io::Descriptor other = foreign_socket(true);
    EXPECT_THAT(refusal(), testing::HasSubstr("in use by another recorder or virgl_test_server"));
    EXPECT_TRUE(io::connect_to(path()).is_open());
}

TEST_F(ListeningSocket, ASecondRecorderAtTheSamePathIsRefused) {
    const io::ListeningSocket first{path()};
    EXPECT_THAT(refusal(), testing::HasSubstr("in use"));
    EXPECT_TRUE(io::connect_to(path()).is_open());
}

TEST_F(ListeningSocket, AFileInTheWayIsRefusedAndLeftAlone) {
    write("socket", std::string("precious"));
    EXPECT_THAT(refusal(), testing::HasSubstr("not a socket"));
    EXPECT_EQ(entries(), 1U);
}

TEST_F(ListeningSocket, APathLongerThanASocketsNameIsRefusedByName) {
    EXPECT_THROW(io::ListeningSocket{folder() / std::string(120, 'x')}, engine::IoError);
}

}  // namespace
