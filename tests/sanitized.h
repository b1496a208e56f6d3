// Whether this program was built with a sanitizer: with one it is slow, and reserves more address space than any limit
// leaves.
#pragma once

namespace tests {

#ifdef __has_feature  // clang
inline constexpr bool is_sanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif

}  // namespace tests
