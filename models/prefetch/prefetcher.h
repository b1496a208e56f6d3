// Prefetchers: what watches the accesses of a cache and asks for lines before they are needed. To add one, write its
// file like no_prefetcher.h and name it here; every cache then has it.
//
// A member is default constructed, sees every lookup that was served by observe(access, requests), and may push the
// blocks it wants into `requests` as long as there is room.
#pragma once

#include "models/prefetch/no_prefetcher.h"
#include "models/structures/family.h"

namespace models {

using Prefetcher = Family<NoPrefetcher>;

}  // namespace models
