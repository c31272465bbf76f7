/* report.c -- see report.h: from log lines to figures.
 *
 * One pass.  Every URL is a row of 48 bytes found through a hash table, so that
 * a later line of the same URL replaces the earlier one; hosts are interned.
 * 10^7 URLs take some 0.8 GB; nothing else grows with the crawl. Two
 * URLs of equal 64-bit hash would count as one. */
#include "report.h"
#include "report_index.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/hashmap.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/path.h"
#include "corpus/lines/replaced.h"
#include "crawler/forget/receipts.h"
#include "crawler/job/traces.h"

enum row_class {
    ROW_GONE,
    ROW_PAGE,
    ROW_UNREACHED, /* a page whose server could not be asked */
    ROW_ROBOTS,
    ROW_REDIRECT,
    ROW_OTHER
};

struct report_row {
    uint64_t url_hash, bytes, kept_bytes;
    uint64_t document; /* hash of its id, or of what was kept of an earlier
                          visit; of a duplicate: of the kept one's */
    uint32_t tokens;
    uint32_t host;    /* index of its name */
    uint16_t verdict; /* VERDICT_END: another version's */
    uint16_t word;    /* index: of what is kept its language, of what is no HTML
                         its type */
    uint8_t class, outcome;
    bool kept, home_page;
};

struct report_reader {
    struct report *r;
    struct report_row *rows;
    size_t rows_n, rows_cap;
    struct hashmap urls; /* to the last row of each */
    struct name_index hosts, languages, types;
    struct report_reason by_verdict[VERDICT_END + 1]; /* of pages */
    struct report_reason refused[VERDICT_END + 1];    /* of other URLs */
};

#define TYPES_MAX 1000u /* a server may make up any number */

static uint16_t
word_of(struct report_reader *rd, const struct crawl_log_entry *e)
{
    if (e->verdict == VERDICT_KEPT)
        return (uint16_t)name_index_number(&rd->languages, rd->r->memory,
                                           e->language);
    if (e->verdict != VERDICT_NOT_HTML)
        return 0;
    return (uint16_t)name_index_number(
        &rd->types, rd->r->memory,
        rd->types.index.n < TYPES_MAX || name_index_has(&rd->types, e->detail)
            ? e->detail
            : S("other"));
}

/* As outcome_is_page() says of a crawl's pages. */
static enum row_class
class_of(const struct crawl_log_entry *e)
{
    if (e->kind == CRAWL_LOG_ROBOTS)
        return ROW_ROBOTS;
    if (e->kind == CRAWL_LOG_REDIRECT || e->outcome == OUTCOME_REDIRECT)
        return ROW_REDIRECT;
    if (e->kind == CRAWL_LOG_PAGE &&
        (e->outcome == OUTCOME_FETCHED || e->outcome == OUTCOME_FAILED))
        return e->not_contacted ? ROW_UNREACHED : ROW_PAGE;
    return ROW_OTHER;
}

/* Rules, or the certainty that there are none: as the frontier counts. */
static bool
is_robots_read(const struct crawl_log_entry *e)
{
    if (e->kind != CRAWL_LOG_ROBOTS || e->outcome != OUTCOME_ROBOTS_DONE)
        return false;
    return e->verdict == VERDICT_ROBOTS ||
           (e->verdict >= VERDICT_REDIRECTS &&
            e->verdict <= VERDICT_REDIRECT_OUT_OF_SCOPE) ||
           (e->verdict >= VERDICT_HTTP && e->verdict < VERDICT_HTTP + 500 &&
            e->verdict != VERDICT_HTTP + 429);
}

static bool
is_duplicate(const struct report_row *row)
{
    return row->verdict == VERDICT_EXACT_DUPLICATE ||
           row->verdict == VERDICT_NEAR_DUPLICATE;
}

/* Has the corpus a document of its URL, of this visit or of one before? */
static bool
has_document(const struct report_row *row)
{
    return row->document != 0 && !is_duplicate(row);
}

/* A later line of a URL takes the place of the former one, as after a crash;
 * but what was kept of it stays in the corpus, whatever comes of its later
 * visits: it fails, leads elsewhere, is forbidden.  True: the page is as it was
 * or is tried again, and there is nothing to count. */
static bool
replace(struct report_reader *rd, struct report_row *old,
        struct report_row *row)
{
    bool stays = has_document(old) && !row->kept;

    if (stays &&
        (row->document == old->document || row->outcome == OUTCOME_RETRY)) {
        rd->r->other_bytes += row->bytes;
        return true;
    }
    if (stays && row->document == 0)
        row->document = old->document;
    if (old->kept && old->document != 0 &&
        (stays || row->document != old->document))
        return false;
    rd->r->other_bytes += old->bytes; /* fetched all the same */
    old->class = ROW_GONE;
    rd->r->repeated++;
    return false;
}

