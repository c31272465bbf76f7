/* verdict_line.h -- the log of verdicts: one JSON line for each document that
 * the service has judged, in the order of its verdicts, with the places of what
 * it has written of it.
 *
 *   {"n":17,"verdict":"kept","id":"...","url":"...","of":"","reason":"",
 *    "records":"corpus/part-000001.jsonl:0:312 corpus/part-000001.xml:0:401"}
 *
 * A place is the name of a part, how many bytes of its text are before the
 * record, and how long it is.  A duplicate has "estimate", its resemblance with
 * `of`; a document that replaces shorter ones has their ids as "replaces". What
 * is read is data: it may be anything. */
#ifndef SHINGLE_VERDICT_LINE_H
#define SHINGLE_VERDICT_LINE_H

#include "base/json_reader.h"
#include "corpus.h"

#define VERDICTS_SUFFIX S("jsonl") /* of its stream, CORPUS_VERDICTS */

struct verdict_place {
    enum corpus_group group;
    struct str suffix;
    uint64_t part, at, bytes;
};

struct verdict_line {
    uint64_t number; /* of the document, from 1 */
    enum verdict verdict;
    struct str id, url;
    struct str of;       /* "" unless a duplicate */
    double estimate;     /* of its resemblance with that; not read back */
    struct str replaces; /* ids of kept ones, blanks between; not read back */
    enum verdict reason; /* VERDICT_NONE unless rejected */
    struct verdict_place place[DEDUP_RECORDS_MAX];
    size_t places_n;
};

/* Append the line, with its line end. */
void verdict_line_write(struct buf *out, const struct verdict_line *v);

/* Of a line without its end.  The strings live in `r` until its next use.
 * False: it is none. */
bool verdict_line_read(struct verdict_line *out, struct json_reader *r,
                       struct str line);

#endif
