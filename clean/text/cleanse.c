/* cleanse.c -- see cleanse.h.
 *
 * One pass a kind: memchr() finds the byte that every match has (< @ : . #),
 * and the match is grown round it, so that text without one is looked at once
 * and not copied.  Where a match begins is never before the end of the one
 * before it, so the whole is linear but for the characters of an address that
 * turns out to be none (ADDRESS_MAX bounds them). */
#include "cleanse.h"

#include "clean/chain/codepoint.h"

#define ADDRESS_MAX 2048u /* bytes on either side of the @, or of the :// */

/* The text so far: `done` bytes of it are in `out`. */
struct cleansing {
    struct arena *arena;
    struct str s, replacer;
    char *out;
    size_t n, room, done;
};

static void
add(struct cleansing *c, struct str s)
{
    if (s.n == 0)
        return;
    if (c->n + s.n > c->room) {
        size_t room = 2 * (c->n + s.n) + c->s.n - c->done;

        c->out = arena_grow(c->arena, c->out, c->n, room);
        c->room = room;
    }
    memcpy(c->out + c->n, s.p, s.n);
    c->n += s.n;
}

/* s[from, to) is a match. */
static void
replace(struct cleansing *c, size_t from, size_t to)
{
    while (from > c->done && c->s.p[from - 1] == ' ')
        from--;
    while (to < c->s.n && c->s.p[to] == ' ')
        to++;
    add(c, str_sub(c->s, c->done, from));
    if (c->n == 0 || c->out[c->n - 1] != ' ')
        add(c, S(" "));
    if (c->replacer.n > 0) {
        add(c, c->replacer);
        add(c, S(" "));
    }
    c->done = to;
}

static struct str
finish(struct cleansing *c)
{
    if (c->out == NULL)
        return c->s;
    add(c, str_sub(c->s, c->done, c->s.n));
    return str_trim(str_n(c->out, c->n));
}

struct str
cleanse_tags(struct arena *a, struct str s)
{
    struct cleansing c = {.arena = a, .s = s, .replacer = S("")};
    size_t at = 0, last = s.n;

    while (last > 0 && s.p[last - 1] != '>')
        last--;
    while ((at = str_find(str_sub(s, 0, last), '<', at)) + 1 < last) {
        char next = s.p[at + 1];
        size_t end;

        if (!ascii_alpha(next) && next != '!' && next != '?' && next != '/') {
            at++;
            continue;
        }
        end = str_find(s, '>', at) + 1;
        replace(&c, at, end);
        at = end;
    }
    return finish(&c);
}

static bool
is_word(const struct letters *l, uint32_t cp)
{
    if (cp < 0x80)
        return ascii_alpha((char)cp) || ascii_digit((char)cp);
    switch (letters_class(l, cp)) {
    case LETTER_WORD:
    case LETTER_SINGLE:
    case LETTER_SHARP_S:
    case LETTER_MARK: return true;
    default: return false;
    }
}

static bool
is_letter(const struct letters *l, uint32_t cp)
{
    return is_word(l, cp) && !(cp < 0x80 && ascii_digit((char)cp));
}

/* The character before `at`, whose place becomes *before. */
static uint32_t
codepoint_before(struct str s, size_t at, size_t *before)
{
    size_t from = at - 1, next;

    while (from > 0 && ((unsigned char)s.p[from] & 0xc0) == 0x80)
        from--;
    *before = next = from;
    return codepoint_next(s, &next);
}

/* Of letters, digits and the bytes of `more`: where the run that ends (begins)
 * at `at` begins (ends). */
static size_t
run_start(const struct letters *l, struct str s, size_t at, size_t low,
          const char *more)
{
    if (at - low > ADDRESS_MAX)
        low = at - ADDRESS_MAX;
    while (at > low) {
        size_t before;
        uint32_t cp = codepoint_before(s, at, &before);

        if (before < low ||
            (!is_word(l, cp) && (cp >= 0x80 || strchr(more, (int)cp) == NULL)))
            break;
        at = before;
    }
    return at;
}

static size_t
run_end(const struct letters *l, struct str s, size_t at, const char *more)
{
    size_t high = s.n - at > ADDRESS_MAX ? at + ADDRESS_MAX : s.n;

    while (at < high) {
        size_t next = at;
        uint32_t cp = codepoint_next(s, &next);

        if (!is_word(l, cp) &&
            (cp >= 0x80 || cp == 0 || strchr(more, (int)cp) == NULL))
            break;
        at = next;
    }
    return at;
}

