/* sitemap.c -- see sitemap.h.
 *
 * XML is read by expat: a push parser that is kept up, bounds the expansion of
 * entities by itself (2.4 and later) and loads nothing from outside.  (libxml2
 * could go on behind a fault, but brings a tree, a network layer and a history
 * of holes along.)  What most often keeps a sitemap from being XML, a bare `&`
 * in a URL, is mended on the way in: `amend()` writes every ampersand that does
 * not begin one of the five entities or a number as `&amp;`.
 *
 * An entry is an element `url`, `sitemap`, `item` or `entry`; its URL is in the
 * child `loc` or `link` (Atom: in the attribute href), so that the `loc` of an
 * image inside of it is none.  Names are compared without prefix.  Alternates
 * in other languages (<xhtml:link hreflang href>) have entries of their own;
 * what they say of the entry's URL is its language.
 *
 * One thread; the memory is the parser's and a few buffers. */
#include "sitemap.h"

#include <expat.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/date.h"
#include "base/language_tag.h"
#include "base/memory.h"
#include "clean/archive/inflate_stream.h"

#define PIECE ((size_t)32 * 1024)
#define DEPTH_MAX 64u /* elements inside each other */
#define ENTITY_MAX 10u
#define ALTERNATES_BYTES ((size_t)64 * 1024) /* of one entry */

enum sitemap_field {
    FIELD_NONE,
    FIELD_URL,
    FIELD_GUID,
    FIELD_TIME,
    FIELD_PRIORITY,
    FIELD_LANGUAGE
};

struct sitemap_reader {
    const struct sitemap_limits *limits;
    sitemap_found *found;
    void *self;
    struct sitemap_result *out;
    bool over; /* no more is wanted */

    XML_Parser xml;
    bool root_seen;
    unsigned depth, entry_depth; /* entry_depth 0: not in an entry */
    bool index;                  /* the entry is a sitemap */
    bool plain_url; /* the entry is a `url`: links are alternates */
    enum sitemap_field field;
    unsigned field_depth;
    struct buf text, loose; /* of the field; directly in the entry */
    struct buf url;
    struct buf alternates; /* "LANGUAGE URL" and a line end each */
    uint64_t time_ms;
    float priority;
    struct arena *arena; /* of the entry */
    struct str language; /* of news */

    struct buf line, amended; /* of text files; of XML */
};

/* ---- entries ---- */

static void
end_with(struct sitemap_reader *r, enum sitemap_end why)
{
    if (!r->over)
        r->out->end = why;
    r->over = true;
    if (r->xml != NULL)
        XML_StopParser(r->xml, XML_FALSE);
}

/* `&amp;` of a CDATA section, or written twice over: no URL means it. */
static struct str
plain(struct buf *b, struct str s)
{
    buf_clear(b);
    for (size_t i = 0; i < s.n; i++) {
        buf_char(b, s.p[i]);
        if (str_starts(str_sub(s, i, s.n), S("&amp;")))
            i += 4;
    }
    return buf_view(b);
}

static struct str
language_of(const struct sitemap_reader *r, struct str url)
{
    struct str rest = buf_view(&r->alternates), line, language;

    while (str_cut(&rest, '\n', &line))
        if (str_cut(&line, ' ', &language) && str_eq(line, url))
            return language;
    return r->language;
}

static void
give(struct sitemap_reader *r, struct str url)
{
    struct sitemap_entry e = {
        .index = r->index, .lastmod_ms = r->time_ms, .priority = r->priority};
    struct buf clean = {0};

    url = str_trim(url);
    if (url.n == 0 || url.n > SITEMAP_URL_MAX || r->over)
        return;
    if (r->out->entries == r->limits->entries_max) {
        end_with(r, SITEMAP_ENTRIES);
        return;
    }
    e.language = language_of(r, url);
    e.url = plain(&clean, url);
    r->out->entries++;
    if (!r->found(r->self, &e))
        end_with(r, SITEMAP_ENOUGH);
    buf_free(&clean);
}

