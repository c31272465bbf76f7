/* st_charset.c -- bytes to UTF-8 (charset.h), and the page's own URL parsed
 * (unless the caller has), which strip needs to resolve links; user:password@
 * goes. */
#include "base/memory.h"
#include "charset.h"
#include "clean/chain/stage.h"
#include "sniff.h"

/* How labels are read; no state: as browsers do. */
static enum status
open_charset(void **self, const struct opts *o)
{
    enum charset_labels *labels;

    if (!str_eq(o->clean_latin1, S("iso-8859-1")))
        return ST_OK;
    if ((labels = memory_zero(1, sizeof *labels)) == NULL)
        return ST_NOMEM;
    *labels = CHARSET_LATIN1;
    *self = labels;
    return ST_OK;
}

/* The page without the prefix of XHTML's elements: strip knows them bare.  In
 * text a < is a reference; what stands in comments and scripts is no text. */
static struct str
without_prefix(struct arena *a, struct str page, struct str prefix)
{
    char *out = arena_raw(a, page.n);
    size_t n = 0, from = 0;

    for (size_t at = 0; (at = str_find(page, '<', at)) < page.n;) {
        at++;
        at += at < page.n && page.p[at] == '/';
        if (!str_starts(str_sub(page, at, page.n), prefix))
            continue;
        memcpy(out + n, page.p + from, at - from);
        n += at - from;
        at += prefix.n;
        from = at;
    }
    memcpy(out + n, page.p + from, page.n - from);
    return str_n(out, n + page.n - from);
}

static void
read_xml(struct document *d)
{
    struct str prefix;

    d->xml = sniff_is_xml(d->content_type, d->utf8);
    prefix = d->xml ? sniff_xhtml_prefix(d->utf8) : S("");
    if (prefix.n > 0)
        d->utf8 = without_prefix(d->arena, d->utf8, prefix);
}

static enum status
run(const void *self, struct document *d)
{
    const enum charset_labels *labels = self;
    struct charset_result r = {0};

    if (d->url.href.n == 0 && d->url_text.n > 0 &&
        url_parse(&d->url, d->arena, d->url_text, NULL) != ST_OK)
        d->url = (struct url){0};
    if (d->url.username.n + d->url.password.n > 0 &&
        url_plain(&d->url, d->arena) == ST_OK)
        d->url_text = d->url.href; /* no secret into a corpus */
    if (charset_decode(&r, d->arena, labels ? *labels : CHARSET_WHATWG,
                       d->bytes, d->content_type) == ST_OK) {
        d->utf8 = r.utf8;
        d->charset = str_c(r.name);
        d->charset_from = r.from;
        d->charset_damaged = r.damaged;
        read_xml(d);
    } else {
        d->utf8 = d->charset = str_c("");
        d->charset_from = "";
        document_reject(d, VERDICT_CHARSET);
    }
    return ST_OK;
}

const struct stage stage_charset = {
    .name = "charset",
    .needs = DOC_BYTES,
    .gives = DOC_UTF8,
    .open = open_charset,
    .run = run,
    .close = memory_free,
};
