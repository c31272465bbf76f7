/* follow.c -- see follow.h.
 *
 * The log of verdicts (verdict_line.h) is a stream of the corpus like those of
 * records, in the same transactions.  So its committed end is the end of
 * everything: a line that is behind it may be taken back, one before it not,
 * nor any record that it names.  The index says how far that is; it is looked
 * at when the lines read so far are used up.
 *
 * Bounds: a line of LINE_MOST bytes; READ_SIZE is read ahead; one reader for
 * each stream (corpus_reader.h). */
#include "follow.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/log.h"
#include "proto/endpoint.h"
#include "shingle/corpus/corpus_reader.h"
#include "shingle/index/index.h"

enum { READ_SIZE = 64 * 1024, LINE_MOST = 16 << 20, TRIES = 20, DEPTH = 4 };

struct follow {
    char *dir;
    uint64_t map_gib;
    struct index *index;
    struct json_reader *json;
    ino_t inode; /* of the index that is open */
    struct corpus_reader *reader[CORPUS_STREAMS_MAX];
    struct stream stream[CORPUS_STREAMS_MAX]; /* of each reader, as committed */
    size_t streams_n;
    /* The log: */
    uint64_t part, at, least; /* of the next line; numbers below are skipped */
    struct buf ahead, more;   /* read: from `from` on the next line */
    size_t from, used;        /* used: by the line given last */
};

/* ---- the index ---- */

static size_t
find(const struct follow *f, enum corpus_group group, struct str suffix)
{
    size_t i = 0;

    while (i < f->streams_n && (f->stream[i].group != group ||
                                !str_eq(str_c(f->stream[i].suffix), suffix)))
        i++;
    return i;
}

static enum status
read_row(void *self, struct str name, struct str state)
{
    struct follow *f = self;
    enum corpus_group group;
    struct str suffix;
    size_t i;

    if (!stream_row_name(name, &group, &suffix) || suffix.n > CORPUS_SUFFIX_MAX)
        return ST_OK;
    if ((i = find(f, group, suffix)) == f->streams_n) {
        if (i == CORPUS_STREAMS_MAX)
            return ST_OK;
        f->reader[i] = corpus_reader_new(f->dir, group, suffix);
        if (f->reader[i] == NULL)
            return ST_NOMEM;
        f->stream[i] = (struct stream){.group = group};
        memcpy(f->stream[i].suffix, suffix.p, suffix.n);
        f->streams_n++;
    }
    if (stream_row_state(&f->stream[i].now, state))
        corpus_reader_committed(f->reader[i], &f->stream[i].now);
    return ST_OK;
}

static size_t
log_stream(const struct follow *f)
{
    return find(f, CORPUS_VERDICTS, VERDICTS_SUFFIX);
}

static void
go_to(struct follow *f, uint64_t part, uint64_t at)
{
    f->part = part;
    f->at = at;
    f->from = f->used = 0;
    buf_clear(&f->ahead);
}

/* Its file is another one after `winnow dedup --check --repair`. */
static enum status
open_index(struct follow *f)
{
    const struct store_options o = {
        .map_gib = f->map_gib, .sync = S("full"), .read_only = true};
    struct path folder = path_printf("%s/dedup", f->dir),
                file = path_printf("%s/data.mdb", folder.z);
    struct stat sb;

    if (stat(file.z, &sb) != 0)
        return ST_NONE;
    if (f->index != NULL && sb.st_ino == f->inode)
        return ST_OK;
    index_close(f->index);
    f->index = NULL;
    f->inode = sb.st_ino;
    return index_open(&f->index, folder.z, 0, &o);
}

/* The log is shorter than it was: another one stands in its place. */
static void
stay_inside(struct follow *f)
{
    const struct stream_state *now;
    size_t i = log_stream(f);

    if (i == f->streams_n || f->part == 0)
        return;
    now = &f->stream[i].now;
    if (f->part < now->part ||
        (f->part == now->part && f->at <= now->part_text + now->tail_bytes))
        return;
    log_warn("publish",
             "%s/verdicts is shorter than it was: going on behind its end",
             f->dir);
    go_to(f, now->part, now->part_text + now->tail_bytes);
    f->least = 0;
}

/* What is committed by now. */
static enum status
look(struct follow *f)
{
    enum status st = open_index(f);

    if (st != ST_OK || (st = index_begin(f->index)) != ST_OK)
        return st;
    st = index_each_file(f->index, read_row, f);
    index_abort(f->index);
    if (st == ST_OK)
        stay_inside(f);
    return st;
}

static enum status
get(struct follow *f, size_t i, uint64_t part, uint64_t at, size_t n,
    struct buf *out)
{
    enum status st = ST_BUSY;

    for (int k = 0; k < TRIES && st == ST_BUSY; k++) {
        st = corpus_reader_get(f->reader[i], part, at, n, out);
        if (st == ST_BUSY && look(f) != ST_OK)
            break;
    }
    return st;
}

/* ---- the log ---- */