/* ---- XML ---- */

static struct str
local_name(const char *name)
{
    const char *colon = strrchr(name, ':');

    return str_c(colon != NULL ? colon + 1 : name);
}

static void
add_alternate(struct sitemap_reader *r, struct str language, struct str href)
{
    language = language_tag(r->arena, language);
    href = str_trim(href);
    if (language.n == 0 || str_find(href, '\n', 0) < href.n ||
        r->alternates.n + language.n + href.n > ALTERNATES_BYTES)
        return;
    buf_printf(&r->alternates, "%.*s %.*s\n", STRF(language), STRF(href));
}

/* <link href>: of Atom the entry's URL is in the one without rel, or the
 * alternate one. */
static void
on_link(struct sitemap_reader *r, const char **attributes)
{
    const char *href = NULL, *rel = "alternate", *hreflang = NULL;

    for (; attributes[0] != NULL; attributes += 2) {
        if (strcmp(attributes[0], "href") == 0)
            href = attributes[1];
        else if (strcmp(attributes[0], "rel") == 0)
            rel = attributes[1];
        else if (strcmp(attributes[0], "hreflang") == 0)
            hreflang = attributes[1];
    }
    if (href == NULL || strcmp(rel, "alternate") != 0)
        return;
    if (hreflang != NULL)
        add_alternate(r, str_c(hreflang), str_c(href));
    if (!r->plain_url && r->url.n == 0)
        buf_str(&r->url, str_sub(str_c(href), 0, SITEMAP_URL_MAX + 1));
}

static enum sitemap_field
field_of(struct str name)
{
    if (str_eq_nocase(name, S("loc")) || str_eq_nocase(name, S("link")))
        return FIELD_URL;
    if (str_eq_nocase(name,
                      S("guid"))) /* often the URL; often there is no link */
        return FIELD_GUID;
    if (str_eq_nocase(name, S("lastmod")) ||
        str_eq_nocase(name, S("pubdate")) || str_eq_nocase(name, S("updated")))
        return FIELD_TIME;
    return str_eq_nocase(name, S("priority")) ? FIELD_PRIORITY : FIELD_NONE;
}

static void
begin_entry(struct sitemap_reader *r, struct str name)
{
    r->index = str_eq_nocase(name, S("sitemap"));
    r->plain_url = str_eq_nocase(name, S("url"));
    if (!r->index && !r->plain_url && !str_eq_nocase(name, S("item")) &&
        !str_eq_nocase(name, S("entry")))
        return;
    r->entry_depth = r->depth;
    r->time_ms = 0;
    r->priority = -1;
    arena_reset(r->arena);
    r->language = S("");
    buf_clear(&r->alternates);
    buf_clear(&r->url);
    buf_clear(&r->loose);
}

static void
on_begin(void *self, const char *name, const char **attributes)
{
    struct sitemap_reader *r = self;
    struct str local = local_name(name);

    if (++r->depth > DEPTH_MAX ||
        (r->depth == 1 && str_eq_nocase(local, S("html")))) {
        end_with(r, r->depth == 1 ? SITEMAP_OTHER : SITEMAP_BROKEN);
        return;
    }
    r->root_seen = true;
    buf_clear(&r->text);
    r->field = FIELD_NONE;
    if (r->entry_depth == 0) {
        begin_entry(r, local);
    } else if (r->depth == r->entry_depth + 1) {
        r->field = field_of(local);
        if (r->field == FIELD_URL && attributes[0] != NULL)
            on_link(r, attributes);
    } else if (str_eq_nocase(local, S("language"))) {
        r->field = FIELD_LANGUAGE; /* of <news:publication> */
    }
    r->field_depth = r->depth;
}

static void
on_text(void *self, const char *p, int n)
{
    struct sitemap_reader *r = self;
    struct buf *to = r->field != FIELD_NONE       ? &r->text
                     : r->depth == r->entry_depth ? &r->loose
                                                  : NULL;

    if (r->entry_depth != 0 && to != NULL && to->n <= SITEMAP_URL_MAX)
        buf_add(to, p, (size_t)n);
}

