/* warc_record.c -- see warc_record.h.  Pure but for SHA-1's library. */
#include "warc_record.h"

#include <stdio.h>

#include "base/clock.h"
#include "digest.h"

void
warc_urn(const struct document_id *id, char out[WARC_URN_N])
{
    snprintf(out, WARC_URN_N, "<urn:uuid:%s>", id->z);
}

void
warc_record_begin(struct buf *out, const char *type, const char *urn,
                  uint64_t date_ms)
{
    char date[21];

    clock_iso(date_ms, date);
    buf_printf(out,
               "WARC/1.1\r\nWARC-Type: %s\r\nWARC-Record-ID: %s\r\n"
               "WARC-Date: %s\r\n",
               type, urn, date);
}

void
warc_record_field(struct buf *out, const char *name, struct str value)
{
    if (value.n == 0)
        return;
    buf_printf(out, "%s: ", name);
    for (size_t i = 0; i < value.n; i++)
        buf_char(out, (unsigned char)value.p[i] < 0x20 ? ' ' : value.p[i]);
    buf_c(out, "\r\n");
}

void
warc_record_digest(struct buf *out, const char *name, struct str a,
                   struct str b)
{
    char text[DIGEST_TEXT_N];

    if (digest_sha1(a, b, text))
        warc_record_field(out, name, str_c(text));
}

void
warc_record_end(struct buf *out, const char *type, struct str a, struct str b)
{
    warc_record_field(out, "Content-Type", str_c(type));
    buf_printf(out, "Content-Length: %zu\r\n\r\n", a.n + b.n);
    buf_str(out, a);
    buf_str(out, b);
    buf_c(out, "\r\n\r\n");
}

void
warc_record_info(struct buf *out, const char *urn, uint64_t now_ms,
                 const char *file, struct str software, struct str more)
{
    struct buf block = {0};

    warc_record_field(&block, "software", software);
    buf_c(&block, "format: WARC File Format 1.1\r\nconformsTo: "
                  "https://iipc.github.io/warc-specifications/specifications/"
                  "warc-format/warc-1.1/\r\n");
    buf_str(&block, more);
    warc_record_begin(out, "warcinfo", urn, now_ms);
    warc_record_field(out, "WARC-Filename", str_c(file));
    warc_record_digest(out, "WARC-Block-Digest", buf_view(&block), S(""));
    warc_record_end(out, "application/warc-fields", buf_view(&block), S(""));
    buf_free(&block);
}

size_t
warc_record_length(struct str text)
{
    static const struct str empty_line = STR("\r\n\r\n");
    const char *end = memmem(text.p, text.n, empty_line.p, empty_line.n);
    struct str head, line;
    size_t around;
    uint64_t n;

    if (end == NULL || !str_starts(text, S("WARC/")))
        return 0;
    head = str_sub(text, 0, (size_t)(end - text.p));
    around = head.n + 2 * empty_line.n; /* all but the block */
    while (str_cut(&head, '\n', &line))
        if (str_starts_nocase(line, S("Content-Length:")) &&
            str_u64(str_trim(str_sub(line, 15, line.n)), &n))
            return around <= text.n && n <= text.n - around ? around + (size_t)n
                                                            : 0;
    return 0;
}
