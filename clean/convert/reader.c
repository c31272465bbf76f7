/* reader.c -- see reader.h: which reader is whose. */
#include "reader.h"

enum status
convert_read(enum convert_kind k, struct str bytes, struct buf *html,
             const char **why)
{
    *why = NULL;
    switch (k) {
    case CONVERT_PDF: return convert_read_pdf(bytes, html, why);
    case CONVERT_DOC: return convert_read_lines(bytes, html, why);
    case CONVERT_DOCX: return convert_read_docx(bytes, html, why);
    case CONVERT_ODT: return convert_read_odt(bytes, html, why);
    case CONVERT_RTF: return convert_read_rtf(bytes, html, why);
    case CONVERT_EPUB: return convert_read_epub(bytes, html, why);
    case CONVERT_TXT: return convert_read_txt(bytes, html, why);
    case CONVERT_NONE:
    case CONVERT_KINDS_N: break;
    }
    *why = "no such kind of document";
    return ST_INVALID;
}
