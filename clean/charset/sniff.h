/* sniff.h -- is it a page at all? */
#ifndef CLEAN_SNIFF_H
#define CLEAN_SNIFF_H

#include "base/str.h"

/* Whether these bytes are HTML: declared type text/html or
 * application/xhtml+xml (or none) and not contradicted by sniffing (WHATWG
 * MIME Sniffing, sections 7.1 to 7.3); or declared XML in which XHTML begins.
 * Looks at the first 1,445 bytes, and as many behind white space; pure,
 * thread-safe. */
bool sniff_is_html(struct str content_type, struct str bytes);

/* What may be HTML by its declared type alone; of XML the bytes decide. */
enum sniff_declared { SNIFF_HTML, SNIFF_XML, SNIFF_UNKNOWN, SNIFF_OTHER };
enum sniff_declared sniff_declared(struct str content_type);

/* Whether a page is to be read by the rules of XML, where an element may close
 * itself: declared as XML of any kind, or not declared (a file) but with an XML
 * declaration and the namespace of XHTML.  What is declared as text/html is
 * HTML, as browsers have it, whatever stands in it. */
bool sniff_is_xml(struct str content_type, struct str page);

/* "h:" where a page of XML in UTF-8 begins with <h:html> of XHTML, else "". */
struct str sniff_xhtml_prefix(struct str page);

/* Whether they are a page or a mail in MIME parts, or in a transfer encoding: a
 * header that says so, as MHTML files begin.  Such are no HTML as they stand.
 * Looks at the first 16 KiB; pure, thread-safe. */
bool sniff_is_mime(struct str bytes);

/* What bytes are that hold texts, not a page: "JSON lines", "TEI", "XML of a
 * corpus" (texrex's and ours, vertical text, too), "Markdown" with facts of the
 * document before it; NULL: none of these. */
const char *sniff_corpus(struct str bytes);

/* "application/zip", "image/png" ...: what bytes are that begin as files of
 * that type do, and hold what no text does; NULL: nothing known. */
const char *sniff_binary(struct str bytes);

/* What the bytes look like, whatever their sender says: "text/html",
 * "application/pdf" ..., "text/plain" of any other text, else
 * "application/octet-stream"; NULL: there are none.  For archives. */
const char *sniff_type(struct str bytes);

#endif
