// An allocator that keeps what one thread writes out of the (pairs of) cache lines that other threads use.
#pragma once

#include <cstddef>
#include <new>

namespace engine {

template <class T>
struct CacheAligned {
    using value_type = T;
    CacheAligned() = default;
    template <class U>
    explicit CacheAligned(const CacheAligned<U>& /*other*/) {}

    T* allocate(std::size_t count) {
        const std::size_t bytes = (count * sizeof(T) + alignment - 1) / alignment * alignment;
        return static_cast<T*>(::operator new(bytes, std::align_val_t{alignment}));
    }
    void deallocate(T* memory, std::size_t /*count*/) { ::operator delete(memory, std::align_val_t{alignment}); }
    friend bool operator==(const CacheAligned&, const CacheAligned&) { return true; }

  private:
    static constexpr std::size_t alignment = 128;
};

}  // namespace engine
