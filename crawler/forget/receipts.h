/* receipts.h -- DIR/forgotten.jsonl: what has left a corpus, for each pattern a
 * line of JSON when that begins and one when it is done. */
#ifndef CRAWLER_RECEIPTS_H
#define CRAWLER_RECEIPTS_H

#include "base/buf.h"
#include "base/status.h"

#define FORGET_COUNTS(X)                                                       \
    X(queued)                                                                  \
    X(documents) X(rejected) X(index_entries) X(warc_records) X(files) X(bytes)

struct forget_counts {
#define X(member) uint64_t member;
    FORGET_COUNTS(X)
#undef X
};

/* Append a line to *out; state: "begun" or "done". */
void receipt_line(struct buf *out, struct str pattern, const char *state,
                  const struct forget_counts *n);

/* Append lines to the file, so that they last.  ST_IO: reported. */
enum status receipts_append(const char *dir, struct str lines);

/* All that are there, in their order; a file that cannot be read has none. */
typedef void receipt_each(void *self, struct str pattern, bool done,
                          const struct forget_counts *n);
void receipts_read(const char *dir, receipt_each *each, void *self);

/* Documents that have left DIR/corpus. */
uint64_t receipts_documents(const char *dir);

#endif