static void
end_field(struct sitemap_reader *r)
{
    struct str text = str_trim(buf_view(&r->text));
    double v;

    if (r->field == FIELD_URL && r->url.n == 0)
        buf_str(&r->url, text);
    else if (r->field == FIELD_GUID && str_starts(text, S("http")))
        buf_str(&r->loose, text);
    else if (r->field == FIELD_TIME && r->time_ms == 0)
        r->time_ms = date_read_ms(text);
    else if (r->field == FIELD_PRIORITY && str_real(text, &v) && v >= 0 &&
             v <= 1)
        r->priority = (float)v;
    else if (r->field == FIELD_LANGUAGE)
        r->language = language_tag(r->arena, text);
    r->field = FIELD_NONE;
}

static void
on_end(void *self, const char *name)
{
    struct sitemap_reader *r = self;

    (void)name;
    if (r->field != FIELD_NONE && r->depth == r->field_depth)
        end_field(r);
    if (r->entry_depth != 0 && r->depth == r->entry_depth) {
        /* Some write the URL without <loc>. */
        give(r, r->url.n > 0 ? buf_view(&r->url) : buf_view(&r->loose));
        r->entry_depth = 0;
    }
    r->depth--;
}

/* Any other encoding of single bytes: what counts is ASCII. */
static int
on_encoding(void *self, const XML_Char *name, XML_Encoding *info)
{
    (void)self;
    (void)name;
    for (int i = 0; i < 256; i++)
        info->map[i] = i;
    info->data = NULL;
    info->convert = NULL;
    info->release = NULL;
    return XML_STATUS_OK;
}

/* Does an entity that XML knows begin here? */
static bool
entity(struct str s)
{
    static const struct str known[] = {STR("&amp;"), STR("&lt;"), STR("&gt;"),
                                       STR("&quot;"), STR("&apos;")};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (str_starts(s, known[i]))
            return true;
    return s.n > 2 && s.p[1] == '#';
}

/* How much of `s` can be checked: an `&` near its end waits for more. */
static size_t
complete(struct str s, bool last)
{
    size_t from = s.n > ENTITY_MAX ? s.n - ENTITY_MAX : 0;
    size_t amp = str_find(s, '&', from);

    return last || amp == s.n ? s.n : amp;
}

static struct str
amend(struct buf *out, struct str s)
{
    buf_clear(out);
    for (size_t i = 0; i < s.n;) {
        size_t amp = str_find(s, '&', i);

        buf_str(out, str_sub(s, i, amp));
        if (amp == s.n)
            break;
        buf_c(out, entity(str_sub(s, amp, s.n)) ? "&" : "&amp;");
        i = amp + 1;
    }
    return buf_view(out);
}

/* Two bytes a character: not to be amended. */
static bool
wide(struct str head)
{
    return str_starts(head, S("\xff\xfe")) || str_starts(head, S("\xfe\xff")) ||
           (head.n > 1 && (head.p[0] == '\0' || head.p[1] == '\0'));
}

static void
feed_xml(struct sitemap_reader *r, struct str s, bool end)
{
    if (XML_Parse(r->xml, s.p, (int)s.n, end) != XML_STATUS_OK && !r->over)
        end_with(r, r->root_seen ? SITEMAP_BROKEN : SITEMAP_OTHER);
}

/* ---- plain text ---- */

static void
feed_line(struct sitemap_reader *r)
{
    struct str url = str_trim(buf_view(&r->line));

    r->priority = -1;
    if (str_starts(url, S("http://")) || str_starts(url, S("https://")))
        give(r, url);
    buf_clear(&r->line);
}

static void
feed_text(struct sitemap_reader *r, struct str s)
{
    for (size_t i = 0; i < s.n && !r->over; i++) {
        if (s.p[i] == '\n' || s.p[i] == '\r')
            feed_line(r);
        else if (s.p[i] == '\0' || r->line.n > 4 * SITEMAP_URL_MAX)
            end_with(r, SITEMAP_OTHER);
        else
            buf_char(&r->line, s.p[i]);
    }
}

