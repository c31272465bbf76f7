/* document_read.c -- see document_read.h.
 *
 * All forms but WET (document_wet.h) are lines.  A record of JSONL is one; one
 * of the Leipzig format begins with a line that begins <source> and goes on to
 * the next such line. Archives become JSONL: a child runs `winnow clean` on
 * them, so that a page that is made to break a parser breaks a sandbox there.
 */
#include "document_read.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/document_id.h"
#include "base/exit_code.h"
#include "base/json_reader.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/process_end.h"
#include "clean/charset/charset.h"
#include "clean/tools/text_lines.h"
#include "doc_line.h"
#include "document_wet.h"

#define JSON_DEPTH_MAX 64
#define RECORD_MAX TEXT_LINE_MAX

struct document_read {
    struct text_lines *lines;
    struct document_wet *wet; /* in place of lines */
    enum document_form form;
    struct json_reader *json;
    struct arena *arena;
    struct buf record, next, quality; /* next: first line of the next record */
    const char *const *sets;          /* for winnow clean */
    bool has_next, too_long, damaged;
    pid_t child;
    char fd_path[32];
};

/* ---- archives ---- */

/* The command that cleans; made before the fork, since malloc() is not to be
 * called behind it. */
static const char **
clean_command(const char *const *sets, const char *path)
{
    static const char *const begin[] = {"winnow", "clean", "--format",
                                        "jsonl",  "--log", "error"};
    size_t n = sizeof begin / sizeof *begin, sets_n = 0;
    const char **word;

    while (sets[sets_n] != NULL)
        sets_n++;
    word = memory_need(calloc(n + 2 * sets_n + 2, sizeof *word));
    memcpy(word, begin, sizeof begin);
    for (size_t i = 0; i < sets_n; i++) {
        word[n++] = "--set";
        word[n++] = sets[i];
    }
    word[n] = path != NULL ? path : "-";
    return word;
}

static enum status
start_clean(struct document_read *d, const char *path)
{
    const char **word = clean_command(d->sets, path);
    int ends[2] = {-1, -1};

    if (pipe2(ends, O_CLOEXEC) != 0 || (d->child = fork()) < 0) {
        log_error("job", "fault=\"%s\"", strerror(errno));
        if (ends[0] >= 0) {
            close(ends[0]);
            close(ends[1]);
        }
        free(word);
        return ST_IO;
    }
    if (d->child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        execv("/proc/self/exe", (char *const *)(uintptr_t)word);
        _exit(127);
    }
    free(word);
    close(ends[1]);
    snprintf(d->fd_path, sizeof d->fd_path, "/dev/fd/%d", ends[0]);
    if (text_lines_open(&d->lines, d->fd_path) != ST_OK) {
        close(ends[0]);
        return ST_IO;
    }
    close(ends[0]);
    return ST_OK;
}

/* What the child has come to.  Of what it could not read (3) it says what and
 * where; that is no fault of the job, and the archive counts as damaged. */
static enum status
end_clean(struct document_read *d)
{
    char how[PROCESS_END_SIZE];
    int status = 0;

    while (waitpid(d->child, &status, 0) < 0 && errno == EINTR)
        ;
    d->child = 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_REJECTED)
        d->damaged = true;
    if (d->damaged || (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_DONE))
        return ST_NONE;
    log_error("job", "process=\"winnow clean\" fault=\"ended with %s\"",
              process_end(status, how));
    return ST_IO;
}

/* ---- lines ---- */

/* The next line, whole, behind what `into` has.  ST_INVALID: it was too long,
 * and only its begin is there.  Damaged compression ends the input, with what
 * there was of the line: text_lines_next() would report it at each call, and
 * what lies behind it cannot be found again. */
static enum status
add_line(struct document_read *d, struct buf *into)
{
    size_t from = into->n;
    bool ended = false, too_long = false;
    enum status st = d->damaged ? ST_NONE : ST_OK;

    while (!ended && st == ST_OK) {
        struct str part;

        st = text_lines_next(d->lines, &part, &ended);
        if (st != ST_OK && st != ST_INVALID)
            break;
        if (part.n > RECORD_MAX - into->n)
            too_long = true;
        else
            buf_str(into, part);
    }
    if (st == ST_INVALID) {
        d->damaged = true;
        return ST_NONE;
    }
    if (st == ST_NONE && (into->n > from || too_long))
        st = ST_OK;
    return st == ST_OK && too_long ? ST_INVALID : st;
}

static enum document_form
form_of(struct str line)
{
    if (str_starts(str_trim(line), S("{")))
        return DOCUMENT_JSONL;
    return str_starts(str_trim(line), S("<source>")) ? DOCUMENT_LEIPZIG
                                                     : DOCUMENT_ARCHIVE;
}

/* Into `next`, without blank lines before it. */
static enum status
first_line(struct document_read *d)
{
    enum status st;

    do {
        buf_clear(&d->next);
        st = add_line(d, &d->next);
    } while (st == ST_OK && str_trim(buf_view(&d->next)).n == 0);
    return st;
}

