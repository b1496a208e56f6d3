#include "engine/port.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/simulation.h"

namespace engine {
namespace {

using testing::ElementsAre;

struct Item {
    int value;
};

class Sender : public EventDriven<Sender> {
  public:
    Sender() : EventDriven("sender", 3) { wake_at(10); }
    void on_wake() {
        for (std::size_t i = 0; i < delays.size(); ++i) items[1].send({static_cast<int>(i)}, delays[i]);
    }
    std::vector<Time> delays;
    Row<Out<Item>> items{this, "items", 2, Time{4}};
};

class Receiver : public EventDriven<Receiver> {
  public:
    Receiver() : EventDriven("receiver", -1) {}
    void on_item(const Item& item, int port) { seen.push_back({now(), item.value, port}); }
    std::vector<std::vector<Time>> seen;
    Row<In<Item>> items{this, "items", 2, handler<&Receiver::on_item>};
};

struct Line {
    Line() {
        for (int i = 0; i < 2; ++i) simulation.connect(sender.items[i], receiver.items[i], 5);
    }
    std::string error() {
        try {
            simulation.run({});
        } catch (const InternalError& error) {
            return error.what();
        }
        return "none";
    }
    Simulation simulation;
    Sender& sender = simulation.add<Sender>();
    Receiver& receiver = simulation.add<Receiver>();
};

TEST(Port, IsNamedAfterItsProcessItsRowAndItsPlaceInIt) {
    Line line;
    EXPECT_EQ(line.sender.items[1].name(), "sender[3].items[1]");
    EXPECT_EQ(line.receiver.items[0].name(), "receiver.items[0]");
}

TEST(Port, AMessageArrivesAfterDelayAndLatencyAtThePortOfTheRow) {
    Line line;
    line.sender.delays = {4, 7};
    line.simulation.run({});
    EXPECT_THAT(line.receiver.seen, ElementsAre(ElementsAre(19, 0, 1), ElementsAre(22, 1, 1)));
}

TEST(Port, MessagesOfOneChannelThatArriveTogetherKeepTheirOrder) {
    Line line;
    line.sender.delays = {6, 6, 6, 6};
    line.simulation.run({});
    EXPECT_THAT(line.receiver.seen, ElementsAre(ElementsAre(21, 0, 1), ElementsAre(21, 1, 1), ElementsAre(21, 2, 1),
                                                ElementsAre(21, 3, 1)));
}

TEST(Port, LookaheadIsLatencyPlusLeastDelay) {
    EXPECT_EQ(Line().sender.items[0].lookahead(), 9);
}

TEST(Port, ADelayBelowTheLeastOneBreaksThePromise) {
    Line line;
    line.sender.delays = {3};
    EXPECT_EQ(line.error(),
              "sender[3]: sender[3].items[1]: sent with a delay of 3 ticks, promised at least 4 (at time 10)");
}

TEST(Port, AMessageCannotOvertakeAnEarlierOneOfItsChannel) {
    Line line;
    line.sender.delays = {8, 7};
    EXPECT_EQ(
        line.error(),
        "sender[3]: sender[3].items[1]: a message would arrive at 22, before an earlier one of its channel, at 23 "
        "(at time 10)");
}

TEST(Port, ANegativeLeastDelayIsRefused) {
    class Wrong : public EventDriven<Wrong> {
      public:
        Wrong() : EventDriven("wrong", -1) {}
        Out<Item> out{this, "out", -1};
    };
    EXPECT_THROW(Wrong(), ConfigError);
}

TEST(Message, IsAPlainValueOfAtMost40BytesWithoutPadding) {
    struct Largest {
        std::int64_t values[5];
    };
    struct TooLarge {
        std::int64_t values[6];
    };
    struct Padded {
        std::int64_t value;
        std::int8_t more;
    };
    struct Empty {};
    EXPECT_TRUE(Message<Largest>);
    EXPECT_TRUE(Message<Empty>);
    EXPECT_FALSE(Message<TooLarge>);
    EXPECT_FALSE(Message<Padded>);
    EXPECT_FALSE(Message<std::vector<int>>);
}

}  // namespace
}  // namespace engine
