/* epub.c -- EPUB 2 and 3: META-INF/container.xml names the package file, whose
 * spine lists the chapters in reading order.
 *
 * Chapters are XHTML, which the chain reads better than we could: their bodies
 * are put behind each other as they are.  Navigation (properties="nav", the
 * reference of type "toc") is left out; what META-INF/encryption.xml says is
 * encrypted cannot be read, except for fonts. */
#include <stdlib.h>

#include "base/memory.h"
#include "html_write.h"
#include "properties_read.h"
#include "reader.h"
#include "xml_read.h"
#include "zip_read.h"

#define ITEMS_MAX 10000u

struct epub_item {
    char *id, *href;
    bool text, nav;
};

struct epub {
    struct buf package; /* its path */
    struct properties_read about;
    struct epub_item *items;
    size_t items_n, items_room;
    size_t *spine; /* items, in order */
    size_t spine_n, spine_room;
    bool in_metadata;
};

static void
on_container(void *self, const char *name, const char *const *attributes)
{
    const char *path = xml_read_attribute(attributes, "full-path");
    struct epub *e = self;

    if (strcmp(name, "rootfile") == 0 && path != NULL && e->package.n == 0) {
        buf_c(&e->package, path);
        buf_char(&e->package, '\0');
    }
}

static bool
is_nav(const char *properties)
{
    struct str rest = str_c(properties), word;

    while (str_word(&rest, &word))
        if (str_eq(word, S("nav")))
            return true;
    return false;
}

static void
add_item(struct epub *e, const char *const *attributes)
{
    const char *id = xml_read_attribute(attributes, "id"),
               *href = xml_read_attribute(attributes, "href"),
               *type = xml_read_attribute(attributes, "media-type");

    if (id == NULL || href == NULL || e->items_n >= ITEMS_MAX)
        return;
    if (e->items_n == e->items_room) {
        e->items_room = e->items_room > 0 ? 2 * e->items_room : 64;
        e->items =
            memory_need(realloc(e->items, e->items_room * sizeof *e->items));
    }
    e->items[e->items_n++] = (struct epub_item){
        .id = memory_need(strdup(id)),
        .href = memory_need(strdup(href)),
        .text = type == NULL || strstr(type, "html") != NULL,
        .nav = is_nav(xml_read_attribute(attributes, "properties"))};
}

static void
add_to_spine(struct epub *e, const char *const *attributes)
{
    const char *id = xml_read_attribute(attributes, "idref");

    for (size_t i = 0; id != NULL && i < e->items_n; i++) {
        if (strcmp(e->items[i].id, id) != 0)
            continue;
        if (e->spine_n == ITEMS_MAX)
            return;
        if (e->spine_n == e->spine_room) {
            e->spine_room = e->spine_room > 0 ? 2 * e->spine_room : 64;
            e->spine = memory_need(
                realloc(e->spine, e->spine_room * sizeof *e->spine));
        }
        e->spine[e->spine_n++] = i;
        return;
    }
}

/* The contents page of EPUB 2. */
static void
on_reference(struct epub *e, const char *const *attributes)
{
    const char *type = xml_read_attribute(attributes, "type"),
               *href = xml_read_attribute(attributes, "href");

    if (type == NULL || href == NULL || strcmp(type, "toc") != 0)
        return;
    for (size_t i = 0; i < e->items_n; i++)
        if (strcmp(e->items[i].href, href) == 0)
            e->items[i].nav = true;
}

static void
on_package(void *self, const char *name, const char *const *attributes)
{
    struct epub *e = self;
    const char *what = xml_read_attribute(attributes, "property");

    if (strcmp(name, "metadata") == 0)
        e->in_metadata = true;
    else if (strcmp(name, "item") == 0)
        add_item(e, attributes);
    else if (strcmp(name, "itemref") == 0)
        add_to_spine(e, attributes);
    else if (strcmp(name, "reference") == 0)
        on_reference(e, attributes);
    else if (e->in_metadata && strcmp(name, "date") == 0)
        properties_begin(&e->about, "created");
    else if (e->in_metadata && what != NULL &&
             strcmp(what, "dcterms:modified") == 0)
        properties_begin(&e->about, "modified");
    else if (e->in_metadata)
        properties_begin(&e->about, name);
}

static void
on_package_end(void *self, const char *name)
{
    struct epub *e = self;

    properties_end(&e->about);
    if (strcmp(name, "metadata") == 0)
        e->in_metadata = false;
}

static void
on_package_text(void *self, struct str s)
{
    struct epub *e = self;

    if (e->in_metadata)
        properties_text(&e->about, s);
}

