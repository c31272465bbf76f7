/* shingle_pairs.c -- job shingle-pairs: documents that share a hash.
 *
 * map     lines of fingerprints, texrex's or of format shingles, become
 *         HASH TAB RANK, a line each hash; and once FAMILY TAB how they are
 *         made, by which a reducer tells that mappers had different ones
 * reduce  of each hash that fewer than `max` documents have, all pairs, with a
 * 1
 *
 * Memory of reduce is bounded by max. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/memory.h"
#include "job.h"
#include "pair_line.h"
#include "shingle/fingerprint/fingerprint.h"

enum { DOCUMENTS, HASHES, REJECTED, OVERFULL, PAIRS };

#define FAMILY "family" /* the key of the line that names it */

static void
put_hash(struct job_run *r, struct buf *line, uint64_t hash, const char *id,
         uint64_t size)
{
    buf_clear(line);
    buf_printf(line, "%016" PRIx64 "\t%010" PRIu64 " %.*s", hash,
               SIZE_MAX_SHOWN - (size < SIZE_MAX_SHOWN ? size : SIZE_MAX_SHOWN),
               ID_SIZE, id);
    job_put(r, buf_view(line));
    job_count(r, HASHES, 1);
}

/* A value's place goes into its hash, as in texrex's lines. */
static bool
map_print(struct job_run *r, struct buf *out, const struct print_line *p)
{
    uint32_t value[VALUES_MAX];

    if (!hex_values(p->values, value))
        return false;
    for (uint32_t i = 0; i < p->values_n; i++)
        put_hash(r, out, hash_mix((uint64_t)i << 32 | value[i]), p->id,
                 p->size);
    job_count(r, DOCUMENTS, 1);
    return true;
}

static void
put_family(struct job_run *r, const char *scheme, uint32_t values_n)
{
    struct buf line = {0};

    buf_printf(&line, FAMILY "\t%s of %u", scheme, values_n);
    job_put(r, buf_view(&line));
    buf_free(&line);
}

/* All fingerprints are made alike, or pairs of them mean nothing. */
static bool
same_family(struct job_run *r, struct print_family *f,
            const struct print_line *p)
{
    if (f->values_n == 0) {
        *f = print_family_of(p);
        put_family(r, f->scheme, f->values_n);
    }
    if (print_family_is(f, p))
        return true;
    log_error("job",
              "fault=\"another family: fingerprints %.*s of %u values, others "
              "are %s of %u\"",
              STRF(p->scheme), p->values_n, f->scheme, f->values_n);
    job_fail(r);
    return false;
}

static void
map(struct job_run *r)
{
    struct print_family family = {0};
    struct buf out = {0};
    struct str line;
    bool hashes = false;

    while (job_line(r, &line)) {
        struct hash_line h;
        struct print_line p;
        bool is_print;

        if (hash_line_read(&h, line)) {
            if (!hashes)
                put_family(r, "hashes", 0);
            hashes = true;
            put_hash(r, &out, h.hash, h.id, h.size);
            continue;
        }
        is_print = print_line_read(&p, line);
        if (is_print && !same_family(r, &family, &p))
            break;
        if (!is_print || !map_print(r, &out, &p))
            job_count(r, REJECTED, 1);
    }
    buf_free(&out);
}

struct group {
    char key[32];
    size_t key_n;
    char (*rank)[RANK_TEXT];
    size_t n, room, max;
};

static int
by_rank(const void *a, const void *b)
{
    return memcmp(a, b, RANK_TEXT);
}

/* Each document once, the best one first. */
static void
unite(struct group *g)
{
    size_t n = 0;

    qsort(g->rank, g->n, sizeof *g->rank, by_rank);
    for (size_t i = 0; i < g->n; i++)
        if (i == 0 || by_rank(g->rank[n - 1], g->rank[i]) != 0)
            memmove(g->rank[n++], g->rank[i], RANK_TEXT);
    g->n = n;
}

static void
add(struct group *g, struct str rank)
{
    if (g->n == g->room)
        unite(g);
    if (g->n < g->room) /* else there are max of them or more */
        memcpy(g->rank[g->n++], rank.p, RANK_TEXT);
}

static void
finish(struct job_run *r, struct group *g, struct buf *out)
{
    unite(g);
    if (g->n >= g->max) {
        job_count(r, OVERFULL, 1);
        g->n = 0;
    }
    for (size_t i = 0; i < g->n; i++)
        for (size_t k = i + 1; k < g->n; k++) {
            buf_clear(out);
            buf_printf(out, "%.*s %.*s\t1", RANK_TEXT, g->rank[k], RANK_TEXT,
                       g->rank[i]);
            job_put(r, buf_view(out));
            job_count(r, PAIRS, 1);
        }
    g->n = 0;
}

/* What another mapper says.  False: its fingerprints are of another family. */
static bool
one_family(struct job_run *r, struct buf *family, struct str name)
{
    if (family->n == 0)
        buf_str(family, name);
    if (str_eq(buf_view(family), name))
        return true;
    log_error("job",
              "fault=\"another family: fingerprints %.*s, others are %.*s\"",
              STRF(name), STRF(buf_view(family)));
    job_fail(r);
    return false;
}

static void
reduce(struct job_run *r)
{
    struct buf family = {0};
    struct group g = {.max = (size_t)job_option(r, "max")};
    struct buf out = {0};
    struct str line, key, rank;

    g.room = 2 * g.max;
    g.rank = memory_need(calloc(g.room, sizeof *g.rank));
    while (job_line(r, &line)) {
        bool split = job_split(line, &key, &rank);

        if (split && str_eq(key, S(FAMILY))) {
            if (!one_family(r, &family, rank))
                break;
            continue;
        }
        if (!split || key.n > sizeof g.key || rank.n != RANK_TEXT) {
            job_count(r, REJECTED, 1);
            continue;
        }
        if (!str_eq(key, str_n(g.key, g.key_n))) {
            finish(r, &g, &out);
            memcpy(g.key, key.p, key.n);
            g.key_n = key.n;
        }
        add(&g, rank);
    }
    finish(r, &g, &out);
    free(g.rank);
    buf_free(&family);
    buf_free(&out);
}

const struct corpus_job job_shingle_pairs = {
    .name = "shingle-pairs",
    .summary = "Documents that share a hash of their fingerprints.",
    .lines = "map: lines of fingerprints -> HASH, document; reduce: -> lesser "
             "and better document, 1",
    .phase = {map, NULL, reduce},
    .options = {JOB_NUMBER("max", "200",
                           "A hash that so many documents have says nothing.",
                           2, 1000000)},
    .counters = {"documents", "hashes", JOB_LINES_REJECTED, "hashes overfull",
                 "pairs"},
};
