// How the functions of this library find those they stand before. The dynamic linker binds the application's calls to
// this library because it is in LD_PRELOAD; what an application looks up by itself (dlsym, eglGetProcAddress,
// glXGetProcAddress) is answered here too.
#pragma once

#include <atomic>

#include <dlfcn.h>

namespace io::preload {

// The system's own dlsym.
void* look_up(void* handle, const char* name);

// What `caller`, an address in its code, would have called without this library: a function of everybody's further
// down, or one of the libraries that the caller's own was linked with. What a program loads for itself alone (a module
// of Python with all that it needs) is among the latter only. Null: there is none.
void* look_up_behind(const char* name, const void* caller);

// Says so on standard error and aborts: a call of null would not say why.
[[noreturn]] void end_without(const char* name);

// A function of the same name further down: in libc, or in the graphics library of whoever calls.
template <class Function>
class Next {
  public:
    explicit constexpr Next(const char* name) : name_(name) {}
    // Ends the program if there is none.
    Function get(const void* caller) {
        void* found = found_.load(std::memory_order_relaxed);
        if (found == nullptr) {
            found = look_up_behind(name_, caller);
            if (found == nullptr) end_without(name_);
            found_.store(found, std::memory_order_relaxed);
        }
        return reinterpret_cast<Function>(found);
    }
    Function get() { return get(nullptr); }  // of libc
    // Where the application itself found it: in a library that only the application knows.
    void set(void* found) { found_.store(found, std::memory_order_relaxed); }

  private:
    const char* name_;
    std::atomic<void*> found_ = nullptr;
};

// If `caller` looked up a function that swaps or finds others (`found`), the one to give it instead; else `found`.
void* stand_in_for(const char* name, void* found, const void* caller);
bool has_stand_in(const char* name);

}  // namespace io::preload
