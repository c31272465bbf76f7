/* hydra.c -- see hydra.h; the decision is that of texrex's HyDRA.
 *
 * Two neighbours a and b, where a is letters and hyphens that end in a hyphen
 * and b begins with letters and hyphens, are compared by the frequencies of
 * four words: a (with its hyphen), b, a followed by b (concatenated), and the
 * same without a's hyphen (merged).  If the concatenated or the merged form is
 * more probable than each of the other three it is written.  Probabilities are
 * (frequency + 1) / total with the same total for all, so frequencies are
 * compared; a word that is not in the list has frequency 0.
 *
 * Different from HyDRA, whose ways these are:
 * - it looked words up in the case they stood in; here a form that is not in
 *   the list is looked up again in small letters ("Unter- werfen" at the
 *   beginning of a sentence, headings in capitals), but not when b alone begins
 *   with a capital: "Haus- Tür" is no case of "haustür";
 * - it allowed one character of punctuation after b; here any run of
 *   characters that are no letters ("werfen)." and the like);
 * - it needed a and b on one line; with `across` b may begin the next one;
 * - from="..." was written unescaped, which broke the XML at a quote;
 * - blanks between the other words stay as they are.
 *
 * One line and, with `across`, the one before it are in memory. */
#include "hydra.h"

#include <stdlib.h>

#include "base/memory.h"
#include "clean/chain/codepoint.h"

struct hydra {
    const struct unigrams *unigrams;
    const struct letters *letters;
    struct hydra_options o;
    struct hydra_counts counts;
    struct buf concatenated, merged, lower;
    struct buf held; /* a finished line whose last word may go on */
    size_t tail;     /* where that word begins in `held` */
    bool holding;
};

struct hydra *
hydra_new(const struct unigrams *u, const struct letters *l,
          struct hydra_options o)
{
    struct hydra *h = memory_need(calloc(1, sizeof *h));

    h->unigrams = u;
    h->letters = l;
    h->o = o;
    return h;
}

void
hydra_free(struct hydra *h)
{
    if (h == NULL)
        return;
    buf_free(&h->concatenated);
    buf_free(&h->merged);
    buf_free(&h->lower);
    buf_free(&h->held);
    free(h);
}

struct hydra_counts
hydra_counts(const struct hydra *h)
{
    return h->counts;
}

/* Bytes and characters of the letters and hyphens that s begins with. */
static size_t
word_part(const struct hydra *h, struct str s, size_t *chars)
{
    size_t at = 0;

    *chars = 0;
    while (at < s.n) {
        size_t next = at;
        uint32_t cp = codepoint_next(s, &next);

        if (cp != '-' && letters_class(h->letters, cp) == LETTER_NONE)
            break;
        at = next;
        ++*chars;
    }
    return at;
}

static bool
is_first_part(const struct hydra *h, struct str token)
{
    size_t chars;

    return str_ends(token, S("-")) && word_part(h, token, &chars) == token.n &&
           chars >= 3;
}

/* Split a token into b and the characters after it, none of them a letter. */
static bool
is_second_part(const struct hydra *h, struct str token, struct str *b,
               struct str *after)
{
    size_t chars, end = word_part(h, token, &chars);

    *b = str_sub(token, 0, end);
    *after = str_sub(token, end, token.n);
    if (chars < 2)
        return false;
    for (size_t at = end; at < token.n;)
        if (letters_class(h->letters, codepoint_next(token, &at)) !=
            LETTER_NONE)
            return false;
    return true;
}

static uint64_t
frequency(struct hydra *h, struct str word, bool fold)
{
    uint64_t n = unigrams_count(h->unigrams, word);

    if (n > 0 || !fold)
        return n;
    word_lower(word, &h->lower);
    return unigrams_count(h->unigrams, buf_view(&h->lower));
}

/* A capital and small letters, up to a hyphen at the end. */
static bool
is_noun(const struct hydra *h, struct str s)
{
    size_t n = 0;

    if (str_ends(s, S("-")))
        s.n--;
    for (size_t at = 0; at < s.n; n++) {
        uint32_t cp = codepoint_next(s, &at);
        bool capital = letters_lower(cp) != cp;

        if (letters_class(h->letters, cp) == LETTER_NONE || capital != (n == 0))
            return false;
    }
    return n >= 2;
}

/* Does b begin with a capital that a heading in capitals does not explain? */
static bool
capital_inside(struct str a, struct str b)
{
    size_t at = 0;
    uint32_t cp = codepoint_next(b, &at);

    if (letters_lower(cp) == cp)
        return false;
    for (at = 0; at < a.n;) {
        cp = codepoint_next(a, &at);
        if (cp != '-' && letters_lower(cp) == cp)
            return true;
    }
    return false;
}

enum line_choice { LEAVE, CONCATENATE, MERGE };