/* To the cleaner, from its beginning, unless nothing is left to clean. */
static enum status
read_again_as_archive(struct document_read *d, const char *path)
{
    bool may_be_wet = str_starts(buf_view(&d->next), S("WARC/"));
    enum status st;

    text_lines_close(d->lines);
    d->lines = NULL;
    d->has_next = d->too_long = false;
    d->damaged = false; /* it will say so itself */
    d->form = DOCUMENT_ARCHIVE;
    if (may_be_wet && (st = document_wet_open(&d->wet, path)) != ST_NONE)
        return st;
    return start_clean(d, path);
}

static enum status
open_wet(struct document_read *d, const char *path)
{
    enum status st = document_wet_open(&d->wet, path);

    if (st != ST_NONE)
        return st;
    log_error("job",
              "file=%s fault=\"no WET file: its first record is no "
              "conversion\"",
              path != NULL ? path : "stdin");
    return ST_IO;
}

/* The first line says what it is, even if only its begin could be read. */
static enum status
sniff(struct document_read *d, const char *path)
{
    enum document_form form = d->form;
    enum status st = first_line(d);

    if (st != ST_OK && st != ST_NONE && st != ST_INVALID)
        return st;
    d->has_next = st == ST_OK;
    d->too_long = st == ST_INVALID;
    if (st == ST_NONE && !d->damaged)
        return ST_OK; /* an empty file */
    if (form == DOCUMENT_AUTO)
        form = form_of(buf_view(&d->next));
    if (form != DOCUMENT_ARCHIVE || (path == NULL && d->damaged)) {
        d->form = form;
        return ST_OK;
    }
    if (path == NULL) {
        log_error("job",
                  "file=stdin fault=\"neither JSONL nor Leipzig "
                  "format; say input-format=archive (or wet) if it is one\"");
        return ST_IO;
    }
    return read_again_as_archive(d, path);
}

enum status
document_read_open(struct document_read **out, const char *path,
                   enum document_form form, const char *const *sets)
{
    struct document_read *d = memory_need(calloc(1, sizeof *d));
    enum status st;

    d->form = form;
    d->sets = sets;
    d->json = memory_need(json_reader_new(JSON_DEPTH_MAX));
    d->arena = arena_new();
    if (form == DOCUMENT_ARCHIVE) {
        st = start_clean(d, path);
    } else if (form == DOCUMENT_WET) {
        st = open_wet(d, path);
    } else {
        st = text_lines_open(&d->lines, path);
        if (st == ST_OK)
            st = sniff(d, path);
    }
    *out = d;
    if (st != ST_OK) {
        document_read_close(d);
        *out = NULL;
    }
    return st;
}

void
document_read_close(struct document_read *d)
{
    if (d == NULL)
        return;
    text_lines_close(d->lines);
    document_wet_close(d->wet);
    if (d->child > 0)
        end_clean(d);
    json_reader_free(d->json);
    arena_free(d->arena);
    buf_free(&d->record);
    buf_free(&d->next);
    buf_free(&d->quality);
    free(d);
}

/* ---- records ---- */

static enum status
next_json_line(struct document_read *d)
{
    buf_clear(&d->record);
    if (d->has_next) {
        buf_str(&d->record, buf_view(&d->next));
        d->has_next = false;
        return ST_OK;
    }
    return add_line(d, &d->record);
}

static void
add_real(struct document_read *d, const char *key, enum doc_fact fact)
{
    double value = json_reader_real(d->json, key);
    char text[32];

    if (isnan(value) || value < 0) /* job jsonl's way to say so */
        return;
    snprintf(text, sizeof text, "%g", value);
    doc_element_add(&d->quality, fact, str_c(text));
}

static void
take_quality(struct document_read *d, struct raw_document *out)
{
    buf_clear(&d->quality);
    add_real(d, "badness", DOC_FACT_BADNESS);
    add_real(d, "boilerplate_mean", DOC_FACT_BOILERPLATE);
    out->quality = buf_view(&d->quality);
}

static void
take_fields(struct document_read *d, struct raw_document *out)
{
    out->url = json_reader_str(d->json, "url");
    out->text = json_reader_str(d->json, "text");
    if (out->text.n == 0)
        out->text = json_reader_str(d->json, "content");
    out->date = json_reader_str(d->json, "date");
    out->timestamp = json_reader_str(d->json, "timestamp");
    out->language = json_reader_str(d->json, "language");
    out->content_type = json_reader_str(d->json, "content_type");
    out->id = json_reader_str(d->json, "id");
    out->title = json_reader_str(d->json, "title");
    out->author = json_reader_str(d->json, "author");
    out->headings = json_reader_str(d->json, "headings");
    take_quality(d, out);
}

/* Dolma has the URL among its metadata; `created` is `added` where the page
 * says no date. */
static void
take_dolma(struct document_read *d, struct raw_document *out)
{
    struct str created = json_reader_str(d->json, "created");

    out->timestamp = json_reader_str(d->json, "added");
    if (!str_eq(created, out->timestamp))
        out->date = created;
    if (!json_reader_enter_object(d->json, "metadata"))
        return;
    out->url = json_reader_str(d->json, "url");
    out->title = json_reader_str(d->json, "title");
    out->language = json_reader_str(d->json, "language");
    take_quality(d, out);
    json_reader_leave(d->json);
}

