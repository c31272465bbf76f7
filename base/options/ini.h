/* ini.h -- INI text, one entry after the other; syntax only, no meaning.
 *
 *     struct ini r = {.rest = text};
 *     while (ini_next(&r, arena, &entry)) ...
 *
 * Entries point into the text or the arena.  Pure; any bytes are allowed. */
#ifndef BASE_INI_H
#define BASE_INI_H

#include "base/arena.h"

enum ini_kind { INI_SECTION, INI_VALUE, INI_FAULT };

struct ini {
    struct str rest;
    unsigned line;
    struct str section;
    bool lost; /* after a broken [section]: its keys are not reported too */
};

struct ini_entry {
    enum ini_kind kind;
    unsigned line;
    struct str section, key, value;
    const char *fault; /* INI_FAULT: what is wrong, for people */
};

/* False at the end.  After a fault reading goes on with the next line. */
bool ini_next(struct ini *r, struct arena *a, struct ini_entry *e);

/* Append `value` so that ini_next() reads it back equal (quotes if needed).
 * It must not hold control characters. */
struct buf;
void ini_show(struct str value, struct buf *out);

#endif