/* ---- chapters ---- */

static size_t
find_nocase(struct str s, struct str what, size_t from)
{
    for (size_t i = from; i + what.n <= s.n; i++)
        if (s.p[i] == what.p[0] &&
            str_eq_nocase(str_sub(s, i, i + what.n), what))
            return i;
    return s.n;
}

static struct str
body_of(struct str page)
{
    size_t at = find_nocase(page, S("<body"), 0), end;

    if (at == page.n)
        return page;
    at = str_find(page, '>', at);
    end = find_nocase(page, S("</body"), at);
    return str_sub(page, at + 1, end);
}

/* `href` is relative to the package file; percent-encoding is undone. */
static void
path_of(struct buf *out, const struct epub *e, const char *href)
{
    const char *slash = strrchr(e->package.p, '/');
    struct str h = str_c(href);

    buf_clear(out);
    if (slash != NULL)
        buf_add(out, e->package.p, (size_t)(slash - e->package.p) + 1);
    h = str_sub(h, 0, str_find(h, '#', 0));
    for (size_t i = 0; i < h.n; i++) {
        int c = str_percent(h, i);

        if (str_starts(str_sub(h, i, h.n), S("../")) && out->n > 0) {
            do
                out->n--;
            while (out->n > 0 && out->p[out->n - 1] != '/');
            i += 2;
            continue;
        }
        buf_char(out, c >= 0 ? (char)c : h.p[i]);
        i += c >= 0 ? 2 : 0;
    }
    buf_char(out, '\0');
}

static bool
is_encrypted(struct zip_read *z, const char *path, struct buf *scratch)
{
    const char *why;

    return zip_read_file(z, "META-INF/encryption.xml", scratch, &why) ==
               ST_OK &&
           memmem(scratch->p, scratch->n, path, strlen(path)) != NULL;
}

static enum status
read_chapters(struct epub *e, struct zip_read *z, struct buf *html,
              const char **why)
{
    struct buf path = {0}, page = {0};
    size_t read_n = 0;
    enum status st = ST_OK;

    for (size_t i = 0; st == ST_OK && i < e->spine_n; i++) {
        const struct epub_item *item = &e->items[e->spine[i]];

        if (!item->text || item->nav)
            continue;
        path_of(&path, e, item->href);
        if (is_encrypted(z, path.p, &page)) {
            *why = "encrypted";
            st = ST_INVALID;
        } else if ((st = zip_read_file(z, path.p, &page, why)) == ST_OK) {
            buf_str(html, body_of(buf_view(&page)));
            buf_c(html, "\n");
            read_n++;
        } else if (st == ST_NONE) {
            st = ST_OK; /* a chapter is missing */
        }
    }
    if (st == ST_OK && read_n == 0) {
        *why = "no chapters in the archive";
        st = ST_INVALID;
    }
    buf_free(&path);
    buf_free(&page);
    return st;
}

static enum status
read_all(struct epub *e, struct zip_read *z, struct buf *html, const char **why)
{
    const struct xml_handler container = {e, on_container, NULL, NULL},
                             package = {e, on_package, on_package_end,
                                        on_package_text};
    struct html_writer w;
    struct properties about;
    struct buf scratch = {0};
    enum status st = zip_read_file(z, "META-INF/container.xml", &scratch, why);

    if (st == ST_OK)
        st = xml_read(buf_view(&scratch), &container, why);
    if (st == ST_OK && e->package.n > 0)
        st = zip_read_file(z, e->package.p, &scratch, why);
    if (st == ST_OK && e->package.n > 0)
        st = xml_read(buf_view(&scratch), &package, why);
    buf_free(&scratch);
    if (st == ST_NONE || e->package.n == 0)
        *why = "no package file in the archive";
    if (st != ST_OK || e->package.n == 0)
        return ST_INVALID;
    about = properties_view(&e->about);
    html_begin(&w, html, &about);
    st = read_chapters(e, z, html, why);
    html_end(&w);
    return st;
}

enum status
convert_read_epub(struct str zip, struct buf *html, const char **why)
{
    struct epub e = {0};
    struct zip_read *z;
    enum status st = zip_read_open(&z, zip, why);

    if (st != ST_OK)
        return st;
    st = read_all(&e, z, html, why);
    zip_read_close(z);
    for (size_t i = 0; i < e.items_n; i++) {
        free(e.items[i].id);
        free(e.items[i].href);
    }
    free(e.items);
    free(e.spine);
    properties_free(&e.about);
    buf_free(&e.package);
    return st;
}
