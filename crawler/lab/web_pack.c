/* web_pack.c -- a web as bytes: hosts, texts, URLs, then what each page
 * answers, then the seeds.  Numbers as in frontier/store/pack.h.
 *
 * Reading believes nothing: every number is checked against what it numbers,
 * and memory grows only with bytes that are there. */
#include "frontier/store/pack.h"
#include "web_file.h"

enum {
    KNOWN = 1,
    HTML = 2,
    HAS_BADNESS = 4,
    OTHER_LANGUAGE = 8,
    PRINT = 16,
    PRINT_SIZED = 32 /* with as many values as it says */
};

/* ---- writing ---- */

static void
pack_float(struct buf *out, float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    pack_fixed(out, bits, 4);
}

/* 0: none. */
static void
pack_index(struct buf *out, uint32_t i)
{
    pack_number(out, (uint64_t)(uint32_t)(i + 1));
}

static void
pack_print(struct buf *out, const struct fingerprint *f)
{
    pack_number(out, f->shingles_n);
    if (f->values_n != FINGERPRINT_SIZE)
        pack_number(out, f->values_n);
    for (size_t i = 0; i < f->values_n; i++)
        pack_fixed(out, f->value[i], 4);
}

/* What kind of fingerprint a page has. */
static int
print_flags(const struct web *w, const struct web_page *p)
{
    if (p->fingerprint == WEB_NONE)
        return 0;
    return w->fingerprint[p->fingerprint].values_n == FINGERPRINT_SIZE
               ? PRINT
               : PRINT | PRINT_SIZED;
}

static void
pack_page(struct buf *out, const struct web *w, const struct web_page *p)
{
    buf_char(out, (char)((p->known ? KNOWN : 0) | (p->html ? HTML : 0) |
                         (p->has_badness ? HAS_BADNESS : 0) |
                         (p->other_language ? OTHER_LANGUAGE : 0) |
                         print_flags(w, p)));
    if (!p->known)
        return;
    pack_number(out, p->status);
    pack_number(out, p->fault);
    pack_number(out, p->reject);
    pack_index(out, p->content);
    pack_index(out, p->location);
    pack_index(out, p->target);
    pack_number(out, p->bytes);
    if (!p->html)
        return;
    pack_number(out, p->chars);
    pack_number(out, p->text_bytes);
    pack_float(out, p->badness);
    pack_float(out, p->badness_best);
    pack_index(out, p->language);
    pack_index(out, p->language_stated);
    pack_fixed(out, p->digest.high, 8);
    pack_fixed(out, p->digest.low, 8);
    if (p->fingerprint != WEB_NONE)
        pack_print(out, &w->fingerprint[p->fingerprint]);
    pack_number(out, p->links_n);
    for (uint32_t i = 0; i < p->links_n; i++) {
        const struct web_link *l = &w->link[p->links + i];

        pack_number(out, l->to);
        pack_number(out, l->anchor);
        pack_number(out, l->path);
        pack_number(out, l->language);
        pack_float(out, l->boilerplate);
        pack_number(out, l->relation);
        pack_number(out, l->within);
        pack_number(out, l->words);
    }
}

void
web_pack(const struct web *w, struct buf *out)
{
    pack_text(out, w->about);
    pack_text(out, w->agent);
    pack_number(out, w->texts.n);
    for (uint32_t i = 0; i < w->texts.n; i++)
        pack_text(out, w->texts.name[i]);
    pack_number(out, w->hosts.n);
    for (uint32_t i = 0; i < w->hosts.n; i++) {
        pack_text(out, w->hosts.name[i]);
        pack_number(out, w->host[i].robots_status);
        pack_index(out, w->host[i].robots);
    }
    pack_number(out, w->urls.n);
    for (uint32_t i = 0; i < w->urls.n; i++)
        pack_text(out, w->urls.name[i]);
    pack_number(out, w->contents_n);
    for (uint32_t i = 0; i < w->urls.n; i++)
        pack_page(out, w, &w->page[i]);
    pack_number(out, w->seeds_n);
    for (uint32_t i = 0; i < w->seeds_n; i++)
        pack_number(out, w->seed[i]);
}

/* ---- reading ---- */

static float
unpack_float(struct unpack *u)
{
    uint32_t bits = (uint32_t)unpack_fixed(u, 4);
    float x;

    memcpy(&x, &bits, sizeof x);
    u->bad |= x != x;
    return x;
}

/* A number below n. */
static uint32_t
below(struct unpack *u, uint64_t n)
{
    uint64_t v = unpack_number(u);

    if (v < n)
        return (uint32_t)v;
    u->bad = true;
    return 0;
}

static uint32_t
unpack_index(struct unpack *u, uint64_t n)
{
    return below(u, n + 1) - 1; /* 0 - 1: none */
}

