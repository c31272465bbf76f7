/* converter.h -- documents that are no HTML, as HTML.
 *
 * A converter holds what is known of all conversions; each thread that converts
 * has a process beside it (convert_process_open()), which is started when it is
 * first needed and again after it died.  Whatever a document does to the
 * programs that read it happens there. */
#ifndef CLEAN_CONVERT_CONVERTER_H
#define CLEAN_CONVERT_CONVERTER_H

#include <stdatomic.h>

#include "base/buf.h"
#include "base/options/opt.h"
#include "base/status.h"
#include "base/verdict.h"
#include "clean/convert/kind.h"

struct converter;       /* opaque; see clean/convert/converter.c */
struct convert_process; /* one thread's */

/* Of convert.types; *out is NULL if that is empty.  Programs that are missing
 * are reported with their Debian package, as is a sandbox that does not work.
 * `poison` is the file that remembers failed documents; NULL: none.
 * ST_USAGE (convert.sandbox), ST_IO: reported. */
enum status converter_open(struct converter **out, const struct opts *o,
                           const char *poison);
void converter_close(struct converter *c); /* NULL is allowed */

/* NULL for NULL.  Closed by the same thread.  stop: a conversion is given up
 * soon after it becomes true; NULL: never. */
struct convert_process *convert_process_open(struct converter *c,
                                             const atomic_bool *stop);
void convert_process_close(struct convert_process *p); /* NULL is allowed */

struct converted {
    enum verdict reject; /* VERDICT_NONE: there is a page; VERDICT_RETURNED: it
                            was given up */
    struct str why;      /* else; in the process' memory until the next */
    uint64_t cpu_us;
};

/* A page of the document, in `html` (cleared before): UTF-8, and it says so.
 * `cut`: there are not all of its bytes. */
void convert_document(struct convert_process *p, enum convert_kind k,
                      struct str bytes, bool cut, struct buf *html,
                      struct converted *out);

/* The process' side, for `winnow convert --service`: serves the socket. */
int converter_serve(int socket);

#endif
