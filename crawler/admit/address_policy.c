/* address_policy.c -- see address_policy.h.  fetch.allow_private is a list of
 * "yes", "no", names, ".suffixes" and address ranges (10.0.0.0/8, ::1/128, a
 * bare address). */
#include "address_policy.h"

#include "base/arena.h"
#include "base/log.h"
#include "base/url/host.h"
#include "base/url/url.h"

#include <arpa/inet.h>
#include <stdlib.h>

struct range {
    int family;
    unsigned char bytes[16];
    unsigned bits;
};

struct address_rule {
    struct str name; /* or empty */
    bool suffix;
    struct range range;
};

struct address_policy {
    struct arena *arena;
    bool allow_all, contact;
    struct address_rule *rule;
    size_t rules_n;
};

/* The bytes of an address; an IPv4-mapped one counts as IPv4. */
static bool
address_bytes(const struct sockaddr *sa, struct range *out)
{
    if (sa->sa_family == AF_INET) {
        out->family = AF_INET;
        memcpy(out->bytes, &((const struct sockaddr_in *)sa)->sin_addr, 4);
        return true;
    }
    if (sa->sa_family == AF_INET6) {
        const struct in6_addr *v6 =
            &((const struct sockaddr_in6 *)sa)->sin6_addr;

        out->family = IN6_IS_ADDR_V4MAPPED(v6) ? AF_INET : AF_INET6;
        if (out->family == AF_INET)
            memcpy(out->bytes, v6->s6_addr + 12, 4);
        else
            memcpy(out->bytes, v6, 16);
        return true;
    }
    return false;
}

static bool
in_range(const struct range *r, const struct range *address)
{
    unsigned whole = r->bits / 8, rest = r->bits % 8;

    if (r->family != address->family ||
        memcmp(r->bytes, address->bytes, whole) != 0)
        return false;
    return rest == 0 ||
           (r->bytes[whole] ^ address->bytes[whole]) >> (8 - rest) == 0;
}

/* ST_NONE: not written like a range.  ST_INVALID: a wrong one. */
static enum status
parse_range(struct str text, struct range *out)
{
    size_t slash = str_find(text, '/', 0);
    struct str host = str_sub(text, 0, slash);
    uint64_t bits;
    char name[64];

    if (host.n >= 2 && host.p[0] == '[' && host.p[host.n - 1] == ']')
        host = str_sub(host, 1, host.n - 1);
    if (host.n >= sizeof name)
        return ST_NONE;
    memcpy(name, host.p, host.n);
    name[host.n] = '\0';
    if (inet_pton(AF_INET, name, out->bytes) == 1)
        out->family = AF_INET;
    else if (inet_pton(AF_INET6, name, out->bytes) == 1)
        out->family = AF_INET6;
    else
        return slash < text.n ? ST_INVALID : ST_NONE;
    out->bits = out->family == AF_INET ? 32 : 128;
    if (slash == text.n)
        return ST_OK;
    if (!str_u64(str_sub(text, slash + 1, text.n), &bits) || bits > out->bits)
        return ST_INVALID;
    out->bits = (unsigned)bits;
    return ST_OK;
}

static enum status
parse_rule(struct address_policy *p, struct str text)
{
    struct address_rule *rule = &p->rule[p->rules_n];

    if (str_eq_nocase(text, S("yes")) || str_eq_nocase(text, S("all"))) {
        p->allow_all = true;
        return ST_OK;
    }
    if (str_eq_nocase(text, S("no")) || str_eq_nocase(text, S("none")))
        return ST_OK;
    switch (parse_range(text, &rule->range)) {
    case ST_OK: p->rules_n++; return ST_OK;
    case ST_NONE: break;
    default: return ST_USAGE;
    }
    if (text.p[0] == '.') {
        rule->suffix = true;
        text = str_sub(text, 1, text.n);
    }
    if (url_host_ascii(&rule->name, p->arena, text) != ST_OK)
        return ST_USAGE;
    rule->name = url_without_dot(rule->name);
    p->rules_n++;
    return ST_OK;
}

bool
address_policy_has_contact(struct str user_agent)
{
    static const struct str sign[] = {STR("http://"), STR("https://"),
                                      STR("mailto:")};

    for (size_t i = 0; i < sizeof sign / sizeof sign[0]; i++) {
        const char *hit =
            memmem(user_agent.p, user_agent.n, sign[i].p, sign[i].n);

        if (hit != NULL && (size_t)(user_agent.p + user_agent.n - hit) >
                               sign[i].n + 3) /* something behind it */
            return true;
    }
    return false;
}