/* OSCAR has the fields of a WARC header. */
static void
take_oscar(struct document_read *d, struct raw_document *out)
{
    if (!json_reader_enter_object(d->json, "warc_headers"))
        return;
    out->url = json_reader_str(d->json, "warc-target-uri");
    out->id = json_reader_str(d->json, "warc-refers-to");
    out->timestamp = json_reader_str(d->json, "warc-date");
    out->language =
        json_reader_str(d->json, "warc-identified-content-language");
    json_reader_leave(d->json);
}

/* With output.fields things have the names of others. */
static void
take_names_of_others(struct document_read *d, struct raw_document *out)
{
    if (out->url.n == 0)
        take_dolma(d, out);
    if (out->url.n == 0)
        take_oscar(d, out);
    if (json_reader_str(d->json, "dump").n > 0) { /* FineWeb's date */
        out->timestamp = out->date;
        out->date = S("");
    }
    out->id = document_id_bare(out->id);
}

static enum status
next_json(struct document_read *d, struct raw_document *out, const char **why)
{
    struct str line;
    enum status st;

    do {
        st = next_json_line(d);
        line = str_trim(buf_view(&d->record));
    } while (st == ST_OK && line.n == 0);
    *why = "too long";
    if (st == ST_NONE && d->child > 0)
        return end_clean(d);
    if (st != ST_OK)
        return st;
    *why = "no JSON object";
    if (!json_reader_read(d->json, line))
        return ST_INVALID;
    take_fields(d, out);
    take_names_of_others(d, out);
    return ST_OK;
}

/* Lines up to the next one that begins a record. */
static enum status
next_leipzig_record(struct document_read *d)
{
    enum status st = ST_OK;

    buf_clear(&d->record);
    if (d->has_next) {
        buf_str(&d->record, buf_view(&d->next));
        buf_char(&d->record, '\n');
    }
    d->has_next = false;
    while (st == ST_OK) {
        buf_clear(&d->next);
        st = add_line(d, &d->next);
        if (st != ST_OK)
            break;
        if (str_starts(buf_view(&d->next), S("<source>")) &&
            str_trim(buf_view(&d->record)).n > 0) {
            d->has_next = true;
            return ST_OK;
        }
        if (d->next.n > RECORD_MAX - d->record.n)
            d->too_long = true;
        else
            buf_str(&d->record, buf_view(&d->next));
        buf_char(&d->record, '\n');
    }
    if (d->damaged) /* the record was cut */
        return st;
    return st == ST_NONE && str_trim(buf_view(&d->record)).n > 0 ? ST_OK : st;
}

/* In UTF-8, by the encoding that the header names. */
static struct str
decoded(struct document_read *d, struct str text, struct str encoding)
{
    const char *name = charset_name(encoding);
    struct str utf8;

    if (utf8_valid(text))
        return text;
    if (name != NULL && charset_convert(&utf8, d->arena, text, name) == ST_OK)
        return utf8;
    return utf8_repair(d->arena, text);
}

static enum status
next_leipzig(struct document_read *d, struct raw_document *out,
             const char **why)
{
    static const struct str end = STR("</source>");
    struct str record, header;
    const char *p;
    enum status st = next_leipzig_record(d);

    *why = "too long";
    if (st != ST_OK)
        return st;
    if (d->too_long) {
        d->too_long = false;
        return ST_INVALID;
    }
    record = buf_view(&d->record);
    *why = "no <source>...</source> at its begin";
    p = memmem(record.p, record.n, end.p, end.n);
    if (p == NULL || !str_starts(str_trim(record), S("<source>")))
        return ST_INVALID;
    header = str_n(record.p, (size_t)(p - record.p));
    out->text = str_sub(record, header.n + end.n, record.n);
    out->url = doc_element(header, DOC_FACT_LOCATION);
    out->date = doc_element(header, DOC_FACT_DATE);
    out->user = doc_element(header, DOC_FACT_USER);
    out->encoding = doc_element(header, DOC_FACT_ENCODING);
    out->language = doc_element(header, DOC_FACT_LANGUAGE);
    arena_reset(d->arena);
    out->text = decoded(d, out->text, out->encoding);
    out->blank_lines = true;
    return ST_OK;
}

enum status
document_read_next(struct document_read *d, struct raw_document *out,
                   const char **why)
{
    *out = (struct raw_document){.blank_lines = false};
    if (d->too_long) { /* the first line was */
        d->too_long = false;
        *why = "too long";
        return ST_INVALID;
    }
    if (d->wet != NULL)
        return document_wet_next(d->wet, out, why);
    if (d->form == DOCUMENT_LEIPZIG)
        return next_leipzig(d, out, why);
    return next_json(d, out, why);
}

bool
document_read_cleans(const struct document_read *d)
{
    return d->child > 0;
}

bool
document_read_damaged(const struct document_read *d)
{
    return d->damaged || (d->wet != NULL && document_wet_damaged(d->wet));
}
