/* crawl_log_read.c -- see crawl_log.h: the reading half.
 *
 * A line longer than LINE_MAX_BYTES is not ours and is skipped.  Fields that
 * are missing or of another type are zero, so older and newer logs can be read;
 * a line without url, kind and outcome is not an entry. */
#include <errno.h>
#include <math.h>
#include <time.h>
#include <unistd.h>

#include "base/json_reader.h"
#include "clean/tools/text_lines.h"
#include "crawl_log.h"

#define LINE_MAX_BYTES ((size_t)1 << 20)
#define DEPTH_MAX 4     /* of nested JSON: an entry is flat */
#define FIRST_LINES 100 /* one of which is an entry, if the file is a log */

static uint64_t
whole_of(const struct json_reader *r, const char *key)
{
    uint64_t n = 0;

    (void)json_reader_u64(&n, r, key);
    return n;
}

/* "2026-11-20T10:15:30.123Z"; 0 if it is something else. */
static uint64_t
time_of(struct str s)
{
    static const char shape[] = "0000-00-00T00:00:00.000Z";
    uint64_t part[7] = {0};
    struct tm tm = {0};
    time_t seconds;
    size_t k = 0;

    if (s.n != sizeof shape - 1)
        return 0;
    for (size_t i = 0; i < s.n; i++) {
        if (shape[i] != '0') {
            if (s.p[i] != shape[i])
                return 0;
            k++;
        } else if (!ascii_digit(s.p[i])) {
            return 0;
        } else {
            part[k] = part[k] * 10 + (uint64_t)(s.p[i] - '0');
        }
    }
    tm.tm_year = (int)part[0] - 1900;
    tm.tm_mon = (int)part[1] - 1;
    tm.tm_mday = (int)part[2];
    tm.tm_hour = (int)part[3];
    tm.tm_min = (int)part[4];
    tm.tm_sec = (int)part[5];
    seconds = timegm(&tm);
    return seconds < 0 ? 0 : (uint64_t)seconds * 1000 + part[6];
}

static enum verdict
verdict_of(struct str name)
{
    enum verdict v;

    return verdict_find(name, &v) ? v : VERDICT_END;
}

static bool
entry_of(const struct json_reader *r, struct crawl_log_entry *e)
{
    struct str kind = json_reader_str(r, "kind");
    int k = 0;

    *e = (struct crawl_log_entry){
        .time_ms = time_of(json_reader_str(r, "time")),
        .url = json_reader_str(r, "url"),
        .host = json_reader_str(r, "host"),
        .status = (uint32_t)whole_of(r, "status"),
        .verdict = verdict_of(json_reader_str(r, "verdict")),
        .bytes = whole_of(r, "bytes"),
        .received = whole_of(r, "received"),
        .kept_bytes = whole_of(r, "kept_bytes"),
        .ms = whole_of(r, "ms"),
        .depth = (uint32_t)whole_of(r, "depth"),
        .score = json_reader_real(r, "score"),
        .parent_badness = json_reader_real(r, "parent_badness"),
        .block = json_reader_real(r, "block"),
        .badness = json_reader_real(r, "badness"),
        .boilerplate_mean = json_reader_real(r, "boilerplate_mean"),
        .language = json_reader_str(r, "language"),
        .chars = whole_of(r, "chars"),
        .tokens = whole_of(r, "tokens"),
        .links = whole_of(r, "links"),
        .id = json_reader_str(r, "id"),
        .of = json_reader_str(r, "duplicate_of"),
        .detail = json_reader_str(r, "detail"),
        .price = json_reader_str(r, "price"),
        .explored = json_reader_bool(r, "explored"),
        .home_page = json_reader_bool(r, "home_page"),
        .truncated = json_reader_bool(r, "truncated"),
        .not_contacted = json_reader_bool(r, "not_contacted"),
    };
    while (k < CRAWL_LOG_OTHER &&
           !str_eq(kind, str_c(crawl_log_kind_name((enum crawl_log_kind)k))))
        k++;
    e->kind = (enum crawl_log_kind)k;
    return kind.n > 0 && e->url.n > 0 &&
           outcome_find(json_reader_str(r, "outcome"), &e->outcome);
}

static bool
parse(struct json_reader *r, struct str line,
      void (*take)(void *self, const struct crawl_log_entry *e), void *self)
{
    struct crawl_log_entry e;

    if (!json_reader_read(r, line) || !entry_of(r, &e))
        return false;
    take(self, &e);
    return true;
}

bool
crawl_log_parse(struct str line,
                void (*take)(void *self, const struct crawl_log_entry *e),
                void *self)
{
    struct json_reader *r = json_reader_new(DEPTH_MAX);
    bool good =
        r != NULL && line.n <= LINE_MAX_BYTES && parse(r, line, take, self);

    json_reader_free(r);
    return good;
}

static void
take_time(void *self, const struct crawl_log_entry *e)
{
    *(uint64_t *)self = e->time_ms;
}

uint64_t
crawl_log_first_ms(const char *path)
{
    struct text_lines *lines = NULL;
    struct str line;
    uint64_t first_ms = 0;
    bool ended;

    if (text_lines_open(&lines, path) == ST_OK)
        for (int i = 0; i < FIRST_LINES && first_ms == 0 &&
                        text_lines_next(lines, &line, &ended) == ST_OK;
             i++)
            (void)crawl_log_parse(line, take_time, &first_ms);
    text_lines_close(lines);
    return first_ms;
}

/* A last line that is not finished is neither. */
static enum status
read_lines(struct text_lines *lines, struct json_reader *json,
           void (*take)(void *self, const struct crawl_log_entry *e),
           void *self, struct crawl_log_counts *counts)
{
    bool ended, too_long = false;
    struct str line;
    enum status st;

    while ((st = text_lines_next(lines, &line, &ended)) == ST_OK) {
        too_long |= line.n > LINE_MAX_BYTES;
        if (!ended)
            continue;
        if (!too_long && parse(json, line, take, self))
            counts->lines++;
        else if (too_long || str_trim(line).n > 0)
            counts->skipped++;
        too_long = false;
    }
    counts->skipped += st == ST_INVALID; /* what damage has hidden */
    return st == ST_IO ? ST_IO : ST_OK;
}

enum status
crawl_log_read(const char *path,
               void (*take)(void *self, const struct crawl_log_entry *e),
               void *self, struct crawl_log_counts *counts)
{
    struct json_reader *json = json_reader_new(DEPTH_MAX);
    struct text_lines *lines = NULL;
    enum status st = ST_NOMEM;

    *counts = (struct crawl_log_counts){0};
    if (json != NULL)
        st = access(path, F_OK) != 0 && errno == ENOENT
                 ? ST_NONE
                 : text_lines_open(&lines, path);
    if (st == ST_OK)
        st = read_lines(lines, json, take, self, counts);
    text_lines_close(lines);
    json_reader_free(json);
    return st;
}
