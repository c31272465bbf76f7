/* rofl.c -- see rofl.h; the rules are those of texrex's rofl.
 *
 * A token (between blanks) is BEFORE, a word of two letters or more, one or
 * more of ! ? : and full stop, a word of two letters or more, AFTER; BEFORE is
 * empty or ends in, AFTER is empty or begins with, a character that is no
 * letter.  When BEFORE can be empty it is; otherwise the last such place of the
 * token counts.  The first word must be known and no prefix (www), the second
 * known and no suffix (com, html); then a blank goes between punctuation and
 * second word.  One place a token in each pass, `limit` further passes as long
 * as something changed: "end.now.it" needs two.
 *
 * Different from rofl: letters of every script, entries of any length and in
 * any case, blanks between the other words stay as they are.  Combining marks
 * belong to the letter before them. */
#include "rofl.h"

#include "clean/chain/codepoint.h"

static bool
is_letter(const struct rofl *r, uint32_t cp)
{
    return letters_class(r->letters, cp) != LETTER_NONE;
}

/* Where the letters that begin at `at` end; how many they are. */
static size_t
letters_end(const struct rofl *r, struct str s, size_t at, size_t *n)
{
    for (*n = 0; at < s.n; ++*n) {
        size_t next = at;

        if (!is_letter(r, codepoint_next(s, &next)))
            break;
        at = next;
    }
    return at;
}

static size_t
stops_end(struct str s, size_t at)
{
    while (at < s.n && memchr("!?:.", s.p[at], 4) != NULL)
        at++;
    return at;
}

struct boundary {
    struct str prefix, suffix;
    size_t at; /* where the blank would go */
};

/* The place of the token that counts; false: it has none. */
static bool
find_boundary(const struct rofl *r, struct str s, struct boundary *b)
{
    bool found = false;

    for (size_t at = 0; at < s.n;) {
        size_t n, m, end = letters_end(r, s, at, &n), stops, last;

        if (n == 0) {
            codepoint_next(s, &at);
            continue;
        }
        stops = stops_end(s, end);
        last = letters_end(r, s, stops, &m);
        if (n >= 2 && m >= 2 && stops > end) {
            *b = (struct boundary){str_sub(s, at, end), str_sub(s, stops, last),
                                   stops};
            found = true;
            if (at == 0)
                return true;
        }
        at = end;
    }
    return found;
}

static bool
holds(const struct unigrams *set, struct buf *folded)
{
    return set != NULL && unigrams_count(set, buf_view(folded)) > 0;
}

static bool
is_run_on(const struct rofl *r, const struct boundary *b)
{
    struct buf folded = {0};
    bool yes;

    word_fold(r->letters, b->prefix, &folded);
    yes = !holds(r->prefixes, &folded) && holds(r->words, &folded);
    if (yes) {
        word_fold(r->letters, b->suffix, &folded);
        yes = !holds(r->suffixes, &folded) && holds(r->words, &folded);
    }
    buf_free(&folded);
    return yes;
}

/* One pass over the line; how many blanks were put in. */
static size_t
pass(const struct rofl *r, struct str line, struct buf *out)
{
    size_t changes = 0;

    for (size_t at = 0; at < line.n;) {
        size_t end = str_find(line, ' ', at);
        struct str token = str_sub(line, at, end);
        struct boundary b;

        if (!find_boundary(r, token, &b)) {
            buf_str(out, token);
        } else if (is_run_on(r, &b)) {
            struct str before = str_sub(token, 0, b.at);
            struct str after = str_sub(token, b.at, token.n);

            buf_str(out, before);
            buf_char(out, ' ');
            buf_str(out, after);
            changes++;
            if (r->made != NULL)
                fprintf(r->made, "%.*s => %.*s %.*s\n", STRF(token),
                        STRF(before), STRF(after));
        } else {
            buf_str(out, token);
            if (r->left != NULL)
                fprintf(r->left, "%.*s == \n", STRF(token));
        }
        if (end < line.n)
            buf_char(out, ' ');
        at = end + 1;
    }
    return changes;
}

/* Blanks round ":letters:", where there are none yet. */
static size_t
part_emoticons(const struct rofl *r, struct str line, struct buf *out)
{
    size_t changes = 0, from = 0;

    for (size_t at = str_find(line, ':', 0); at < line.n;
         at = str_find(line, ':', at)) {
        size_t n, end = letters_end(r, line, at + 1, &n);

        if (n == 0 || end == line.n || line.p[end] != ':') {
            at++;
            continue;
        }
        buf_str(out, str_sub(line, from, at));
        if (at > 0 && line.p[at - 1] != ' ' && (at > from || from == 0)) {
            buf_char(out, ' ');
            changes++;
        }
        buf_str(out, str_sub(line, at, end + 1));
        at = from = end + 1;
        if (at < line.n && line.p[at] != ' ') {
            buf_char(out, ' ');
            changes++;
        }
    }
    buf_str(out, str_sub(line, from, line.n));
    return changes;
}

size_t
rofl_line(const struct rofl *r, struct str line, struct buf *out)
{
    struct buf from = {0}, to = {0}, swap;
    size_t changes = 0, now;

    if (r->emoticons)
        changes = part_emoticons(r, line, &from);
    else
        buf_str(&from, line);
    for (unsigned i = 0; i <= r->limit; i++) {
        buf_clear(&to);
        now = pass(r, buf_view(&from), &to);
        swap = from;
        from = to;
        to = swap;
        changes += now;
        if (now == 0)
            break;
    }
    buf_str(out, buf_view(&from));
    buf_free(&from);
    buf_free(&to);
    return changes;
}
