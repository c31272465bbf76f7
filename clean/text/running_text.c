/* running_text.c -- see running_text.h.
 *
 * Running text has ends of sentences and between them some words, most of which
 * begin with a small letter (in German every third does not) and are no
 * numbers.  Commas between all words are those of a list.  The limits are far
 * from what paragraphs have; scripts without capitals or blanks pass those that
 * do not concern them.  Layout tables hold whole pages, so it is not the cell
 * that counts but what is in it. */
#include "running_text.h"

#include "clean/blocks/block.h"

#define WORDS_MIN 4u
#define SENTENCE_WORDS_MIN 3u /* in the mean */
#define CAPITALS_MAX 0.6      /* of what stands between blanks */
#define DIGITS_MAX 0.15       /* of letters and digits */
#define COMMAS_MAX 0.25       /* a word */

static bool
preformatted(enum tag tag)
{
    return tag == TAG_PRE || tag == TAG_TEXTAREA || tag == TAG_LISTING ||
           tag == TAG_XMP || tag == TAG_PLAINTEXT;
}

bool
running_text(const struct block *b)
{
    const struct block_counts *c = b->counts;

    if (c == NULL)
        return true;
    return c->sentences > 0 && c->words >= WORDS_MIN &&
           c->words >= SENTENCE_WORDS_MIN * c->sentences &&
           c->capital_runs <= CAPITALS_MAX * c->runs &&
           c->digits <= DIGITS_MAX * (c->letters + c->digits) &&
           c->commas <= COMMAS_MAX * c->words && !preformatted(c->tag);
}

bool
running_text_heading(const struct block *b)
{
    return b->counts != NULL && b->counts->tag >= TAG_H1 &&
           b->counts->tag <= TAG_H6;
}
