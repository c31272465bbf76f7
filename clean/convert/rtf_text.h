/* rtf_text.h -- bytes of RTF in the code pages of its fonts, as UTF-8. */
#ifndef CLEAN_CONVERT_RTF_TEXT_H
#define CLEAN_CONVERT_RTF_TEXT_H

#include "base/arena.h"
#include "base/buf.h"

#define RTF_FONTS_MAX 256

struct rtf_text {
    struct arena *arena;
    struct buf bytes;    /* that are still to be decoded ... */
    const char *charset; /* ... by this */
    const char *preset;
    int font[RTF_FONTS_MAX];
    const char *of_font[RTF_FONTS_MAX]; /* NULL: the preset */
    size_t fonts_n;
};

void rtf_text_open(struct rtf_text *t);
void rtf_text_close(struct rtf_text *t);

void rtf_text_code_page(struct rtf_text *t, long page);         /* \ansicpg */
void rtf_text_font(struct rtf_text *t, int font, long charset); /* \fcharset */

/* A byte of text in a font.  True: take what there is, now. */
bool rtf_text_add(struct rtf_text *t, int font, unsigned char c);

/* All of it, decoded; valid until the next call. */
struct str rtf_text_take(struct rtf_text *t);

#endif
