// Pipelines: how a core takes the instructions of its warps through. To add one, write its file like in_order.h and
// name it here; `fragment_processor.pipeline` and `vertex_processor.pipeline` then have it.
//
// A member is made of a PipelineSite. Its face:
//
//     slot_choice                       which slot a warp gets
//     begin_frame()                     between frames
//     has_registers_for(program)        a warp of it can begin
//     launch(now, slot)                 a warp has begun there
//     left(age, slot)                   a warp has left
//     step(now, textures)               one cycle. Returns the next one in which it has something to do by itself;
//                                       never: only an answer or its host can change that
//     instruction_arrived(now, slot)    a line of the instruction cache for this warp
//     texture_done(slot, destination, time)    a texture access
//     retry(now)                        any answer from memory: what was refused may go now
//     look(now)                         after answers: what it waits for is another thing. Returns when it has
//                                       something to do
//     set_awaits_constants(awaits)      warps are there to be launched, and their constants are not
//     settle(now)                       counts the time until now
//     add_laws(laws, core), serialize(archive)
#pragma once

#include "models/core/pipelines/baseline.h"
#include "models/core/pipelines/collector.h"
#include "models/core/pipelines/in_order.h"
#include "models/core/pipelines/squash.h"
#include "models/structures/family.h"

namespace models {

using Pipeline = Family<InOrder, Collector, Baseline, Squash>;

}  // namespace models