/* ---- the file ---- */

struct expat_memory {
    struct str left;
};

static ptrdiff_t
from_memory(void *self, void *p, size_t n)
{
    struct expat_memory *m = self;

    n = n < m->left.n ? n : m->left.n;
    if (n > 0)
        memcpy(p, m->left.p, n);
    m->left = str_sub(m->left, n, m->left.n);
    return (ptrdiff_t)n;
}

/* Skip blanks, which are forbidden before <?xml and not rare, and a BOM. */
static struct str
begin(struct inflate_stream *s)
{
    struct str head = inflate_stream_peek(s, PIECE);
    size_t skip = str_starts(head, S("\xef\xbb\xbf")) ? 3 : 0;

    while (skip < head.n && ascii_space(head.p[skip]))
        skip++;
    inflate_stream_skip(s, skip);
    return inflate_stream_peek(s, PIECE);
}

static void
read_all(struct sitemap_reader *r, struct inflate_stream *s)
{
    struct str piece = begin(s);
    bool is_wide = wide(piece), xml = is_wide || str_starts(piece, S("<"));
    size_t total = 0;

    while (piece.n > 0 && !r->over) {
        size_t n = xml && !is_wide ? complete(piece, piece.n < PIECE) : piece.n;

        if (total + n > r->limits->bytes_max)
            n = r->limits->bytes_max - total;
        piece = str_sub(piece, 0, n);
        if (xml)
            feed_xml(r, is_wide ? piece : amend(&r->amended, piece), false);
        else
            feed_text(r, piece);
        inflate_stream_skip(s, n);
        if ((total += n) == r->limits->bytes_max)
            end_with(r, SITEMAP_BYTES);
        piece = inflate_stream_peek(s, PIECE);
    }
    if (!r->over && inflate_stream_state(s) != INFLATE_END)
        end_with(r, SITEMAP_BROKEN);
    if (!r->over && total == 0)
        end_with(r, SITEMAP_OTHER);
    if (xml && !r->over)
        feed_xml(r, S(""), true);
    if (!xml && !r->over)
        feed_line(r);
}

void
sitemap_read(struct sitemap_result *out, struct str bytes,
             const struct sitemap_limits *limits, sitemap_found *found,
             void *self)
{
    struct expat_memory memory = {bytes};
    struct sitemap_reader r = {.limits = limits,
                               .found = found,
                               .self = self,
                               .out = out,
                               .priority = -1};
    struct inflate_stream *s;

    *out = (struct sitemap_result){SITEMAP_WHOLE, 0};
    if (inflate_stream_open(
            &s, (struct inflate_source){&memory, from_memory}) != ST_OK)
        memory_fail(ST_NOMEM, 0);
    r.arena = arena_new();
    r.xml = memory_need(XML_ParserCreate(NULL));
    XML_SetUserData(r.xml, &r);
    XML_SetElementHandler(r.xml, on_begin, on_end);
    XML_SetCharacterDataHandler(r.xml, on_text);
    XML_SetUnknownEncodingHandler(r.xml, on_encoding, NULL);
    read_all(&r, s);
    XML_ParserFree(r.xml);
    inflate_stream_close(s);
    buf_free(&r.text);
    buf_free(&r.loose);
    buf_free(&r.url);
    buf_free(&r.alternates);
    arena_free(r.arena);
    buf_free(&r.line);
    buf_free(&r.amended);
}

const char *
sitemap_end_name(enum sitemap_end e)
{
    static const char *const names[] = {
        [SITEMAP_WHOLE] = "whole",    [SITEMAP_ENTRIES] = "too_many",
        [SITEMAP_BYTES] = "too_long", [SITEMAP_BROKEN] = "broken",
        [SITEMAP_ENOUGH] = "enough",  [SITEMAP_OTHER] = "no_sitemap",
    };

    return names[e];
}
