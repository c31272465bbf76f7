/* records.c -- see records.h.
 *
 * Everything is put together of lines.  A WARC record ends where its length
 * says, which is the end of a line as well, since a blank line follows. */
#include "records.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/document_id.h"
#include "base/json_reader.h"
#include "base/log.h"
#include "base/memory.h"
#include "clean/tools/text_lines.h"

#define RECORD_BYTES_MAX ((size_t)1 << 30)
#define JSON_DEPTH_MAX 64
#define BAD_LINES_NAMED 5 /* in the log */

struct records {
    const char *path;
    struct text_lines *lines;
    enum record_form form;
    struct buf record;
    struct buf first;  /* the line that told the form, to be read again */
    bool again, ended; /* the last line has its end */
    struct json_reader *json;
    uint64_t n;        /* records so far, for messages */
    bool any, strange; /* a document; what no corpus has outside of them */
    uint64_t bad_lines;
};

static enum status
fault(const struct records *r, const char *what)
{
    log_error("corpus", "file=%s record=%llu fault=\"%s\"", r->path,
              (unsigned long long)r->n + 1, what);
    return ST_INVALID;
}

/* Append the next line, however long, with its end; *line is it, without. */
static enum status
add_line(struct records *r, struct str *line)
{
    size_t from = r->record.n;
    bool again = r->again, ended = again;
    enum status st = ST_OK;

    if (again) {
        r->again = false;
        buf_str(&r->record, buf_view(&r->first));
    }
    while (!ended) {
        struct str part;

        st = text_lines_next(r->lines, &part, &ended);
        if (st != ST_OK)
            break;
        if (part.n > RECORD_BYTES_MAX - r->record.n)
            return fault(r, "a document of more than 1 GiB");
        buf_str(&r->record, part);
        if (ended)
            buf_char(&r->record, '\n');
    }
    if (st != ST_OK && (st != ST_NONE || r->record.n == from))
        return st;
    if (!again)
        r->ended = ended;
    if (!ended)
        buf_char(&r->record, '\n'); /* the last line of the file */
    *line = str_sub(buf_view(&r->record), from, r->record.n - 1);
    return ST_OK;
}

/* Of a line of fingerprints; "": it is none. */
static struct str
fingerprint_id(struct str line)
{
    struct document_id id;
    struct str first = str_sub(line, 0, str_find(line, '\t', 0));

    return first.n < line.n && document_id_read(first, &id) ? first : S("");
}

static enum record_form
form_of(struct str line)
{
    if (fingerprint_id(line).n > 0)
        return RECORD_SHINGLES;
    if (str_starts(line, S("WARC/")))
        return RECORD_WET;
    if (str_starts(line, S("{")))
        return RECORD_JSONL;
    return str_starts(line, S("<")) ? RECORD_DOC : RECORD_EMPTY;
}

static enum status
find_form(struct records *r)
{
    struct str line;
    enum status st = add_line(r, &line);

    if (st != ST_OK) /* empty, or damaged from the start */
        return st == ST_NONE ? ST_OK : st;
    r->form = form_of(line);
    if (r->form == RECORD_EMPTY)
        return fault(r, "neither XML, TEI, vertical text, JSON lines, WET "
                        "nor shingles");
    buf_str(&r->first, buf_view(&r->record));
    r->again = true;
    return ST_OK;
}

enum status
records_open(struct records **out, const char *path)
{
    struct records *r = memory_need(calloc(1, sizeof *r));
    enum status st;

    r->path = path;
    r->json = memory_need(json_reader_new(JSON_DEPTH_MAX));
    st = text_lines_open(&r->lines, path);
    if (st == ST_OK)
        st = find_form(r);
    if (st != ST_OK) {
        records_close(r);
        r = NULL;
    }
    *out = r;
    return st;
}

void
records_close(struct records *r)
{
    if (r == NULL)
        return;
    text_lines_close(r->lines);
    json_reader_free(r->json);
    buf_free(&r->record);
    buf_free(&r->first);
    free(r);
}

enum record_form
records_form(const struct records *r)
{
    return r->form;
}

/* The value of an attribute in a start tag, behind any white space; not what
 * looks so in the value of another one. */
static struct str
attribute(struct str tag, struct str name)
{
    for (size_t at = 1; at < tag.n; at++) {
        bool quote = tag.p[at] == '"' || tag.p[at] == '\'';
        size_t end;

        if (!quote || tag.p[at - 1] != '=')
            continue;
        end = str_find(tag, tag.p[at], at + 1);
        if (at > name.n + 1 && ascii_space(tag.p[at - name.n - 2]) &&
            str_ends(str_sub(tag, 0, at - 1), name))
            return str_sub(tag, at + 1, end);
        at = end;
    }
    return S("");
}

