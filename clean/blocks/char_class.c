/* char_class.c -- see char_class.h.  Hides ICU's character properties.
 *
 * A table of one byte for each code point of the basic plane (64 KiB, built
 * in about a millisecond) keeps property look-ups off the hot path; code
 * points beyond it are asked for one by one.  Threads: pthread_once. */
#include "char_class.h"

#include <pthread.h>
#include <unicode/uchar.h>

uint8_t char_class_table[0x10000];

static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Scripts written without blanks: one character counts as one word. */
static bool
is_single(uint32_t cp)
{
    static const uint32_t range[][2] = {
        {0x0e00, 0x0eff},   {0x1000, 0x109f}, {0x1780, 0x17ff},
        {0x3040, 0x30ff},   {0x3400, 0x9fff}, {0xf900, 0xfaff},
        {0x20000, 0x2ffff},
    };

    for (size_t i = 0; i < sizeof range / sizeof *range; i++)
        if (cp >= range[i][0] && cp <= range[i][1])
            return true;
    return false;
}

uint8_t
char_class_wide(uint32_t cp)
{
    UChar32 c = (UChar32)cp;
    uint32_t mask = U_GET_GC_MASK(c);
    unsigned class = 0;

    if (mask & U_GC_L_MASK)
        class |= CHAR_LETTER;
    if (mask & U_GC_N_MASK)
        class |= CHAR_DIGIT;
    if (mask & U_GC_M_MASK)
        class |= CHAR_MARK;
    if (mask & U_GC_Z_MASK || cp == '\t' || cp == '\n')
        class |= CHAR_SPACE;
    if ((mask & (U_GC_LU_MASK | U_GC_LT_MASK)) && u_tolower(c) != c)
        class |= CHAR_UPPER;
    if ((class & CHAR_WORD) && is_single(cp))
        class |= CHAR_SINGLE;
    return (uint8_t) class;
}

uint32_t
char_lower(uint32_t cp)
{
    return (uint32_t)u_tolower((UChar32)cp);
}

bool
char_complex(uint32_t cp)
{
    return u_getIntPropertyValue((UChar32)cp, UCHAR_LINE_BREAK) ==
           U_LB_COMPLEX_CONTEXT;
}

static void
build(void)
{
    for (uint32_t cp = 0; cp < 0x10000; cp++)
        char_class_table[cp] = char_class_wide(cp);
}

void
char_class_init(void)
{
    pthread_once(&once, build);
}
