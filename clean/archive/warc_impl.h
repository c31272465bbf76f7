/* warc_impl.h -- what the two record formats give to the one reader. */
#ifndef CLEAN_WARC_IMPL_H
#define CLEAN_WARC_IMPL_H

#include "base/buf.h"
#include "warc.h"

#define WARC_LINE_MAX INFLATE_PEEK_MAX
#define WARC_HEAD_MAX ((size_t)256 << 10)
#define WARC_FIELDS_MAX 256
#define WARC_ISO_DATE 21 /* 2008-04-30T20:48:25Z and a NUL */

struct warc_syntax {
    /* Whether a record begins at `s`: enough to see it as one that may be
     * faulty; `surely`: when looking for one among other bytes. */
    bool (*begins)(struct str s, bool surely);

    /* Bytes of `s` (not empty) in which no record begins after the first; all
     * of what is known when `last`. */
    size_t (*scan)(struct str s, bool last);

    size_t begins_n; /* bytes begins() wants to see */
    size_t gap;      /* line ends that must follow a block at least */

    /* Append the header to `head` and consume it. */
    enum warc_fault (*gather)(struct inflate_stream *in, struct buf *head);

    /* Set the fields of *r, which then point into `head`. */
    enum warc_fault (*parse)(struct buf *head, struct warc_record *r);
};

extern const struct warc_syntax warc_syntax; /* clean/archive/warc_head.c */
extern const struct warc_syntax arc_syntax;  /* clean/archive/arc.c */

/* warc_line.c */
/* The line ahead with its line end; nothing is consumed.  A fault when it does
 * not end or is too long. */
enum warc_fault warc_line(struct inflate_stream *in, struct str *line);

/* warc_date.c */
/* 20080430204825 to 2008-04-30T20:48:25Z, behind what is in `head`, which is to
 * have room for WARC_ISO_DATE bytes; `date` itself when it does not begin with
 * 14 digits. */
struct str warc_iso_date(struct buf *head, struct str date);

/* What the state of a stream that came short means for a record. */
enum warc_fault warc_short(const struct inflate_stream *in);

#endif
