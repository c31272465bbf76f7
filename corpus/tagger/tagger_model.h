/* tagger_model.h -- a model in memory and in its file:
 *
 *   TAGGER_MAGIC, TAGGER_VERSION, "\n"
 *   "language CODE\n" if it was said
 *   if there are language-specific tags: "xpos N\n", N lines "UPOS TAG";
 *     "columns C\n"; "weights BITS\n" and a table as below, of C bytes a row
 *   "weights BITS\n", 2^BITS tags of 2 bytes, little endian (0: free), 2^BITS
 *     rows of 17 signed bytes
 *   "rules N\n", N lines "k|l STRIP ADD": how a lemma is made: the word as it
 *     is or in small letters, without its last STRIP letters, with ADD
 *   "lemmas N\n", N times 8 bytes hash and 2 bytes rule
 *   a checksum_line (earlier files have none)
 *
 * The lemma of a word goes by the longest of its ends that has a rule. */
#ifndef CORPUS_TAGGER_MODEL_H
#define CORPUS_TAGGER_MODEL_H

#include "base/hashmap.h"
#include "base/tag_table.h"
#include "clean/text/letters.h"
#include "tag_features.h"
#include "tagger.h"

/* Another version for another layout, or other keys (lemma_key()). */
#define TAGGER_MAGIC "winnow-tagger "
#define TAGGER_VERSION "2"

enum { TAG_ROW = 32, RULES_MAX = 20000, LEMMA_END = 6 };

/* The language-specific tags that words of each UPOS may have. */
struct xpos_set {
    struct str name[UPOS_N][TAG_ROW];
    unsigned n[UPOS_N];
};

/* The number of a tag is UPOS * TAG_ROW + its place in the set. */
enum { XPOS_NONE = UPOS_N * TAG_ROW };

/* Features, and what each says for every class. */
struct tag_weights_table {
    struct tag_table features;
    const int8_t (*rows)[TAG_ROW];
};

struct lemma_rule {
    bool small;
    unsigned strip;
    struct str add;
};

struct lemma_slot {
    uint64_t hash; /* 0: free */
    uint32_t rule;
};

struct tagger {
    struct arena *arena;
    struct letters *letters;
    struct str language; /* "": not said */
    struct tag_weights_table upos, xpos;
    struct xpos_set *tags; /* NULL: UPOS only */
    struct lemma_rule *rules;
    unsigned rules_n;
    struct hashmap lemmas;
};

/* Of the last n letters of a word with this tag (n = 0: of the whole word). */
uint64_t lemma_key(struct str small, unsigned tag, unsigned n);
extern const struct hashmap_kind lemma_kind;

#endif
