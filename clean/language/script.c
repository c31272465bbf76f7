/* script.c -- see script.h: blocks of Unicode that have a script of their own;
 * all other letters are of one unknown script. */
#include "script.h"

#include <stddef.h>

#include "clean/chain/codepoint.h"

enum script_bit {
    LATIN,
    GREEK,
    CYRILLIC,
    ARMENIAN,
    HEBREW,
    ARABIC,
    INDIC,
    THAI_LAO,
    GEORGIAN,
    HANGUL,
    KANA,
    HAN,
    UNKNOWN
};

static const struct {
    uint32_t first, last;
    enum script_bit script;
} ranges[] = {
    {0x41, 0x24f, LATIN},       {0x370, 0x3ff, GREEK},
    {0x400, 0x52f, CYRILLIC},   {0x531, 0x58f, ARMENIAN},
    {0x590, 0x5ff, HEBREW},     {0x600, 0x6ff, ARABIC},
    {0x750, 0x77f, ARABIC},     {0x8a0, 0x8ff, ARABIC},
    {0x900, 0xdff, INDIC},      {0xe00, 0xeff, THAI_LAO},
    {0x10a0, 0x10ff, GEORGIAN}, {0x1100, 0x11ff, HANGUL},
    {0x1c90, 0x1cbf, GEORGIAN}, {0x1e00, 0x1eff, LATIN},
    {0x1f00, 0x1fff, GREEK},    {0x3040, 0x30ff, KANA},
    {0x3130, 0x318f, HANGUL},   {0x3400, 0x9fff, HAN},
    {0xac00, 0xd7af, HANGUL},   {0xf900, 0xfaff, HAN},
    {0xfb1d, 0xfb4f, HEBREW},   {0xfb50, 0xfdff, ARABIC},
    {0xfe70, 0xfeff, ARABIC},   {0xff21, 0xff5a, LATIN},
    {0xff66, 0xff9d, KANA},     {0x20000, 0x3ffff, HAN},
};

uint32_t
script_of(struct str word)
{
    size_t at = 0;
    uint32_t cp;

    if (word.n == 0)
        return 0;
    if ((unsigned char)word.p[0] < 0x80) /* most words */
        return UINT32_C(1) << (word.p[0] >= 'A' ? LATIN : UNKNOWN);
    cp = codepoint_next(word, &at);
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (cp <= ranges[i].last)
            return UINT32_C(1)
                   << (cp >= ranges[i].first ? ranges[i].script : UNKNOWN);
    return UINT32_C(1) << UNKNOWN;
}
