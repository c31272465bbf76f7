/* fetch_proxy.c -- transfers through a proxy (fetch.proxy): how libcurl is
 * told, and what of a failure is the proxy's.
 *
 * https and SOCKS go through a tunnel, whose making has an answer of its own,
 * so that it is certain who says what.  A request of http goes to an HTTP proxy
 * as it is (most allow tunnels to port 443 only), and what that answers itself
 * looks like the host's answer unless it is marked: by Proxy-Status (RFC 9209)
 * or as Squid does.  A host may say anything, 407 too; so where a failure may
 * be either's the reply is marked as doubtful, and whoever wants to know asks
 * the proxy for a host that cannot exist (RFC 6761): what comes back then is
 * the proxy's own, and nobody else is contacted.
 *
 * The name of the proxy is looked up by libcurl as the system does it, in a
 * thread: it may stand in /etc/hosts. */
#include "fetch_inside.h"

#include <stdlib.h>

#include "base/log.h"
#include "base/memory.h"

#define CHECK_URL "http://proxy-check.invalid:443/"
#define NAME_SECONDS 60L /* the proxy's own is looked up anew after it */

#define DENIED 403
#define WANTS_LOGIN 407
#define TOO_LATE 504

enum status
fetch_proxy_open(struct fetch *f)
{
    f->proxy = proxy_kind_of(f->opts);
    return proxy_login(f->opts, &f->proxy_login);
}

static void
set_login(struct transfer *t)
{
    struct fetch *f = t->fetch;
    size_t colon;
    char *user;

    if (f->login_refused) /* another may stand there by now */
        proxy_login(f->opts, &f->proxy_login);
    f->login_refused = false;
    if (f->proxy_login.n == 0)
        return;
    user = memory_need(strdup(f->proxy_login.p));
    colon = str_find(str_c(user), ':', 0);
    user[colon] = '\0';
    curl_easy_setopt(t->easy, CURLOPT_PROXYUSERNAME, user);
    curl_easy_setopt(t->easy, CURLOPT_PROXYPASSWORD, user + colon + 1);
    explicit_bzero(user, f->proxy_login.n);
    free(user);
}

