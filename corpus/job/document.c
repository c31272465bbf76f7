/* document.c -- job document: what a crawl or a collection has, as lines.
 *
 * map makes a line of each document (doc_line.h): white space in a row becomes
 * one blank, paragraphs are what stands between blank lines (of JSONL, which
 * comes from the cleaner, and of WET: each line).  reduce has the documents of
 * one URL together and drops those with the same length and the same ends. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/hashmap.h"
#include "base/memory.h"
#include "clean/charset/utf8.h"
#include "clean/tools/text_lines.h"
#include "doc_line.h"
#include "document_read.h"
#include "job.h"

enum {
    REJECTED,
    NO_URL,
    NO_TEXT,
    NOT_LISTED,
    NOT_UTF8,
    DOCUMENTS,
    DUPLICATES,
    TOO_LONG,
    DAMAGED
};

struct documents {
    struct job_run *r;
    struct arena *arena;
    struct buf url, source, process, text, line, value;
    struct str types;  /* content types that are let in; "": any */
    const char **sets; /* for who reads archives, ended by NULL */
    struct buf data;   /* one of them */
};

/* ---- map ---- */

/* Valid UTF-8 whatever came. */
static struct str
valid(struct documents *m, struct str s, bool *repaired)
{
    if (utf8_valid(s))
        return s;
    *repaired = true;
    return utf8_repair(m->arena, s);
}

static bool
next_paragraph(struct str *rest, bool blank_lines, struct str *paragraph)
{
    size_t end = 0;

    if (rest->n == 0)
        return false;
    for (end = str_find(*rest, '\n', 0); blank_lines && end < rest->n;
         end = str_find(*rest, '\n', end + 1)) {
        size_t next = str_find(*rest, '\n', end + 1);

        if (str_trim(str_sub(*rest, end, next)).n == 0)
            break;
    }
    *paragraph = str_sub(*rest, 0, end);
    *rest = str_sub(*rest, end + 1, rest->n);
    return true;
}

/* Whether line `n` is the next of those that are headings. */
static bool
is_heading(struct str *headings, uint64_t n)
{
    struct str rest = *headings, word;
    uint64_t next;

    if (!str_word(&rest, &word) || !str_u64(word, &next) || next != n)
        return false;
    *headings = rest;
    return true;
}

static void
make_text(struct documents *m, struct str text, bool blank_lines,
          struct str headings)
{
    struct str paragraph;

    buf_clear(&m->text);
    for (uint64_t i = 0; next_paragraph(&text, blank_lines, &paragraph); i++) {
        size_t before = m->text.n, begin;

        buf_c(&m->text, is_heading(&headings, i) ? "<p heading=\"1\">" : "<p>");
        begin = m->text.n;
        doc_escape(&m->text, paragraph);
        if (m->text.n == begin)
            m->text.n = before;
        else
            buf_c(&m->text, "</p>");
    }
}

/* Nothing in it may end the column or the CDATA. */
static void
make_url(struct documents *m, struct str url)
{
    buf_clear(&m->url);
    for (size_t i = 0; i < url.n; i++) {
        char c = url.p[i];

        if ((unsigned char)c <= ' ' || c == '<' || c == '>')
            buf_printf(&m->url, "%%%02X", (unsigned)(unsigned char)c);
        else
            buf_char(&m->url, c);
    }
}

static void
add_element(struct documents *m, enum doc_fact fact, struct str value)
{
    if (value.n == 0)
        return;
    buf_clear(&m->value);
    doc_escape(&m->value, value);
    doc_element_add(&m->source, fact, buf_view(&m->value));
}

