/* warc_restore.c -- see warc_restore.h: of records as Winnow writes them, each
 * field on a line of its own. */
#include "warc_restore.h"

#include <string.h>

#include "base/warc/warc_record.h"

#define LINE_END "\r\n"
#define HEAD_END S(LINE_END LINE_END)
#define REFERS S("WARC-Refers-To") /* and -Target-URI, -Date */

/* The header, its last line end included, and what is behind. */
static bool
split(struct str text, struct str *head, struct str *block)
{
    const char *at = memmem(text.p, text.n, HEAD_END.p, HEAD_END.n);
    size_t end = at == NULL ? 0 : (size_t)(at - text.p);

    if (at == NULL)
        return false;
    *head = str_sub(text, 0, end + strlen(LINE_END));
    *block = str_sub(text, end + HEAD_END.n, text.n);
    return true;
}

struct str
warc_payload(struct str response)
{
    struct str head, http, payload;

    return split(response, &head, &http) && split(http, &head, &payload)
               ? payload
               : S("");
}

static bool
is_field(struct str line, struct str name)
{
    return str_starts_nocase(line, name) && line.n > name.n &&
           line.p[name.n] == ':';
}

/* Does the field `name` end so? */
static bool
ends(struct str head, struct str name, struct str end)
{
    struct str line;

    while (str_cut(&head, '\n', &line))
        if (is_field(line, name) && str_ends(line, end))
            return true;
    return false;
}

/* Fields that only a revisit has, or that the end of a record makes anew. */
static bool
goes(struct str line)
{
    return str_starts_nocase(line, REFERS) ||
           is_field(line, S("WARC-Profile")) ||
           is_field(line, S("WARC-Block-Digest")) ||
           is_field(line, S("Content-Type")) ||
           is_field(line, S("Content-Length"));
}

static void
add_line(struct buf *out, struct str line)
{
    buf_str(out, line);
    buf_char(out, '\n');
}

static void
response(struct buf *out, struct str head, struct str block, struct str payload)
{
    struct str line;

    while (str_cut(&head, '\n', &line))
        if (is_field(line, S("WARC-Type")))
            buf_c(out, "WARC-Type: response" LINE_END);
        else if (!goes(line))
            add_line(out, line);
    warc_record_digest(out, "WARC-Block-Digest", block, payload);
    warc_record_end(out, "application/http; msgtype=response", block, payload);
    out->n -= HEAD_END.n;
}

static void
unnamed(struct buf *out, struct str head, struct str block)
{
    struct str line;

    while (str_cut(&head, '\n', &line))
        if (!str_starts_nocase(line, REFERS))
            add_line(out, line);
    buf_c(out, LINE_END);
    buf_str(out, block);
}

bool
warc_restore(struct buf *out, struct str revisit, struct str payload)
{
    struct str head, block;

    if (!split(revisit, &head, &block) ||
        !ends(head, S("WARC-Type"), S(" revisit\r")))
        return false;
    if (ends(head, S("WARC-Profile"), S("/server-not-modified\r")))
        unnamed(out, head, block);
    else
        response(out, head, block, payload);
    return true;
}
