/* shingle_line.h -- a line of a file of fingerprints, in either form.
 *
 * HASHES   texrex's: one value of a document a line, fixed columns: the hash in
 *          20 decimal digits, a blank, the document's id of 36 characters, a
 *          blank, the document's size in 10 decimal digits.  68 bytes.
 * PRINTS   format `shingles`: one document a line, TABs between the columns:
 *          the id, the document's size, how many shingles it has, its values
 *          as 8 hex digits each; then, not in old files, its signature in hex
 * and the scheme of the values (minima/100/5/1).
 *
 * Pure, thread-safe. */
#ifndef TENDER_SHINGLE_LINE_H
#define TENDER_SHINGLE_LINE_H

#include "base/str.h"
#include "shingle/fingerprint/fingerprint.h"

#define ID_SIZE 36
#define HASH_LINE_SIZE 68
#define VALUES_MAX 128

enum shingle_form { SHINGLE_NONE, SHINGLE_HASHES, SHINGLE_PRINTS };

/* What the first line of a file says. */
enum shingle_form shingle_form_of(struct str line);

struct hash_line {
    uint64_t hash, size;
    const char *id; /* ID_SIZE bytes, inside the line */
};

/* False: wrong columns. */
bool hash_line_read(struct hash_line *out, struct str line);

struct print_line {
    const char *id;
    uint64_t size;
    uint32_t shingles_n;
    struct str values; /* 8 hex digits each */
    uint32_t values_n;
    struct str signature; /* hex digits of 256 bytes or more; "": none */
    struct str scheme;    /* "": not said */
};

bool print_line_read(struct print_line *out, struct str line);

/* How fingerprints are made: pairs of two families mean nothing.  {0}: not
 * known yet. */
struct print_family {
    uint32_t values_n;
    char scheme[FINGERPRINT_SCHEME_BYTES];
};

struct print_family print_family_of(const struct print_line *p);
bool print_family_is(const struct print_family *f, const struct print_line *p);

/* The values of hex digits into out, which has room for hex.n / 8.  False: not
 * all are hex digits. */
bool hex_values(struct str hex, uint32_t *out);
/* The bytes of hex digits, hex.n / 2 (a multiple of 4).  False as above. */
bool hex_bytes(struct str hex, char *out);

#endif
