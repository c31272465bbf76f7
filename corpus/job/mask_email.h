/* mask_email.h -- an e-mail address at the begin of a text. */
#ifndef CORPUS_MASK_EMAIL_H
#define CORPUS_MASK_EMAIL_H

#include "base/str.h"

/* The length of the address, 0: none.  Letters of all scripts count (RFC 6531,
 * IDNA), but the letters between two signs are of one script, so that what
 * stands right beside it in Chinese or Korean is no part of it.  Pure. */
size_t mask_email(struct str s);

#endif
