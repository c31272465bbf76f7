/* xml_text.h -- text as XML wants it: for xml and vertical records. */
#ifndef CLEAN_XML_TEXT_H
#define CLEAN_XML_TEXT_H

#include "base/buf.h"

/* Valid UTF-8 with & < > " ' as references; line ends and what XML 1.0 forbids
 * or advises against (controls, noncharacters) become blanks.  U+0338 at the
 * start, if a '>' ends *out, is a reference, too. */
void xml_text(struct buf *out, struct str s);

/* The same without references: for readers that decode none. */
void xml_bare(struct buf *out, struct str s);

/* A blank, name="value". */
void xml_attribute(struct buf *out, struct str name, struct str value);

#endif
