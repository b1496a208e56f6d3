// What the files of Machine share: its processes, and those of them that access memory.
#pragma once

#include "models/machine.h"
#include "models/processes/cluster.h"
#include "models/processes/colour.h"
#include "models/processes/dram_channel.h"
#include "models/processes/geometry.h"
#include "models/processes/home_network.h"
#include "models/processes/immediate_raster.h"
#include "models/processes/l2_slice.h"
#include "models/processes/mmu.h"
#include "models/processes/network.h"
#include "models/processes/raster.h"
#include "models/processes/tile_dispatcher.h"

namespace models {

template <class Act>
void Machine::for_each_requester(const Act& act) const {
    for (Cluster* cluster : clusters_) act(*cluster);
    for (Cluster* processor : vertex_processors_) act(*processor);
    act(*geometry_);
    if (raster_ != nullptr) act(*raster_);
    if (colour_ != nullptr) act(*colour_);
    if (immediate_raster_ != nullptr) act(*immediate_raster_);
    if (mmu_ != nullptr) act(*mmu_);
}

}  // namespace models
