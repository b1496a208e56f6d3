// Replacement policies: which line of a set goes when another one comes. To add one, write its file like
// least_recently_used.h and name it here.
//
// A member is constructed with (sets, ways), at most 64 ways. It is told of every hit by hit(set, way) and of every
// line that comes by fill(set, way), and says which way goes by victim(set), which is called once for every line that
// goes, and only when all ways of the set are in use. It keeps its state by set and way, so it moves no lines.
#pragma once

#include "models/structures/family.h"
#include "models/structures/replacement/least_recently_used.h"
#include "models/structures/replacement/not_recently_used.h"
#include "models/structures/replacement/pseudo_least_recently_used.h"
#include "models/structures/replacement/random.h"
#include "models/structures/replacement/re_reference_prediction.h"

namespace models {

using Replacement = Family<LeastRecentlyUsed, PseudoLeastRecentlyUsed, NotRecentlyUsed, Random, ReReferencePrediction>;

}  // namespace models
