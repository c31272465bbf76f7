/* xml_read.c -- see xml_read.h.
 *
 * expat, as for sitemaps (crawler/sitemap/sitemap.c says why).  A document has
 * no need of entities of its own: the first declaration of one ends the
 * reading, before any could be expanded. */
#include "xml_read.h"

#include <expat.h>
#include <stdlib.h>

#include "base/memory.h"

#define DEPTH_MAX 512u
#define PIECE ((size_t)1 << 20)
#define ATTRIBUTES_MAX 64u
#define SEPARATOR '\x1f'

struct xml_reading {
    const struct xml_handler *h;
    XML_Parser xml;
    unsigned depth;
    const char *why;
};

static void
give_up(struct xml_reading *r, const char *why)
{
    if (r->why == NULL)
        r->why = why;
    (void)XML_StopParser(r->xml, XML_FALSE);
}

static const char *
local(const char *name)
{
    const char *at = strrchr(name, SEPARATOR);

    return at != NULL ? at + 1 : name;
}

static void XMLCALL
on_begin(void *self, const XML_Char *name, const XML_Char **attributes)
{
    const char *own[2 * ATTRIBUTES_MAX + 1];
    struct xml_reading *r = self;
    size_t n = 0;

    if (++r->depth > DEPTH_MAX) {
        give_up(r, "XML too deep");
        return;
    }
    for (; n < (size_t)2 * ATTRIBUTES_MAX && attributes[n] != NULL; n += 2) {
        own[n] = local(attributes[n]);
        own[n + 1] = attributes[n + 1];
    }
    own[n] = NULL;
    r->h->begin(r->h->self, local(name), own);
}

static void XMLCALL
on_end(void *self, const XML_Char *name)
{
    struct xml_reading *r = self;

    r->depth--;
    if (r->h->end != NULL)
        r->h->end(r->h->self, local(name));
}

static void XMLCALL
on_text(void *self, const XML_Char *p, int n)
{
    const struct xml_reading *r = self;

    if (r->h->text != NULL)
        r->h->text(r->h->self, str_n(p, (size_t)n));
}

static void XMLCALL
on_entity(void *self, const XML_Char *name, int is_parameter,
          const XML_Char *value, int n, const XML_Char *base,
          const XML_Char *system, const XML_Char *public,
          const XML_Char *notation)
{
    (void)name;
    (void)is_parameter;
    (void)value;
    (void)n;
    (void)base;
    (void)system;
    (void)public;
    (void)notation;
    give_up(self, "XML declares entities");
}

enum status
xml_read(struct str bytes, const struct xml_handler *h, const char **why)
{
    struct xml_reading r = {.h = h};
    enum XML_Status st = XML_STATUS_OK;

    *why = NULL;
    r.xml = memory_need(XML_ParserCreateNS(NULL, SEPARATOR));
    XML_SetUserData(r.xml, &r);
    XML_SetElementHandler(r.xml, on_begin, on_end);
    XML_SetCharacterDataHandler(r.xml, on_text);
    XML_SetEntityDeclHandler(r.xml, on_entity);
    for (size_t at = 0; st == XML_STATUS_OK && at < bytes.n; at += PIECE) {
        struct str piece = str_sub(bytes, at, at + PIECE);

        st = XML_Parse(r.xml, piece.p, (int)piece.n, at + PIECE >= bytes.n);
    }
    if (st == XML_STATUS_OK && bytes.n == 0)
        r.why = "empty XML";
    else if (st != XML_STATUS_OK && r.why == NULL)
        r.why = XML_ErrorString(XML_GetErrorCode(r.xml));
    XML_ParserFree(r.xml);
    *why = r.why;
    return r.why == NULL ? ST_OK : ST_INVALID;
}

const char *
xml_read_attribute(const char *const *attributes, const char *name)
{
    for (; *attributes != NULL; attributes += 2)
        if (strcmp(attributes[0], name) == 0)
            return attributes[1];
    return NULL;
}
