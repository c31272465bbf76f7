/* quality.c -- job quality: the rules by which web corpora for language models
 * are filtered, each by its name: repetition (Rae et al. 2021, Gopher), length
 * and shape of words and lines (the same; Penedo et al. 2024 and 2025, FineWeb
 * and FineWeb-2).
 *
 * Lines are paragraphs.  What was measured stays with each document, so that
 * other limits need no other run.  The first rule that is not met is counted.
 * Measures are shares between 0 and 1, or counts. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unicode/uchar.h>

#include "base/hash.h"
#include "base/hashmap.h"
#include "base/memory.h"
#include "clean/chain/codepoint.h"
#include "corpus/text/text_scan.h"
#include "doc_line.h"
#include "job.h"
#include "job_words_of.h"

enum measure {
    WORDS,
    WORD_MEAN,
    SYMBOLS,
    BULLETS,
    ELLIPSES,
    LETTERS,
    LINES_PUNCTUATED,
    LINES_SHORT,
    LINES_TWICE,
    CHARS_TWICE,
    TOP_2,
    TOP_3,
    TOP_4,
    TWICE_5,
    TWICE_10,
    STOP_WORDS,
    MEASURES_N
};

enum { REJECTED, DOCUMENTS, PASSED, RULES };

static const struct rule {
    const char *name;
    enum measure of;
    bool least;
    double limit;
} rules[] = {
    {"words-min", WORDS, true, 50},
    {"words-max", WORDS, false, 100000},
    {"word-mean-min", WORD_MEAN, true, 3},
    {"word-mean-max", WORD_MEAN, false, 10},
    {"symbols", SYMBOLS, false, .1},
    {"bullets", BULLETS, false, .9},
    {"ellipses", ELLIPSES, false, .3},
    {"letters", LETTERS, true, .8},
    {"punctuation", LINES_PUNCTUATED, true, .12},
    {"short-lines", LINES_SHORT, false, .67},
    {"lines-twice", LINES_TWICE, false, .3},
    {"chars-twice", CHARS_TWICE, false, .2},
    {"top-2", TOP_2, false, .2},
    {"top-3", TOP_3, false, .18},
    {"top-4", TOP_4, false, .16},
    {"twice-5", TWICE_5, false, .15},
    {"twice-10", TWICE_10, false, .1},
    {"stop-words", STOP_WORDS, true, 2},
};
#define RULES_N (sizeof rules / sizeof *rules)

static const char *const measure_name[MEASURES_N] = {
    "words",       "word-mean",   "symbols",     "bullets",
    "ellipses",    "letters",     "punctuation", "short-lines",
    "lines-twice", "chars-twice", "top-2",       "top-3",
    "top-4",       "twice-5",     "twice-10",    "stop-words"};

struct asked_hash {
    uint64_t hash, n; /* hash 0: free */
    size_t first;     /* where it was asked for first */
};

struct quality {
    struct job_run *r;
    double limit[RULES_N];
    bool on[RULES_N];
    struct buf plain;      /* the text, without tags and entities */
    struct str *word;      /* in it */
    size_t n, room, chars; /* of the words */
    struct hashmap seen;
    double value[MEASURES_N]; /* NAN: cannot be told */
    struct job_word_lists lists;
    struct str language; /* "": each document's own */
};

/* ---- sets of hashes ---- */

static bool
seen_used(const void *slot)
{
    return ((const struct asked_hash *)slot)->hash != 0;
}

static bool
seen_equal(const void *of, const void *slot, const void *key)
{
    (void)of;
    return ((const struct asked_hash *)slot)->hash == *(const uint64_t *)key;
}

static uint64_t
seen_hash(const void *of, const void *slot)
{
    (void)of;
    return ((const struct asked_hash *)slot)->hash;
}

static const struct hashmap_kind seen_kind = {.size = sizeof(struct asked_hash),
                                              .used = seen_used,
                                              .equal = seen_equal,
                                              .hash = seen_hash};

