/* dedup.c -- jobs deduplication and dedup-by-host: of documents with the same
 * URL (or host), length and ends one stays.
 *
 * map puts a hash of these before the line; reduce has all lines of a hash
 * together, and the first stays.  That is exact, where webcorpus asked a Bloom
 * filter: nothing is dropped because a filter erred. */
#include "doc_line.h"
#include "job.h"

enum { REJECTED, DOCUMENTS, DUPLICATES };
enum { HASH_TEXT = 32 };

typedef struct str dedup_group(struct str url);

static struct str
whole_url(struct str url)
{
    return url;
}

/* The authority of a URL, without user and port; all of what is none. */
static struct str
host_of(struct str url)
{
    const char *p = memmem(url.p, url.n, "://", 3);
    size_t from, to;
    struct str host;

    if (p == NULL)
        return url;
    from = (size_t)(p - url.p) + 3;
    for (to = from; to < url.n && strchr("/?#", url.p[to]) == NULL; to++)
        ;
    host = str_sub(url, from, to);
    for (size_t at; (at = str_find(host, '@', 0)) < host.n;)
        host = str_sub(host, at + 1, host.n);
    return str_sub(host, 0, str_find(host, ':', 0));
}

static void
map_by(struct job_run *r, dedup_group *group)
{
    uint64_t chars = job_option(r, "test-length");
    struct buf out = {0}, key = {0};
    struct str line;

    while (job_line(r, &line)) {
        struct doc_line d;
        struct hash128 ends;
        char hex[HASH_TEXT + 1];

        if (!doc_line_read(&d, line)) {
            job_count(r, REJECTED, 1);
            continue;
        }
        ends = doc_ends(d.text, chars);
        buf_clear(&key);
        buf_add(&key, &ends, sizeof ends);
        buf_str(&key, group(d.url));
        hash128_hex(hash128(buf_view(&key)), hex);
        buf_clear(&out);
        buf_add(&out, hex, HASH_TEXT);
        buf_char(&out, '\t');
        buf_str(&out, line);
        job_put(r, buf_view(&out));
        job_count(r, DOCUMENTS, 1);
    }
    buf_free(&out);
    buf_free(&key);
}

static void
map_url(struct job_run *r)
{
    map_by(r, whole_url);
}

static void
map_host(struct job_run *r)
{
    map_by(r, host_of);
}

static void
put(struct job_run *r, struct str line, bool is_duplicate, struct buf *process,
    struct buf *out)
{
    struct doc_line d;

    if (job_option(r, "drop") != 0) {
        if (!is_duplicate)
            job_put(r, line);
        return;
    }
    if (!doc_line_read(&d, line))
        return;
    doc_process_add(process, d.process, DOC_FACT_DUPLICATE,
                    is_duplicate ? S("true") : S("false"));
    d.process = buf_view(process);
    doc_line_write(out, &d);
    job_put(r, buf_view(out));
}

static void
reduce(struct job_run *r)
{
    char last[HASH_TEXT] = "";
    struct buf process = {0}, out = {0};
    struct str line, key, value;

    while (job_line(r, &line)) {
        struct doc_line d;
        bool is_duplicate;

        if (!job_split(line, &key, &value) || key.n != HASH_TEXT ||
            !doc_line_read(&d, value)) {
            job_count(r, REJECTED, 1);
            continue;
        }
        is_duplicate = memcmp(last, key.p, HASH_TEXT) == 0;
        memcpy(last, key.p, HASH_TEXT);
        job_count(r, DUPLICATES, is_duplicate);
        put(r, value, is_duplicate, &process, &out);
    }
    buf_free(&process);
    buf_free(&out);
}

#define OPTIONS                                                                \
    {                                                                          \
        JOB_NUMBER("test-length", "1000",                                      \
                   "So many characters at both ends are compared.", 1,         \
                   1000000000),                                                \
            JOB_NUMBER("drop", "1",                                            \
                       "0: duplicates stay, and all documents say whether "    \
                       "they are one (<is_duplicate>).",                       \
                       0, 1)                                                   \
    }

const struct corpus_job job_deduplication = {
    .name = "deduplication",
    .summary = "One document of those with equal URL, length and ends.",
    .lines = "map: documents -> hash, document; reduce: documents",
    .phase = {map_url, NULL, reduce},
    .options = OPTIONS,
    .counters = {JOB_LINES_REJECTED, "documents", "duplicates"},
};

const struct corpus_job job_dedup_by_host = {
    .name = "dedup-by-host",
    .summary = "One document of those with equal host, length and ends.",
    .lines = "map: documents -> hash, document; reduce: documents",
    .phase = {map_host, NULL, reduce},
    .options = OPTIONS,
    .counters = {JOB_LINES_REJECTED, "documents", "duplicates"},
};
