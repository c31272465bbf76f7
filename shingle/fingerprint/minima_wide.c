/* minima_wide.c -- the loop of minima.c for AVX2 (the flags stand in
 * CMakeLists.txt); called only where the processor has it. */
#ifdef __x86_64__
#define MINIMA_NAME minima_wide
#include "minima_body.h"
#else
typedef int minima_wide_is_for_x86_64_only;
#endif