static struct asked_hash *
ask(struct quality *q, uint64_t hash, size_t at)
{
    struct asked_hash *s;

    hash |= 1;
    s = hashmap_put(&q->seen, &seen_kind, NULL, hash, &hash);
    if (s->hash == 0)
        *s = (struct asked_hash){.hash = hash, .first = at};
    s->n++;
    return s;
}

/* How often it has been asked for, now included. */
static uint64_t
times(struct quality *q, uint64_t hash)
{
    return ask(q, hash, 0)->n;
}

/* ---- lines ---- */

struct line_sums {
    size_t n, chars, punctuated, is_short, twice, chars_twice, bullets,
        ellipses;
};

static bool
ends_with_any(struct str s, const char *const *ends)
{
    for (; *ends != NULL; ends++)
        if (str_ends(s, str_c(*ends)))
            return true;
    return false;
}

static void
measure_line(struct quality *q, struct line_sums *l, struct str line)
{
    static const char *const stops[] = {".",      "!",      "?",      "\"",
                                        "\u201d", "\u2026", "\u3002", "\uff01",
                                        "\uff1f", "\u061f", "\u0964", NULL};
    static const char *const dots[] = {"...", "\u2026", NULL};
    size_t chars = codepoint_count(line);

    l->n++;
    l->chars += chars;
    l->punctuated += ends_with_any(line, stops);
    l->ellipses += ends_with_any(line, dots);
    l->is_short += chars <= 30;
    l->bullets += str_starts(line, S("\u2022")) || str_starts(line, S("- ")) ||
                  str_starts(line, S("* "));
    if (times(q, hash64(line)) > 1) {
        l->twice++;
        l->chars_twice += chars;
    }
}

static double
share(size_t part, size_t all)
{
    return all > 0 ? (double)part / (double)all : 0;
}

/* ---- words ---- */

/* Of words: how many there are with a letter, of # in them, and with an
 * ellipsis at their end. */
struct word_sums {
    size_t letters, hashes, ellipses;
};

static bool
has_letter(struct str word)
{
    for (size_t at = 0; at < word.n;)
        if (u_isalpha((UChar32)scan_next(word, &at)))
            return true;
    return false;
}

static void
add_words(struct quality *q, struct str line, struct word_sums *w)
{
    struct str word;

    while (str_cut(&line, ' ', &word)) {
        if (word.n == 0)
            continue;
        if (q->n == q->room) {
            q->room = q->room ? 2 * q->room : 256;
            q->word = memory_need(realloc(q->word, q->room * sizeof *q->word));
        }
        for (size_t i = 0; i < word.n; i++)
            w->hashes += word.p[i] == '#';
        w->ellipses += str_ends(word, S("...")) || str_ends(word, S("\u2026"));
        w->letters += has_letter(word);
        q->chars += codepoint_count(word);
        q->word[q->n++] = word;
    }
}

static uint64_t
hash_words(const struct quality *q, size_t at, size_t n, size_t *bytes)
{
    uint64_t h = n;

    *bytes = 0;
    for (size_t i = 0; i < n; i++) {
        h = hash64_seed(q->word[at + i], h);
        *bytes += q->word[at + i].n;
    }
    return h;
}

/* The share of the text that its most frequent n-gram makes up, if it is there
 * twice; of equally frequent ones the first. */
static double
top(struct quality *q, size_t n, size_t bytes_all)
{
    struct asked_hash most = {.n = 1};
    size_t most_bytes = 0;

    hashmap_clear(&q->seen, &seen_kind);
    for (size_t i = 0; i + n <= q->n; i++) {
        size_t bytes;
        const struct asked_hash *s = ask(q, hash_words(q, i, n, &bytes), i);

        if (s->n > most.n ||
            (s->n > 1 && s->n == most.n && s->first < most.first)) {
            most = *s;
            most_bytes = bytes;
        }
    }
    return share((size_t)most.n * most_bytes, bytes_all);
}

