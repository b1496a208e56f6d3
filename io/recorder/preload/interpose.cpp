#include "io/recorder/preload/interpose.h"

#include <cstdio>
#include <cstdlib>

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

void* look_up_behind(const char* name, const void* caller) {
    if (void* const found = look_up(RTLD_NEXT, name)) return found;
    Dl_info place{};
    if (caller == nullptr || ::dladdr(caller, &place) == 0) return nullptr;
    void* const library = ::dlopen(place.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (library == nullptr) return nullptr;
    void* const found = look_up(library, name);
    ::dlclose(library);  // it was loaded before, and stays
    return found;
}

void end_without(const char* name) {
    std::fprintf(stderr, "tessera: no library of this program has the function %s that it calls\n", name);
    std::abort();
}

}  // namespace io::preload

// RTLD_NEXT means "after the caller", which the system finds out from the return address: the last line has to be a
// jump, so that the caller stays the caller.
extern "C" __attribute__((visibility("default"))) void* dlsym(void* handle, const char* name) noexcept {
    if (io::preload::has_stand_in(name))
        return io::preload::stand_in_for(name, io::preload::look_up(handle, name), __builtin_return_address(0));
    return io::preload::find_dlsym()(handle, name);
}
