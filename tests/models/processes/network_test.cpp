#include "models/processes/network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/machine_parameters.h"
#include "models/processes/l2_slice.h"
#include "tests/models/bench.h"

namespace models {
namespace {

using engine::Time;
using testing::ElementsAre;

// Three processors and two slices; cycles are two ticks, wires take one tick, and a line takes four beats.
class NetworkTest : public testing::TestWithParam<std::string_view> {
  protected:
    static constexpr int processors = 3, slices = 2;
    static constexpr Time period = 2;

    static std::size_t kind() {
        const auto& names = Interconnect::names;
        return static_cast<std::size_t>(std::find(names.begin(), names.end(), GetParam()) - names.begin());
    }
    static NetworkShape shape(int inputs, int outputs) {
        NetworkShape made{inputs, outputs, period, 16, 16, {2, 1, 16, 0, 4, {}, {}}};
        made.mesh.header = 1;
        for (int i = 0; i < inputs; ++i) made.mesh.input_nodes.push_back(0);
        for (int i = 0; i < outputs; ++i) made.mesh.output_nodes.push_back(1);
        return made;
    }
    // Cycles that a message with or without a line takes when nothing else is under way.
    static Time cycles(bool has_data) {
        if (GetParam() == Mesh::name) return has_data ? 1 + 5 : 1 + 1;
        return has_data ? 4 : 1;
    }
    template <class M>
    struct Bench {
        Bench(int inputs, int outputs)
            : network(
                  simulation.add<Network<M>>(typename Network<M>::Shape{kind(), shape(inputs, outputs), 1, outputs})) {
            for (int i = 0; i < inputs; ++i) {
                sources.push_back(&simulation.add<bench::Source<M>>("source" + std::to_string(i)));
                simulation.connect(sources.back()->out, network.in[i], 1);
            }
            for (int i = 0; i < outputs; ++i) {
                sinks.push_back(&simulation.add<bench::Sink<M>>("sink", i));
                simulation.connect(network.out[i], sinks.back()->in, 1);
            }
        }
        void run() {
            simulation.run({});
            network.end_frame();
            EXPECT_EQ(network.unfinished(), "");
            Laws laws;
            network.add_laws(laws);
            const Ledger ledger(simulation.processes(), simulation.collect_counters());
            for (const Violation& violation : ledger.violations(laws)) ADD_FAILURE() << violation.text();
            for (const Violation& violation : ledger.violations(laws, 0, simulation.now()))
                ADD_FAILURE() << violation.text();
        }
        engine::Simulation simulation;
        Network<M>& network;
        std::vector<bench::Source<M>*> sources;
        std::vector<bench::Sink<M>*> sinks;
    };
    static MemoryRequest request(BlockNumber block, MemoryOperation operation) {
        MemoryRequest made;
        made.block = block;
        made.operation = operation;
        made.tag = RequestTag::of(7, 9);
        made.attribution.draw = 5;
        return made;
    }
};

TEST_P(NetworkTest, CarriesARequestToTheSliceOfItsLineAndSaysWhoseItIs) {
    Bench<MemoryRequest> net(processors, slices);
    EXPECT_EQ(net.network.name(), "request_" + std::string(GetParam()));
    Time time = 1;
    for (const auto operation : {MemoryOperation::read, MemoryOperation::write_line, MemoryOperation::write_part,
                                 MemoryOperation::write_through})
        for (std::uint16_t from = 0; from < processors; ++from)
            for (const BlockNumber block : {6U, 7U}) {
                net.sources[from]->send_at(time += 100, request(block, operation));
                net.run();
                const auto& arrival = net.sinks[block % 2]->arrivals.back();
                EXPECT_EQ(arrival.time, time + 1 + cycles(operation != MemoryOperation::read) * period + 1);
                EXPECT_EQ(arrival.message.requester, from);
                EXPECT_EQ(arrival.message.block, block);
                EXPECT_EQ(arrival.message.tag.part, 7);
                EXPECT_EQ(arrival.message.tag.entry, 9);
                EXPECT_EQ(arrival.message.attribution.draw, 5U);
            }
    EXPECT_EQ(net.network.traffic().messages_in.value(), 24U);
    EXPECT_EQ(net.network.traffic().data_messages.value(), 18U);
}

TEST_P(NetworkTest, CarriesAReplyToWhoseItIs) {
    Bench<MemoryReply> net(slices, processors);
    EXPECT_EQ(net.network.name(), "response_" + std::string(GetParam()));
    Time time = 1;
    for (const auto operation : {MemoryOperation::read, MemoryOperation::write_line})
        for (std::uint16_t to = 0; to < processors; ++to) {
            MemoryRequest asked = request(6, operation);
            asked.requester = to;
            net.sources[0]->send_at(time += 100, MemoryReply::to(asked));
            net.run();
            EXPECT_EQ(net.sinks[to]->arrivals.back().time,
                      time + 1 + cycles(operation == MemoryOperation::read) * period + 1);
            EXPECT_EQ(net.sinks[to]->arrivals.back().message.operation, operation);
        }
}

// Replies come from DRAM's clock: they wait for the next edge.
TEST_P(NetworkTest, TakesMessagesBetweenTwoEdges) {
    Bench<MemoryReply> net(slices, processors);
    MemoryReply reply;
    net.sources[0]->send_at(10, reply);  // arrives at 11
    net.run();
    EXPECT_EQ(net.sinks[0]->times(), std::vector<Time>{12 + cycles(true) * period + 1});
}

TEST_P(NetworkTest, SaysWhatIsOnItsWay) {
    Bench<MemoryRequest> net(processors, slices);
    for (int i = 0; i < 3; ++i)
        net.sources[static_cast<std::size_t>(i)]->send_at(9, request(0, MemoryOperation::write_line));
    engine::RunOptions until;
    until.until = 14;
    net.simulation.run({}, until);
    // A bus and a crossbar know at once when each of them leaves, and keep none.
    const char* const expected = GetParam() == Mesh::name ? "[23] messages on their way" : "";
    EXPECT_THAT(net.network.unfinished(), testing::MatchesRegex(expected));
    net.run();
}

INSTANTIATE_TEST_SUITE_P(Kinds, NetworkTest, testing::Values("bus", "crossbar", "mesh"),
                         [](const auto& kind) { return std::string(kind.param); });

// What network_parameters.h says of the way to the L2 cache and back.
TEST(Networks, AHitInTheL2CacheTakesWhatTheParametersSay) {
    for (const auto& [width, beats] : {std::pair{"64 B", 1}, {"16 B", 4}})
        for (const auto& [kind, name] : {std::pair{0U, "bus"}, {1U, "crossbar"}}) {
            const MachineParameters parameters;
            const auto cycles = [](const Parameter<Cycles>& latency) { return static_cast<Time>(latency.count()); };
            const NetworkParameters& network = parameters.network;
            MachineParameters of_slice;
            of_slice.bus.width.set(width);
            of_slice.l2.slices.set("1");
            const auto bytes = static_cast<std::uint32_t>(of_slice.bus.width.count());
            engine::Simulation simulation;
            auto& host =
                simulation.add<bench::Host>(MemoryPortShape{1, 4, 1, cycles(network.injection_latency), block_bytes});
            auto& there = simulation.add<Network<MemoryRequest>>(
                Network<MemoryRequest>::Shape{kind, {1, 1, 1, bytes, bytes, {}}, 1, 1});
            auto& back = simulation.add<Network<MemoryReply>>(
                Network<MemoryReply>::Shape{kind, {1, 1, 1, bytes, bytes, {}}, 1, 1});
            auto& slice = simulation.add<L2Slice>(L2Slice::Shape{of_slice.l2, 0, 1, {8}, 1, 1, block_bytes});
            auto& dram = simulation.add<bench::Dram>("dram", -1, 100);
            simulation.connect(host.memory.requests, there.in[0], cycles(network.request_latency));
            simulation.connect(there.out[0], slice.requests, cycles(network.delivery_latency));
            simulation.connect(slice.replies, back.in[0], cycles(network.response_latency));
            simulation.connect(back.out[0], host.replies, cycles(network.delivery_latency));
            simulation.connect(slice.dram_requests[0], dram.in, 1);
            simulation.connect(dram.out, slice.dram_replies[0], 1);
            std::vector<Time> answers;
            host.on_answer = [&](Time now, const MemoryReply&) { answers.push_back(now); };
            const Time lookup = cycles(parameters.texture_cache.latency);
            for (const Time time : {10, 1000}) host.at(time, [&](Time now) { host.memory.send(now, {}, lookup); });
            simulation.run({});
            ASSERT_EQ(answers.size(), 2U);
            EXPECT_EQ(answers[1] - 1000, 58 + beats) << name;
        }
}

}  // namespace
}  // namespace models
