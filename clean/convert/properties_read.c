/* properties_read.c -- see properties_read.h. */
#include "properties_read.h"

#include "xml_read.h"

static struct buf *
field_of(struct properties_read *p, struct str name)
{
    if (str_eq(name, S("title")))
        return p->title.n == 0 ? &p->title : NULL;
    if (str_eq(name, S("initial-creator"))) {
        buf_clear(&p->author);
        p->initial = true;
        return &p->author;
    }
    if (str_eq(name, S("creator"))) {
        if (p->initial)
            return NULL; /* who saved it last */
        if (p->author.n > 0)
            buf_c(&p->author, ", ");
        return &p->author;
    }
    if (str_eq(name, S("created")) || str_eq(name, S("creation-date")))
        return p->created.n == 0 ? &p->created : NULL;
    if (str_eq(name, S("modified")))
        return p->modified.n == 0 ? &p->modified : NULL;
    if (str_eq(name, S("language")))
        return p->language.n == 0 ? &p->language : NULL;
    if (str_eq(name, S("keywords")) || str_eq(name, S("keyword"))) {
        if (p->keywords.n > 0)
            buf_c(&p->keywords, ", ");
        return &p->keywords;
    }
    if (str_eq(name, S("description")))
        return p->description.n == 0 ? &p->description : NULL;
    return NULL;
}

void
properties_begin(struct properties_read *p, const char *name)
{
    p->field = field_of(p, str_c(name));
}

void
properties_text(struct properties_read *p, struct str s)
{
    if (p->field != NULL && p->field->n < 4096)
        buf_str(p->field, str_sub(s, 0, 4096));
}

void
properties_end(struct properties_read *p)
{
    p->field = NULL;
}

static void
begin(void *self, const char *name, const char *const *attributes)
{
    (void)attributes;
    properties_begin(self, name);
}

static void
end(void *self, const char *name)
{
    (void)name;
    properties_end(self);
}

static void
text(void *self, struct str s)
{
    properties_text(self, s);
}

void
properties_read_xml(struct properties_read *p, struct str xml)
{
    const struct xml_handler h = {p, begin, end, text};
    const char *why;

    (void)xml_read(xml, &h, &why);
    p->field = NULL;
}

struct properties
properties_view(const struct properties_read *p)
{
    return (struct properties){.title = buf_view(&p->title),
                               .author = buf_view(&p->author),
                               .created = buf_view(&p->created),
                               .modified = buf_view(&p->modified),
                               .language = buf_view(&p->language),
                               .keywords = buf_view(&p->keywords),
                               .description = buf_view(&p->description)};
}

void
properties_free(struct properties_read *p)
{
    buf_free(&p->title);
    buf_free(&p->author);
    buf_free(&p->created);
    buf_free(&p->modified);
    buf_free(&p->language);
    buf_free(&p->keywords);
    buf_free(&p->description);
}
