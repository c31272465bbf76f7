/* simd.c -- see simd.h: the loops for any processor, and the choice.
 *
 * simd_wide.c holds the same loops compiled for AVX2 and FMA.  A file of
 * its own and not functions with target attributes, since compilers take
 * vectors apart before they inline a common body into such functions. */
#define SIMD_NAME(name) name##_plain
#include "simd_body.h"

#ifdef __x86_64__
#define IS_WIDE                                                                \
    (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
#define CALL_WIDE(name, arguments) name##_wide arguments
#else
#define IS_WIDE 0
#define CALL_WIDE(name, arguments) (void)0
#endif

#define CHOOSE(name, parameters, arguments)                                    \
    void name parameters                                                       \
    {                                                                          \
        if (IS_WIDE)                                                           \
            CALL_WIDE(name, arguments);                                        \
        else                                                                   \
            name##_plain arguments;                                            \
    }
SIMD_CALLS(CHOOSE)

float
simd_exp(float x)
{
    float t = x < -EXP_LIMIT ? -EXP_LIMIT : x > EXP_LIMIT ? EXP_LIMIT : x;
    int32_t whole = (int32_t)EXP_ROUND(t) - 128;
    float rest = EXP_REST(t, (float)whole), power;
    int32_t bits = (whole + 127) * (1 << 23);

    memcpy(&power, &bits, sizeof power);
    return EXP_POLYNOMIAL(rest) * power;
}