static void
make_source(struct documents *m, const struct raw_document *d, bool *repaired)
{
    buf_clear(&m->source);
    buf_printf(&m->source, "<source><location><![CDATA[%.*s]]></location>",
               STRF(buf_view(&m->url)));
    add_element(m, DOC_FACT_ID, valid(m, d->id, repaired));
    add_element(m, DOC_FACT_TITLE, valid(m, d->title, repaired));
    add_element(m, DOC_FACT_AUTHOR, valid(m, d->author, repaired));
    add_element(m, DOC_FACT_DATE, valid(m, d->date, repaired));
    add_element(m, DOC_FACT_TIMESTAMP, valid(m, d->timestamp, repaired));
    add_element(m, DOC_FACT_USER, valid(m, d->user, repaired));
    add_element(m, DOC_FACT_ENCODING, valid(m, d->encoding, repaired));
    add_element(m, DOC_FACT_LANGUAGE, valid(m, d->language, repaired));
    buf_c(&m->source, "</source>");
}

static bool
is_listed(struct str types, struct str type)
{
    struct str one;

    type = str_trim(str_sub(type, 0, str_find(type, ';', 0)));
    if (types.n == 0 || type.n == 0)
        return true;
    while (str_word(&types, &one))
        if (str_eq_nocase(one, type))
            return true;
    return false;
}

/* Whether it is a document, and if not, why. */
static bool
is_document(struct documents *m, const struct raw_document *d)
{
    struct str text = str_trim(d->text);
    unsigned why = DOCUMENTS;

    if (str_trim(d->url).n == 0 || str_eq(d->url, S("null")))
        why = NO_URL;
    else if (text.n == 0 || str_eq(text, S("null")))
        why = NO_TEXT;
    else if (!is_listed(m->types, d->content_type))
        why = NOT_LISTED;
    job_count(m->r, why, 1);
    return why == DOCUMENTS;
}

static void
put_document(struct documents *m, const struct raw_document *d)
{
    bool repaired = false;

    arena_reset(m->arena);
    make_url(m, valid(m, str_trim(d->url), &repaired));
    make_source(m, d, &repaired);
    make_text(m, valid(m, d->text, &repaired), d->blank_lines, d->headings);
    buf_clear(&m->process);
    buf_printf(&m->process,
               "<process><length>%" PRIu64 "</length>%.*s"
               "</process>",
               doc_chars(buf_view(&m->text)), STRF(d->quality));
    doc_line_write(&m->line, &(struct doc_line){
                                 buf_view(&m->url), buf_view(&m->source),
                                 buf_view(&m->process), buf_view(&m->text)});
    job_count(m->r, NOT_UTF8, repaired);
    if (m->line.n >= TEXT_LINE_MAX)
        job_count(m->r, TOO_LONG, 1); /* no job could read it */
    else
        job_put(m->r, buf_view(&m->line));
}

static enum document_form
form_of(struct str name)
{
    if (str_eq(name, S("jsonl")))
        return DOCUMENT_JSONL;
    if (str_eq(name, S("leipzig")))
        return DOCUMENT_LEIPZIG;
    if (str_eq(name, S("wet")))
        return DOCUMENT_WET;
    return str_eq(name, S("auto")) ? DOCUMENT_AUTO : DOCUMENT_ARCHIVE;
}

/* As the job has them: clean.data, and what was set for cleaning. */
static void
take_sets(struct documents *m)
{
    const char *set;
    size_t n = 0, i = 0;

    while (job_run_next_set(m->r, &i) != NULL)
        n++;
    m->sets = memory_need(calloc(n + 2, sizeof *m->sets));
    n = i = 0;
    buf_printf(&m->data, "clean.data=%.*s", STRF(job_data(m->r)));
    buf_char(&m->data, '\0');
    if (job_data(m->r).n > 0)
        m->sets[n++] = m->data.p;
    while ((set = job_run_next_set(m->r, &i)) != NULL)
        m->sets[n++] = set;
}

static bool
map_file(struct documents *m, const char *path)
{
    struct document_read *from;
    enum document_form form = form_of(job_option_text(m->r, "input-format"));
    enum status st = document_read_open(&from, path, form, m->sets);

    if (st == ST_OK && document_read_cleans(from))
        job_keep(m->r);
    while (st == ST_OK || st == ST_INVALID) {
        struct raw_document d;
        const char *why;

        st = document_read_next(from, &d, &why);
        if (st == ST_INVALID)
            job_count(m->r, REJECTED, 1);
        else if (st == ST_OK && is_document(m, &d))
            put_document(m, &d);
    }
    job_count(m->r, DAMAGED, from != NULL && document_read_damaged(from));
    document_read_close(from);
    return st == ST_NONE;
}