/* How many follow, each at least one byte long. */
static uint32_t
count(struct unpack *u)
{
    uint64_t n = unpack_number(u);

    if (n <= u->left.n && n < UINT32_MAX)
        return (uint32_t)n;
    u->bad = true;
    return 0;
}

static void
unpack_links(struct web *w, uint32_t page, struct unpack *u)
{
    uint32_t n = count(u);
    struct web_link *l = web_add_links(w, page, n);

    for (uint32_t i = 0; i < n && !u->bad; i++) {
        l[i].to = below(u, w->urls.n);
        l[i].anchor = below(u, w->texts.n);
        l[i].path = below(u, w->texts.n);
        l[i].language = below(u, w->texts.n);
        l[i].boilerplate = unpack_float(u);
        l[i].relation = (uint8_t)below(u, LINK_EXTERNAL + 1);
        l[i].within = (uint8_t)below(u, UINT8_MAX + 1);
        l[i].words = (uint8_t)below(u, LINK_WORDS_OTHER_SURE + 1);
    }
}

static void
unpack_print(struct web *w, struct web_page *p, bool sized, struct unpack *u)
{
    struct fingerprint f = {.values_n = FINGERPRINT_SIZE};

    f.shingles_n = unpack_u32(u);
    if (sized)
        f.values_n = below(u, FINGERPRINT_MAX + 1);
    u->bad |= f.values_n < FINGERPRINT_MIN;
    for (size_t i = 0; i < f.values_n; i++)
        f.value[i] = (uint32_t)unpack_fixed(u, 4);
    p->fingerprint = web_add_fingerprint(w, &f);
}

static uint8_t
unpack_verdict(struct unpack *u)
{
    uint64_t number = below(u, VERDICT_N);

    u->bad |= !verdict_is(number);
    return (uint8_t)number;
}

static void
unpack_page(struct web *w, uint32_t page, struct unpack *u)
{
    struct web_page *p = &w->page[page];
    unsigned flags = (unsigned)unpack_fixed(u, 1);

    p->known = flags & KNOWN;
    p->html = flags & HTML;
    p->has_badness = flags & HAS_BADNESS;
    p->other_language = flags & OTHER_LANGUAGE;
    if (!p->known)
        return;
    p->status = (uint16_t)below(u, 1000);
    p->fault = unpack_verdict(u);
    p->reject = unpack_verdict(u);
    p->content = unpack_index(u, w->contents_n);
    p->location = unpack_index(u, w->texts.n);
    p->target = unpack_index(u, w->urls.n);
    p->bytes = unpack_number(u);
    if (!p->html)
        return;
    p->chars = unpack_u32(u);
    p->text_bytes = unpack_number(u);
    p->badness = unpack_float(u);
    p->badness_best = unpack_float(u);
    p->language = unpack_index(u, w->texts.n);
    p->language_stated = unpack_index(u, w->texts.n);
    p->digest.high = unpack_fixed(u, 8);
    p->digest.low = unpack_fixed(u, 8);
    if (flags & PRINT)
        unpack_print(w, p, flags & PRINT_SIZED, u);
    unpack_links(w, page, u);
}

static bool
is_url(struct str s)
{
    return str_starts(s, S("http://")) || str_starts(s, S("https://"));
}

/* Texts, hosts and URLs; each may stand there once. */
static void
unpack_names(struct web *w, struct unpack *u)
{
    bool fresh = true;
    uint32_t n = count(u);

    for (uint32_t i = 0; i < n && !u->bad; i++) {
        intern_add(&w->texts, unpack_text(u), &fresh);
        u->bad |= !fresh;
    }
    n = count(u);
    for (uint32_t i = 0; i < n && !u->bad; i++) {
        uint32_t host = web_host_of(w, unpack_text(u));

        u->bad |= host != i;
        w->host[host].robots_status = (uint16_t)below(u, 1000);
        w->host[host].robots = unpack_index(u, w->texts.n);
    }
    n = count(u);
    for (uint32_t i = 0; i < n && !u->bad; i++) {
        struct str url = unpack_text(u);

        u->bad |= !is_url(url) || web_page_of(w, url) != i;
    }
}

enum status
web_unpack(struct web **out, struct str bytes)
{
    struct unpack u = {.left = bytes};
    struct web *w = web_new();
    uint32_t n;

    w->about = arena_str(w->texts.arena, unpack_text(&u));
    w->agent = arena_str(w->texts.arena, unpack_text(&u));
    unpack_names(w, &u);
    w->contents_n = unpack_u32(&u);
    u.bad |= w->contents_n > w->urls.n;
    for (uint32_t i = 0; i < w->urls.n && !u.bad; i++)
        unpack_page(w, i, &u);
    n = count(&u);
    for (uint32_t i = 0; i < n && !u.bad; i++)
        web_add_seed(w, below(&u, w->urls.n));
    if (u.bad || u.left.n > 0) {
        web_free(w);
        return ST_INVALID;
    }
    *out = w;
    return ST_OK;
}
