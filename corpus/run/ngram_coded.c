/* ngram_coded.c -- see ngram_coded.h.
 *
 * Words become numbers of 25 bits (word_codes.h), and for every place of a
 * sentence one n-gram is kept: the numbers of the n words from there on, zeros
 * behind the sentence's end.  They go to buckets by their first two words and
 * from there to sorted runs on the disk (ngram_runs.h).  Since a sorted n-gram
 * stands beside those that begin as it does, one pass over a bucket counts all
 * orders from two to n at once: where n-grams begin to differ, the shorter ones
 * end.  Single words have been counted as they got their numbers.  So n orders
 * cost one n-gram a token, not n lines.
 *
 * What does not fit (n of more than five, weights, more words than numbers or
 * memory, a bucket that is too large) is left to the phases of the job. */
#include "ngram_coded.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/progress.h"
#include "corpus/job/job_words.h"
#include "corpus/job/ngram.h"
#include "line_source.h"
#include "ngram_runs.h"
#include "part_file.h"
#include "word_codes.h"

enum { BUCKETS = 256, RUN_GRAMS_MIN = 2048, RUN_GRAMS_MAX = 1 << 16 };
#define GRAM_BYTES ((size_t)16) /* in memory */

_Static_assert((int)WORD_CODE_BITS <= (int)NGRAM_CODE_BITS, "codes fit");

struct coded_mapper {
    struct coded *c;
    struct word_code_cache *cache;
    struct ngram_writer *to;
    struct buf block;
    struct str rest;
    struct job_totals totals;
};

struct coded {
    const struct stage_run *r;
    struct corpus_job job; /* with a map phase of its own */
    unsigned n, least;     /* words */
    uint64_t min_count;
    struct word_codes *words;
    struct spill *spill;
    struct line_source *source;
    struct coded_mapper *mapper;
    struct job_totals *counted; /* of a thread */
    struct part_file **part;
    atomic_bool too_much; /* it does not fit */
};

static uint64_t
option(const struct stage_run *r, const char *name)
{
    const struct corpus_job *j = r->stage->job;

    for (size_t i = 0; i < JOB_OPTIONS_MAX && j->options[i].name; i++)
        if (strcmp(j->options[i].name, name) == 0)
            return r->stage->settings.value[i];
    return 0;
}

/* ---- map ---- */

static enum status
next_line(void *self, struct str *line)
{
    struct coded_mapper *m = self;

    while (!str_cut(&m->rest, '\n', line)) {
        enum status st = m->c->too_much
                             ? ST_NONE
                             : line_source_block(m->c->source, &m->block,
                                                 &m->totals.too_long);

        if (st != ST_OK)
            return st;
        m->rest = buf_view(&m->block);
    }
    return ST_OK;
}

static void
put_sentence(struct coded_mapper *m, const uint32_t *code, size_t words)
{
    const struct coded *c = m->c;

    for (size_t i = 0; i + 1 < words && c->n > 1; i++) {
        uint64_t two = (uint64_t)code[i] << 32 | code[i + 1];

        ngram_put(m->to, (unsigned)(hash_mix(two) % BUCKETS), code + i,
                  words - i < c->n ? (unsigned)(words - i) : c->n);
    }
}

static uint64_t
ngrams_of(const struct coded *c, size_t words)
{
    uint64_t n = 0;

    for (unsigned k = c->least; k <= c->n; k++)
        n += words >= k ? words - k + 1 : 0;
    return n;
}

/* An eighth of the memory, of all threads, is for n-grams not yet sorted: the
 * longer a run, the more its n-grams share. */
static size_t
run_grams(const struct stage_run *r)
{
    size_t n = r->memory / 8 / (r->threads * BUCKETS * GRAM_BYTES);

    return n < RUN_GRAMS_MIN   ? RUN_GRAMS_MIN
           : n > RUN_GRAMS_MAX ? RUN_GRAMS_MAX
                               : n;
}

