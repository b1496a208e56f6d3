#include "engine/threads/pinning.h"

#include <algorithm>

#include <hwloc.h>

namespace engine {

namespace {

// Looked up once: that takes milliseconds.
hwloc_topology_t machine() {
    static const hwloc_topology_t topology = [] {
        hwloc_topology_t made = nullptr;
        hwloc_topology_init(&made);
        // It would ask an X server for graphics cards, and wait for one that hangs.
        hwloc_topology_set_components(made, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "gl");
        hwloc_topology_load(made);
        return made;
    }();
    return topology;
}

}  // namespace

struct Cores::Topology {
    const hwloc_topology_t topology = machine();
    hwloc_bitmap_t allowed = hwloc_bitmap_alloc();

    Topology() {
        if (hwloc_get_cpubind(topology, allowed, HWLOC_CPUBIND_PROCESS) != 0)
            hwloc_bitmap_copy(allowed, hwloc_topology_get_allowed_cpuset(topology));
    }
    ~Topology() { hwloc_bitmap_free(allowed); }
    Topology(const Topology&) = delete;
    Topology& operator=(const Topology&) = delete;
    int count() const { return hwloc_get_nbobjs_inside_cpuset_by_type(topology, allowed, HWLOC_OBJ_CORE); }
};

struct Cores::Pin::Binding {
    const Topology* topology;
    hwloc_bitmap_t cores = hwloc_bitmap_alloc();

    explicit Binding(const Topology& of) : topology(&of) {
        hwloc_get_cpubind(of.topology, cores, HWLOC_CPUBIND_THREAD);
    }
    ~Binding() {
        hwloc_set_cpubind(topology->topology, cores, HWLOC_CPUBIND_THREAD);
        hwloc_bitmap_free(cores);
    }
    Binding(const Binding&) = delete;
    Binding& operator=(const Binding&) = delete;
};

Cores::Cores() : topology_(std::make_unique<Topology>()) {}
Cores::~Cores() = default;

int Cores::count() const {
    return std::max(1, topology_->count());
}

Cores::Pin::Pin(const Cores& cores, int i) {
    const Topology& topology = *cores.topology_;
    const auto number = static_cast<unsigned>(i % cores.count());
    const hwloc_obj_t core =
        hwloc_get_obj_inside_cpuset_by_type(topology.topology, topology.allowed, HWLOC_OBJ_CORE, number);
    if (core == nullptr) return;
    before_ = std::make_unique<Binding>(topology);
    hwloc_set_cpubind(topology.topology, core->cpuset, HWLOC_CPUBIND_THREAD);
}
Cores::Pin::~Pin() = default;

}  // namespace engine
