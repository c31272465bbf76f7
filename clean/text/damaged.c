/* damaged.c -- see damaged.h.  What stood at a U+FFFD cannot be told, and the
 * words around it are no words; the other sentences are as good as ever.  A
 * sentence ends with a terminator before a blank, or with one of CJK. */
#include "damaged.h"

#include "base/buf.h"
#include "clean/markup/scan.h"

/* U+FFFD by its first byte, which hardly any other character begins with: much
 * less work than a search for all three. */
bool
text_damaged(struct str text)
{
    const char *end;

    if (text.n == 0)
        return false;
    end = text.p + text.n;
    for (const char *p = text.p; (p = scan_1(p, end, '\xef')) < end; p++)
        if (str_starts(str_n(p, (size_t)(end - p)), S("\xef\xbf\xbd")))
            return true;
    return false;
}

/* The end of the sentence that begins at `at`, with the blank behind it. */
static size_t
sentence_end(struct str s, size_t at)
{
    static const struct str full[] = {STR("\xe3\x80\x82"), STR("\xef\xbc\x81"),
                                      STR("\xef\xbc\x9f")};

    for (; at < s.n; at++) {
        struct str rest = str_sub(s, at, s.n);

        if (rest.n > 1 && rest.p[1] == ' ' &&
            (rest.p[0] == '.' || rest.p[0] == '!' || rest.p[0] == '?'))
            return at + 2;
        for (size_t i = 0; i < sizeof full / sizeof *full; i++)
            if (str_starts(rest, full[i]))
                return at + full[i].n;
    }
    return s.n;
}

struct str
text_undamaged(struct arena *a, struct str text)
{
    struct buf out = {.arena = a};

    for (size_t at = 0, end; at < text.n; at = end) {
        end = sentence_end(text, at);
        if (!text_damaged(str_sub(text, at, end)))
            buf_str(&out, str_sub(text, at, end));
    }
    return 2 * out.n < text.n ? S("") : str_trim(buf_view(&out));
}