/* The element that a document of a DOC file is. */
struct wrapper {
    struct str start, end;
};
static const struct wrapper wrappers[] = {{STR("<doc"), STR("</doc>")},
                                          {STR("<TEI"), STR("</TEI>")}};

static bool
begins(struct str line, const struct wrapper *e)
{
    return str_starts(line, e->start) && line.n > e->start.n &&
           memchr(" >\t", line.p[e->start.n], 3) != NULL;
}

/* NULL: no document begins there. */
static const struct wrapper *
wrapper_of(struct str line)
{
    for (size_t i = 0; i < sizeof wrappers / sizeof *wrappers; i++)
        if (begins(line, &wrappers[i]))
            return &wrappers[i];
    return NULL;
}

/* "<corpus>", "<?xml ...?>": what stands around documents. */
static bool
is_lone_tag(struct str line)
{
    line = str_trim(line);
    return line.n == 0 || (line.p[0] == '<' && line.p[line.n - 1] == '>' &&
                           str_find(line, '>', 0) == line.n - 1);
}

/* Of its header, as writer_tei.c has it. */
static void
name_tei(struct str text, struct corpus_record *out)
{
    const struct str idno = STR("<idno type=\"id\">");
    struct str line;

    while (str_cut(&text, '\n', &line) && !str_starts(line, S("<text>"))) {
        if (str_starts(line, idno)) {
            line = str_sub(line, idno.n, line.n);
            out->id = str_sub(line, 0, str_find(line, '<', 0));
        } else if (str_starts(line, S("<bibl>"))) {
            out->url = attribute(line, S("target"));
        }
    }
}

/* A document has begun with a line of `first` bytes: up to its last one. */
static enum status
rest_of_document(struct records *r, struct corpus_record *out,
                 const struct wrapper *e, size_t first)
{
    struct str line, tag;
    enum status st;

    do {
        st = add_line(r, &line);
        if (st == ST_OK && begins(line, e))
            return fault(r, "a document inside of a document");
    } while (st == ST_OK && !str_starts(line, e->end));
    if (st != ST_OK)
        return st == ST_NONE ? fault(r, "ends inside of a document") : st;
    out->is_document = true;
    tag = str_sub(buf_view(&r->record), 0, first);
    out->id = attribute(tag, S("id"));
    out->url = attribute(tag, S("url"));
    if (str_eq(e->end, S("</TEI>")))
        name_tei(buf_view(&r->record), out);
    return ST_OK;
}

static enum status
next_doc(struct records *r, struct corpus_record *out)
{
    struct str line;
    enum status st = add_line(r, &line);
    const struct wrapper *e = st == ST_OK ? wrapper_of(line) : NULL;

    if (e != NULL)
        return rest_of_document(r, out, e, r->record.n);
    if (st == ST_OK)
        r->strange |= !is_lone_tag(line);
    return st;
}

/* Dolma has the URL among its metadata, OSCAR id and URL among the fields of a
 * WARC header. */
static void
name_json(struct json_reader *json, struct corpus_record *out)
{
    out->id = document_id_bare(json_reader_text(json, "id"));
    out->url = json_reader_str(json, "url");
    if (out->url.n == 0 && json_reader_enter_object(json, "metadata")) {
        out->url = json_reader_str(json, "url");
        json_reader_leave(json);
    }
    if (out->id.n > 0 || !json_reader_enter_object(json, "warc_headers"))
        return;
    out->id = document_id_bare(json_reader_str(json, "warc-refers-to"));
    if (out->id.n == 0)
        out->id = document_id_bare(json_reader_str(json, "warc-record-id"));
    out->url = json_reader_str(json, "warc-target-uri");
    json_reader_leave(json);
}

/* Lines that are no objects are left out: the next one is a document again. */
static enum status
next_json(struct records *r, struct corpus_record *out)
{
    struct str line;
    enum status st;

    while ((st = add_line(r, &line)) == ST_OK && str_trim(line).n > 0) {
        if (json_reader_read(r->json, line)) {
            out->is_document = true;
            name_json(r->json, out);
            return ST_OK;
        }
        if (r->bad_lines++ < BAD_LINES_NAMED)
            (void)fault(r, "not a JSON object, or cut");
        r->n++;
        buf_clear(&r->record);
    }
    return st == ST_NONE && r->bad_lines > 0 ? ST_INVALID : st;
}

