/* fetch_sign.c -- signatures of requests (crawler/sign/signer.h) as headers for
 * libcurl. */
#include "fetch_inside.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "crawler/sign/signer.h"

enum status
fetch_sign_open(struct fetch *f)
{
    struct str key = f->opts->fetch_sign_key;
    enum status st;
    char *path;

    if (key.n == 0)
        return ST_OK;
    path = memory_need(strndup(key.p, key.n));
    st = signer_open(&f->signer, path, f->opts->fetch_sign_agent);
    free(path);
    return st;
}

/* "host:port" of a URL as it is sent. */
static struct str
authority(const char *url)
{
    struct str s = str_c(url);
    size_t from = str_find(s, ':', 0) + 3, to = from;

    while (to < s.n && s.p[to] != '/' && s.p[to] != '?')
        to++;
    return str_sub(s, from, to);
}

static struct curl_slist *
add(struct curl_slist *headers, const char *name, struct buf *value)
{
    headers = fetch_header_add(headers, name, buf_view(value));
    buf_free(value);
    return headers;
}

struct curl_slist *
fetch_signed(const struct fetch *f, struct curl_slist *headers, const char *url)
{
    struct signer_fields fields = {0};
    char nonce[SIGNER_PUBLIC_N];

    signer_nonce(nonce);
    (void)signer_sign(f->signer, authority(url), clock_wall_ms() / 1000,
                      str_c(nonce), &fields);
    headers = add(headers, "Signature-Agent", &fields.agent);
    headers = add(headers, "Signature-Input", &fields.input);
    return add(headers, "Signature", &fields.signature);
}
