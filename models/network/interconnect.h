// Interconnects: what carries messages from inputs to outputs. To add one, write its file like crossbar.h and name it
// here; `network.kind` then has it.
//
// A member is made of a scope for its counters and a NetworkShape. Of a passive one it is known when a message leaves
// as soon as it comes: pass() returns how long it takes, at least a period. To others inject() gives a message, step()
// is a cycle and hands on what leaves by deliver(number, output, delay), a period before it is there.
#pragma once

#include "models/network/bus.h"
#include "models/network/crossbar.h"
#include "models/network/mesh.h"
#include "models/structures/family.h"

namespace models {

using Interconnect = Family<Bus, Crossbar, Mesh>;

}  // namespace models
