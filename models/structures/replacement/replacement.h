// Replacement policies: which line of a set goes when another one comes. To add one, write its file like
// least_recently_used.h and name it here.
//
// A member is constructed with (sets, ways), is told of every access and insertion by touch(set, way), and chooses by
// victim(set, eligible ways). It keeps its state by set and way, so it moves no lines.
#pragma once

#include "models/structures/family.h"
#include "models/structures/replacement/least_recently_used.h"

namespace models {

using Replacement = Family<LeastRecentlyUsed>;

}  // namespace models