static void
map_coded(struct job_run *r)
{
    struct coded_mapper *m = job_self(r);
    struct job_words w;
    uint32_t *code = NULL;
    size_t room = 0;

    job_words_open(&w, r, NGRAM_REJECTED);
    while (job_words_next(&w)) {
        if (w.n > room) {
            room = w.n + w.n / 2;
            code = memory_need(realloc(code, room * sizeof *code));
        }
        for (size_t i = 0; i < w.n; i++)
            if ((code[i] = word_code(m->cache, w.word[i])) == 0)
                m->c->too_much = true;
        if (m->c->too_much)
            break;
        job_count(r, NGRAM_SENTENCES, 1);
        job_count(r, NGRAM_NGRAMS, ngrams_of(m->c, w.n));
        put_sentence(m, code, w.n);
    }
    job_words_close(&w);
    free(code);
}

static enum status
map(void *self, size_t i, size_t thread)
{
    struct coded *c = self;
    struct coded_mapper *m = &c->mapper[i];
    struct job_io io = {m, next_line, NULL, NULL, NULL};
    bool good;

    (void)thread;
    m->c = c;
    m->cache = word_code_cache_new(c->words);
    m->to = ngram_writer_new(c->spill, run_grams(c->r));
    good = job_run_phase(&c->job, JOB_MAP, &c->r->stage->settings, &io,
                         &m->totals);
    word_code_cache_end(m->cache);
    ngram_writer_end(m->to);
    buf_free(&m->block);
    return good ? ST_OK : ST_IO;
}

/* ---- counting ---- */

struct counting {
    struct coded *c;
    struct job_totals *totals;
    struct part_file *part;
    uint32_t code[NGRAM_WORDS_MAX]; /* of the n-gram before */
    uint64_t n[NGRAM_WORDS_MAX + 1];
    struct buf line;              /* its words, from the first one on */
    size_t ends[NGRAM_WORDS_MAX]; /* where they end in the line */
    unsigned words_n;             /* that stand there */
    enum status st;
};

/* The line has exactly these words. */
static void
words_of(struct counting *k, unsigned words)
{
    k->words_n = k->words_n < words ? k->words_n : words;
    k->line.n = k->words_n > 0 ? k->ends[k->words_n - 1] : 0;
    for (; k->words_n < words; k->words_n++) {
        if (k->words_n > 0)
            buf_char(&k->line, ' ');
        buf_str(&k->line, word_of_code(k->c->words, k->code[k->words_n]));
        k->ends[k->words_n] = k->line.n;
    }
}

static void
put(struct counting *k, unsigned words, uint64_t n)
{
    k->totals->counter[NGRAM_KEYS]++;
    if (n < k->c->min_count || k->st != ST_OK)
        return;
    k->totals->counter[NGRAM_WRITTEN]++;
    words_of(k, words);
    buf_char(&k->line, '\t');
    buf_number(&k->line, n);
    k->st = part_file_put(k->part, buf_view(&k->line));
}

/* n-grams of more than `shared` words are over. */
static void
finish(struct counting *k, unsigned shared)
{
    for (unsigned words = k->c->n; words > shared && words > 1; words--) {
        if (k->n[words] > 0 && words >= k->c->least)
            put(k, words, k->n[words]);
        k->n[words] = 0;
    }
    if (k->words_n > shared)
        k->words_n = shared;
}

static void
count_gram(void *self, const uint32_t *code, uint64_t count)
{
    struct counting *k = self;
    unsigned shared = 0;

    while (shared < k->c->n && code[shared] == k->code[shared] &&
           code[shared] != 0)
        shared++;
    finish(k, shared);
    memcpy(k->code, code, sizeof k->code);
    for (unsigned words = 2; words <= k->c->n && code[words - 1] != 0; words++)
        k->n[words] += count;
}

static enum status
count_bucket(void *self, size_t bucket, size_t thread)
{
    struct coded *c = self;
    struct counting k = {
        .c = c, .totals = &c->counted[thread], .part = c->part[thread]};
    enum status st = ngram_merge(c->spill, (unsigned)bucket, count_gram, &k);

    finish(&k, 0);
    buf_free(&k.line);
    return st == ST_OK ? k.st : st;
}

