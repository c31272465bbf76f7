/* properties_read.h -- what the file about a document in an archive says:
 * docProps/core.xml, meta.xml, the head of an OPF, which share Dublin Core. */
#ifndef CLEAN_CONVERT_PROPERTIES_READ_H
#define CLEAN_CONVERT_PROPERTIES_READ_H

#include "html_write.h"

struct properties_read {
    struct buf title, author, created, modified, language, keywords,
        description;
    struct buf *field; /* that the text goes to, or NULL */
    bool initial;      /* the author is the first one */
};

void properties_begin(struct properties_read *p, const char *name);
void properties_text(struct properties_read *p, struct str s);
void properties_end(struct properties_read *p);

/* Of a file of its own; one that is no XML says nothing. */
void properties_read_xml(struct properties_read *p, struct str xml);

struct properties properties_view(const struct properties_read *p);
void properties_free(struct properties_read *p);

#endif
