// MessageHash: a rolling 64-bit hash of the messages a process has consumed, in order, with samples of it over time.
// Where two runs have equal hashes they have been the same; where the samples part is where the runs part. It is no
// cryptographic hash. An "epoch" is n windows of the kernel's grid; epoch e covers windows [e * n, (e + 1) * n), and
// sample e is the hash after the messages of all windows before (e + 1) * n. When more than `most_samples` would be
// needed, n doubles and every second sample is kept. So the samples depend on simulated time only, and the memory is
// bounded and taken at the start.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <vector>

#include "engine/events/message.h"
#include "engine/events/windows.h"
#include "engine/units.h"

namespace engine {

class Archive;

class MessageHash {
  public:
    static constexpr std::size_t most_samples = 64;

    template <Message M>
    void absorb(Time time, std::uint64_t order, const M& message) {
        std::uint64_t rest = order ^ keys[1];
        if constexpr (payload_size < M >> 0) {  // by itself, so that the next message waits for one multiplication only
            constexpr std::size_t words = (payload_size<M> + 7) / 8;
            for (std::size_t i = 0; i < words; i += 2)
                rest ^= fold(word(message, i) ^ keys[2 + i], word(message, i + 1) ^ keys[3 + i]);
        }
        value_ = fold(value_ ^ static_cast<std::uint64_t>(time), rest);
    }
    std::uint64_t value() const { return value_; }

    // Before the messages of a window are consumed: whether a sample is due, and takes those that are.
    bool is_due(Time window_end) const { return window_end > epoch_end_; }
    void sample_before(Time window, const Windows& windows);

    Time epoch() const { return Time{1} << samples_->epoch_bits; }  // windows, a power of two
    // After the messages of all windows before this one, which is a multiple of epoch() or after all messages.
    std::uint64_t at(Time window) const;

    void serialize(Archive& archive);

    // The least epoch of which `most_samples` cover so many windows.
    static Time epoch_for(Time windows);

  private:
    // Eight bytes of a message, the last of them filled up with zeros, and zeros beyond.
    template <Message M>
    static std::uint64_t word(const M& message, std::size_t i) {
        std::uint64_t word = 0;
        const auto* const bytes = reinterpret_cast<const std::byte*>(&message);
        if (8 * i < payload_size<M>)
            std::memcpy(&word, bytes + 8 * i, std::min<std::size_t>(8, payload_size<M> - 8 * i));
        return word;
    }

    __extension__ using Wide = unsigned __int128;
    static constexpr std::uint64_t keys[] = {0xa0761d6478bd642fU, 0xe7037ed1a0b428dbU, 0x8ebc6af09c88c6e3U,
                                             0x589965cc75374cc3U, 0x1d8e4e27c47d124fU, 0xeb44accab455d165U,
                                             0x9e3779b97f4a7c15U, 0xc2b2ae3d27d4eb4fU};
    static std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
        const Wide product = static_cast<Wide>(a) * b;
        return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
    }

    struct Samples {
        std::uint32_t count = 0;
        std::uint32_t epoch_bits = 0;  // an epoch is 2^epoch_bits windows
        std::array<std::uint64_t, most_samples> values;
    };

    std::uint64_t value_ = keys[0];                                   // a zero would hide what it is multiplied with
    Time epoch_end_ = 0;                                              // of the first epoch without a sample, in ticks
    std::unique_ptr<Samples> samples_ = std::make_unique<Samples>();  // elsewhere: few messages need them
};

// What the processes of a simulation have consumed (Simulation::collect_message_hashes).
struct MessageHashes {
    struct Process {
        std::uint64_t last;                  // after all messages
        std::vector<std::uint64_t> samples;  // by epoch, as many for every process; the last one is `last`
    };
    Time window = 0, epoch = 0;      // ticks
    std::vector<Process> processes;  // in order of Simulation::add()
};

}  // namespace engine
