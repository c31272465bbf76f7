/* kind.tbl.h -- documents that are no HTML pages, one row each.
 *
 * CONVERT_KIND(id, name, ending, program, package, types)
 *
 *   name     as convert.types has it
 *   ending   of the path of a URL whose type says nothing
 *   program  that has to be there, "" if none; two names, separated by a |:
 *            the first that is there
 *   package  of Debian that has it
 *   types    of Content-Type, separated by blanks */
CONVERT_KIND(PDF, "pdf", ".pdf", "pdftotext", "poppler-utils",
             "application/pdf application/x-pdf")
CONVERT_KIND(DOC, "doc", ".doc", "antiword|catdoc", "antiword or catdoc",
             "application/msword application/x-msword application/vnd.ms-word "
             "application/doc")
CONVERT_KIND(DOCX, "docx", ".docx", "", "",
             "application/vnd.openxmlformats-officedocument.wordprocessingml."
             "document")
CONVERT_KIND(ODT, "odt", ".odt", "", "",
             "application/vnd.oasis.opendocument.text")
CONVERT_KIND(RTF, "rtf", ".rtf", "", "",
             "application/rtf text/rtf application/x-rtf text/richtext")
CONVERT_KIND(EPUB, "epub", ".epub", "", "", "application/epub+zip")
CONVERT_KIND(TXT, "txt", ".txt", "", "", "text/plain")
