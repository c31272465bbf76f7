/* ngram_runs.h -- n-grams of up to five numbers, sorted on the disk and merged.
 *
 * A writer gathers n-grams by bucket; a bucket that is full is sorted, equal
 * ones become one with its count, and of each is written what differs from the
 * one before (front coding): a sixth to a third of what they have in memory.
 * Reading merges the runs of a bucket. */
#ifndef CORPUS_NGRAM_RUNS_H
#define CORPUS_NGRAM_RUNS_H

#include <stdint.h>

#include "corpus/sort/spill.h"

enum { NGRAM_WORDS_MAX = 5, NGRAM_CODE_BITS = 25, NGRAM_RUN_HEAD = 12 };

struct ngram_writer; /* opaque; one thread */

/* Runs go to `to`, whose records are single bytes.  A run has at most
 * `run_grams` n-grams of 16 bytes, for each of which a writer has memory. */
struct ngram_writer *ngram_writer_new(struct spill *to, size_t run_grams);
/* Numbers of NGRAM_CODE_BITS, from 1; 1 to NGRAM_WORDS_MAX of them. */
void ngram_put(struct ngram_writer *w, unsigned bucket, const uint32_t *code,
               unsigned n);
/* Writes what is left and frees; faults come out of spill_check(). */
void ngram_writer_end(struct ngram_writer *w);

/* Each n-gram of a bucket once, in the order of its numbers, zeros behind its
 * end, with how often it was put. */
typedef void ngram_take(void *self, const uint32_t code[NGRAM_WORDS_MAX],
                        uint64_t count);
/* The bytes of the bucket are read into memory.  ST_IO, reported: it cannot be
 * read, or is not what a writer writes. */
enum status ngram_merge(const struct spill *from, unsigned bucket,
                        ngram_take *take, void *self);

/* The same of runs in memory; nothing is reported, and what was taken before
 * the damage was found has been taken. */
enum status ngram_runs_merge(const unsigned char *runs, size_t n,
                             ngram_take *take, void *self);
/* Writes the head of a run whose `n` bytes stand behind it. */
void ngram_run_seal(unsigned char *run, size_t n);

#endif