/* The share that n-grams make up which have been there before. */
static double
twice(struct quality *q, size_t n, size_t bytes_all)
{
    size_t sum = 0;

    hashmap_clear(&q->seen, &seen_kind);
    for (size_t i = 0; i + n <= q->n;) {
        size_t bytes;

        if (times(q, hash_words(q, i, n, &bytes)) > 1) {
            sum += bytes;
            i += n;
        } else
            i++;
    }
    return share(sum, bytes_all);
}

/* How many of the language's most frequent words it has; NAN: there is no list
 * of them. */
static double
stop_words(struct quality *q, struct str language)
{
    const struct language_words *words = job_word_list(&q->lists, language);
    size_t n = 0;

    if (words == NULL || !language_words_has(words, WORD_STOP))
        return NAN;
    hashmap_clear(&q->seen, &seen_kind);
    for (size_t i = 0; i < q->n; i++) {
        char small[16];
        size_t k = 0;

        if (!(language_words_flags(words, q->word[i]) & WORD_STOP))
            continue;
        for (; k < q->word[i].n && k < sizeof small; k++)
            small[k] = ascii_lower(q->word[i].p[k]);
        n += times(q, hash64(str_n(small, k))) == 1;
    }
    return (double)n;
}

static void
read_text(struct quality *q, struct str text, struct line_sums *l,
          struct word_sums *w)
{
    struct doc_piece piece;

    q->n = q->chars = 0;
    hashmap_clear(&q->seen, &seen_kind);
    buf_clear(&q->plain);
    buf_reserve(&q->plain, text.n); /* so that the words stay where they are */
    while ((piece = doc_next(&text)).kind != DOC_END) {
        size_t from = q->plain.n;
        struct str line;

        if (piece.kind != DOC_TEXT)
            continue;
        doc_unescape(&q->plain, piece.text);
        line = str_sub(buf_view(&q->plain), from, q->plain.n);
        measure_line(q, l, line);
        add_words(q, line, w);
    }
}

static void
measure(struct quality *q, struct str text, struct str language)
{
    struct line_sums l = {.n = 0};
    struct word_sums w = {.letters = 0};
    size_t bytes = 0;
    double *v = q->value;

    read_text(q, text, &l, &w);
    for (size_t i = 0; i < q->n; i++)
        bytes += q->word[i].n;
    v[WORDS] = (double)q->n;
    v[WORD_MEAN] = share(q->chars, q->n);
    v[SYMBOLS] = share(w.hashes > w.ellipses ? w.hashes : w.ellipses, q->n);
    v[LETTERS] = share(w.letters, q->n);
    v[BULLETS] = share(l.bullets, l.n);
    v[ELLIPSES] = share(l.ellipses, l.n);
    v[LINES_PUNCTUATED] = share(l.punctuated, l.n);
    v[LINES_SHORT] = share(l.is_short, l.n);
    v[LINES_TWICE] = share(l.twice, l.n);
    v[CHARS_TWICE] = share(l.chars_twice, l.chars);
    for (size_t n = 2; n <= 4; n++)
        v[TOP_2 + n - 2] = top(q, n, bytes);
    v[TWICE_5] = twice(q, 5, bytes);
    v[TWICE_10] = twice(q, 10, bytes);
    v[STOP_WORDS] = stop_words(q, language);
}

/* ---- rules ---- */

static size_t
find_rule(struct str name)
{
    size_t i = 0;

    while (i < RULES_N && !str_eq(name, str_c(rules[i].name)))
        i++;
    return i;
}

/* "name name", "name=0.3 ...".  False: one of them is none. */
static bool
read_rules(struct quality *q)
{
    struct str on = job_option_text(q->r, "rules"), word;
    struct str limits = job_option_text(q->r, "limits");

    for (size_t i = 0; i < RULES_N; i++) {
        q->limit[i] = rules[i].limit;
        q->on[i] = on.n == 0;
    }
    while (str_word(&on, &word)) {
        size_t i = find_rule(word);

        if (i == RULES_N)
            return false;
        q->on[i] = true;
    }
    while (str_word(&limits, &word)) {
        size_t equals = str_find(word, '=', 0);
        size_t i = find_rule(str_sub(word, 0, equals));

        if (i == RULES_N ||
            !str_real(str_sub(word, equals + 1, word.n), &q->limit[i]))
            return false;
    }
    return true;
}