static enum line_choice
choose(struct hydra *h, struct str a, struct str b, bool same_line)
{
    uint64_t of_a, of_b, of_concatenated, of_merged, rest;
    bool fold = !capital_inside(a, b);

    buf_clear(&h->concatenated);
    buf_str(&h->concatenated, a);
    buf_str(&h->concatenated, b);
    buf_clear(&h->merged);
    buf_str(&h->merged, str_sub(a, 0, a.n - 1));
    buf_str(&h->merged, b);
    of_a = frequency(h, a, fold);
    of_b = frequency(h, b, fold);
    of_concatenated = frequency(h, buf_view(&h->concatenated), fold);
    of_merged = frequency(h, buf_view(&h->merged), fold);
    rest = of_a > of_b ? of_a : of_b;
    h->counts.candidates++;
    if (of_concatenated > rest && of_concatenated > of_merged)
        return CONCATENATE;
    if (of_merged > rest && of_merged > of_concatenated)
        return MERGE;
    if (h->o.german && same_line && is_noun(h, a) && is_noun(h, b))
        return CONCATENATE;
    return LEAVE;
}

static void
add_escaped(struct buf *out, struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        switch (s.p[i]) {
        case '&': buf_c(out, "&amp;"); break;
        case '<': buf_c(out, "&lt;"); break;
        case '>': buf_c(out, "&gt;"); break;
        case '"': buf_c(out, "&quot;"); break;
        default: buf_char(out, s.p[i]);
        }
}

static void
drop_blanks(struct buf *out, size_t from)
{
    while (out->n > from && out->p[out->n - 1] == ' ')
        out->n--;
}

/* Write what a and b became, if anything; `from` is where the line begins. */
static bool
join(struct hydra *h, struct str a, struct str token, bool same_line,
     struct buf *out, size_t from)
{
    struct str b, after, joined;
    enum line_choice choice;

    if (!is_second_part(h, token, &b, &after))
        return false;
    if ((choice = choose(h, a, b, same_line)) == LEAVE) {
        if (h->o.left != NULL)
            fprintf(h->o.left, "%.*s %.*s ==\n", STRF(a), STRF(token));
        return false;
    }
    joined = buf_view(choice == MERGE ? &h->merged : &h->concatenated);
    if (h->o.made != NULL)
        fprintf(h->o.made, "%.*s %.*s => %.*s%.*s\n", STRF(a), STRF(token),
                STRF(joined), STRF(after));
    if (choice == CONCATENATE)
        h->counts.concatenated++;
    else
        h->counts.merged++;
    if (h->o.mark) {
        drop_blanks(out, from);
        buf_c(out, "\n<normalized from=\"");
        add_escaped(out, a);
        buf_char(out, ' ');
        add_escaped(out, token);
        buf_c(out, "\">\n");
    }
    buf_str(out, joined);
    buf_str(out, after);
    if (h->o.mark)
        buf_c(out, "\n</normalized>\n");
    return true;
}

static size_t
skip_blanks(struct str s, size_t at)
{
    while (at < s.n && s.p[at] == ' ')
        at++;
    return at;
}

static void
release(struct hydra *h, struct buf *out)
{
    if (!h->holding)
        return;
    buf_str(out, buf_view(&h->held));
    buf_char(out, '\n');
    h->holding = false;
}

/* Where the line goes on after what was joined to the line before it. */
static size_t
join_held(struct hydra *h, struct str line, struct buf *out)
{
    size_t at = skip_blanks(line, 0), end = str_find(line, ' ', at);
    struct buf joined = {0};
    bool done;

    if (!h->holding || end == at)
        return 0;
    buf_add(&joined, h->held.p, h->tail);
    done = join(h, str_n(h->held.p + h->tail, h->held.n - h->tail),
                str_sub(line, at, end), false, &joined, 0);
    if (done) {
        buf_clear(&h->held);
        buf_str(&h->held, buf_view(&joined));
    }
    buf_free(&joined);
    release(h, out);
    return done ? skip_blanks(line, end) : 0;
}

/* The words of a line, pairs joined.  Where the last word begins in `out` if it
 * may go on in the next line, SIZE_MAX otherwise. */
static size_t
words(struct hydra *h, struct str line, size_t at, struct buf *out)
{
    size_t from = out->n, tail = SIZE_MAX;

    while (at < line.n) {
        size_t word = skip_blanks(line, at), end = str_find(line, ' ', word);
        size_t next = skip_blanks(line, end);
        struct str a = str_sub(line, word, end);

        buf_add(out, line.p + at, word - at);
        at = end;
        if (a.n > 0)
            tail = SIZE_MAX;
        if (is_first_part(h, a)) {
            size_t next_end = str_find(line, ' ', next);

            if (next < next_end &&
                join(h, a, str_sub(line, next, next_end), true, out, from)) {
                at = h->o.mark ? skip_blanks(line, next_end) : next_end;
                continue;
            }
            if (next == line.n)
                tail = out->n;
        }
        buf_str(out, a);
    }
    return tail;
}

void
hydra_line(struct hydra *h, struct str line, struct buf *out)
{
    size_t at = join_held(h, line, out), tail;

    release(h, out);
    h->counts.lines++;
    if (!h->o.across) {
        words(h, line, at, out);
        buf_char(out, '\n');
        return;
    }
    buf_clear(&h->held);
    tail = words(h, line, at, &h->held);
    drop_blanks(&h->held, tail == SIZE_MAX ? h->held.n : tail);
    h->holding = true;
    h->tail = tail;
    if (tail == SIZE_MAX)
        release(h, out);
}

void
hydra_copy(struct hydra *h, struct str line, struct buf *out)
{
    release(h, out);
    h->counts.lines++;
    buf_str(out, line);
    buf_char(out, '\n');
}

void
hydra_finish(struct hydra *h, struct buf *out)
{
    release(h, out);
}
