/* fingerprint.h -- what is kept of a document to find those that resemble it.
 *
 * A shingle is n consecutive tokens, hashed to 64 bits.  Resemblance of two
 * documents (Broder 1997) is the Jaccard index of their sets of shingles.
 *
 * fingerprint   some tens of values, of which two documents share about as many
 *               as they resemble: finds candidates (bands).  Three families:
 *               onepermutation  one-permutation MinHash with optimal
 *                               densification (Li, Owen & Zhang 2012;
 *                               Shrivastava 2017): cheap
 *               minima          the exact least values of as many independent
 *                               functions (32-bit multiply-shift): the standard
 *                               error is sqrt(J(1-J)/values)
 *               rabin           the same with Rabin's fingerprinting functions,
 *                               by random irreducible polynomials of degree 64,
 *                               as texrex has it; a seed gives the same ones
 *                               everywhere
 * signature     an odd sketch (Mitzenmacher, Pagh & Pham 2014) with the exact
 *               number of shingles: says how much two documents resemble each
 *               other, five times as exactly as the values
 *
 * Fingerprints are comparable when their schemes are equal; signatures when the
 * sizes of their shingles are.  Pure, thread-safe. */
#ifndef SHINGLE_FINGERPRINT_H
#define SHINGLE_FINGERPRINT_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/options/opt.h"
#include "base/status.h"

#define FINGERPRINT_SIZE 100 /* values, unless dedup.values says otherwise */
#define FINGERPRINT_MIN 16
#define FINGERPRINT_MAX 128

enum fingerprint_family {
    FINGERPRINT_ONEPERMUTATION,
    FINGERPRINT_MINIMA,
    FINGERPRINT_RABIN,
    FINGERPRINT_FAMILIES_N
};

/* How fingerprints are made. */
struct fingerprint_scheme {
    enum fingerprint_family family;
    uint32_t values_n;     /* FINGERPRINT_MIN to FINGERPRINT_MAX */
    uint32_t shingle_size; /* tokens, 1 to 32 */
    uint64_t seed;         /* of minima and rabin, else 0 */
};

struct fingerprint {
    uint32_t value[FINGERPRINT_MAX];
    uint32_t values_n;
    uint32_t shingles_n; /* 0: too few tokens, never a near-duplicate */
};

/* As the options dedup.* say. */
struct fingerprint_scheme fingerprint_scheme_of(const struct opts *o);
bool fingerprint_scheme_equal(const struct fingerprint_scheme *a,
                              const struct fingerprint_scheme *b);
/* "minima/100/5/1": family, values, tokens in a shingle, seed; and back.
 * False: it is none. */
#define FINGERPRINT_SCHEME_BYTES 64
void fingerprint_scheme_text(const struct fingerprint_scheme *s,
                             char out[FINGERPRINT_SCHEME_BYTES]);
bool fingerprint_scheme_read(struct fingerprint_scheme *out, struct str text);

/* The shingles of n tokens, in their order, into `out` (room for n); how many:
 * n - size + 1, or 0.  A token_hash is hash64() of the token. */
size_t shingles_make(const uint64_t *token_hash, size_t n, uint32_t size,
                     uint64_t *out);

/* What makes fingerprints of one scheme; owned by the caller.  The scheme's
 * numbers must be in their ranges.  ST_NOMEM: *out is NULL. */
struct fingerprinter; /* opaque; thread-safe */
enum status fingerprinter_open(struct fingerprinter **out,
                               const struct fingerprint_scheme *s);
void fingerprinter_close(struct fingerprinter *f); /* NULL is allowed */

/* Of n shingles in any order, with or without repetitions, into *out; n == 0:
 * a fingerprint that resembles none. */
void fingerprinter_make(const struct fingerprinter *f, const uint64_t *shingle,
                        size_t n, struct fingerprint *out);

/* Estimated resemblance 0..1; 0 if either has no shingles, or they have not as
 * many values. */
double fingerprint_resemblance(const struct fingerprint *a,
                               const struct fingerprint *b);

/* ---- signatures ---- */

/* Bits of an odd sketch: at least twice as many as there are shingles, a power
 * of two.  Documents of any two lengths are comparable: the larger sketch is
 * folded.  Short documents have many bits, few of which are set: those are kept
 * as the gaps between them, in about the bytes of a sketch of the least size.
 */
#define SIGNATURE_BITS_MIN 2048u
#define SIGNATURE_BITS_MAX (1u << 18)

struct signature {
    const uint64_t *word; /* bits_n / 64 of them; NULL: gaps */
    uint32_t bits_n;      /* 0: there is none */
    uint32_t shingles_n;  /* different ones */
    struct str gaps; /* of the bits that are set (shingle/fingerprint/gaps.h) */
};

/* Of the shingles of a document, in memory of the arena.  None of them: no
 * signature. */
void signature_make(const uint64_t *shingle, size_t n, struct arena *a,
                    struct signature *out);

/* For fingerprints that came without one: the odd sketch of the pairs (place,
 * value), for signature_resemblance() with others of that kind, which says of
 * how many values are equal.  word: room for SIGNATURE_BITS_MIN / 64. */
void signature_of_values(const struct fingerprint *f, uint64_t *word,
                         struct signature *out);
/* The same estimate for these: the share of equal values. */
double signature_values_resemblance(const struct signature *a,
                                    const struct signature *b);

/* Estimated resemblance 0..1; 0 if either is none. */
double signature_resemblance(const struct signature *a,
                             const struct signature *b);

/* The exclusive or of its parts of `bits` bits, a power of two that it has or
 * more, into `word`. */
void signature_fold(const struct signature *s, uint32_t bits, uint64_t *word);

/* bits_n / 8 bytes, or the gaps; and back into words of the arena (gaps stay
 * where they are).  False: these bytes are no signature. */
void signature_pack(const struct signature *s, struct buf *out);
bool signature_unpack(struct str bytes, uint32_t shingles_n, struct arena *a,
                      struct signature *out);
/* How many bytes that are. */
size_t signature_bytes(const struct signature *s);
/* May so many bytes be a signature?  And are these one? */
bool signature_is_size(size_t bytes);
bool signature_is(struct str bytes);

#endif
