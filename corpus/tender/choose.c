/* choose.c -- the last stage: what is removed, and in favour of what.
 *
 * Scores come in the order of the lesser document's rank, so when one is looked
 * at everything that is better has been decided; what is kept is a bit a rank.
 * A document that is removed names the kept one it resembles most.
 *
 * Lists of earlier runs (-b) that are ours are taken for what they are, the
 * decisions of a look at a part: the documents on them take part, and the new
 * list says only what differs: ids that are to go as well, and with a ! before
 * them ids that stay after all, since what they resembled is gone itself.  So
 * all lists together say what one run over everything would have said. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/big_endian.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/progress.h"
#include "clean/tools/text_sink.h"
#include "tender_inside.h"

enum choice_file { RESULT_BLACKLIST, RESULT_CLUSTERS, RESULT_FULL, RESULTS_N };
static const char *const result_name[RESULTS_N] = {
    "03.blacklist", "03.clusters", "03.blacklist-full"};

struct choice {
    struct tender *t;
    uint32_t *order;
    struct stored_documents documents;
    uint64_t *removed; /* a bit a rank */
    struct text_sink *result[RESULTS_N];
    char *part[RESULTS_N], *path[RESULTS_N];
    uint32_t lesser, best, best_score; /* the document being looked at */
    struct buf line;
    struct progress *progress;
};

static bool
is_removed(const struct choice *c, uint32_t rank)
{
    return (c->removed[rank / 64] >> rank % 64 & 1) != 0;
}

static bool
is_earlier(const struct choice *c, uint32_t rank)
{
    return (c->documents.at[c->order[rank]].size & SIZE_EARLIER) != 0;
}

static struct str
id_of(const struct choice *c, uint32_t rank)
{
    return str_n(c->documents.at[c->order[rank]].id, ID_SIZE);
}

static void
put_ids(struct choice *c, const char *mark, struct str id, int32_t times)
{
    for (; times > 0; times--) {
        buf_clear(&c->line);
        buf_c(&c->line, mark);
        buf_str(&c->line, id);
        buf_char(&c->line, '\n');
        text_sink_put(c->result[RESULT_BLACKLIST], buf_view(&c->line));
    }
}

/* In both figures what is shared, in hashes or in thousandths. */
static uint32_t
shown(const struct choice *c, uint32_t score)
{
    return c->t->near > 0 ? (score + 500) / 1000 : score;
}

static void
remove_document(struct choice *c, uint32_t rank, uint32_t kept, uint32_t score)
{
    struct str id = id_of(c, rank);
    int32_t listed = id_set_count(&c->t->own, id);

    c->removed[rank / 64] |= (uint64_t)1 << rank % 64;
    c->t->counts.removed++;
    if (listed <= 0)
        put_ids(c, "", id, 1 - listed);
    buf_clear(&c->line);
    buf_str(&c->line, id);
    buf_char(&c->line, ' ');
    buf_str(&c->line, id_of(c, kept));
    buf_printf(&c->line, c->t->near > 0 ? " %.4f\n" : " %.0f\n",
               c->t->near > 0 ? score / (double)MILLION : (double)score);
    text_sink_put(c->result[RESULT_CLUSTERS], buf_view(&c->line));
}

static void
finish_document(struct choice *c)
{
    if (c->lesser != RANK_NONE && c->best != RANK_NONE &&
        !is_earlier(c, c->lesser))
        remove_document(c, c->lesser, c->best, c->best_score);
}

/* What an earlier corpus has under the same id. */
static enum status
remove_known(struct choice *c)
{
    struct tender *t = c->t;
    uint32_t *rank;

    if (t->o->earlier_n == 0 || t->facts.documents_n == 0)
        return ST_OK;
    rank = tender_numbers(t, "ranks", t->facts.documents_n);
    if (rank == NULL)
        return ST_IO;
    for (uint32_t i = 0; i < t->facts.documents_n; i++)
        if ((c->documents.at[i].size & SIZE_EARLIER) == 0 &&
            is_earlier(c, rank[i]) && !is_removed(c, rank[i]))
            remove_document(c, rank[i], rank[i],
                            t->near > 0 ? MILLION : t->facts.values_n);
    free(rank);
    return ST_OK;
}

