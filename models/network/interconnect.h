// Interconnects: what carries messages from inputs to outputs. To add one, write its file like crossbar.h and name it
// here; `network.kind` then has it.
//
// A member is made of a scope for its counters and a NetworkShape; inject() takes a message, step() is a cycle, and
// both hand on what leaves by deliver(number, output, delay), at least a period before it is there.
#pragma once

#include "models/network/bus.h"
#include "models/network/crossbar.h"
#include "models/network/mesh.h"
#include "models/structures/family.h"

namespace models {

using Interconnect = Family<Bus, Crossbar, Mesh>;

}  // namespace models
