#include "io/recorder/preload/interpose.h"

namespace io::preload {
namespace {

using Dlsym = void* (*)(void*, const char*);

std::atomic<Dlsym> system_dlsym = nullptr;

Dlsym find_dlsym() {
    Dlsym found = system_dlsym.load(std::memory_order_relaxed);
    if (found != nullptr) return found;
    // The oldest versions are those of the architectures; all are the same function.
    for (const char* version : {"GLIBC_2.34", "GLIBC_2.17", "GLIBC_2.2.5", "GLIBC_2.27", "GLIBC_2.0"}) {
        found = reinterpret_cast<Dlsym>(::dlvsym(RTLD_NEXT, "dlsym", version));
        if (found != nullptr) break;
    }
    system_dlsym.store(found, std::memory_order_relaxed);
    return found;
}

}  // namespace

void* look_up(void* handle, const char* name) {
    return find_dlsym()(handle, name);
}

}  // namespace io::preload

// RTLD_NEXT means "after the caller", which the system finds out from the return address: the last line has to be a
// jump, so that the caller stays the caller.
extern "C" __attribute__((visibility("default"))) void* dlsym(void* handle, const char* name) noexcept {
    if (io::preload::has_stand_in(name)) return io::preload::stand_in_for(name, io::preload::look_up(handle, name));
    return io::preload::find_dlsym()(handle, name);
}
