/* simd_wide.c -- the loops of simd.h for AVX2 and FMA (the flags stand in
 * CMakeLists.txt); called only where the processor has both. */
#ifdef __x86_64__
#define SIMD_NAME(name) name##_wide
#include "simd_body.h"
#else
typedef int simd_wide_is_for_x86_64_only;
#endif
