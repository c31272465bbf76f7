/* row_words.h -- rows of the frontier as fields of a JSON object: in words for
 * people, and all of the row, so that load.c makes it again.
 *
 * A function stands for both ways: it writes the fields of a row, or reads them
 * into it.  So there is one list of a row's fields, and what one way knows the
 * other does.  What is zero is mostly left out.
 *
 * Not among them: the URL (with its host and its state it is the caller's) and
 * what follows from other rows. */
#ifndef FRONTIER_ROW_WORDS_H
#define FRONTIER_ROW_WORDS_H

#include "base/json.h"
#include "base/json_reader.h"
#include "frontier/intake/candidate.h"

struct row_words {
    struct json *to;          /* writing: an open object */
    struct json_reader *from; /* else reading; texts are the reader's */
    bool bad;                 /* reading: a field has no value of its kind */
};

/* The row of a URL that is in the queue, waits or is held, and its place. */
void row_words_queued(struct row_words *w, struct row_queued *q,
                      struct row_position *position);

/* ... that has ended; s->state is given. */
void row_words_ended(struct row_words *w, struct row_seen *s);

/* ... of a link that waits in the discovery log. */
void row_words_link(struct row_words *w, struct candidate *c);

/* A host.  Reading: h->url_classes has room for URL_CLASSES_MAX. */
void row_words_host(struct row_words *w, struct row_host *h);

/* Bytes in hex: a field of the object; for what has no words. */
void row_words_hex(struct json *to, const char *key, struct str bytes);

/* The bytes of such a field, in the arena; a missing one has none.  False: it
 * is not hex. */
bool row_words_bytes(const struct json_reader *from, const char *key,
                     struct arena *a, struct str *out);

#endif
