/* arc.c -- the header of an ARC record: one line of fields between spaces.
 *
 *     v1  URL IP date type length
 *     v2  URL IP date type status checksum location offset file length
 *
 * (archive.org/web/researcher/ArcFileFormat.php.)  URLs may hold spaces and the
 * type may be missing or hold some, so the line is anchored at its address and
 * date, which no other two words look like, and at the length, its last word.
 * The record filedesc: at the beginning describes the file; its length is often
 * wrong (line ends counted as one byte), so it goes up to the first record. */
#include <stdio.h>
#include <stdlib.h>

#include "warc_impl.h"

#define WORDS_MAX 64

static const struct str filedesc = STR("filedesc:");

/* A word that may be an address: v4, v6, or unknown. */
static bool
address(struct str w)
{
    size_t marks = 0;

    if (str_eq(w, S("-")) || str_eq(w, S("0")))
        return true;
    for (size_t i = 0; i < w.n; i++) {
        if (w.p[i] == '.' || w.p[i] == ':')
            marks++;
        else if (ascii_hex(w.p[i]) < 0)
            return false;
    }
    return marks > 1 && w.n <= 45;
}

static bool
digits(struct str w, size_t low, size_t high)
{
    for (size_t i = 0; i < w.n; i++)
        if (!ascii_digit(w.p[i]))
            return false;
    return w.n >= low && w.n <= high;
}

static bool
has_scheme(struct str s)
{
    size_t colon = str_find(s, ':', 0);

    if (colon == 0 || colon > 16 || colon + 1 >= s.n)
        return false;
    for (size_t i = 0; i < colon; i++)
        if (!ascii_alpha(s.p[i]) && !ascii_digit(s.p[i]) && s.p[i] != '-' &&
            s.p[i] != '+' && s.p[i] != '.')
            return false;
    return ascii_alpha(s.p[0]);
}

struct arc_line {
    struct str url, ip, date, type, length;
};

/* Split a line at its anchors. */
static bool
split(struct str s, struct arc_line *l)
{
    struct str word[WORDS_MAX], rest = s;
    size_t n = 0;

    while (n < WORDS_MAX && str_cut(&rest, ' ', &word[n]))
        n++;
    if (n == WORDS_MAX || n < 4 || !has_scheme(s))
        return false;
    for (size_t i = n - 2; i >= 2; i--) {
        if (!digits(word[i], 8, 18) || !address(word[i - 1]))
            continue;
        l->url = str_trim(str_n(s.p, (size_t)(word[i - 1].p - s.p)));
        l->ip = word[i - 1];
        l->date = word[i];
        l->type = i + 2 < n ? word[i + 1] : S("");
        l->length = word[n - 1];
        return true;
    }
    return false;
}

static struct str
first_line(struct str s)
{
    return str_trim(str_sub(s, 0, str_find(s, '\n', 0)));
}

static bool
begins(struct str s, bool surely)
{
    struct arc_line l;

    (void)surely;
    if (str_find(s, '\n', 0) == s.n)
        return false;
    return str_starts(s, filedesc) || split(first_line(s), &l);
}

static size_t
scan(struct str s, bool last)
{
    size_t end = str_find(s, '\n', 0);

    (void)last;
    return end < s.n ? end + 1 : s.n;
}

/* The lines about the file, up to the first record. */
static enum warc_fault
skip_description(struct inflate_stream *in)
{
    struct str line;
    enum warc_fault fault;

    for (size_t n = 0; n < WARC_HEAD_MAX; n += line.n) {
        fault = warc_line(in, &line);
        if (fault != WARC_FAULT_NONE)
            return inflate_stream_state(in) == INFLATE_END ? WARC_FAULT_NONE
                                                           : fault;
        if (begins(line, true))
            return WARC_FAULT_NONE;
        inflate_stream_skip(in, line.n);
    }
    return WARC_FAULT_HEADER;
}

static enum warc_fault
gather(struct inflate_stream *in, struct buf *head)
{
    struct str line;
    enum warc_fault fault = warc_line(in, &line);

    if (fault != WARC_FAULT_NONE)
        return fault;
    buf_str(head, line);
    inflate_stream_skip(in, line.n);
    return str_starts(buf_view(head), filedesc) ? skip_description(in)
                                                : WARC_FAULT_NONE;
}

static enum warc_fault
parse(struct buf *head, struct warc_record *r)
{
    struct arc_line l = {0};
    size_t line_n = head->n;

    if (str_starts(buf_view(head), filedesc)) {
        r->type = WARC_WARCINFO;
        r->url = first_line(buf_view(head));
        r->url = str_sub(r->url, 0, str_find(r->url, ' ', 0));
        return WARC_FAULT_NONE; /* gather() has passed its block over */
    }
    buf_reserve(head, WARC_ISO_DATE); /* now what points into it stays */
    if (!split(first_line(str_n(head->p, line_n)), &l))
        return WARC_FAULT_HEADER;
    if (!str_u64(l.length, &r->block_n))
        return WARC_FAULT_LENGTH;
    r->url = l.url;
    r->ip = l.ip;
    r->content_type = l.type;
    r->date = warc_iso_date(head, l.date);
    r->type = str_starts(l.url, S("dns:")) ? WARC_RESOURCE : WARC_RESPONSE;
    return WARC_FAULT_NONE;
}

const struct warc_syntax arc_syntax = {
    .begins = begins,
    .scan = scan,
    .begins_n = WARC_LINE_MAX / 8,
    .gap = 1,
    .gather = gather,
    .parse = parse,
};