/* More of it.  ST_NONE: there is no more by now. */
static enum status
read_on(struct follow *f)
{
    size_t i = log_stream(f), left = f->ahead.n - f->from;
    enum status st;

    if (left > LINE_MOST)
        return ST_INVALID;
    if (f->from > 0)
        memmove(f->ahead.p, f->ahead.p + f->from, left);
    f->ahead.n = left;
    f->from = 0;
    for (;;) {
        st = get(f, i, f->part, f->at + left, READ_SIZE, &f->more);
        if (st == ST_OK && f->more.n > 0) {
            buf_str(&f->ahead, buf_view(&f->more));
            return ST_OK;
        }
        if ((st != ST_OK && st != ST_NONE) || f->part >= f->stream[i].now.part)
            return st == ST_OK ? ST_NONE : st;
        if (left > 0)
            return ST_INVALID; /* a line is not cut by the end of a part */
        go_to(f, f->part + 1, 0);
    }
}

/* The next line, whole.  ST_NONE: not yet. */
static enum status
next_line(struct follow *f, struct str *line)
{
    enum status st = ST_OK;
    bool looked = false;
    size_t end;

    f->at += f->used;
    f->from += f->used;
    f->used = 0;
    while ((end = str_find(buf_view(&f->ahead), '\n', f->from)) == f->ahead.n) {
        if ((st = read_on(f)) == ST_NONE && !looked) {
            looked = true;
            st = look(f);
        }
        if (st != ST_OK)
            return st;
    }
    f->used = end + 1 - f->from;
    *line = str_sub(buf_view(&f->ahead), f->from, end + 1);
    return ST_OK;
}

static enum status
damaged(const struct follow *f)
{
    log_error("publish",
              "%s/verdicts/part-%06llu.jsonl: no verdict at byte %llu of its "
              "text: the log of verdicts is damaged",
              f->dir, (unsigned long long)f->part, (unsigned long long)f->at);
    return ST_INVALID;
}

enum status
follow_next(struct follow *f, struct followed *out)
{
    enum status st;

    do {
        st = next_line(f, &out->text);
        if (st == ST_INVALID ||
            (st == ST_OK &&
             !verdict_line_read(&out->line, f->json,
                                str_sub(out->text, 0, out->text.n - 1))))
            return damaged(f);
        if (st != ST_OK)
            return st;
    } while (out->line.number < f->least);
    out->place = (struct verdict_place){CORPUS_VERDICTS, VERDICTS_SUFFIX,
                                        f->part, f->at, out->text.n};
    return ST_OK;
}

enum status
follow_seek(struct follow *f, uint64_t number)
{
    const struct stream_state *now = &f->stream[log_stream(f)].now;
    uint64_t part = now->part;
    struct followed first;

    f->least = 0;
    if (number == 0) {
        go_to(f, part, now->part_text + now->tail_bytes);
        return ST_OK;
    }
    for (;; part--) { /* the newest part that does not begin behind it */
        enum status st;

        go_to(f, part, 0);
        st = follow_next(f, &first);
        if (st != ST_OK && st != ST_NONE)
            return st;
        if (st == ST_OK && f->part != part) { /* it was moved away */
            part = f->part;
            break;
        }
        if (part == 1 || (st == ST_OK && first.line.number <= number))
            break;
    }
    go_to(f, part, 0);
    f->least = number;
    return ST_OK;
}

enum status
follow_last(struct follow *f, uint64_t *number)
{
    struct dedup_stat stat;
    enum status st = index_stat(f->index, &stat);

    *number = st == ST_OK ? stat.index_entries : 0;
    return st;
}

enum status
follow_record(struct follow *f, const struct verdict_place *p, struct buf *out)
{
    size_t i = find(f, p->group, p->suffix);
    enum status st;

    buf_clear(out);
    if (i == f->streams_n || p->bytes > ENDPOINT_MESSAGE_MAX)
        return ST_NONE;
    st = get(f, i, p->part, p->at, (size_t)p->bytes, out);
    return st == ST_OK && out->n < p->bytes ? ST_NONE : st;
}

/* ---- opening and closing ---- */

enum status
follow_open(struct follow **out, const char *dir, uint64_t map_gib)
{
    struct follow *f = calloc(1, sizeof *f);
    enum status st = ST_NOMEM;

    *out = NULL;
    if (f == NULL)
        return ST_NOMEM;
    f->map_gib = map_gib;
    if ((f->dir = strdup(dir)) != NULL &&
        (f->json = json_reader_new(DEPTH)) != NULL && (st = look(f)) == ST_OK &&
        log_stream(f) == f->streams_n)
        st = ST_NONE;
    if (st == ST_OK)
        st = follow_seek(f, 0);
    if (st != ST_OK)
        follow_close(f);
    else
        *out = f;
    return st;
}

void
follow_close(struct follow *f)
{
    if (f == NULL)
        return;
    for (size_t i = 0; i < f->streams_n; i++)
        corpus_reader_free(f->reader[i]);
    index_close(f->index);
    json_reader_free(f->json);
    buf_free(&f->ahead);
    buf_free(&f->more);
    free(f->dir);
    free(f);
}