static void
set_proxy(struct transfer *t)
{
    static const curl_proxytype type[] = {[PROXY_HTTP] = CURLPROXY_HTTP,
                                          [PROXY_HTTPS] = CURLPROXY_HTTPS,
                                          [PROXY_SOCKS] =
                                              CURLPROXY_SOCKS5_HOSTNAME};
    const struct fetch *f = t->fetch;
    CURL *e = t->easy;

    curl_easy_setopt(e, CURLOPT_PROXY, f->opts->fetch_proxy.p);
    curl_easy_setopt(e, CURLOPT_PROXYTYPE, (long)type[f->proxy]);
    curl_easy_setopt(e, CURLOPT_NOPROXY, "");
    curl_easy_setopt(e, CURLOPT_DNS_CACHE_TIMEOUT, NAME_SECONDS);
    curl_easy_setopt(e, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
}

void
fetch_uses_proxy(struct transfer *t, const struct fetch_request *q)
{
    t->forwarded = t->fetch->proxy != PROXY_SOCKS && !q->proxy_check &&
                   str_starts(str_c(q->url), S("http:"));
    set_proxy(t);
    set_login(t);
    if (t->fetch->proxy == PROXY_HTTPS)
        fetch_checks_proxy_tls(t);
    if (q->proxy_check) {
        curl_easy_setopt(t->easy, CURLOPT_HTTPPROXYTUNNEL, 1L);
        curl_easy_setopt(t->easy, CURLOPT_CONNECT_ONLY, 1L);
    }
}

struct fetch_request
fetch_proxy_question(void)
{
    return (struct fetch_request){
        .url = CHECK_URL, .proxied = true, .proxy_check = true};
}

/* ---- what failed ---- */

/* RFC 1928, section 6, and RFC 1929, as libcurl tells them. */
static enum verdict
of_socks(struct transfer *t)
{
    long code = CURLPX_OK;

    curl_easy_getinfo(t->easy, CURLINFO_PROXY_ERROR, &code);
    switch ((CURLproxycode)code) {
    case CURLPX_REPLY_NOT_ALLOWED: return VERDICT_PROXY_DENIED;
    case CURLPX_REPLY_CONNECTION_REFUSED:
    case CURLPX_REPLY_ADDRESS_TYPE_NOT_SUPPORTED: return VERDICT_CONNECT;
    case CURLPX_REPLY_GENERAL_SERVER_FAILURE:
    case CURLPX_REPLY_HOST_UNREACHABLE:
    case CURLPX_REPLY_NETWORK_UNREACHABLE:
    case CURLPX_REPLY_TTL_EXPIRED:
        t->reply->proxy = FETCH_PROXY_FAR;
        return VERDICT_CONNECT;
    case CURLPX_LONG_HOSTNAME: return VERDICT_BAD_URL;
    case CURLPX_NO_AUTH:
    case CURLPX_USER_REJECTED:
    case CURLPX_GSSAPI:
    case CURLPX_GSSAPI_PERMSG:
        t->reply->proxy = FETCH_PROXY_LOGIN;
        return VERDICT_RETURNED;
    default: t->reply->proxy = FETCH_PROXY_AWAY; return VERDICT_RETURNED;
    }
}

/* By its status, of a tunnel or marked as its own. */
static enum verdict
of_status(struct transfer *t, unsigned status)
{
    if (status == WANTS_LOGIN) {
        t->reply->proxy = FETCH_PROXY_LOGIN;
        return VERDICT_RETURNED;
    }
    if (status == DENIED)
        return VERDICT_PROXY_DENIED;
    t->reply->proxy = FETCH_PROXY_FAR;
    return status == TOO_LATE ? VERDICT_CONNECT_TIMEOUT : VERDICT_CONNECT;
}

/* Before the tunnel stood: is the TLS that failed the proxy's? */
static bool
is_proxy_tls(const struct transfer *t, CURLcode code, long tunnel)
{
    switch (code) {
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_ISSUER_ERROR:
        return t->fetch->proxy == PROXY_HTTPS && tunnel == 0;
    default: return false;
    }
}

enum verdict
fetch_proxy_fault(struct transfer *t, CURLcode code)
{
    curl_off_t ready = 0;
    long tunnel = 0;

    curl_easy_getinfo(t->easy, CURLINFO_HTTP_CONNECTCODE, &tunnel);
    t->reply->proxy_status = (unsigned)tunnel;
    if (code == CURLE_OPERATION_TIMEDOUT) {
        curl_easy_getinfo(t->easy, CURLINFO_PRETRANSFER_TIME_T, &ready);
        return ready == 0 ? VERDICT_CONNECT_TIMEOUT : VERDICT_TIMEOUT;
    }
    if (tunnel >= 300 && code != CURLE_OK)
        return of_status(t, (unsigned)tunnel);
    if (code == CURLE_PROXY)
        return of_socks(t);
    if (code == CURLE_COULDNT_RESOLVE_PROXY || code == CURLE_COULDNT_CONNECT ||
        is_proxy_tls(t, code, tunnel)) {
        t->reply->proxy = FETCH_PROXY_AWAY;
        return VERDICT_RETURNED;
    }
    return VERDICT_NONE;
}

/* ---- answers that the proxy has made ---- */

static bool
has_mark(struct str head)
{
    struct str line;

    while (str_cut(&head, '\n', &line)) {
        size_t colon = str_find(line, ':', 0);
        struct str name = str_sub(line, 0, colon);

        if (str_eq_nocase(name, S("X-Squid-Error")) ||
            (str_eq_nocase(name, S("Proxy-Status")) &&
             memmem(line.p, line.n, "error=", 6) != NULL))
            return true;
    }
    return false;
}

/* Of failures that may be its own or the host's. */
static bool
is_doubtful(const struct transfer *t, enum verdict fault)
{
    switch (fault) {
    case VERDICT_NONE: return t->forwarded && t->reply->status == WANTS_LOGIN;
    case VERDICT_CONNECT_TIMEOUT:
    case VERDICT_TIMEOUT:
    case VERDICT_FIRST_BYTE:
    case VERDICT_EMPTY_REPLY:
    case VERDICT_BROKEN:
    case VERDICT_PARTIAL: return true;
    default: return false;
    }
}

/* Its login is nobody's who reads the archive. */
static void
hide_login(struct buf *request)
{
    struct str all = buf_view(request), rest = all, line;
    struct buf kept = {0};

    while (str_cut(&rest, '\n', &line)) {
        if (str_starts_nocase(line, S("Proxy-Authorization:")))
            continue;
        buf_str(&kept, line);
        buf_char(&kept, '\n');
    }
    buf_free(request);
    *request = kept;
}

static void
note_state(struct transfer *t)
{
    bool away = t->reply->proxy == FETCH_PROXY_AWAY;

    if (away && !t->fetch->proxy_away)
        log_warn("fetch", "proxy=%.*s error=\"%s\"",
                 STRF(t->fetch->opts->fetch_proxy), t->error);
    t->fetch->proxy_away = away;
    if (t->reply->proxy == FETCH_PROXY_LOGIN)
        t->fetch->login_refused = true;
}

enum verdict
fetch_proxy_answered(struct transfer *t, enum verdict fault)
{
    struct fetch_reply *r = t->reply;

    if (r->request.n > 0)
        hide_login(&r->request);
    note_state(t);
    if (fault == VERDICT_NONE && t->forwarded && r->status >= 400 &&
        r->status != WANTS_LOGIN && has_mark(buf_view(&r->head))) {
        fault = of_status(t, r->status);
        fetch_reply_begins(r);
        buf_clear(&r->refusal);
        r->status = 0;
    } else if (r->proxy == FETCH_PROXY_FINE && is_doubtful(t, fault)) {
        r->proxy = FETCH_PROXY_DOUBTFUL;
    }
    return fault;
}
