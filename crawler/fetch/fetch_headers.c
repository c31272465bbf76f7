/* fetch_headers.c -- what a request says beside its URL (RFC 9110): the same
 * for all, and what makes one of them a conditional one. */
#include "fetch_inside.h"

#include "clean/archive/content_coding.h"

#define ACCEPT "Accept: text/html,application/xhtml+xml,*/*;q=0.1"

struct curl_slist *
fetch_header_add(struct curl_slist *list, const char *name, struct str value)
{
    struct buf line = {0};

    for (size_t i = 0; i < value.n; i++)
        if ((unsigned char)value.p[i] < ' ' || value.p[i] == 0x7f)
            return list;
    if (value.n == 0)
        return list;
    buf_printf(&line, "%s: %.*s", name, STRF(value));
    buf_char(&line, '\0');
    list = curl_slist_append(list, line.p);
    buf_free(&line);
    return list;
}

/* What fetch.accept_language is; "auto": the target languages, all alike, and
 * any other one rather than none at all. */
static void
languages(const struct opts *o, struct buf *out)
{
    const struct opt_list *target = &o->clean_language;

    if (!str_eq(o->fetch_accept_language, S("auto"))) {
        buf_str(out, o->fetch_accept_language);
        return;
    }
    for (size_t i = 0; i < target->n; i++)
        buf_printf(out, "%.*s, ", STRF(target->item[i]));
    if (target->n > 0)
        buf_c(out, "*;q=0.1");
}

struct curl_slist *
fetch_headers(const struct opts *o)
{
    struct curl_slist *list = curl_slist_append(NULL, ACCEPT);
    struct buf text = {0};

    list = fetch_header_add(list, "Accept-Encoding",
                            fetch_keeps_coded(o) ? S(CONTENT_CODINGS_COMMON)
                                                 : S(CONTENT_CODINGS));
    languages(o, &text);
    list = fetch_header_add(list, "Accept-Language", buf_view(&text));
    buf_free(&text);
    return fetch_header_add(list, "From", o->fetch_from);
}

/* Path, Secure, Max-Age and the like are libcurl's to judge. */
void
fetch_sends_cookies(struct transfer *t, struct str lines)
{
    struct buf text = {0};
    struct str line;

    while (str_cut(&lines, '\n', &line)) {
        buf_clear(&text);
        buf_printf(&text, "Set-Cookie: %.*s", STRF(line));
        buf_char(&text, '\0');
        curl_easy_setopt(t->easy, CURLOPT_COOKIELIST, text.p);
    }
    buf_free(&text);
}

struct curl_slist *
fetch_headers_of(const struct fetch *f, const struct fetch_request *q)
{
    const struct curl_slist *usual = f->headers;
    struct curl_slist *list = fetch_header_add(NULL, "If-None-Match", q->etag);

    list = fetch_header_add(list, "If-Modified-Since", q->last_modified);
    if (list == NULL && f->signer == NULL)
        return NULL;
    for (; usual != NULL; usual = usual->next)
        list = curl_slist_append(list, usual->data);
    return f->signer != NULL ? fetch_signed(f, list, q->url) : list;
}
