// How the functions of this library find those they stand before. The dynamic linker binds the application's calls to
// this library because it is in LD_PRELOAD; what an application looks up by itself (dlsym, eglGetProcAddress,
// glXGetProcAddress) is answered here too.
#pragma once

#include <atomic>

#include <dlfcn.h>

namespace io::preload {

// The system's own dlsym.
void* look_up(void* handle, const char* name);

// A function of the same name further down: in libc, or in the graphics library the application was linked with.
template <class Function>
class Next {
  public:
    explicit constexpr Next(const char* name) : name_(name) {}
    Function get() {
        void* found = found_.load(std::memory_order_relaxed);
        if (found == nullptr) {
            found = look_up(RTLD_NEXT, name_);
            found_.store(found, std::memory_order_relaxed);
        }
        return reinterpret_cast<Function>(found);
    }
    // Where the application itself found it: in a library that only the application knows.
    void set(void* found) { found_.store(found, std::memory_order_relaxed); }

  private:
    const char* name_;
    std::atomic<void*> found_ = nullptr;
};

// If the application looked up a function that swaps or finds others (`found`), the one to give it instead; else
// `found`.
void* stand_in_for(const char* name, void* found);
bool has_stand_in(const char* name);

}  // namespace io::preload
