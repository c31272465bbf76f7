/* abbreviations.c -- job abbreviations: which words of a text are abbreviations
 * and which begin sentences, learnt from the text itself.
 *
 * Kiss & Strunk (2006, Unsupervised Multilingual Sentence Boundary Detection):
 * a stop belongs to an abbreviation, so the two collocate; abbreviations are
 * short and often have stops inside.  Of a word that stands `a` times with a
 * stop and `b` times without, where a share p of all words has one,
 *
 *   log-likelihood that p holds against .99 * e^-letters * (stops inside + 1) *
 *       letters^-b, at least .3
 *
 * and of a word that stands n times behind a stop and m times in all, if it
 * does so more often than words do: a log-likelihood of 30 or more.
 *
 * map counts words by what they end with; keys end with a blank and a mark, so
 * the counts of a word stand together in the one reduce; those of all words
 * begin with a byte below and come first.  What comes out are lines as the
 * lists in data/words have them, for option `words` of the jobs that take one.
 */
#include <inttypes.h>
#include <math.h>

#include "base/buf.h"
#include "clean/chain/codepoint.h"
#include "clean/text/letters.h"
#include "corpus/text/text_scan.h"
#include "doc_line.h"
#include "job.h"
#include "job_sum.h"

enum { REJECTED, LINES, WORDS, KEYS, ABBREVIATIONS, STARTERS };

#define WORD_BYTES_MAX ((size_t)48)
#define RARE_MAX 0.3 /* Kiss & Strunk's thresholds */
#define STARTER_MIN 30.0
#define ALL_WORDS "\001" /* the key of all words */

/* How often a word stands ... */
enum { STOPPED, PLAIN, BEHIND_STOP, PLACES_N };
static const char marks[PLACES_N] = {'.', '~', '|'};

/* ---- map ---- */

struct abbreviations {
    struct job_run *r;
    struct letters *letters;
    struct buf word, out, plain;
    bool behind_stop; /* the word before had a stop and was no abbreviation */
};

static void
put(struct abbreviations *a, struct str word, int place)
{
    buf_clear(&a->out);
    buf_printf(&a->out, "%.*s %c\t1", STRF(word), marks[place]);
    job_put(a->r, buf_view(&a->out));
}

static bool
is_letter(const struct abbreviations *a, uint32_t cp)
{
    enum scan_case c = scan_case(a->letters, cp);

    return c == CASE_UPPER || c == CASE_LOWER || c == CASE_OTHER;
}

/* Without what stands around it, in small letters; false: it has no letters, or
 * something else inside than letters, stops, hyphens and apostrophes. */
static bool
make_word(struct abbreviations *a, struct str token, bool *stopped,
          bool *capital)
{
    size_t from = 0, to = token.n, at;
    char small[8];

    for (at = 0; at < to && !is_letter(a, scan_next(token, &at));)
        from = at;
    while (to > from) {
        uint32_t cp = scan_before(token, to, &at);

        if (cp == '.' || is_letter(a, cp) ||
            scan_case(a->letters, cp) == CASE_DIGIT)
            break;
        to = at;
    }
    *stopped = to > from && token.p[to - 1] == '.';
    while (to > from && token.p[to - 1] == '.')
        to--;
    buf_clear(&a->word);
    at = from;
    *capital =
        from < to && scan_case(a->letters, scan_next(token, &at)) == CASE_UPPER;
    for (at = from; at < to;) {
        uint32_t cp = scan_next(token, &at);

        if (!is_letter(a, cp) && cp != '.' && cp != '-' && cp != '\'')
            return false;
        buf_add(&a->word, small, codepoint_put(small, letters_lower(cp)));
    }
    return a->word.n > 0 && a->word.n <= WORD_BYTES_MAX;
}

/* What ends a sentence for sure: a stop behind a long word. */
static bool
surely_ends(struct str word, bool stopped)
{
    return stopped && word.n > 6 && str_find(word, '.', 0) == word.n;
}

static void
count_text(struct abbreviations *a, struct str text)
{
    struct str token;

    a->behind_stop = false;
    while (str_word(&text, &token)) {
        bool stopped, capital;

        if (!make_word(a, token, &stopped, &capital)) {
            a->behind_stop = false;
            continue;
        }
        put(a, buf_view(&a->word), stopped ? STOPPED : PLAIN);
        put(a, S(ALL_WORDS), stopped ? STOPPED : PLAIN);
        if (a->behind_stop && capital) {
            put(a, buf_view(&a->word), BEHIND_STOP);
            put(a, S(ALL_WORDS), BEHIND_STOP);
        }
        a->behind_stop = surely_ends(buf_view(&a->word), stopped);
        job_count(a->r, WORDS, 1);
    }
}

static void
count_line(struct abbreviations *a, struct str line)
{
    struct doc_piece piece;
    struct doc_line d;

    if (!doc_line_read(&d, line) || !doc_text_begins(d.text)) {
        count_text(a, str_sub(line, 0, str_find(line, '\t', 0)));
        return;
    }
    buf_clear(&a->plain);
    while ((piece = doc_next(&d.text)).kind != DOC_END)
        if (piece.kind == DOC_TEXT)
            doc_unescape(&a->plain, piece.text);
        else if (piece.kind == DOC_P_END) {
            count_text(a, buf_view(&a->plain));
            buf_clear(&a->plain);
        } else
            buf_char(&a->plain, ' ');
    count_text(a, buf_view(&a->plain));
}

