// What a model of a DRAM channel is asked and what it answers: both models of dram.model have the same face. A model is
// a component in cycles of its own clock:
//
//     void push(Time cycle, int slice, BlockNumber line, const DramRequest& request);   // line: of the channel
//     Time step(Time cycle);        // the next cycle with something to do, or `never` before another push()
//     answers()                     // of the last step()
//     Time least_delay() const      // in cycles: of every answer
//     void settle(Time cycle)       // counts everything before this cycle
#pragma once

#include <cstdint>
#include <vector>

#include "engine/units.h"
#include "models/memory/requests.h"

namespace models {

struct DramAnswerTo {
    DramReply reply;
    std::uint32_t slice = 0;
    engine::Time delay = 0;  // in DRAM cycles
};
using DramAnswers = std::vector<DramAnswerTo>;

}  // namespace models
