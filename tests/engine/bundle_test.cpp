// Bundles: FanOut, FanIn and Simulation::connect_all().
#include <string>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/simulation.h"

namespace engine {
namespace {

using testing::ElementsAre;

struct Parcel {
    std::int64_t number;
};

// Sends what it is told to at time 0 and notes what it gets.
class Post : public EventDriven<Post> {
  public:
    using Sending = std::tuple<int, std::int64_t, Time>;  // receiver, number, delay
    using Receipt = std::tuple<Time, int, std::int64_t>;  // when, from whom, number

    explicit Post(int index) : EventDriven("post", index) { wake_at(0); }
    void on_wake() {
        for (const auto& [receiver, number, delay] : sendings) out.send(receiver, {number}, delay);
    }
    void on_parcel(const Parcel& parcel, int sender) { receipts.emplace_back(now(), sender, parcel.number); }

    std::vector<Sending> sendings;
    std::vector<Receipt> receipts;
    FanOut<Parcel> out{this, "out", 3};
    FanIn<Parcel> in{this, "in", handler<&Post::on_parcel>};
};

struct Posts {
    explicit Posts(int count) {
        for (int i = 0; i < count; ++i) {
            all.push_back(&simulation.add<Post>(i));
            from.push_back(&all.back()->out);
            to.push_back(&all.back()->in);
        }
    }
    Simulation simulation;
    std::vector<Post*> all;
    std::vector<FanOut<Parcel>*> from;
    std::vector<FanIn<Parcel>*> to;
};

template <class F>
std::string error_of(F f) {
    try {
        f();
    } catch (const Error& error) {
        return error.what();
    }
    return "none";
}

TEST(Bundle, CarriesMessagesFromEveryoneToEveryoneAlsoToTheSender) {
    for (const int threads : {1, 2}) {
        Posts posts(3);
        posts.simulation.connect_all(posts.from, posts.to, 2);
        posts.all[0]->sendings = {{1, 10, 3}, {2, 11, 4}};
        posts.all[2]->sendings = {{2, 12, 3}, {1, 13, 7}};
        posts.simulation.run({1, threads, {0, 0, threads - 1}});
        EXPECT_THAT(posts.all[0]->receipts, ElementsAre());
        EXPECT_THAT(posts.all[1]->receipts, ElementsAre(Post::Receipt(5, 0, 10), Post::Receipt(9, 2, 13)));
        EXPECT_THAT(posts.all[2]->receipts, ElementsAre(Post::Receipt(5, 2, 12), Post::Receipt(6, 0, 11)));
    }
}

TEST(Bundle, MessagesMayOvertakeAndAtOneTimeComeBySenderAndThenAsSent) {
    for (const int threads : {1, 3}) {
        Posts posts(3);
        posts.simulation.connect_all(posts.from, posts.to, 1);
        posts.all[2]->sendings = {{0, 1, 9}, {0, 2, 4}, {0, 3, 9}};
        posts.all[1]->sendings = {{0, 4, 9}};
        posts.simulation.run({1, threads, {0, threads - 1, threads / 2}});
        EXPECT_THAT(posts.all[0]->receipts, ElementsAre(Post::Receipt(5, 2, 2), Post::Receipt(10, 1, 4),
                                                        Post::Receipt(10, 2, 1), Post::Receipt(10, 2, 3)));
    }
}

TEST(Bundle, ADelayBelowTheLeastOneIsRefused) {
    Posts posts(2);
    posts.simulation.connect_all(posts.from, posts.to, 1);
    posts.all[0]->sendings = {{1, 1, 2}};
    EXPECT_EQ(error_of([&] { posts.simulation.run({}); }),
              "post[0]: post[0].out: sent with a delay of 2 ticks, promised at least 3 (at time 0)");
}

TEST(Bundle, WiringMistakesAreToldWithThePorts) {
    Posts posts(2);
    EXPECT_EQ(error_of([&] { posts.simulation.connect_all(posts.from, posts.to, 0); }),
              "post[0].out... -> post[0].in...: expected a latency of at least 1 tick, found 0");
    EXPECT_EQ(error_of([&] { posts.simulation.connect_all(posts.from, {}, 1); }),
              "a bundle of channels needs senders and receivers");
    posts.simulation.connect_all({posts.from[0]}, posts.to, 1);
    EXPECT_EQ(error_of([&] { posts.simulation.connect_all({posts.from[1]}, posts.to, 1); }),
              "post[1].out... -> post[0].in...: post[0].in is connected already");
    EXPECT_EQ(error_of([&] { posts.simulation.run({}); }), "post[1].out: not connected");
}

TEST(Bundle, IsShownToPartitionsAsOne) {
    Posts posts(3);
    posts.simulation.connect_all(posts.from, posts.to, 4);
    const Graph graph = posts.simulation.graph();
    EXPECT_TRUE(graph.channels.empty());
    ASSERT_EQ(graph.bundles.size(), 1U);
    EXPECT_THAT(graph.bundles[0].from, ElementsAre(0, 1, 2));
    EXPECT_EQ(graph.bundles[0].lookahead, 7);
}

}  // namespace
}  // namespace engine