static void
map(struct job_run *r)
{
    struct documents m = {.r = r, .arena = arena_new()};
    const char *path;

    m.types = job_option_text(r, "content-types");
    take_sets(&m);
    while (job_file(r, &path))
        if (!map_file(&m, path))
            job_fail(r);
    arena_free(m.arena);
    free(m.sets);
    buf_free(&m.data);
    buf_free(&m.url);
    buf_free(&m.source);
    buf_free(&m.value);
    buf_free(&m.process);
    buf_free(&m.text);
    buf_free(&m.line);
}

/* ---- reduce ---- */

struct same_url {
    struct buf url;
    struct hashmap ends; /* of the documents of this URL: hash128 */
};

#define PLACES_KEPT 256 /* of the table from one URL to the next */

static bool
ends_used(const void *slot)
{
    const struct hash128 *h = slot;

    return (h->high | h->low) != 0;
}

static bool
ends_equal(const void *of, const void *slot, const void *key)
{
    const struct hash128 *a = slot, *b = key;

    (void)of;
    return a->high == b->high && a->low == b->low;
}

static uint64_t
ends_hash(const void *of, const void *slot)
{
    (void)of;
    return ((const struct hash128 *)slot)->high;
}

static const struct hashmap_kind ends_kind = {.size = sizeof(struct hash128),
                                              .used = ends_used,
                                              .equal = ends_equal,
                                              .hash = ends_hash};

static void
begin_url(struct same_url *u, struct str url)
{
    buf_clear(&u->url);
    buf_str(&u->url, url);
    if (u->ends.mask < PLACES_KEPT) {
        hashmap_clear(&u->ends, &ends_kind);
        return;
    }
    hashmap_free(&u->ends);
    hashmap_init(&u->ends, &ends_kind, NULL, 8);
}

static bool
is_new(struct same_url *u, const struct doc_line *d, uint64_t chars)
{
    struct hash128 h = doc_ends(d->text, chars), *slot;

    if (!str_eq(d->url, buf_view(&u->url)))
        begin_url(u, d->url);
    slot = hashmap_put(&u->ends, &ends_kind, NULL, h.high, &h);
    if (ends_used(slot))
        return false;
    *slot = h;
    return true;
}

static void
reduce(struct job_run *r)
{
    struct same_url u = {.url = {0}};
    uint64_t chars = job_option(r, "test-length");
    struct str line;

    hashmap_init(&u.ends, &ends_kind, NULL, 8);
    while (job_line(r, &line)) {
        struct doc_line d;

        if (!doc_line_read(&d, line))
            job_count(r, REJECTED, 1);
        else if (is_new(&u, &d, chars))
            job_put(r, line);
        else
            job_count(r, DUPLICATES, 1);
    }
    buf_free(&u.url);
    hashmap_free(&u.ends);
}

const struct corpus_job job_document = {
    .name = "document",
    .summary = "Documents of a crawl or a collection as lines.",
    .lines =
        "map: files (JSONL of winnow, with any names of output.fields, "
        "Leipzig source format, WET, WARC, ARC, WACZ, HTML) -> URL, <source>, "
        "<process>, <p>...</p>; reduce: the same, "
        "copies of one URL dropped",
    .phase = {map, NULL, reduce},
    .input = JOB_FILES,
    .options = {JOB_TEXT("input-format", "auto", "How the input is written.",
                         "auto jsonl leipzig wet warc arc archive"),
                JOB_TEXT("content-types", "",
                         "Content types that are let in; preset: any.", NULL),
                JOB_NUMBER("test-length", "1000",
                           "So many characters at both ends are compared.", 1,
                           1000000000)},
    .counters = {JOB_RECORDS_REJECTED, "documents without URL",
                 "documents without text", "content type not listed",
                 "documents with invalid UTF-8", "documents", "duplicates",
                 "documents too long", JOB_INPUTS_DAMAGED},
};
