// Issue schedulers: which of the warps that can issue does. To add one, write its file like oldest_first.h and name it
// here; `fragment_processor.issue_scheduler` and `vertex_processor.issue_scheduler` then have it.
//
// A member is made of ShaderCoreParameters. Its face (warps are told by their slots):
//
//     pick(candidates, warps, issues)    calls issues(slot) for warps of the mask `candidates`, those first that it
//                                        prefers, until one answers true. Returns that slot, or -1
//     issued(slot)                       an instruction of it has issued
//     began(slot), left(slot, warps)     a warp has begun there, has left; it is counted in `warps` until then
//     parked(slot, warps)                it needs a texture that is not there, or has no instructions left
//     unparked(slot, warps)              no longer
//     chooses_from(slot)                 pick() asks for it, if it is a candidate
//     serialize(archive)
//
// `parks`: whether it makes anything of parked() and unparked(); if not, a pipeline need not keep to the time.
#pragma once

#include "models/core/schedulers/greedy_then_oldest.h"
#include "models/core/schedulers/loose_round_robin.h"
#include "models/core/schedulers/oldest_first.h"
#include "models/core/schedulers/two_level.h"
#include "models/structures/family.h"

namespace models {

using Scheduler = Family<OldestFirst, LooseRoundRobin, GreedyThenOldest, TwoLevel>;

}  // namespace models
