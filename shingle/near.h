/* near.h -- the kept documents that resemble a new one. */
#ifndef SHINGLE_NEAR_H
#define SHINGLE_NEAR_H

#include "store.h"
#include "winnow/document_id.h"
#include "winnow/fingerprint.h"

#define NEAR_PRINT_SIZE /* of a row */                                         \
    (DOCUMENT_ID_BYTES + 4 + 4 * FINGERPRINT_SIZE)

struct near {
    struct store *store; /* borrowed; must be open */
    double threshold;
    uint32_t rows, bands; /* 0: off */
    uint64_t next;        /* number of the next document */
    uint64_t bands_full;  /* bands that met NEAR_BAND_MAX, since init */
};

/* Candidates looked at in one band, and in all bands of one document. */
enum { NEAR_BAND_MAX = 64, NEAR_CANDIDATES_MAX = 512 };

/* Rows and bands for a threshold: the most rows with which a pair at the
 * threshold is still found with a chance of NEAR_RECALL.  0: off. */
#define NEAR_RECALL 0.999
void near_shape(double threshold, uint32_t *rows, uint32_t *bands);

/* Ready for use, after building the bands anew if the threshold asks for other
 * ones than those stored (in transactions of its own). */
enum status near_init(struct near *n, struct store *s, double threshold);

/* Within a transaction of the store: */

/* The id of the document most like `f`, if it is near.  ST_NONE: none is. */
enum status near_find(struct near *n, const struct fingerprint *f,
                      unsigned char id[DOCUMENT_ID_BYTES]);
enum status near_add(struct near *n, const struct fingerprint *f,
                     const unsigned char id[DOCUMENT_ID_BYTES]);

#endif