static size_t
first_unmet(const struct quality *q)
{
    for (size_t i = 0; i < RULES_N; i++) {
        double v = q->value[rules[i].of];

        if (q->on[i] && (rules[i].least ? v < q->limit[i] : v > q->limit[i]))
            return i;
    }
    return RULES_N;
}

static void
put(struct quality *q, struct doc_line *d, size_t unmet, struct buf *process,
    struct buf *out)
{
    struct buf measures = {0}, labelled = {0};

    for (size_t i = 0; i < MEASURES_N; i++)
        if (!isnan(q->value[i]))
            buf_printf(&measures, "%s%s=%.4g", i > 0 ? " " : "",
                       measure_name[i], q->value[i]);
    doc_process_add(process, d->process, DOC_FACT_QUALITY, buf_view(&measures));
    d->process = buf_view(process);
    if (unmet < RULES_N) {
        doc_process_add(&labelled, d->process, DOC_FACT_REJECT,
                        str_c(rules[unmet].name));
        d->process = buf_view(&labelled);
    }
    doc_line_write(out, d);
    job_put(q->r, buf_view(out));
    buf_free(&measures);
    buf_free(&labelled);
}

static void
map_lines(struct quality *q)
{
    bool drop = job_option(q->r, "drop") != 0;
    struct buf process = {0}, out = {0};
    struct str line;

    while (job_line(q->r, &line)) {
        struct doc_line d;
        size_t unmet;

        if (!doc_line_read(&d, line)) {
            job_count(q->r, REJECTED, 1);
            continue;
        }
        measure(q, d.text,
                q->language.n > 0 ? q->language
                                  : doc_element(d.source, DOC_FACT_LANGUAGE));
        unmet = first_unmet(q);
        job_count(q->r, DOCUMENTS, 1);
        job_count(q->r, unmet == RULES_N ? PASSED : RULES + (unsigned)unmet, 1);
        if (unmet == RULES_N || !drop)
            put(q, &d, unmet, &process, &out);
    }
    buf_free(&process);
    buf_free(&out);
}

static void
map(struct job_run *r)
{
    struct quality q = {.r = r, .language = job_option_text(r, "lang")};

    job_word_lists_open(&q.lists, r);
    hashmap_init(&q.seen, &seen_kind, NULL, 256);
    if (read_rules(&q))
        map_lines(&q);
    else {
        fprintf(stderr, "winnow job quality: rules or limits name no rule\n");
        job_fail(r);
    }
    job_word_lists_close(&q.lists);
    hashmap_free(&q.seen);
    free(q.word);
    buf_free(&q.plain);
}

const struct corpus_job job_quality = {
    .name = "quality",
    .summary = "Documents by the rules of Gopher and FineWeb.",
    .lines = "map: documents -> documents, with <quality>MEASURE=VALUE ..."
             "</quality>",
    .phase = {map, NULL, NULL},
    .options = {JOB_TEXT(
                    "rules", "",
                    "Which rules count, by the counters' names; preset: all.",
                    NULL),
                JOB_TEXT("limits", "", "Other limits: RULE=NUMBER ...", NULL),
                JOB_LANGUAGE(
                    "Language, for stop-words; preset: what each document "
                    "says of itself."),
                JOB_NUMBER("drop", "1",
                           "0: all documents stay, with <reject>RULE</reject>.",
                           0, 1)},
    .counters = {JOB_LINES_REJECTED,
                 "documents",
                 "documents passed",
                 "words-min",
                 "words-max",
                 "word-mean-min",
                 "word-mean-max",
                 "symbols",
                 "bullets",
                 "ellipses",
                 "letters",
                 "punctuation",
                 "short-lines",
                 "lines-twice",
                 "chars-twice",
                 "top-2",
                 "top-3",
                 "top-4",
                 "twice-5",
                 "twice-10",
                 "stop-words"},
};