/* Robots.txt is fetched again when it expires, so each line counts. */
static void
take(void *self, const struct crawl_log_entry *e)
{
    struct report_reader *rd = self;
    enum row_class class = class_of(e);
    struct report_row *row;
    uint32_t *at;
    bool fresh;

    if (rd->r->first_ms == 0 || e->time_ms < rd->r->first_ms)
        rd->r->first_ms = e->time_ms;
    if (e->time_ms > rd->r->last_ms)
        rd->r->last_ms = e->time_ms;
    rd->r->received += e->received;
    if (e->outcome == OUTCOME_UNCHANGED)
        return; /* what stands there of the URL is still true */
    if (e->outcome == OUTCOME_RETRY)
        rd->r->retries++;
    rd->rows =
        report_grown(rd->rows, &rd->rows_cap, rd->rows_n, sizeof *rd->rows);
    row = &rd->rows[rd->rows_n];
    *row = (struct report_row){.bytes = e->bytes,
                               .class = (uint8_t) class,
                               .outcome = (uint8_t)e->outcome,
                               .home_page = e->home_page};
    row->verdict = (uint16_t)e->verdict;
    rd->r->robots += is_robots_read(e);
    if (class == ROW_PAGE) {
        row->kept = e->verdict == VERDICT_KEPT;
        row->kept_bytes = row->kept ? e->kept_bytes : 0;
        row->tokens = row->kept ? (uint32_t)e->tokens : 0;
        row->host = name_index_number(&rd->hosts, rd->r->memory, e->host);
        row->word = word_of(rd, e);
        row->document = row->kept && e->id.n > 0 ? hash64(e->id)
                        : e->of.n > 0            ? hash64(e->of)
                                                 : 0;
    }
    if (class != ROW_ROBOTS) {
        at = report_index_value(&rd->urls, hash64(e->url), &fresh);
        if (!fresh && replace(rd, &rd->rows[*at], row))
            return;
        *at = (uint32_t)rd->rows_n;
    }
    rd->rows_n++;
}

static void
add_page(struct report_reader *rd, const struct report_row *row)
{
    struct report *r = rd->r;
    struct report_host *host = &r->hosts[row->host];
    struct report_reason *reason = &rd->by_verdict[row->verdict];

    r->duplicate_at[r->fetched] = is_duplicate(row);
    r->kept_at[r->fetched++] = row->kept;
    r->fetched_bytes += row->bytes;
    r->kept += row->kept;
    r->kept_bytes += row->kept_bytes;
    r->tokens += row->tokens;
    r->errors += row->outcome == OUTCOME_FAILED;
    r->home_pages += row->home_page;
    r->home_pages_kept += row->home_page && row->kept;
    host->fetched++;
    host->fetched_bytes += row->bytes;
    host->kept += row->kept;
    host->kept_bytes += row->kept_bytes;
    host->tokens += row->tokens;
    if (row->kept) {
        r->languages[row->word].kept++;
        r->languages[row->word].kept_bytes += row->kept_bytes;
        r->languages[row->word].tokens += row->tokens;
    }
    if (row->verdict == VERDICT_NOT_HTML)
        r->types[row->word].pages++;
    if (is_duplicate(row)) {
        bool exact = row->verdict == VERDICT_EXACT_DUPLICATE;

        host->exact += exact;
        host->near += !exact;
        r->exact += exact;
        r->near += !exact;
        r->duplicate_bytes += row->bytes;
    }
    if (!row->kept) {
        reason->pages++;
        reason->bytes += row->bytes;
    }
}

static int
by_kept(const void *a, const void *b)
{
    const struct report_host *x = a, *y = b;

    if (x->kept != y->kept)
        return x->kept > y->kept ? -1 : 1;
    if (x->fetched != y->fetched)
        return x->fetched > y->fetched ? -1 : 1;
    return str_cmp(x->name, y->name);
}

static int
by_documents(const void *a, const void *b)
{
    const struct report_language *x = a, *y = b;

    if (x->kept != y->kept)
        return x->kept > y->kept ? -1 : 1;
    return str_cmp(x->code, y->code);
}

static int
by_number(const void *a, const void *b)
{
    const struct report_type *x = a, *y = b;

    if (x->pages != y->pages)
        return x->pages > y->pages ? -1 : 1;
    return str_cmp(x->name, y->name);
}

static int
by_pages(const void *a, const void *b)
{
    const struct report_reason *x = a, *y = b;

    if (x->pages != y->pages)
        return x->pages > y->pages ? -1 : 1;
    return str_cmp(x->name, y->name);
}

/* Those that stand for pages, most pages first; how many. */
static size_t
list_reasons(struct report *r, const struct report_reason *by_verdict,
             struct report_reason **out)
{
    struct report_reason *list =
        ARENA_ARRAY(r->memory, struct report_reason, VERDICT_END + 1);
    size_t n = 0;

