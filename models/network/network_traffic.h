// What every interconnect is given and what it counts, whatever it is made of.
#pragma once

#include <cstdint>

#include "engine/counter.h"
#include "engine/events/windows.h"
#include "engine/units.h"
#include "models/base/laws.h"

namespace models {

// A message on its way, known by a number that its host chooses: below 2^31, small, and no other's while it is there.
// Passive interconnects ask for none.
struct Packet {
    std::uint32_t number = 0;
    std::uint16_t from = 0, to = 0;  // input and output of the interconnect
    std::uint32_t data = 0;          // bytes beside address and command
};

// A flit is what a link carries in a cycle: a beat of a bus. Cycles are those of the interconnect.
class NetworkTraffic {
  public:
    NetworkTraffic(const engine::CounterScope& scope, engine::Time period)
        : messages_in(scope, "messages_in", "1", "messages that came in"),
          messages_out(scope, "messages_out", "1", "messages that were delivered"),
          flits_in(scope, "flits_in", "flit", "flits of the messages that came in"),
          flits_out(scope, "flits_out", "flit", "flits that were delivered"),
          data_messages(scope, "data_messages", "1", "messages that came in and had data"),
          data_bytes_in(scope, "data_bytes_in", "byte",
                        "data of the messages that came in, beside address and command"),
          data_bytes_out(scope, "data_bytes_out", "byte", "the same of those that were delivered"),
          queueing_cycles(scope, "queueing_cycles", "cycle",
                          "by which messages were later than in an empty network, summed"),
          periods_(period) {}

    // Cycles begin at multiples of the period: the first one at or after now.
    engine::Time edge(engine::Time now) const { return periods_.start(periods_.of(now + periods_.length() - 1)); }

    void enter(std::uint32_t flits, std::uint32_t data) {
        ++messages_in;
        flits_in += flits;
        data_messages += data > 0 ? 1 : 0;
        data_bytes_in += data;
    }
    // It is late by so many ticks.
    void leave(std::uint32_t flits, std::uint32_t data, engine::Time late) {
        ++messages_out;
        flits_out += flits;
        data_bytes_out += data;
        queueing_cycles += static_cast<std::uint64_t>(periods_.of(late));
    }

    void add_laws(Laws& laws, const std::string& name) const {
        laws.equal(name + ": messages in = messages out", {messages_in}, {messages_out});
        laws.equal(name + ": flits in = flits out", {flits_in}, {flits_out});
        laws.equal(name + ": bytes of data in = bytes of data out", {data_bytes_in}, {data_bytes_out});
    }

    engine::Counter messages_in, messages_out, flits_in, flits_out, data_messages, data_bytes_in, data_bytes_out,
        queueing_cycles;

  private:
    engine::Windows periods_;  // divides by the period
};

}  // namespace models
