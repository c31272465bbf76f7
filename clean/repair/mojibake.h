/* mojibake.h -- text that was UTF-8, was read as windows-1252, and was written
 * as UTF-8 again: "cafÃ©" for "café". */
#ifndef CLEAN_MOJIBAKE_H
#define CLEAN_MOJIBAKE_H

#include "base/arena.h"

/* Valid UTF-8, text or markup; `s` itself when there is nothing to repair.
 * Pure. */
struct str mojibake_repair(struct arena *a, struct str s);

#endif
