/* warc_line.c -- what the two record formats and their reader share: the lines
 * of a stream, and the names of types and faults. */
#include "warc_impl.h"

static const char *const type_names[] = {
#define X(id, name) name,
    WARC_TYPE_TABLE(X)
#undef X
};

static const char *const fault_names[] = {
#define X(id, name, text) name,
    WARC_FAULT_TABLE(X)
#undef X
};

static const char *const fault_texts[] = {
#define X(id, name, text) text,
    WARC_FAULT_TABLE(X)
#undef X
};

const char *
warc_type_name(enum warc_type t)
{
    return type_names[t];
}

const char *
warc_fault_name(enum warc_fault f)
{
    return fault_names[f];
}

const char *
warc_fault_text(enum warc_fault f)
{
    return fault_texts[f];
}

enum warc_fault
warc_short(const struct inflate_stream *in)
{
    switch (inflate_stream_state(in)) {
    case INFLATE_DAMAGED: return WARC_FAULT_DAMAGED;
    case INFLATE_BOMB: return WARC_FAULT_BOMB;
    default: return WARC_FAULT_TRUNCATED;
    }
}

enum warc_fault
warc_line(struct inflate_stream *in, struct str *line)
{
    for (size_t want = 512;; want *= 2) {
        struct str ahead = inflate_stream_peek(in, want);
        size_t end = str_find(ahead, '\n', 0);

        if (end < ahead.n) {
            *line = str_sub(ahead, 0, end + 1);
            return line->n <= WARC_LINE_MAX ? WARC_FAULT_NONE
                                            : WARC_FAULT_HEADER;
        }
        if (ahead.n < want)
            return warc_short(in);
        if (ahead.n >= WARC_LINE_MAX)
            return WARC_FAULT_HEADER;
    }
}
