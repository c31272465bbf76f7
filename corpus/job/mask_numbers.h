/* mask_numbers.h -- bank accounts, cards and telephones at the begin of a text.
 *
 * Each returns the length of what is one, else 0.  `behind`: digits and one
 * separator stand before it, which no mask has taken.  Pure, thread-safe. */
#ifndef CORPUS_MASK_NUMBERS_H
#define CORPUS_MASK_NUMBERS_H

#include "base/str.h"

size_t mask_iban(struct str s, bool behind); /* ISO 7064 has to be right */
size_t mask_card(struct str s, bool behind); /* Luhn has to be right */
/* With a country's code, or a 0 and at least nine digits in groups. */
size_t mask_phone(struct str s, bool behind);

#endif
