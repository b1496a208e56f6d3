// The checksum of a recording's bytes: XXH3-128, the most significant byte first.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>

struct XXH3_state_s;

namespace io {

using Checksum = std::array<std::byte, 16>;

Checksum checksum_of(std::span<const std::byte> bytes);

// The same piece by piece.
class ChecksumBuilder {
  public:
    ChecksumBuilder();
    ~ChecksumBuilder();
    ChecksumBuilder(const ChecksumBuilder&) = delete;
    ChecksumBuilder& operator=(const ChecksumBuilder&) = delete;

    void add(std::span<const std::byte> bytes);
    Checksum finish();  // of what was added since the last one

  private:
    struct FreeState {
        void operator()(XXH3_state_s* state) const;
    };
    std::unique_ptr<XXH3_state_s, FreeState> state_;
};

}  // namespace io