struct str
address_policy_contact(struct arena *a, struct str text)
{
    bool mail =
        str_find(text, '@', 0) < text.n && str_find(text, ':', 0) == text.n;
    struct str whole =
        arena_printf(a, "%s%.*s", mail ? "mailto:" : "", STRF(text));

    return address_policy_has_contact(whole) ? whole : S("");
}

enum status
address_policy_open(struct address_policy **out, const struct opts *o)
{
    const struct opt_list *list = &o->fetch_allow_private;
    struct address_policy *p = calloc(1, sizeof *p);

    if (p == NULL)
        return ST_NOMEM;
    p->arena = arena_new();
    p->rule = ARENA_ARRAY(p->arena, struct address_rule, list->n);
    p->contact = address_policy_has_contact(o->fetch_user_agent);
    for (size_t i = 0; i < list->n; i++) {
        if (parse_rule(p, list->item[i]) != ST_OK) {
            log_error("address_policy",
                      "fetch.allow_private: not a name, .suffix or address "
                      "range: %.*s",
                      STRF(list->item[i]));
            address_policy_close(p);
            return ST_USAGE;
        }
    }
    *out = p;
    return ST_OK;
}

void
address_policy_close(struct address_policy *p)
{
    if (p == NULL)
        return;
    arena_free(p->arena);
    free(p);
}

static bool
names_host(const struct address_policy *p, struct str host)
{
    for (size_t i = 0; i < p->rules_n; i++) {
        const struct address_rule *r = &p->rule[i];

        if (r->name.n > 0 &&
            (r->suffix ? host_under(host, r->name) : str_eq(host, r->name)))
            return true;
    }
    return false;
}

static bool
allowed_private(const struct address_policy *p, struct str host,
                const struct sockaddr *address)
{
    struct range a = {0};

    if (p->allow_all || names_host(p, host))
        return true;
    if (!address_bytes(address, &a))
        return false;
    for (size_t i = 0; i < p->rules_n; i++)
        if (p->rule[i].name.n == 0 && in_range(&p->rule[i].range, &a))
            return true;
    return false;
}

enum verdict
address_policy_refusal(const struct address_policy *p, struct str host,
                       const struct sockaddr *address)
{
    enum host_range range = host_address_range(address);

    if (range != HOST_PUBLIC && !allowed_private(p, host, address))
        return VERDICT_PRIVATE_ADDRESS;
    if (range != HOST_LOOPBACK && !p->contact)
        return VERDICT_NO_CONTACT;
    return VERDICT_NONE;
}

/* RFC 6762 and 8375, ICANN's .internal (2024), and what routers make up. */
static bool
is_inner_name(struct str host)
{
    static const struct str inner[] = {
        STR("local"),     STR("localdomain"), STR("internal"), STR("intranet"),
        STR("home.arpa"), STR("lan"),         STR("corp")};

    for (size_t i = 0; i < sizeof inner / sizeof inner[0]; i++)
        if (host_under(host, inner[i]))
            return true;
    return str_find(host, '.', 0) == host.n;
}

enum verdict
address_policy_refuses_name(const struct address_policy *p, struct str host)
{
    if (!p->allow_all && !names_host(p, host) && is_inner_name(host))
        return VERDICT_PRIVATE_ADDRESS;
    return p->contact ? VERDICT_NONE : VERDICT_NO_CONTACT;
}

bool
address_policy_bad_port(uint16_t port)
{
    static const uint16_t bad[] = {
        0,    1,    7,    9,    11,   13,   15,   17,   19,   20,   21,   22,
        23,   25,   37,   42,   43,   53,   69,   77,   79,   87,   95,   101,
        102,  103,  104,  109,  110,  111,  113,  115,  117,  119,  123,  135,
        137,  139,  143,  161,  179,  389,  427,  465,  512,  513,  514,  515,
        526,  530,  531,  532,  540,  548,  554,  556,  563,  587,  601,  636,
        989,  990,  993,  995,  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060,
        5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080};

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (bad[i] == port)
            return true;
    return false;
}

bool
address_policy_may_be_local(const struct address_policy *p, struct str host)
{
    struct range a = {0};
    struct sockaddr_in v4 = {.sin_family = AF_INET};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};

    if (parse_range(host, &a) != ST_OK)
        return names_host(p, host) || host_under(host, S("localhost")) ||
               p->allow_all;
    memcpy(&v4.sin_addr, a.bytes, 4);
    memcpy(&v6.sin6_addr, a.bytes, 16);
    return host_address_range(a.family == AF_INET
                                  ? (struct sockaddr *)&v4
                                  : (struct sockaddr *)&v6) == HOST_LOOPBACK;
}
