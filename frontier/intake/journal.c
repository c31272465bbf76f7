/* journal.c -- see journal.h: a header of 16 bytes, then records of
 *
 *   le32 size | le32 check | size bytes
 *
 * The check is a hash of the bytes and of their place, so a record that was
 * moved, cut off or overwritten is found out.  Writing goes through a buffer
 * and pwrite(); reading through a map of the most the file may ever hold, of
 * which only what was written is touched (shortening the file by hand while it
 * is in use would be a SIGBUS, as with LMDB's own). */
#include "journal.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/append_log.h"
#include "base/hash.h"
#include "base/log.h"

#define HEADER "winnow links 1\n" /* and a NUL: 16 bytes */
#define FRAME 8u

struct journal {
    struct append_log *log;
    const char *map;
};

static void
put_le32(char *p, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        p[i] = (char)(unsigned char)(v >> 8 * i);
}

static uint32_t
get_le32(const char *p)
{
    uint32_t v = 0;

    for (int i = 0; i < 4; i++)
        v |= (uint32_t)(unsigned char)p[i] << 8 * i;
    return v;
}

static uint32_t
check(struct str record, uint64_t at)
{
    return (uint32_t)hash64_seed(record, at);
}

/* ---- names ---- */

struct path
journal_path(const char *dir, uint64_t number)
{
    return path_printf("%s/links-%llu.log", dir, (unsigned long long)number);
}

uint64_t
journal_number(const char *name)
{
    unsigned long long number;
    char *end;

    if (strncmp(name, "links-", 6) != 0 || !ascii_digit(name[6]))
        return 0;
    number = strtoull(name + 6, &end, 10);
    return strcmp(end, ".log") == 0 ? number : 0;
}

static bool
among(uint64_t number, const uint64_t *of, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (of[i] == number)
            return true;
    return false;
}

void
journal_remove_others(const char *dir, const uint64_t *kept, size_t n)
{
    struct dirent *e;
    DIR *d = opendir(dir);

    while (d != NULL && (e = readdir(d)) != NULL) {
        uint64_t number = journal_number(e->d_name);

        if (number > 0 && !among(number, kept, n))
            unlink(journal_path(dir, number).z);
    }
    if (d != NULL)
        closedir(d);
}

/* ---- reading ---- */

enum status
journal_parse(struct str bytes, uint64_t *at, struct str *record)
{
    const char *p;
    uint32_t size;

    if (*at < JOURNAL_START) {
        if (bytes.n < JOURNAL_START ||
            memcmp(bytes.p, HEADER, JOURNAL_START) != 0)
            return ST_INVALID;
        *at = JOURNAL_START;
    }
    if (*at == bytes.n)
        return ST_NONE;
    if (*at > bytes.n || bytes.n - *at < FRAME)
        return ST_INVALID;
    p = bytes.p + *at;
    size = get_le32(p);
    if (size > JOURNAL_RECORD_MAX || size > bytes.n - *at - FRAME)
        return ST_INVALID;
    *record = str_n(p + FRAME, size);
    if (check(*record, *at) != get_le32(p + 4))
        return ST_INVALID;
    *at += FRAME + size;
    return ST_OK;
}

enum status
journal_next(const struct journal *j, uint64_t *at, struct str *record)
{
    enum status st = journal_parse(
        str_n(j->map, (size_t)append_log_written(j->log)), at, record);

    if (st != ST_INVALID)
        return st;
    log_error("frontier",
              "%s is damaged at byte %llu: links that wait in it cannot be "
              "read; bring back a copy, or let `winnow frontier DIR --check "
              "--repair` go on with those that can",
              append_log_path(j->log), (unsigned long long)*at);
    return ST_STORE;
}

/* ---- opening ---- */

static enum status
start(struct journal *j, uint64_t end, bool read_only)
{
    uint64_t size = append_log_written(j->log);

    if (size < end) {
        log_error("frontier",
                  "%s has %llu bytes, the store knows of %llu: links are "
                  "missing; bring back a copy, or let `winnow frontier DIR "
                  "--check --repair` go on with those that are there",
                  append_log_path(j->log), (unsigned long long)size,
                  (unsigned long long)end);
        return ST_STORE;
    }
    if (end == 0)
        return append_log_write(j->log, str_n(HEADER, JOURNAL_START));
    if (!read_only)
        return append_log_cut(j->log, end);
    append_log_back(j->log, end);
    return ST_OK;
}

enum status
journal_open(struct journal **out, const char *path, uint64_t end,
             bool read_only)
{
    struct journal *j = calloc(1, sizeof *j);
    enum status st;

    *out = NULL;
    if (j == NULL)
        return ST_NOMEM;
    st = append_log_open(&j->log, "frontier", path,
                         read_only ? APPEND_LOG_READ
                         : end > 0 ? APPEND_LOG_GO_ON
                                   : APPEND_LOG_ANEW);
    if (st == ST_OK)
        st = start(j, end, read_only);
    if (st == ST_OK)
        st = append_log_map(j->log, JOURNAL_SIZE_MAX, &j->map);
    if (st == ST_OK)
        *out = j;
    else
        journal_close(j);
    return st;
}

void
journal_close(struct journal *j)
{
    if (j == NULL)
        return;
    append_log_close(j->log);
    free(j);
}

/* ---- writing ---- */

uint64_t
journal_end(const struct journal *j)
{
    return append_log_end(j->log);
}

void
journal_add(struct journal *j, struct str record)
{
    char frame[FRAME];

    put_le32(frame, (uint32_t)record.n);
    put_le32(frame + 4, check(record, journal_end(j)));
    append_log_add(j->log, str_n(frame, sizeof frame), record);
}

enum status
journal_write(struct journal *j, bool sync)
{
    enum status st =
        journal_end(j) > JOURNAL_SIZE_MAX ? ST_FULL : append_log_flush(j->log);

    return st == ST_OK && sync ? append_log_sync(j->log) : st;
}

void
journal_cut(struct journal *j, uint64_t end)
{
    if (append_log_cut(j->log, end) != ST_OK) {
        /* it is written over */
    }
}
