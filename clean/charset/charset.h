/* charset.h -- bytes to valid UTF-8 (WHATWG Encoding Standard, HTML 13.2.3).
 *
 * Order: BOM, HTTP charset, <meta> prescan (or the XML declaration), valid
 * UTF-8 wins over a guess, then ICU detection as a last resort.  What is
 * declared is not believed where the bytes show that it cannot be; see
 * charset.c. */
#ifndef CLEAN_CHARSET_H
#define CLEAN_CHARSET_H

#include "base/arena.h"
#include "base/status.h"
#include "base/str.h"
#include "utf8.h"

/* What bytes 0x80 to 0x9F are in windows-1252; where nothing is assigned, the
 * control character of that number. */
extern const uint16_t charset_windows_1252[32];

/* The WHATWG name for a label ("latin1" -> "windows-1252"), NULL if unknown. */
const char *charset_name(struct str label);

/* How labels are read. */
enum charset_labels {
    CHARSET_WHATWG, /* as browsers do: "iso-8859-1" is windows-1252 */
    CHARSET_LATIN1  /* labels of ISO-8859-1 mean that */
};

/* charset_name() by these. */
const char *charset_name_by(enum charset_labels labels, struct str label);

/* The encoding named in a Content-Type header value, NULL if none or unknown.
 */
const char *charset_of_content_type(enum charset_labels labels,
                                    struct str value);

/* The encoding a <meta> prescan finds (HTML 13.2.3.2), NULL if none. */
const char *charset_prescan(enum charset_labels labels, struct str bytes);

struct charset_result {
    struct str utf8;  /* valid UTF-8; may point into the input */
    const char *name; /* WHATWG name, ISO-8859-1, UTF-32LE or -BE (by BOM) */
    const char *from; /* "bom", "http", "meta", "utf8", "guess" */
    bool damaged;     /* some bytes were not of that encoding: U+FFFD */
    bool valid;       /* known: the input is valid UTF-8 as it is */
};

/* Decode a page.  Bad sequences become U+FFFD.  ST_INVALID: not text (for
 * example the encoding "replacement"). */
enum status charset_decode(struct charset_result *out, struct arena *a,
                           enum charset_labels labels, struct str bytes,
                           struct str content_type);

/* Decode with one of these names; a BOM is not looked for.  ST_INVALID:
 * "replacement", or no such encoding. */
enum status charset_convert(struct str *utf8, struct arena *a, struct str bytes,
                            const char *name);

#endif
