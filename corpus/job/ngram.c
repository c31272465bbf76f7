/* ngram.c -- jobs ngram, ngram-with-pos and pos-ngram: words in a row, counted.
 *
 * A word with its part of speech is WORD/<POS> (as job annotate writes it).
 * ngram and ngram-with-pos take each word as it stands; pos-ngram writes every
 * n-gram 2^n times, with the word or <POS> at each place. */
#include <inttypes.h>

#include "job.h"
#include "job_sum.h"
#include "job_words.h"
#include "ngram.h"

#define PATTERNS_N_MAX 12

/* ---- the parts of WORD/<POS> ---- */

static bool
split_tag(struct str word, struct str *form, struct str *tag)
{
    size_t at = word.n;

    while (at > 2 && !(word.p[at - 1] == '<' && word.p[at - 2] == '/'))
        at--;
    *form = str_sub(word, 0, at - 2);
    *tag = str_sub(word, at - 1, word.n);
    return at > 2 && tag->n > 2 && word.p[word.n - 1] == '>';
}

static bool
all_tagged(const struct job_words *w)
{
    struct str form, tag;

    for (size_t i = 0; i < w->n; i++)
        if (!split_tag(w->word[i], &form, &tag))
            return false;
    return true;
}

/* ---- map ---- */

static void
put(const struct job_words *w, struct buf *out)
{
    buf_printf(out, "\t%" PRIu64, w->weight);
    job_put(w->r, buf_view(out));
    job_count(w->r, NGRAM_NGRAMS, 1);
}

/* The n-gram as it stands: one part of the line, whose words have one blank
 * between them, or else put together. */
static void
put_words(const struct job_words *w, size_t from, uint64_t n, struct buf *out)
{
    buf_clear(out);
    for (uint64_t i = 0; i < n; i++) {
        if (i > 0)
            buf_char(out, ' ');
        buf_str(out, w->word[from + i]);
    }
    put(w, out);
}

static void
put_patterns(const struct job_words *w, size_t from, uint64_t n,
             struct buf *out)
{
    for (uint64_t pattern = 0; pattern < UINT64_C(1) << n; pattern++) {
        buf_clear(out);
        for (uint64_t i = 0; i < n; i++) {
            struct str part[2];

            if (i > 0)
                buf_char(out, ' ');
            if (split_tag(w->word[from + i], &part[0], &part[1]))
                buf_str(out, part[pattern >> i & 1]);
        }
        put(w, out);
    }
}

typedef void ngram_put(const struct job_words *w, size_t from, uint64_t n,
                       struct buf *out);

static void
map_with(struct job_run *r, ngram_put *each, bool tagged)
{
    uint64_t most = job_option(r, "n"), least = job_option(r, "n-min");
    struct job_words w;
    struct buf out = {0};

    if (least == 0 || least > most)
        least = most;
    job_words_open(&w, r, NGRAM_REJECTED);
    while (job_words_next(&w)) {
        if (tagged && !all_tagged(&w)) {
            job_count(r, NGRAM_UNTAGGED, 1);
            continue;
        }
        job_count(r, NGRAM_SENTENCES, 1);
        for (size_t i = 0; i < w.n; i++)
            for (uint64_t n = least; n <= most && i + n <= w.n; n++)
                each(&w, i, n, &out);
    }
    job_words_close(&w);
    buf_free(&out);
}

static void
map(struct job_run *r)
{
    map_with(r, put_words, false);
}

static void
map_tagged(struct job_run *r)
{
    map_with(r, put_words, true);
}

static void
map_patterns(struct job_run *r)
{
    map_with(r, put_patterns, true);
}

/* ---- combine, reduce ---- */

static void
combine(struct job_run *r)
{
    job_sum(r, 0, NGRAM_REJECTED, NGRAM_KEYS, NGRAM_WRITTEN);
}

static void
reduce(struct job_run *r)
{
    job_sum(r, job_option(r, "min-count"), NGRAM_REJECTED, NGRAM_KEYS,
            NGRAM_WRITTEN);
}

#define NGRAM_OPTIONS(most)                                                    \
    {                                                                          \
        JOB_NUMBER("n", "1", "Words in a row.", 1, most),                      \
            JOB_NUMBER("n-min", "0", "Also fewer, from so many on; 0: no.", 0, \
                       most),                                                  \
            JOB_NUMBER("min-count", "1", "What is rarer is left out.", 1,      \
                       UINT64_C(1000000000000)),                               \
            JOB_WORDS_OPTIONS                                                  \
    }
#define NGRAM_COUNTERS                                                         \
    {                                                                          \
        JOB_LINES_REJECTED, "sentences", "n-grams", "sentences without tags",  \
            "keys", "keys written"                                             \
    }

const struct corpus_job job_ngram = {
    .name = "ngram",
    .summary = "Words in a row, counted.",
    .lines = "map: sentences -> words, N; combine, reduce: words, N -> words, "
             "their sum",
    .phase = {map, combine, reduce},
    .options = NGRAM_OPTIONS(100),
    .counters = NGRAM_COUNTERS,
};

const struct corpus_job job_ngram_with_pos = {
    .name = "ngram-with-pos",
    .summary = "Words with their part of speech in a row, counted.",
    .lines = "map: sentences of WORD/<POS> -> these, N; combine, reduce: "
             "n-gram, N -> n-gram, their sum",
    .phase = {map_tagged, combine, reduce},
    .options = NGRAM_OPTIONS(100),
    .counters = NGRAM_COUNTERS,
};

const struct corpus_job job_pos_ngram = {
    .name = "pos-ngram",
    .summary = "Patterns of words and parts of speech in a row, counted.",
    .lines = "map: sentences of WORD/<POS> -> 2^n patterns of an n-gram, N; "
             "combine, reduce: pattern, N -> pattern, their sum",
    .phase = {map_patterns, combine, reduce},
    .options = NGRAM_OPTIONS(PATTERNS_N_MAX),
    .counters = NGRAM_COUNTERS,
};