static bool
is_single(const struct letters *l, struct str s, size_t at)
{
    return letters_class(l, codepoint_next(s, &at)) == LETTER_SINGLE;
}

/* Words of Chinese or Thai stand right beside an address in other letters:
 * s[from, to) without those before the last (first) of them, unless it ends
 * (begins) with such a letter itself. */
static size_t
start_behind_foreign(const struct letters *l, struct str s, size_t from,
                     size_t to)
{
    for (size_t at = to, before; at > from; at = before) {
        (void)codepoint_before(s, at, &before);
        if (is_single(l, s, before))
            return at == to ? from : at;
    }
    return from;
}

static size_t
end_before_foreign(const struct letters *l, struct str s, size_t from,
                   size_t to)
{
    for (size_t at = from; at < to; (void)codepoint_next(s, &at))
        if (is_single(l, s, at))
            return at == from ? to : at;
    return to;
}

/* Where the host s[from, to) ends with a dot and two letters, 0: nowhere. */
static size_t
host_end(const struct letters *l, struct str s, size_t from, size_t to)
{
    for (size_t dot = to; dot-- > from + 1;) {
        size_t end = dot + 1, n = 0;

        if (s.p[dot] != '.')
            continue;
        while (end < to) {
            size_t next = end;

            if (!is_letter(l, codepoint_next(s, &next)))
                break;
            end = next;
            n++;
        }
        if (n >= 2)
            return end;
    }
    return 0;
}

struct str
cleanse_emails(const struct letters *l, struct arena *a, struct str s,
               struct str replacer)
{
    struct cleansing c = {.arena = a, .s = s, .replacer = replacer};
    size_t at = 0;

    for (; (at = str_find(s, '@', at)) < s.n; at++) {
        size_t from = run_start(l, s, at, c.done, "._%+-");
        size_t to = run_end(l, s, at + 1, "._-");

        from = start_behind_foreign(l, s, from, at);
        to = end_before_foreign(l, s, at + 1, to);
        if (from == at || (to = host_end(l, s, at + 1, to)) == 0)
            continue;
        replace(&c, from, to);
        at = to - 1;
    }
    return finish(&c);
}

/* The end of a URI's body from `from`, without punctuation; `from`: none. */
static size_t
body_end(const struct letters *l, struct str s, size_t from)
{
    size_t to = run_end(l, s, from, "_/%$&,=?~#.+:;-");

    while (to > from && strchr("&,.+:;", s.p[to - 1]) != NULL)
        to--;
    return to;
}

/* Where the scheme in front of "://" at `at` begins; `at`: none there. */
static size_t
scheme_start(struct str s, size_t at, size_t low)
{
    size_t from = at;

    while (from > low && at - from < 6 && ascii_alpha(s.p[from - 1]))
        from--;
    return at - from >= 2 ? from : at;
}

struct str
cleanse_uris(const struct letters *l, struct arena *a, struct str s,
             struct str replacer)
{
    struct cleansing c = {.arena = a, .s = s, .replacer = replacer};

    for (size_t at = 0; at < s.n; at++) {
        struct str rest = str_sub(s, at, s.n);
        size_t from = at, body = at, to;

        if (s.p[at] == ':' && str_starts(rest, S("://"))) {
            from = scheme_start(s, at, c.done);
            body = from < at ? at + 3 : at;
        } else if ((s.p[at] == 'w' || s.p[at] == 'W') &&
                   str_starts_nocase(rest, S("www."))) {
            body = at + 4;
        }
        if (body == at || (to = body_end(l, s, body)) == body)
            continue;
        replace(&c, from, to);
        at = to - 1;
    }
    return finish(&c);
}

struct str
cleanse_hashtags(const struct letters *l, struct arena *a, struct str s,
                 struct str replacer)
{
    struct cleansing c = {.arena = a, .s = s, .replacer = replacer};
    size_t at = 0;

    while ((at = str_find(s, '#', at)) < s.n) {
        size_t to = run_end(l, s, at + 1, "");
        bool letter = false;

        for (size_t i = at + 1; i < to;)
            letter = is_letter(l, codepoint_next(s, &i)) || letter;
        if (letter)
            replace(&c, at, to);
        at = to;
    }
    return finish(&c);
}
