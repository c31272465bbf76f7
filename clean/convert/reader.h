/* reader.h -- documents become HTML: a reader for each kind.
 *
 * Pure: bytes in, bytes out, in one thread, with memory from malloc() (bounded
 * by whoever calls: clean/convert/confine.h) and no file.  What a program has
 * to take apart first (PDF, DOC) is read from that program's output. */
#ifndef CLEAN_CONVERT_READER_H
#define CLEAN_CONVERT_READER_H

#include "base/buf.h"
#include "base/status.h"
#include "clean/convert/kind.h"

/* `bytes` is the document, or what the program of its kind wrote; the page is
 * appended to `html`.  ST_INVALID: it cannot be converted; *why says why, is
 * static, and the page is not to be used. */
enum status convert_read(enum convert_kind k, struct str bytes,
                         struct buf *html, const char **why);

/* One each; as above. */
enum status convert_read_pdf(struct str bbox, struct buf *html,
                             const char **why);
enum status convert_read_lines(struct str text, struct buf *html,
                               const char **why); /* a paragraph a line */
enum status convert_read_docx(struct str zip, struct buf *html,
                              const char **why);
enum status convert_read_odt(struct str zip, struct buf *html,
                             const char **why);
enum status convert_read_rtf(struct str bytes, struct buf *html,
                             const char **why);
enum status convert_read_epub(struct str zip, struct buf *html,
                              const char **why);
enum status convert_read_txt(struct str bytes, struct buf *html,
                             const char **why);

#endif