static enum status
count_words(struct coded *c)
{
    struct counting k = {.c = c, .totals = &c->counted[0], .part = c->part[0]};
    uint32_t end = word_codes_end(c->words);

    for (uint32_t code = 1; code < end && c->least == 1; code++) {
        k.code[0] = code;
        k.words_n = 0;
        if (word_code_count(c->words, code) > 0)
            put(&k, 1, word_code_count(c->words, code));
    }
    buf_free(&k.line);
    return k.st;
}

static enum status
open_parts(struct coded *c)
{
    enum status st = ST_OK;

    for (size_t i = 0; i < c->r->threads && st == ST_OK; i++) {
        char path[4096];

        snprintf(path, sizeof path, "%s/part-%05zu.zst", c->r->folder, i);
        st = part_file_make(&c->part[i], path);
    }
    return st;
}

static enum status
count_all(struct coded *c)
{
    enum status st = open_parts(c);

    if (st == ST_OK)
        st = count_words(c);
    if (st == ST_OK)
        st = pool_each(c->r->threads, BUCKETS, count_bucket, c);
    for (size_t i = 0; i < c->r->threads; i++) {
        enum status ended = part_file_end(c->part[i]);

        st = st == ST_OK ? ended : st;
    }
    return st;
}

/* Whether each thread can have the largest bucket in memory. */
static bool
buckets_fit(const struct coded *c)
{
    for (unsigned b = 0; b < BUCKETS; b++)
        if (spill_n(c->spill, b) * c->r->threads >
            c->r->memory - c->r->memory / 4)
            return false;
    return true;
}

/* ---- all of it ---- */

static bool
is_for_it(const struct stage_run *r)
{
    return strcmp(r->stage->job->name, "ngram") == 0 &&
           option(r, "n") <= NGRAM_WORDS_MAX &&
           option(r, "weight-column") == 0 &&
           r->memory >=
               r->threads * 2 *
                   (BUCKETS * RUN_GRAMS_MIN * GRAM_BYTES + ((size_t)4 << 20));
}

static enum status
work(struct coded *c)
{
    size_t threads = c->r->threads;
    enum status st = pool_each(threads, threads, map, c);

    if (st == ST_OK)
        st = spill_check(c->spill);
    c->too_much |= st == ST_OK && !buckets_fit(c);
    if (st == ST_OK && !c->too_much)
        st = count_all(c);
    return st;
}

static enum status
set_up(struct coded *c, const char *path)
{
    const struct stage_run *r = c->r;

    c->job = *r->stage->job;
    c->job.phase[JOB_MAP] = map_coded;
    c->n = (unsigned)option(r, "n");
    c->least = (unsigned)option(r, "n-min");
    if (c->least == 0 || c->least > c->n)
        c->least = c->n;
    c->min_count = option(r, "min-count");
    c->words = word_codes_new(r->memory / 4);
    c->mapper = memory_need(calloc(r->threads, sizeof *c->mapper));
    c->counted = memory_need(calloc(r->threads, sizeof *c->counted));
    c->part = memory_need(calloc(r->threads, sizeof(struct part_file *)));
    return spill_make(&c->spill, path, BUCKETS, 1, 0);
}

enum ngram_coded
ngram_coded_run(const struct stage_run *r, struct job_totals *totals)
{
    struct progress *progress;
    struct coded c = {.r = r};
    char path[4096];
    enum status st;

    if (!is_for_it(r))
        return NGRAM_CODED_NOT;
    snprintf(path, sizeof path, "%s/run", r->folder);
    progress = progress_begin(r->stage->name, PROGRESS_BYTES, 0);
    c.source = line_source_new(r->path, r->paths_n, progress);
    st = set_up(&c, path);
    if (st == ST_OK)
        st = work(&c);
    for (size_t i = 0; i < r->threads && st == ST_OK && !c.too_much; i++) {
        job_totals_add(totals, &c.mapper[i].totals);
        job_totals_add(totals, &c.counted[i]);
    }
    progress_end(progress);
    line_source_free(c.source);
    spill_close(c.spill);
    spill_remove(path);
    word_codes_free(c.words);
    free(c.mapper);
    free(c.counted);
    free(c.part);
    return st != ST_OK  ? NGRAM_CODED_FAILED
           : c.too_much ? NGRAM_CODED_NOT
                        : NGRAM_CODED_DONE;
}
