/* sniff.h -- is it a page at all? */
#ifndef CLEAN_SNIFF_H
#define CLEAN_SNIFF_H

#include "base/str.h"

/* Whether these bytes are HTML: declared type text/html or
 * application/xhtml+xml (or none) and not contradicted by sniffing (WHATWG
 * MIME Sniffing, sections 7.1 to 7.3).  Looks at the first 1,445
 * bytes; pure, thread-safe. */
bool sniff_is_html(struct str content_type, struct str bytes);

/* Whether they are a page or a mail in MIME parts, or in a transfer encoding: a
 * header that says so, as MHTML files begin.  Such are no HTML as they stand.
 * Looks at the first 16 KiB; pure, thread-safe. */
bool sniff_is_mime(struct str bytes);

/* What the bytes look like, whatever their sender says: "text/html",
 * "application/pdf" ..., "text/plain" of any other text, else
 * "application/octet-stream"; NULL: there are none.  For archives. */
const char *sniff_type(struct str bytes);

#endif
