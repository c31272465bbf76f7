/* crawl_log.c -- see crawl_log.h: the writing half.
 *
 * Lines that come together are one write to an append log that is shared, so a
 * reader sees whole lines and a crash tears at most the last one.  When the
 * disk is full the part that was written is cut off again.  Before each write
 * the name is looked at: the file may have been moved away.  One lock; lines
 * are a few hundred bytes and there are a thousand or two a second.  Synced
 * when it is closed: a power loss costs the lines that the kernel had not
 * written yet.
 */
#include "crawl_log.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/append_log.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/disk_full.h"
#include "base/file.h"
#include "base/json.h"
#include "base/log.h"

struct crawl_log {
    struct buf folder, path; /* with a NUL at their ends */
    struct append_log *file;
    pthread_mutex_t lock;
    struct buf lines;
    bool torn; /* the file does not end with a line end */
};

const char *
crawl_log_kind_name(enum crawl_log_kind kind)
{
    static const char *const names[CRAWL_LOG_KINDS_N] = {
        "page", "redirect", "robots", "sitemap", "other"};

    return names[kind < CRAWL_LOG_KINDS_N ? kind : CRAWL_LOG_OTHER];
}

static void
known_real(struct json *j, const char *key, double value)
{
    if (isfinite(value))
        json_kreal(j, key, value);
}

void
crawl_log_line(const struct crawl_log_entry *e, struct buf *out)
{
    struct json j = {.out = out};
    char iso[21], time[32];

    clock_iso(e->time_ms, iso);
    snprintf(time, sizeof time, "%.19s.%03uZ", iso,
             (unsigned)(e->time_ms % 1000));
    json_object(&j);
    json_kstr(&j, "time", str_c(time));
    json_kstr(&j, "url", e->url);
    json_kstr(&j, "host", e->host);
    json_kstr(&j, "kind", str_c(crawl_log_kind_name(e->kind)));
    json_ku64(&j, "status", e->status);
    json_kstr(&j, "outcome", str_c(outcome_name(e->outcome)));
    json_kstr(&j, "verdict", str_c(verdict_name(e->verdict)));
    if (e->detail.n > 0)
        json_kstr(&j, "detail", e->detail);
    json_ku64(&j, "bytes", e->bytes);
    json_ku64(&j, "received", e->received);
    json_ku64(&j, "kept_bytes", e->kept_bytes);
    json_ku64(&j, "ms", e->ms);
    json_ku64(&j, "depth", e->depth);
    known_real(&j, "score", e->score);
    known_real(&j, "parent_badness", e->parent_badness);
    known_real(&j, "block", e->block);
    known_real(&j, "badness", e->badness);
    known_real(&j, "boilerplate_mean", e->boilerplate_mean);
    if (e->language.n > 0)
        json_kstr(&j, "language", e->language);
    json_ku64(&j, "chars", e->chars);
    json_ku64(&j, "tokens", e->tokens);
    json_ku64(&j, "links", e->links);
    if (e->id.n > 0)
        json_kstr(&j, "id", e->id);
    if (e->of.n > 0)
        json_kstr(&j, "duplicate_of", e->of);
    if (e->price.n > 0)
        json_kstr(&j, "price", e->price);
    if (e->explored)
        json_kbool(&j, "explored", true);
    if (e->cookies)
        json_kbool(&j, "cookies", true);
    if (e->home_page)
        json_kbool(&j, "home_page", true);
    if (e->truncated)
        json_kbool(&j, "truncated", true);
    if (e->not_contacted)
        json_kbool(&j, "not_contacted", true);
    json_object_end(&j);
    buf_char(out, '\n');
}

static bool
ends_torn(const struct append_log *file)
{
    uint64_t end = append_log_written(file);
    struct buf last = {0};
    bool torn = end > 0 && append_log_read(file, end - 1, 1, &last) == ST_OK &&
                last.p[0] != '\n';

    buf_free(&last);
    return torn;
}

static enum status
make_folder(const char *path)
{
    enum status st = file_make_folder(path);

    if (st != ST_OK)
        log_error("crawl-log", "folder=%s error=\"%s\"", path, strerror(errno));
    return st;
}

static enum status
open_file(struct append_log **out, const struct crawl_log *log)
{
    enum status st = make_folder(log->folder.p);

    if (st == ST_OK)
        st = append_log_open(out, "crawl-log", log->path.p, APPEND_LOG_SHARED);
    if (st == ST_OK && (st = append_log_sync(*out)) != ST_OK) { /* its name */
        append_log_close(*out);
        *out = NULL;
    }
    return st;
}

enum status
crawl_log_open(struct crawl_log **out, const char *dir)
{
    struct crawl_log *log = calloc(1, sizeof *log);
    enum status st;

    *out = NULL;
    if (log == NULL)
        return ST_NOMEM;
    pthread_mutex_init(&log->lock, NULL);
    buf_printf(&log->folder, "%s/log", dir);
    buf_char(&log->folder, '\0');
    buf_printf(&log->path, "%s/%s", dir, CRAWL_LOG_FILE);
    buf_char(&log->path, '\0');
    if ((st = make_folder(dir)) != ST_OK ||
        (st = open_file(&log->file, log)) != ST_OK) {
        crawl_log_close(log);
        return st;
    }
    log->torn = ends_torn(log->file);
    *out = log;
    return ST_OK;
}

/* Who rotates logs has given the file another name: go on in a new one. */
static enum status
follow_name(struct crawl_log *log)
{
    struct append_log *file = NULL;
    struct stat named, ours;
    enum status st;

    if (fstat(append_log_fd(log->file), &ours) != 0 ||
        (stat(log->path.p, &named) == 0 && named.st_ino == ours.st_ino &&
         named.st_dev == ours.st_dev))
        return ST_OK;
    if ((st = open_file(&file, log)) != ST_OK)
        return st == ST_FULL ? st : ST_OK; /* rather in the old one than not */
    log_info("crawl-log", "file=%s was moved away: a new one", log->path.p);
    (void)append_log_sync(log->file); /* nobody waits for it */
    append_log_close(log->file);
    log->file = file;
    log->torn = ends_torn(file);
    return ST_OK;
}

void
crawl_log_close(struct crawl_log *log)
{
    if (log == NULL)
        return;
    if (log->file != NULL)
        (void)append_log_sync(log->file); /* nobody waits for it */
    append_log_close(log->file);
    buf_free(&log->lines);
    buf_free(&log->folder);
    buf_free(&log->path);
    pthread_mutex_destroy(&log->lock);
    free(log);
}

enum status
crawl_log_append(struct crawl_log *log, const struct crawl_log_entry *e,
                 size_t n)
{
    enum status st;

    pthread_mutex_lock(&log->lock);
    if ((st = follow_name(log)) != ST_OK) {
        pthread_mutex_unlock(&log->lock);
        return st;
    }
    buf_clear(&log->lines);
    if (log->torn)
        buf_char(&log->lines, '\n');
    for (size_t i = 0; i < n; i++)
        crawl_log_line(&e[i], &log->lines);
    st = append_log_write(log->file, buf_view(&log->lines));
    log->torn = st != ST_OK && ends_torn(log->file);
    pthread_mutex_unlock(&log->lock);
    return st;
}