    for (int v = 0; v <= VERDICT_END; v++)
        if (by_verdict[v].pages > 0) {
            list[n] = by_verdict[v];
            list[n].verdict = (enum verdict)v;
            list[n++].name = str_c(verdict_name((enum verdict)v));
        }
    qsort(list, n, sizeof *list, by_pages);
    *out = list;
    return n;
}

static int
by_shared(const void *a, const void *b)
{
    const struct report_mirror *x = a, *y = b;
    int names;

    if (x->shared != y->shared)
        return x->shared > y->shared ? -1 : 1;
    names = str_cmp(x->a, y->a);
    return names != 0 ? names : str_cmp(x->b, y->b);
}

static uint64_t
documents_of(const struct report_host *h)
{
    return h->kept + h->exact + h->near;
}

/* One more page of one host with a document of the other. */
static void
add_mirror(struct report *r, struct hashmap *pairs, size_t *cap, uint32_t a,
           uint32_t b)
{
    uint32_t low = a < b ? a : b, high = a < b ? b : a, *at;
    bool fresh;

    at =
        report_index_value(pairs, hash_mix((uint64_t)low << 32 | high), &fresh);
    if (fresh) {
        const struct report_host *x = &r->hosts[low], *y = &r->hosts[high];
        uint64_t n = documents_of(x), m = documents_of(y);

        r->mirrors =
            report_grown(r->mirrors, cap, r->mirrors_n, sizeof *r->mirrors);
        *at = (uint32_t)r->mirrors_n;
        r->mirrors[r->mirrors_n++] =
            (struct report_mirror){x->name, y->name, 0, n < m ? n : m};
    }
    r->mirrors[*at].shared++;
}

/* Of hosts in the order of first mention, all of whose pages are counted. */
static void
find_mirrors(struct report_reader *rd)
{
    struct report *r = rd->r;
    struct hashmap kept, pairs;
    size_t cap = 0;
    bool fresh;

    hashmap_init(&kept, &report_index_kind, NULL, 512);
    hashmap_init(&pairs, &report_index_kind, NULL, 64);
    for (size_t i = 0; i < rd->rows_n; i++)
        if (rd->rows[i].class == ROW_PAGE && rd->rows[i].kept &&
            rd->rows[i].document != 0)
            *report_index_value(&kept, rd->rows[i].document, &fresh) =
                rd->rows[i].host;
    for (size_t i = 0; i < rd->rows_n; i++) {
        const struct report_row *row = &rd->rows[i];
        const struct report_slot *of;

        if (row->class != ROW_PAGE || !is_duplicate(row) || row->document == 0)
            continue;
        of = hashmap_find(&kept, &report_index_kind, NULL, row->document,
                          &row->document);
        if (report_slot_used(of) && of->value != row->host)
            add_mirror(r, &pairs, &cap, of->value, row->host);
    }
    if (r->mirrors_n > 0)
        qsort(r->mirrors, r->mirrors_n, sizeof *r->mirrors, by_shared);
    hashmap_free(&kept);
    hashmap_free(&pairs);
}

/* Hosts and kinds of pages that bring copies sink, so their share falls: what
 * that has saved is told from the share before it was known.  A crawl that has
 * more to copy the longer it goes on has saved more than that. */
static uint64_t
duplicates_saved(const struct report *r)
{
    uint64_t half = r->fetched / 2, first = 0, due;

    for (uint64_t i = 0; i < half; i++)
        first += r->duplicate_at[i];
    if (half == 0)
        return 0;
    due = first * (r->fetched - half) / half;
    return due > r->exact + r->near - first ? due - (r->exact + r->near - first)
                                            : 0;
}

