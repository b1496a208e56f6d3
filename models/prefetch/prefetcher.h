// Prefetchers: what watches the accesses of a cache and asks for lines before they are needed. To add one, write its
// file like next_line.h and its test, and name it here; every cache then has it. Numbers that it shall be made after
// are parameters of prefetch_parameters.h.
//
// A member is constructed with a PrefetchShape. It sees every lookup that was served by observe(access, requests), and
// says which blocks it wants by requests.want(block, access.attribution). Blocks are of 64 bytes, whatever the lines
// of the cache; there may be no such block, if a stride leads out of memory. It keeps plain data that serialize()
// saves.
#pragma once

#include "models/prefetch/history.h"
#include "models/prefetch/next_line.h"
#include "models/prefetch/no_prefetcher.h"
#include "models/prefetch/stride.h"
#include "models/prefetch/thread_aware.h"
#include "models/structures/family.h"

namespace models {

using Prefetcher = Family<NoPrefetcher, NextLine, Stride, History, ThreadAware>;

}  // namespace models