static void
map(struct job_run *r)
{
    struct abbreviations a = {.r = r, .letters = letters_new()};
    struct str line;

    if (a.letters == NULL)
        job_fail(r);
    while (job_line(r, &line)) {
        job_count(r, LINES, 1);
        count_line(&a, line);
    }
    letters_free(a.letters);
    buf_free(&a.word);
    buf_free(&a.out);
    buf_free(&a.plain);
}

static void
combine(struct job_run *r)
{
    job_sum(r, 0, REJECTED, KEYS, KEYS);
}

/* ---- reduce ---- */

struct word_counts {
    struct buf word;
    double n[PLACES_N];
};

struct learning {
    struct job_run *r;
    double all[PLACES_N];
    struct word_counts now;
    struct buf out;
};

/* Of k successes in n: the logarithm of their likelihood at p. */
static double
log_likelihood(double k, double n, double p)
{
    p = p < 1e-12 ? 1e-12 : p > 1 - 1e-12 ? 1 - 1e-12 : p;
    return k * log(p) + (n - k) * log(1 - p);
}

static bool
is_abbreviation(const struct learning *l, const struct word_counts *c)
{
    double a = c->n[STOPPED], n = a + c->n[PLAIN], inside = 0, letters = 0,
           score;
    double p = l->all[STOPPED] / (l->all[STOPPED] + l->all[PLAIN]);

    for (size_t i = 0; i < c->word.n; i++) {
        inside += c->word.p[i] == '.';
        letters += (c->word.p[i] & 0xc0) != 0x80 && c->word.p[i] != '.';
    }
    if (a == 0 || a / n <= p)
        return false;
    score = -2 * (log_likelihood(a, n, p) - log_likelihood(a, n, 0.99));
    score *= exp(-letters) * (inside + 1) * pow(letters, -c->n[PLAIN]);
    return score >= RARE_MAX;
}

/* Dunning's, of the word and the stop before it. */
static bool
is_starter(const struct learning *l, const struct word_counts *c)
{
    double behind = l->all[BEHIND_STOP], all = l->all[STOPPED] + l->all[PLAIN];
    double k = c->n[BEHIND_STOP], n = c->n[STOPPED] + c->n[PLAIN], p, p1, p2;

    if (behind == 0 || all <= behind || k == 0)
        return false;
    p = n / all;
    p1 = k / behind;
    p2 = n > k ? (n - k) / (all - behind) : 0;
    return p1 > p && 2 * (log_likelihood(k, behind, p1) +
                          log_likelihood(n - k, all - behind, p2) -
                          log_likelihood(k, behind, p) -
                          log_likelihood(n - k, all - behind, p)) >=
                         STARTER_MIN;
}

static void
finish(struct learning *l)
{
    struct word_counts *c = &l->now;
    struct str word = buf_view(&c->word);
    bool abbreviation = false;

    if (str_eq(word, S(ALL_WORDS))) {
        memcpy(l->all, c->n, sizeof l->all);
    } else if (word.n > 0) {
        abbreviation = is_abbreviation(l, c);
        if (abbreviation || is_starter(l, c)) {
            buf_clear(&l->out);
            buf_printf(&l->out, "%s: %.*s", abbreviation ? "may" : "starts",
                       STRF(word));
            job_put(l->r, buf_view(&l->out));
            job_count(l->r, abbreviation ? ABBREVIATIONS : STARTERS, 1);
        }
    }
    buf_clear(&c->word);
    memset(c->n, 0, sizeof c->n);
}

/* "word .": the word, and the number of its mark. */
static bool
read_key(struct str key, struct str *word, int *place)
{
    const char *p =
        key.n > 2 ? memchr(marks, key.p[key.n - 1], PLACES_N) : NULL;

    if (p == NULL || key.p[key.n - 2] != ' ')
        return false;
    *place = (int)(p - marks);
    *word = str_sub(key, 0, key.n - 2);
    return str_find(*word, ' ', 0) == word->n;
}

static void
reduce(struct job_run *r)
{
    struct learning l = {.r = r};
    struct str line, key, value, word;
    int place;
    uint64_t n;

    while (job_line(r, &line)) {
        if (!job_split(line, &key, &value) || !str_u64(value, &n) ||
            !read_key(key, &word, &place)) {
            job_count(r, REJECTED, 1);
            continue;
        }
        if (!str_eq(word, buf_view(&l.now.word))) {
            finish(&l);
            buf_str(&l.now.word, word);
        }
        l.now.n[place] += (double)n;
    }
    finish(&l);
    buf_free(&l.now.word);
    buf_free(&l.out);
}

const struct corpus_job job_abbreviations = {
    .name = "abbreviations",
    .summary =
        "Abbreviations and words that begin sentences, learnt from text.",
    .lines =
        "map: documents, or text in the first column -> words by what they "
        "end with; combine: sums; reduce: a list for option words",
    .phase = {map, combine, reduce},
    .one_reduce = true,
    .counters = {JOB_LINES_REJECTED, "lines", "words", "keys combined",
                 "abbreviations", "words that begin sentences"},
};