static void
add_up(struct report_reader *rd)
{
    struct report *r = rd->r;
    size_t n = 0;

    r->hosts_n = rd->hosts.index.n;
    r->hosts = ARENA_ARRAY(r->memory, struct report_host, r->hosts_n);
    for (size_t i = 0; i < r->hosts_n; i++)
        r->hosts[i].name = rd->hosts.item[i];
    r->languages_n = rd->languages.index.n;
    r->languages =
        ARENA_ARRAY(r->memory, struct report_language, r->languages_n);
    for (size_t i = 0; i < r->languages_n; i++)
        r->languages[i].code = rd->languages.item[i];
    r->types_n = rd->types.index.n;
    r->types = ARENA_ARRAY(r->memory, struct report_type, r->types_n);
    for (size_t i = 0; i < r->types_n; i++)
        r->types[i].name = rd->types.item[i];
    r->kept_at = ARENA_ARRAY(r->memory, bool, rd->rows_n);
    r->duplicate_at = ARENA_ARRAY(r->memory, bool, rd->rows_n);
    for (size_t i = 0; i < rd->rows_n; i++) {
        const struct report_row *row = &rd->rows[i];

        if (row->class == ROW_PAGE)
            add_page(rd, row);
        else if (row->class != ROW_GONE)
            r->other_bytes += row->bytes;
        r->redirects += row->class == ROW_REDIRECT;
        rd->refused[row->verdict].pages += row->class == ROW_UNREACHED;
        if (row->class == ROW_OTHER) {
            r->disallowed += row->outcome == OUTCOME_DISALLOWED;
            r->out_of_scope += row->outcome == OUTCOME_OUT_OF_SCOPE;
            rd->refused[row->verdict].pages +=
                row->outcome == OUTCOME_DISALLOWED ||
                row->outcome == OUTCOME_OUT_OF_SCOPE;
        }
    }
    r->duplicates_saved = duplicates_saved(r);
    find_mirrors(rd);
    qsort(r->hosts, r->hosts_n, sizeof *r->hosts, by_kept);
    while (n < r->hosts_n && r->hosts[n].fetched > 0)
        n++;
    r->hosts_n = n; /* the others had only lines that were replaced */
    qsort(r->languages, r->languages_n, sizeof *r->languages, by_documents);
    while (r->languages_n > 0 && r->languages[r->languages_n - 1].kept == 0)
        r->languages_n--;
    qsort(r->types, r->types_n, sizeof *r->types, by_number);
    while (r->types_n > 0 && r->types[r->types_n - 1].pages == 0)
        r->types_n--;
    r->reasons_n = list_reasons(r, rd->by_verdict, &r->reasons);
    r->refused_n = list_reasons(r, rd->refused, &r->refused);
}

static bool
has(const char *dir, const char *name)
{
    return access(path_printf("%s/%s", dir, name).z, F_OK) == 0;
}

/* DIR without a log: a crawl that has just begun, or no crawl at all?  Folders
 * of services alone have no job, either. */
static enum status
check_folder(const char *dir)
{
    bool store = has(dir, "frontier") || has(dir, "dedup");

    if (has(dir, "log") || (store && has(dir, "job")))
        return ST_OK;
    if (!has(dir, "."))
        log_error("report", "folder=%s error=\"no such folder\"", dir);
    else if (store)
        log_error("report",
                  "folder=%s error=\"services keep no log: reports are of the "
                  "folders of their crawlers, counts of all by winnow frontier "
                  "and winnow dedup with --stat\"",
                  dir);
    else
        log_error("report",
                  "folder=%s error=\"not a crawl: it has no " CRAWL_LOG_FILE
                  "\"",
                  dir);
    return ST_NONE;
}

/* Where this crawl's dedup service is another process, it has the list. */
static uint64_t
count_replaced(const char *dir, struct arena *a)
{
    struct paths corpus = {0};
    struct id_set ids;
    uint64_t n;

    id_set_init(&ids);
    paths_add(&corpus, arena_printf(a, "%s/corpus/", dir).p);
    (void)replaced_read(&ids, &corpus); /* faults are told */
    n = id_set_n(&ids);
    paths_free(&corpus);
    id_set_free(&ids);
    return n;
}

enum status
report_read(struct report **out, const char *dir)
{
    struct arena *a = arena_new();
    struct report *r = ARENA_NEW(a, struct report);
    struct report_reader rd = {.r = r};
    struct crawl_log_counts counts;
    struct str path = arena_printf(a, "%s/%s", dir, CRAWL_LOG_FILE);
    enum status st;

    *out = NULL;
    r->memory = a;
    r->dir = arena_str(a, str_c(dir));
    hashmap_init(&rd.urls, &report_index_kind, NULL, 512);
    name_index_init(&rd.hosts, 512);
    name_index_init(&rd.languages, 16);
    name_index_init(&rd.types, 16);
    st = crawl_log_read_all(dir, take, &rd, &counts);
    if (st == ST_NONE)
        st = check_folder(dir);
    if (st == ST_OK) {
        r->lines = counts.lines;
        r->skipped = counts.skipped;
        r->log_lost = r->lines == 0 && traces_documents(dir);
        if (r->log_lost)
            log_warn("report",
                     "%s: missing or empty, but %s/corpus has documents: the "
                     "figures are not those of the crawl",
                     path.p, dir);
        add_up(&rd);
        r->replaced = count_replaced(dir, a);
        r->forgotten = receipts_documents(dir);
        (void)job_read(&r->job, dir); /* faults are told */
        *out = r;
    } else {
        arena_free(a);
    }
    free(rd.rows);
    hashmap_free(&rd.urls);
    name_index_free(&rd.hosts);
    name_index_free(&rd.languages);
    name_index_free(&rd.types);
    return st;
}

void
report_free(struct report *r)
{
    if (r == NULL)
        return;
    job_free(r->job);
    free(r->mirrors);
    arena_free(r->memory); /* the report itself lives in it */
}
