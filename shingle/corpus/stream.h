/* stream.h -- a sequence of records in files: how far it is, what its
 * files are called, its row in the index.
 *
 * Names and numbers only; corpus_write.c writes the files. */
#ifndef SHINGLE_STREAM_H
#define SHINGLE_STREAM_H

#include "corpus.h"
#include "shingle/store/corpus_file.h"

enum { STREAM_STATE_BYTES = 5 * 8, STREAM_NAME_BYTES = 64 };

struct stream_state {
    uint64_t part, part_bytes, part_text; /* text: before compression */
    uint64_t tail, tail_bytes;
};

struct stream {
    enum corpus_group group;
    char suffix[CORPUS_SUFFIX_MAX + 1];
    /* Of who adds: what waits, where its first byte will stand if its part is
     * not full, and how much of it there was at the begin of the batch. */
    struct buf pending;
    uint64_t at_part, at_text;
    size_t mark;
    /* Of who writes: what was handed over, and whether it begins a part. */
    struct buf writing;
    bool turns;
    struct stream_state now, next; /* committed; being written */
    uint64_t tail_since_ms;        /* first write to this tail, 0: not yet */
};

/* Paths below the folder of the crawl. */
struct path stream_folder(const char *dir, enum corpus_group group);
struct path stream_part(const char *dir, const struct stream *s, uint64_t part);
struct path stream_tail(const char *dir, const struct stream *s,
                        const struct stream_state *state);

/* Does this stream make files of this name?  tail 0: a part. */
bool stream_makes(const struct stream *s, struct str name, uint64_t *part,
                  uint64_t *tail);
/* The suffix of a stream of s->group that makes files of this name.  False:
 * none does. */
bool stream_of_file(struct stream *s, struct str name);
/* Is it a name of some stream of kept documents? */
bool stream_of_kept(struct str name);

/* The name of a part's text, as places in it are told: "corpus/part-000001
 * .jsonl", without .gz or .tail-000001; and back.  False: it is none. */
void stream_text(struct buf *out, enum corpus_group group, uint64_t part,
                 struct str suffix);
bool stream_of_text(struct str name, enum corpus_group *group, uint64_t *part,
                    struct str *suffix);

/* The row of the stream's next state. */
void stream_row(const struct stream *s, char name[STREAM_NAME_BYTES],
                unsigned char state[STREAM_STATE_BYTES]);
/* False: it is no row of a stream. */
bool stream_row_name(struct str name, enum corpus_group *group,
                     struct str *suffix);
bool stream_row_state(struct stream_state *out, struct str state);

#endif
