/* rtf_text.c -- see rtf_text.h. */
#include "rtf_text.h"

#include "clean/charset/charset.h"

#define BYTES_MAX 4096u

static const struct {
    long charset, page; /* of fonts; Windows' */
    const char *name;   /* WHATWG's */
} rtf_charsets[] = {
    {-1, 1252, "windows-1252"},  {77, 10000, "macintosh"},
    {128, 932, "Shift_JIS"},     {129, 949, "EUC-KR"},
    {134, 936, "GBK"},           {136, 950, "Big5"},
    {161, 1253, "windows-1253"}, {162, 1254, "windows-1254"},
    {163, 1258, "windows-1258"}, {177, 1255, "windows-1255"},
    {178, 1256, "windows-1256"}, {186, 1257, "windows-1257"},
    {204, 1251, "windows-1251"}, {222, 874, "windows-874"},
    {238, 1250, "windows-1250"}, {-1, 65001, "UTF-8"},
};

void
rtf_text_open(struct rtf_text *t)
{
    *t = (struct rtf_text){.arena = arena_new(), .preset = "windows-1252"};
    t->charset = t->preset;
}

void
rtf_text_close(struct rtf_text *t)
{
    buf_free(&t->bytes);
    arena_free(t->arena);
}

void
rtf_text_code_page(struct rtf_text *t, long page)
{
    for (size_t i = 0; i < sizeof rtf_charsets / sizeof *rtf_charsets; i++)
        if (rtf_charsets[i].page == page)
            t->preset = rtf_charsets[i].name;
}

void
rtf_text_font(struct rtf_text *t, int font, long charset)
{
    if (charset <= 0 || t->fonts_n == RTF_FONTS_MAX)
        return;
    for (size_t i = 0; i < sizeof rtf_charsets / sizeof *rtf_charsets; i++)
        if (rtf_charsets[i].charset == charset) {
            t->font[t->fonts_n] = font;
            t->of_font[t->fonts_n++] = rtf_charsets[i].name;
            return;
        }
}

static const char *
charset_of(const struct rtf_text *t, int font)
{
    for (size_t i = 0; i < t->fonts_n; i++)
        if (t->font[i] == font)
            return t->of_font[i];
    return t->preset;
}

bool
rtf_text_add(struct rtf_text *t, int font, unsigned char c)
{
    if (t->bytes.n == 0)
        t->charset = charset_of(t, font);
    buf_char(&t->bytes, (char)c);
    return t->bytes.n >= BYTES_MAX && c < 0x40;
}

struct str
rtf_text_take(struct rtf_text *t)
{
    struct str out;

    if (t->bytes.n == 0)
        return S("");
    arena_reset(t->arena);
    if (charset_convert(&out, t->arena, buf_view(&t->bytes), t->charset) !=
        ST_OK)
        out = S("");
    else if (out.n > 0)
        out = arena_str(t->arena, out); /* it may point into the bytes */
    buf_clear(&t->bytes);
    return out;
}
