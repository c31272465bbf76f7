/* Input: base, line end, reference (only a reference when there is no line
 * end).  What parses must parse again to the same, have its parts where they
 * belong, and resolve by itself whatever the base. */
#include "base/arena.h"
#include "base/url/host.h"
#include "base/url/url.h"
#include "fuzz.h"

static void
check(struct arena *a, const struct url *u)
{
    struct url again;
    struct str authority = url_authority(u, a);

    MUST(url_parse_full(&again, a, u->href, NULL, true, S("")) == ST_OK);
    MUST(str_eq(again.href, u->href) && str_eq(again.host, u->host));
    MUST(again.port == u->port && again.port_explicit == u->port_explicit);
    MUST(str_eq(again.target, u->target) && str_eq(again.query, u->query));
    MUST(str_eq(again.username, u->username));
    MUST(str_eq(again.password, u->password));
    MUST(str_eq(again.fragment, u->fragment));
    MUST(u->host.n > 0 && u->path.n > 0 && u->path.p[0] == '/');
    MUST(str_starts(authority, u->host));
    MUST(authority.p + authority.n == u->path.p);
    for (size_t i = 0; i < u->href.n; i++)
        MUST(u->href.p[i] > ' ' && u->href.p[i] < 0x7f);
    MUST(host_registered_domain(u->host).n > 0);
    MUST(host_tld(u->host).n <= u->host.n);
}

/* One look at the bytes says the same as the parser. */
static void
check_spelling(struct arena *a, struct str text)
{
    struct str out, again;
    struct url u;
    enum status st = url_canonical(&out, a, text);

    MUST(st == url_parse_plain(&u, a, text, NULL));
    if (st != ST_OK)
        return;
    MUST(str_eq(out, u.href));
    MUST(u.username.n + u.password.n == 0 && !str_ends(u.host, S(".")));
    MUST(url_canonical(&again, a, out) == ST_OK && again.p == out.p);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static struct arena *a;
    struct str reference = {(const char *)data, n}, base_text;
    struct url base, u;
    bool based = false;

    if (a == NULL)
        a = arena_new();
    arena_reset(a);
    check_spelling(a, reference);
    if (str_find(reference, '\n', 0) < n &&
        str_cut(&reference, '\n', &base_text)) {
        based = url_parse(&base, a, base_text, NULL) == ST_OK;
        if (based)
            check(a, &base);
    }
    if (url_parse_full(&u, a, reference, based ? &base : NULL, true, S("")) ==
        ST_OK)
        check(a, &u);
    if (url_parse_full(&u, a, reference, based ? &base : NULL, false,
                       S("iso-2022-jp")) == ST_OK)
        check(a, &u);
    if (url_parse_full(&u, a, reference, based ? &base : NULL, false,
                       S("gb18030")) == ST_OK)
        check(a, &u);
    return 0;
}
