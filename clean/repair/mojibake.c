/* mojibake.c -- see mojibake.h.
 *
 * Each byte of the first UTF-8 became a character of windows-1252 (or of
 * ISO-8859-1, for the five bytes windows-1252 lacks), so the trace of a
 * character is two to four characters that stand for a valid sequence of bytes.
 * Such pairs also stand in sound text (a capital A with diaeresis before a
 * quotation mark), so there has to be more evidence:
 *
 * - in the whole text nearly every character beyond ASCII belongs to a trace;
 * - or in one stretch of it (up to the next tag or line end) there are strong
 *   traces and hardly any lone character.  Strong are traces of three and four
 *   characters, and those that begin with A-circumflex or A-tilde: what
 *   Western European letters turn into.
 *
 * Text that went through this more than once is repaired as often, up to
 * ROUNDS times. */
#include "mojibake.h"

#include "clean/chain/codepoint.h"
#include "clean/charset/charset.h"

#define ROUNDS 3

/* The byte a character beyond ASCII was read from, 0: from none. */
static unsigned
byte_of(uint32_t cp)
{
    if (cp >= 0x80 && cp <= 0xff)
        return cp;
    for (unsigned i = 0; i < 32; i++)
        if (charset_windows_1252[i] == cp)
            return 0x80 + i;
    return 0;
}

struct mojibake_trace {
    uint32_t cp; /* what it stands for */
    size_t end;  /* behind it */
    bool strong;
};

/* Whether a trace begins at `at`, where a character beyond ASCII stands. */
static bool
find_trace(struct str s, size_t at, struct mojibake_trace *t)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned lead = byte_of(codepoint_next(s, &at)), n;

    if (lead < 0xc2 || lead > 0xf4)
        return false;
    n = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    t->cp = lead & (0x7fu >> n);
    for (unsigned i = 1; i < n; i++) {
        unsigned b = at < s.n ? byte_of(codepoint_next(s, &at)) : 0;

        if (b < 0x80 || b > 0xbf)
            return false;
        t->cp = t->cp << 6 | (b & 0x3f);
    }
    t->end = at;
    t->strong = n > 2 || lead <= 0xc3;
    return t->cp >= least[n] && t->cp <= 0x10ffff &&
           !(t->cp >= 0xd800 && t->cp < 0xe000);
}

struct evidence {
    size_t strong, weak, lone;
};

static struct evidence
weigh(struct str s)
{
    struct evidence e = {0};

    for (size_t at = 0; at < s.n;) {
        struct mojibake_trace t;

        if ((unsigned char)s.p[at] < 0x80) {
            at++;
        } else if (find_trace(s, at, &t)) {
            *(t.strong ? &e.strong : &e.weak) += 1;
            at = t.end;
        } else {
            e.lone++;
            codepoint_next(s, &at);
        }
    }
    return e;
}

static bool
whole_is_damaged(struct evidence e)
{
    size_t traces = e.strong + e.weak;

    return traces >= 3 && e.lone * 10 <= traces;
}

static bool
stretch_is_damaged(struct evidence e)
{
    return e.strong > 0 && e.lone * 4 <= e.strong && (e.strong > 2 || !e.lone);
}

/* Write s with its traces undone; it gets shorter. */
static size_t
undo(struct str s, char *out)
{
    size_t n = 0;

    for (size_t at = 0; at < s.n;) {
        struct mojibake_trace t;

        if ((unsigned char)s.p[at] >= 0x80 && find_trace(s, at, &t)) {
            n += codepoint_put(out + n, t.cp);
            at = t.end;
        } else
            out[n++] = s.p[at++];
    }
    return n;
}

/* Where the stretch that begins at `from` ends. */
static size_t
stretch_end(struct str s, size_t from)
{
    size_t at = from;

    while (at < s.n && s.p[at] != '<' && s.p[at] != '>' && s.p[at] != '\n')
        at++;
    return at < s.n ? at + 1 : at;
}

static struct str
one_round(struct arena *a, struct str s)
{
    struct evidence e = weigh(s);
    size_t n = 0;
    char *out;

    if (e.strong + e.weak == 0)
        return s;
    if (whole_is_damaged(e)) {
        out = arena_raw(a, s.n);
        return str_n(out, undo(s, out));
    }
    if (e.strong == 0)
        return s;
    out = arena_raw(a, s.n);
    for (size_t at = 0; at < s.n;) {
        size_t end = stretch_end(s, at);
        struct str part = str_sub(s, at, end);

        if (stretch_is_damaged(weigh(part)))
            n += undo(part, out + n);
        else {
            memcpy(out + n, part.p, part.n);
            n += part.n;
        }
        at = end;
    }
    return n == s.n ? s : str_n(out, n);
}

struct str
mojibake_repair(struct arena *a, struct str s)
{
    /* every trace begins with a character from U+00C2 to U+00F4 */
    for (int i = 0; i < ROUNDS && memchr(s.p, 0xc3, s.n) != NULL; i++) {
        struct str repaired = one_round(a, s);

        if (repaired.n == s.n)
            break;
        s = repaired;
    }
    return s;
}
