/* interstitial.h -- pages that a server sends in place of the one asked for:
 * bot challenges, consent walls, paywalls, block pages.
 *
 * They are told by header fields and by the structure of the page (scripts,
 * forms and ids of the products that make them), never by what their text says
 * in some language.  Pure; threads share it. */
#ifndef CLEAN_INTERSTITIAL_H
#define CLEAN_INTERSTITIAL_H

#include <stddef.h>
#include <stdint.h>

#include "clean/chain/document.h"

/* A page with more text is none, unless its header fields say so. */
#define INTERSTITIAL_CHARS_MAX 3000u

struct interstitial_page {
    uint32_t status;    /* of HTTP; 0: not known */
    struct str headers; /* lines; "" */
    struct str body;    /* bytes */
    uint32_t chars;     /* of all its text */
    size_t links_n;     /* outlinks */
};

/* VERDICT_CHALLENGE, _CONSENT, _PAYWALL or _BLOCKED; VERDICT_NONE: it is none.
 */
enum verdict interstitial_of(const struct interstitial_page *p);

#endif
