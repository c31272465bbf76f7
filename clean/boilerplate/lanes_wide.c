/* lanes_wide.c -- the loops of lanes.h for AVX2 and FMA (the flags stand in
 * CMakeLists.txt); called only where the processor has both. */
#ifdef __x86_64__
#define LANES_NAME(name) name##_wide
#include "lanes_body.h"
#else
typedef int lanes_wide_is_for_x86_64_only;
#endif
