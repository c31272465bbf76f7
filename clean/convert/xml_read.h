/* xml_read.h -- XML of documents, by expat: nothing is loaded from outside,
 * no entity is expanded, elements are DEPTH_MAX inside each other at most. */
#ifndef CLEAN_CONVERT_XML_READ_H
#define CLEAN_CONVERT_XML_READ_H

#include "base/status.h"
#include "base/str.h"

/* Names come without prefix and namespace; attributes as expat gives them:
 * name, value, name, value, NULL, the names without prefix.  end, text: NULL:
 * nobody wants to know. */
struct xml_handler {
    void *self;
    void (*begin)(void *self, const char *name, const char *const *attributes);
    void (*end)(void *self, const char *name);
    void (*text)(void *self, struct str s);
};

/* ST_INVALID: it is no XML, or makes use of what is refused; *why is static.
 * What came before the fault was handed out. */
enum status xml_read(struct str bytes, const struct xml_handler *h,
                     const char **why);

/* The value of an attribute, NULL if there is none. */
const char *xml_read_attribute(const char *const *attributes, const char *name);

#endif
