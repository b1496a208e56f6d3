// The calls that end a picture, however the application finds them.
#include <cstring>

#include "io/recorder/preload/clock.h"
#include "io/recorder/preload/interpose.h"

namespace {

using EglDisplay = void*;
using EglSurface = void*;
using EglSwap = unsigned (*)(EglDisplay, EglSurface);
using EglSwapWithDamage = unsigned (*)(EglDisplay, EglSurface, const int*, int);
using GlxSwap = void (*)(void*, unsigned long);
using EglFind = void* (*)(const char*);
using GlxFind = void* (*)(const unsigned char*);

io::preload::Next<EglSwap> next_egl_swap{"eglSwapBuffers"};
io::preload::Next<EglSwapWithDamage> next_egl_swap_khr{"eglSwapBuffersWithDamageKHR"};
io::preload::Next<EglSwapWithDamage> next_egl_swap_ext{"eglSwapBuffersWithDamageEXT"};
io::preload::Next<GlxSwap> next_glx_swap{"glXSwapBuffers"};
io::preload::Next<EglFind> next_egl_find{"eglGetProcAddress"};
io::preload::Next<GlxFind> next_glx_find{"glXGetProcAddress"};
io::preload::Next<GlxFind> next_glx_find_arb{"glXGetProcAddressARB"};

// A library may swap through another one, or look that up while it does: only the outermost call counts.
thread_local int depth = 0;

class Swapping {
  public:
    Swapping() { ++depth; }
    ~Swapping() {
        if (--depth == 0) io::preload::end_picture();
    }
    Swapping(const Swapping&) = delete;
    Swapping& operator=(const Swapping&) = delete;
};

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

unsigned eglSwapBuffers(EglDisplay display, EglSurface surface) {
    const Swapping swapping;
    return next_egl_swap.get(__builtin_return_address(0))(display, surface);
}

unsigned eglSwapBuffersWithDamageKHR(EglDisplay display, EglSurface surface, const int* rectangles, int count) {
    const Swapping swapping;
    return next_egl_swap_khr.get(__builtin_return_address(0))(display, surface, rectangles, count);
}

unsigned eglSwapBuffersWithDamageEXT(EglDisplay display, EglSurface surface, const int* rectangles, int count) {
    const Swapping swapping;
    return next_egl_swap_ext.get(__builtin_return_address(0))(display, surface, rectangles, count);
}

void glXSwapBuffers(void* display, unsigned long drawable) {
    const Swapping swapping;
    next_glx_swap.get(__builtin_return_address(0))(display, drawable);
}

void* eglGetProcAddress(const char* name) {
    const void* const caller = __builtin_return_address(0);
    return io::preload::stand_in_for(name, next_egl_find.get(caller)(name), caller);
}

void* glXGetProcAddress(const unsigned char* name) {
    const void* const caller = __builtin_return_address(0);
    return io::preload::stand_in_for(reinterpret_cast<const char*>(name), next_glx_find.get(caller)(name), caller);
}

void* glXGetProcAddressARB(const unsigned char* name) {
    const void* const caller = __builtin_return_address(0);
    return io::preload::stand_in_for(reinterpret_cast<const char*>(name), next_glx_find_arb.get(caller)(name), caller);
}

}  // extern "C"
#pragma GCC visibility pop

namespace io::preload {
namespace {

struct StandIn {
    const char* name;
    void* ours;
    void (*set_next)(void*);
};

const StandIn stand_ins[] = {
    {"eglSwapBuffers", reinterpret_cast<void*>(&eglSwapBuffers), [](void* found) { next_egl_swap.set(found); }},
    {"eglSwapBuffersWithDamageKHR", reinterpret_cast<void*>(&eglSwapBuffersWithDamageKHR),
     [](void* found) { next_egl_swap_khr.set(found); }},
    {"eglSwapBuffersWithDamageEXT", reinterpret_cast<void*>(&eglSwapBuffersWithDamageEXT),
     [](void* found) { next_egl_swap_ext.set(found); }},
    {"glXSwapBuffers", reinterpret_cast<void*>(&glXSwapBuffers), [](void* found) { next_glx_swap.set(found); }},
    {"eglGetProcAddress", reinterpret_cast<void*>(&eglGetProcAddress), [](void* found) { next_egl_find.set(found); }},
    {"glXGetProcAddress", reinterpret_cast<void*>(&glXGetProcAddress), [](void* found) { next_glx_find.set(found); }},
    {"glXGetProcAddressARB", reinterpret_cast<void*>(&glXGetProcAddressARB),
     [](void* found) { next_glx_find_arb.set(found); }},
};

const StandIn* find_stand_in(const char* name) {
    if (name == nullptr || depth > 0) return nullptr;
    for (const StandIn& candidate : stand_ins)
        if (std::strcmp(candidate.name, name) == 0) return &candidate;
    return nullptr;
}

}  // namespace

bool has_stand_in(const char* name) {
    return find_stand_in(name) != nullptr;
}

void* stand_in_for(const char* name, void* found, const void* caller) {
    const StandIn* stand_in = find_stand_in(name);
    if (stand_in == nullptr || found == nullptr) return found;
    if (found == stand_in->ours) {  // looked up among everything loaded, where this library comes first
        found = look_up_behind(name, caller);
        if (found == nullptr) return nullptr;
    }
    stand_in->set_next(found);
    return stand_in->ours;
}

}  // namespace io::preload