/* Of a line that is cut nobody could say so but by its end. */
static enum status
next_fingerprint(struct records *r, struct corpus_record *out)
{
    struct str line;
    enum status st = add_line(r, &line);

    if (st != ST_OK)
        return st;
    if (!r->ended)
        return fault(r, "ends inside of a line");
    out->id = fingerprint_id(line);
    out->is_document = out->id.n > 0;
    return out->is_document ? ST_OK : fault(r, "no line of a fingerprint");
}

/* ---- WARC records ---- */

struct warc_fields {
    bool is_conversion, is_info;
    struct str id, refers_to, url;
    uint64_t length;
    bool has_length;
};

static void
take_field(struct warc_fields *f, struct str line)
{
    size_t colon = str_find(line, ':', 0);
    struct str name = str_sub(line, 0, colon);
    struct str value = str_trim(str_sub(line, colon + 1, line.n));

    if (str_eq_nocase(name, S("WARC-Type"))) {
        f->is_conversion = str_eq_nocase(value, S("conversion"));
        f->is_info = str_eq_nocase(value, S("warcinfo"));
    } else if (str_eq_nocase(name, S("WARC-Record-ID")))
        f->id = document_id_bare(value);
    else if (str_eq_nocase(name, S("WARC-Refers-To")))
        f->refers_to = document_id_bare(value);
    else if (str_eq_nocase(name, S("WARC-Target-URI")))
        f->url = value;
    else if (str_eq_nocase(name, S("Content-Length")))
        f->has_length = str_u64(value, &f->length);
}

/* The fields of a header in memory (the buffer may have moved while it was
 * read, so not before). */
static struct warc_fields
fields_of(struct str header)
{
    struct warc_fields f = {.id = S(""), .url = S("")};
    struct str line;

    while (str_cut(&header, '\n', &line))
        take_field(&f, line);
    return f;
}

static enum status
next_warc(struct records *r, struct corpus_record *out)
{
    struct warc_fields f;
    struct str line;
    size_t header;
    enum status st;

    do /* lines between records are none */
        buf_clear(&r->record);
    while ((st = add_line(r, &line)) == ST_OK && str_trim(line).n == 0);
    if (st != ST_OK)
        return st;
    if (!str_starts(line, S("WARC/")))
        return fault(r, "no WARC record");
    while ((st = add_line(r, &line)) == ST_OK && str_trim(line).n > 0)
        ;
    header = r->record.n;
    f = fields_of(buf_view(&r->record));
    if (st == ST_OK && (!f.has_length || f.length > RECORD_BYTES_MAX))
        return fault(r, "a WARC record without a length, or too large");
    while (st == ST_OK && r->record.n < header + f.length + 4)
        st = add_line(r, &line);
    if (st == ST_NONE)
        return fault(r, "ends inside of a record");
    if (st == ST_OK && r->record.n != header + f.length + 4)
        return fault(r, "a WARC record with a wrong length");
    f = fields_of(str_sub(buf_view(&r->record), 0, header));
    out->is_document = f.is_conversion;
    r->strange |= !f.is_conversion && !f.is_info;
    out->id = f.refers_to.n > 0 ? f.refers_to : f.id;
    out->url = f.url;
    return st;
}

/* At the end: a page or a WARC file of pages is no corpus without a
 * document. */
static enum status
end(const struct records *r)
{
    if (r->any || !r->strange)
        return ST_NONE;
    return fault(r, r->form == RECORD_WET
                        ? "no conversion record in it: WARC, but no WET"
                        : "no <doc> or <TEI> in it: neither XML of a corpus "
                          "nor vertical text");
}

enum status
records_next(struct records *r, struct corpus_record *out)
{
    enum status st = ST_NONE;

    *out = (struct corpus_record){.id = S(""), .url = S("")};
    buf_clear(&r->record);
    switch (r->form) {
    case RECORD_EMPTY: break;
    case RECORD_DOC: st = next_doc(r, out); break;
    case RECORD_JSONL: st = next_json(r, out); break;
    case RECORD_WET: st = next_warc(r, out); break;
    case RECORD_SHINGLES: st = next_fingerprint(r, out); break;
    }
    out->bytes = buf_view(&r->record);
    r->n += st == ST_OK;
    r->any |= st == ST_OK && out->is_document;
    return st == ST_NONE ? end(r) : st;
}
