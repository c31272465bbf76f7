/* warc_head.c -- the header of a WARC record: a version line, named fields.
 *
 * Follows WARC 1.1 (ISO 28500:2017), clause 4, leniently: lines may end with LF
 * alone, names compare without case, a line that begins with white space goes
 * on with the value before, lines without a colon are passed over, of a field
 * given twice the first counts.  Content-Length is required: without it there
 * is no knowing where the record ends. */
#include <stddef.h>
#include <stdlib.h>

#include "warc_impl.h"

static const struct str version_mark = STR("WARC/");

/* "WARC/1.0" and a line end, and a field's name after it. */
static bool
surely_begins(struct str s)
{
    size_t i = version_mark.n, digits = 0;

    for (; i < s.n && i < 16 && (ascii_digit(s.p[i]) || s.p[i] == '.'); i++)
        digits++;
    if (digits < 3)
        return false;
    i += i < s.n && s.p[i] == '\r';
    return i + 1 < s.n && s.p[i] == '\n' && ascii_alpha(s.p[i + 1]);
}

static bool
begins(struct str s, bool surely)
{
    return str_starts(s, version_mark) && (!surely || surely_begins(s));
}

static size_t
scan(struct str s, bool last)
{
    const char *p = memmem(s.p + 1, s.n - 1, version_mark.p, version_mark.n);

    if (p != NULL)
        return (size_t)(p - s.p);
    return last || s.n < version_mark.n ? s.n : s.n - version_mark.n + 1;
}

static bool
known_version(struct str line)
{
    static const char *const known[] = {"WARC/1.0", "WARC/1.1", "WARC/0.18",
                                        "WARC/0.17"};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (str_eq(str_trim(line), str_c(known[i])))
            return true;
    return false;
}

static enum warc_fault
gather(struct inflate_stream *in, struct buf *head)
{
    for (;;) {
        enum warc_fault fault;
        struct str line;

        if ((fault = warc_line(in, &line)) != WARC_FAULT_NONE)
            return fault;
        if (head->n == 0 && !known_version(line)) {
            inflate_stream_skip(in, version_mark.n);
            return WARC_FAULT_VERSION;
        }
        if (head->n > 0 && begins(line, false) &&
            str_find(line, ':', 0) == line.n)
            return WARC_FAULT_HEADER; /* the next record already */
        if (head->n + line.n > WARC_HEAD_MAX)
            return WARC_FAULT_HEADER;
        if (head->n > 0 && (line.p[0] == ' ' || line.p[0] == '\t'))
            while (head->n > 0 && (head->p[head->n - 1] == '\n' ||
                                   head->p[head->n - 1] == '\r'))
                head->n--;
        buf_str(head, line);
        inflate_stream_skip(in, line.n);
        if (str_trim(line).n == 0)
            return WARC_FAULT_NONE;
    }
}

struct field {
    const char *name;
    size_t at; /* of a struct str in struct warc_record */
};

/* The fields that are kept as text.  In a struct of its own: those that are
 * converted. */
struct raw {
    struct str type, length, segment;
};

#define RECORD(name, member)                                                   \
    {                                                                          \
        name, offsetof(struct warc_record, member)                             \
    }
static const struct field fields[] = {
    RECORD("WARC-Target-URI", url),
    RECORD("WARC-Date", date),
    RECORD("WARC-IP-Address", ip),
    RECORD("WARC-Record-ID", id),
    RECORD("WARC-Concurrent-To", concurrent_to),
    RECORD("WARC-Refers-To", refers_to),
    RECORD("WARC-Refers-To-Target-URI", refers_to_url),
    RECORD("WARC-Refers-To-Date", refers_to_date),
    RECORD("WARC-Identified-Content-Language", content_languages),
    RECORD("WARC-Identified-Payload-Type", payload_type),
    RECORD("WARC-Payload-Digest", payload_digest),
    RECORD("WARC-Truncated", truncated),
    RECORD(WARC_SITEMAP_LASTMOD, sitemap_lastmod),
    RECORD("Content-Type", content_type),
};

#define RAW(name, member)                                                      \
    {                                                                          \
        name, offsetof(struct raw, member)                                     \
    }
static const struct field raw_fields[] = {
    RAW("WARC-Type", type),
    RAW("Content-Length", length),
    RAW("WARC-Segment-Number", segment),
};

static void
set(void *to, const struct field *table, size_t n, struct str name,
    struct str value)
{
    for (size_t i = 0; i < n; i++) {
        struct str *at = (struct str *)((char *)to + table[i].at);

        if (at->p == NULL && str_eq_nocase(name, str_c(table[i].name)))
            *at = value;
    }
}

static enum warc_type
type_of(struct str name)
{
    for (int t = 0; t < WARC_OTHER; t++)
        if (str_eq_nocase(name, str_c(warc_type_name((enum warc_type)t))))
            return (enum warc_type)t;
    return WARC_OTHER;
}

/* wget puts angle brackets around it. */
static struct str
bare(struct str url)
{
    return str_starts(url, S("<")) && str_ends(url, S(">"))
               ? str_trim(str_sub(url, 1, url.n - 1))
               : url;
}

static enum warc_fault
parse(struct buf *head, struct warc_record *r)
{
    struct str rest, line;
    struct raw raw = {0};
    size_t n = 0;

    buf_reserve(head, WARC_ISO_DATE); /* now what points into it stays */
    rest = buf_view(head);
    str_cut(&rest, '\n', &line); /* the version */
    while (str_cut(&rest, '\n', &line)) {
        size_t colon = str_find(line, ':', 0);
        struct str name = str_trim(str_sub(line, 0, colon));
        struct str value = str_trim(str_sub(line, colon + 1, line.n));

        if (++n > WARC_FIELDS_MAX)
            return WARC_FAULT_HEADER;
        if (colon == line.n)
            continue;
        set(r, fields, sizeof fields / sizeof *fields, name, value);
        set(&raw, raw_fields, sizeof raw_fields / sizeof *raw_fields, name,
            value);
    }
    if (!str_u64(raw.length, &r->block_n))
        return WARC_FAULT_LENGTH;
    if (raw.type.n == 0)
        return WARC_FAULT_HEADER;
    if (!str_u64(raw.segment, &r->segment))
        r->segment = 0;
    r->type = type_of(raw.type);
    r->url = bare(r->url);
    r->refers_to_url = bare(r->refers_to_url);
    r->date = warc_iso_date(head, r->date);
    return WARC_FAULT_NONE;
}

const struct warc_syntax warc_syntax = {
    .begins = begins,
    .scan = scan,
    .begins_n = 32,
    .gap = 2,
    .gather = gather,
    .parse = parse,
};