static void
put_full(struct choice *c, uint32_t lesser, uint32_t better, uint32_t score)
{
    if (c->result[RESULT_FULL] == NULL)
        return;
    buf_clear(&c->line);
    buf_printf(&c->line, "%.*s %.*s %04u\n", STRF(id_of(c, lesser)),
               STRF(id_of(c, better)), shown(c, score));
    text_sink_put(c->result[RESULT_FULL], buf_view(&c->line));
}

static enum status
take_scores(void *self, const void *records, size_t n)
{
    struct choice *c = self;
    const unsigned char *r = records;

    for (size_t i = 0; i < n; i++, r += SCORE_SIZE) {
        uint32_t lesser = be32_get(r), better = be32_get(r + 4);
        uint32_t score = be32_get(r + 8);

        put_full(c, lesser, better, score);
        if (lesser != c->lesser) {
            finish_document(c);
            c->lesser = lesser;
            c->best = RANK_NONE;
            c->best_score = 0;
        }
        if ((c->t->o->rule == TENDER_PAIRS || !is_removed(c, better)) &&
            score > c->best_score) { /* of equal ones the better document */
            c->best = better;
            c->best_score = score;
        }
    }
    progress_add(c->progress, n);
    return ST_OK;
}

/* What earlier lists of ours took away and stays after all. */
static void
take_back(struct choice *c)
{
    struct tender *t = c->t;

    if (id_set_n(&t->own) == 0)
        return;
    for (uint32_t rank = 0; rank < t->facts.ranks_n; rank++) {
        struct str id = id_of(c, rank);
        int32_t listed = id_set_count(&t->own, id);

        if (listed <= 0 || is_removed(c, rank))
            continue;
        put_ids(c, "!", id, listed);
        t->counts.revoked++;
    }
}

static enum status
open_results(struct choice *c)
{
    const struct tender *t = c->t;
    enum status st = ST_OK;

    for (int i = 0; i < RESULTS_N && st == ST_OK; i++) {
        struct buf path = {0};

        if (i == RESULT_FULL && !t->o->full)
            continue;
        buf_printf(&path, "%s_%s.%s%s", t->o->prefix, t->time, result_name[i],
                   t->o->gzip ? ".gz" : "");
        buf_char(&path, '\0');
        c->path[i] = path.p;
        path = (struct buf){0};
        buf_printf(&path, "%s/%s%s", t->folder, result_name[i],
                   t->o->gzip ? ".gz" : "");
        buf_char(&path, '\0');
        c->part[i] = path.p;
        st = text_sink_open(&c->result[i], c->part[i], t->o->gzip);
    }
    return st;
}

/* The results take their names when they are whole: the list last. */
static enum status
close_results(struct choice *c, enum status st)
{
    for (int i = 0; i < RESULTS_N; i++) {
        enum status closed = text_sink_close(c->result[i]);

        if (st == ST_OK)
            st = closed;
    }
    for (int i = RESULTS_N; i-- > 0;) {
        if (st == ST_OK && c->path[i] != NULL &&
            rename(c->part[i], c->path[i]) != 0) {
            log_error("tender", "file=%s fault=\"%s\"", c->path[i],
                      strerror(errno));
            st = ST_IO;
        }
        free(c->path[i]);
        free(c->part[i]);
    }
    return st;
}

static enum status
choose_all(struct choice *c, const struct spill *scores)
{
    enum status st = open_results(c);

    c->progress =
        progress_begin("choosing documents", "pairs", spill_all_n(scores));
    for (unsigned b = 0; st == ST_OK && b < spill_buckets(scores); b++)
        st = spill_each(scores, b, take_scores, c);
    progress_end(c->progress);
    if (st == ST_OK) {
        finish_document(c);
        take_back(c);
        st = remove_known(c);
    }
    return close_results(c, st);
}

enum status
tender_choose(struct tender *t)
{
    struct choice c = {.t = t, .lesser = RANK_NONE, .best = RANK_NONE};
    char *path = tender_path(t, "scores");
    struct spill *scores;
    enum status st = tender_spill_open(c.t, &scores, path);

    c.order = tender_order(t);
    c.removed = memory_need(
        calloc((size_t)t->facts.ranks_n / 64 + 1, sizeof *c.removed));
    if (st == ST_OK && c.order == NULL)
        st = ST_IO;
    if (st == ST_OK)
        st = stored_documents_open(&c.documents, t, STORED_SCATTERED);
    if (st == ST_OK)
        st = choose_all(&c, scores);
    stored_documents_close(&c.documents);
    spill_close(scores);
    buf_free(&c.line);
    free(c.order);
    free(c.removed);
    free(path);
    return st;
}
