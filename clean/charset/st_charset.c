/* st_charset.c -- bytes to UTF-8 (charset.h), and the page's own URL parsed
 * (unless the caller has), which strip needs to resolve links; user:password@
 * goes. */
#include "charset.h"
#include "clean/chain/stage.h"

static enum status
run(const void *self, struct document *d)
{
    struct charset_result r = {0};

    (void)self;
    if (d->url.href.n == 0 && d->url_text.n > 0 &&
        url_parse(&d->url, d->arena, d->url_text, NULL) != ST_OK)
        d->url = (struct url){0};
    if (d->url.username.n + d->url.password.n > 0 &&
        url_plain(&d->url, d->arena) == ST_OK)
        d->url_text = d->url.href; /* no secret into a corpus */
    if (charset_decode(&r, d->arena, d->bytes, d->content_type) == ST_OK) {
        d->utf8 = r.utf8;
        d->charset = str_c(r.name);
        d->charset_from = r.from;
        d->charset_damaged = r.damaged;
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
    .run = run,
};
