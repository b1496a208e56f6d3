// Who of several has the next room: users of one thing who ask it for places, one after the other in every cycle, and
// each asks again as long as it is refused. The first one who was refused has a claim on the places that it asked for:
// it is the first to ask from then on, and the others get only what is left beside them. So one who needs several
// places gets them, however many ask for one. Next is the claim of the one behind it, round robin.
//
// A claim ends when its owner gets places, or asks for none while there is room for it: nobody keeps places that he
// does not use. Behind a request that was refused, the same user's later ones of that turn are refused, too: else the
// small ones took the places that a large one waits for.
//
// One user alone needs no turns: none begins, and nothing is held. Plain data: no time, no ports.
#pragma once

#include <cstdint>
#include <limits>

#include "engine/archive.h"

namespace models {

class RoomTurns {
  public:
    static constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

    // With whom the turns of a cycle begin; the others follow in their order, the first one after the last.
    std::uint32_t first() const { return owner_ == nobody ? 0 : owner_; }
    bool has_claim(std::uint32_t user) const { return owner_ == user; }

    // A turn. Within it: held() places are not for its user, who is refused so many.
    void begin(std::uint32_t user) {
        user_ = user;
        refused_ = 0;
        held_ = owner_ == nobody || owner_ == user ? 0 : claimed_;
    }
    std::uint32_t held() const { return held_; }
    void refuse(std::uint32_t count) {
        if (user_ == nobody || refused_ > 0) return;
        refused_ = count;
        held_ = everything;
    }
    // `served`: it got places; `free`: how many are free now.
    void end(bool served, std::size_t free) {
        if (owner_ == user_) {
            if (served || (refused_ == 0 && free >= claimed_))
                owner_ = nobody;
            else if (refused_ > 0)
                claimed_ = refused_;
        } else if (owner_ == nobody && refused_ > 0) {
            owner_ = user_;
            claimed_ = refused_;
        }
        user_ = nobody;
        held_ = 0;
    }

    // Between turns.
    void serialize(engine::Archive& archive) { archive(owner_, claimed_); }

  private:
    static constexpr std::uint32_t everything = std::numeric_limits<std::uint32_t>::max() / 2;  // and a request more

    std::uint32_t owner_ = nobody;  // of the claim
    std::uint32_t claimed_ = 0;     // places
    // Within a turn.
    std::uint32_t user_ = nobody, refused_ = 0, held_ = 0;
};

}  // namespace models
