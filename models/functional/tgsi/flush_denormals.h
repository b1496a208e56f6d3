// While one of these is alive, the calling thread computes with zeros in place of denormal floats, operands and
// results. GPUs do so, and llvmpipe does in vertex and fragment programs; a float that is only moved keeps its bits.
// Without it a product that underflows would still be greater than zero, and take a hundred cycles on some processors.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace models::functional::tgsi {

class FlushDenormals {
  public:
    FlushDenormals(const FlushDenormals&) = delete;
    FlushDenormals& operator=(const FlushDenormals&) = delete;
#if defined(__x86_64__)
    FlushDenormals() : before_(_mm_getcsr()) { _mm_setcsr(before_ | flush_to_zero | denormals_are_zero); }
    ~FlushDenormals() { _mm_setcsr(before_); }

  private:
    static constexpr std::uint32_t flush_to_zero = 0x8000, denormals_are_zero = 0x0040;
    std::uint32_t before_;
#elif defined(__aarch64__)
    FlushDenormals() {
        asm volatile("mrs %0, fpcr" : "=r"(before_));
        asm volatile("msr fpcr, %0" : : "r"(before_ | flush_to_zero));
    }
    ~FlushDenormals() { asm volatile("msr fpcr, %0" : : "r"(before_)); }

  private:
    static constexpr std::uint64_t flush_to_zero = 1U << 24;  // operands and results
    std::uint64_t before_ = 0;
#else
#error "say here how this processor flushes denormal floats to zero"
#endif
};

}  // namespace models::functional::tgsi
