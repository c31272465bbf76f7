/* row_words.c -- see row_words.h.  Every field goes through number(), real(),
 * flag() or text(): given its value they write it, and they give back the value
 * that the row has: the same, or the one they have read. */
#include "row_words.h"

#include <math.h>

#include "base/big_endian.h"

enum when { ALWAYS, UNLESS_ZERO };

static uint64_t
number(struct row_words *w, const char *key, uint64_t value, uint64_t max,
       enum when when)
{
    if (w->to != NULL) {
        if (value != 0 || when == ALWAYS)
            json_ku64(w->to, key, value);
        return value;
    }
    value = 0;
    if ((!json_reader_u64(&value, w->from, key) && when == ALWAYS) ||
        value > max) {
        w->bad = true;
        return 0;
    }
    return value;
}

static uint8_t
number8(struct row_words *w, const char *key, uint8_t value, uint8_t max)
{
    return (uint8_t)number(w, key, value, max, UNLESS_ZERO);
}

static uint32_t
number32(struct row_words *w, const char *key, uint32_t value, enum when when)
{
    return (uint32_t)number(w, key, value, UINT32_MAX, when);
}

static uint64_t
number64(struct row_words *w, const char *key, uint64_t value)
{
    return number(w, key, value, UINT64_MAX, UNLESS_ZERO);
}

static float
real(struct row_words *w, const char *key, float value)
{
    if (w->to != NULL) {
        json_kreal(w->to, key, (double)value);
        return value;
    }
    value = (float)json_reader_real(w->from, key);
    w->bad = w->bad || !isfinite(value);
    return value;
}

static bool
flag(struct row_words *w, const char *key, bool value)
{
    if (w->to != NULL) {
        if (value)
            json_kbool(w->to, key, true);
        return value;
    }
    return json_reader_bool(w->from, key);
}

static struct str
text(struct row_words *w, const char *key, struct str value)
{
    if (w->to != NULL) {
        json_kstr(w->to, key, value);
        return value;
    }
    return json_reader_str(w->from, key);
}

/* Is the field there? */
static bool
has_real(struct row_words *w, const char *key, bool value)
{
    return w->to != NULL ? value : !isnan(json_reader_real(w->from, key));
}

static bool
has_number(struct row_words *w, const char *key, bool value)
{
    uint64_t n;

    return w->to != NULL ? value : json_reader_u64(&n, w->from, key);
}

/* ---- bytes ---- */

void
row_words_hex(struct json *to, const char *key, struct str bytes)
{
    static const char digit[] = "0123456789abcdef";

    json_key(to, key);
    buf_char(to->out, '"');
    for (size_t i = 0; i < bytes.n; i++) {
        buf_char(to->out, digit[(unsigned char)bytes.p[i] >> 4]);
        buf_char(to->out, digit[(unsigned char)bytes.p[i] & 15]);
    }
    buf_char(to->out, '"');
    to->comma = true;
}

/* Text of hex digits into `out`, which has room for half of it. */
static bool
from_hex(struct str digits, char *out)
{
    for (size_t i = 0; i + 1 < digits.n; i += 2) {
        int high = ascii_hex(digits.p[i]), low = ascii_hex(digits.p[i + 1]);

        if (high < 0 || low < 0)
            return false;
        out[i / 2] = (char)(unsigned char)(high * 16 + low);
    }
    return digits.n % 2 == 0;
}

bool
row_words_bytes(const struct json_reader *from, const char *key,
                struct arena *a, struct str *out)
{
    struct str digits = json_reader_str(from, key);
    char *p = arena_raw(a, digits.n / 2 + 1);

    *out = str_n(p, digits.n / 2);
    return from_hex(digits, p);
}

/* A number of `n` bytes as a text of hex digits. */
static uint64_t
hash(struct row_words *w, const char *key, uint64_t value, size_t n)
{
    char bytes[8];
    struct str digits;

    if (w->to != NULL) {
        be_put(bytes, value, n);
        row_words_hex(w->to, key, str_n(bytes, n));
        return value;
    }
    digits = json_reader_str(w->from, key);
    if (digits.n != 2 * n || !from_hex(digits, bytes)) {
        w->bad = true;
        return 0;
    }
    return be_get(bytes, n);
}

/* ---- URLs ---- */

static uint16_t
score(struct row_words *w, uint16_t priority)
{
    double share;

    if (w->to != NULL) {
        json_kreal(w->to, "score", (double)priority / ROW_PRIORITY_MAX);
        return priority;
    }
    share = json_reader_real(w->from, "score");
    if (!(share >= 0 && share * ROW_PRIORITY_MAX < ROW_PRIORITY_ROBOTS + 0.5)) {
        w->bad = true;
        return 0;
    }
    return (uint16_t)lrint(share * ROW_PRIORITY_MAX);
}

static void
facts(struct row_words *w, struct row_facts *p)
{
    p->depth = number32(w, "depth", p->depth, ALWAYS);
    p->redirects = number32(w, "redirects", p->redirects, UNLESS_ZERO);
    p->nesting = number32(w, "nesting", p->nesting, UNLESS_ZERO);
    p->seed = flag(w, "seed", p->seed);
    p->explored = flag(w, "explored", p->explored);
    if ((p->has_badness = has_real(w, "parent_badness", p->has_badness)))
        p->badness = real(w, "parent_badness", p->badness);
    p->boilerplate = real(w, "boilerplate", p->boilerplate);
    p->relation = (uint32_t)number(w, "relation", p->relation, 3, ALWAYS);
    p->parent = (enum link_parent)number(w, "parent_kind", p->parent,
                                         PARENT_LANGUAGE, ALWAYS);
    p->parent_host = number32(w, "parent_host", p->parent_host, UNLESS_ZERO);
    if (p->parent_host != 0)
        p->parent_hash = hash(w, "parent", p->parent_hash, ROW_PARENT_BYTES);
    p->sitemap = flag(w, "listed", p->sitemap);
    if (p->sitemap)
        p->lastmod_ms = number64(w, "lastmod_ms", p->lastmod_ms);
    if ((p->has_hint = has_real(w, "hint", p->has_hint)))
        p->hint = real(w, "hint", p->hint);
}

/* Of the anchor two bytes a word. */
static void
anchor(struct row_words *w, struct link_features *p)
{
    char bytes[2 * LINK_ANCHOR_MAX];
    struct str digits;

    if (w->to != NULL) {
        for (size_t i = 0; i < p->anchor_n; i++) {
            bytes[2 * i] = (char)(unsigned char)(p->anchor[i] >> 8);
            bytes[2 * i + 1] = (char)(unsigned char)p->anchor[i];
        }
        if (p->anchor_n > 0)
            row_words_hex(w->to, "anchor", str_n(bytes, 2u * p->anchor_n));
        return;
    }
    digits = json_reader_str(w->from, "anchor");
    p->anchor_n = 0;
    if (digits.n > 2 * sizeof bytes || digits.n % 4 != 0 ||
        !from_hex(digits, bytes)) {
        w->bad = true;
        return;
    }
    for (size_t i = 0; i < digits.n / 4; i++)
        p->anchor[p->anchor_n++] = (uint16_t)((unsigned char)bytes[2 * i] << 8 |
                                              (unsigned char)bytes[2 * i + 1]);
}

/* The numbers are those of link_features.h. */
static void
features(struct row_words *w, struct link_features *p)
{
    anchor(w, p);
    p->words = number8(w, "anchor_words", p->words, 15);
    p->tenth = number8(w, "page_tenth", p->tenth, 9);
    p->crowd = number8(w, "page_links", p->crowd, 3);
    p->level = number8(w, "page_level", p->level, 3);
    p->url_class =
        number8(w, "page_url_class", p->url_class, URL_CLASSES_MAX - 1);
    p->within = number8(w, "within", p->within, UINT8_MAX);
    p->language = number8(w, "language", p->language, 7);
    p->path = (uint16_t)number(w, "path", p->path, UINT16_MAX, UNLESS_ZERO);
}

/* A robots.txt or a sitemap tells whose it is. */
static void
kind(struct row_words *w, struct row_queued *q)
{
    static const char *const of[] = {[FRONTIER_ROBOTS] = "robots_of",
                                     [FRONTIER_SITEMAP] = "sitemap_of",
                                     [FRONTIER_TDMREP] = "tdmrep_of"};
    enum frontier_kind is = FRONTIER_PAGE;

    for (int k = FRONTIER_ROBOTS; k <= FRONTIER_TDMREP; k++)
        if (has_number(w, of[k], q->kind == (enum frontier_kind)k))
            is = (enum frontier_kind)k;
    q->kind = is;
    if (is != FRONTIER_PAGE)
        q->owner = number32(w, of[is], q->owner, ALWAYS);
}

static void
found(struct row_words *w, struct row_queued *q)
{
    kind(w, q);
    q->attempts = (uint32_t)number(w, "attempts", q->attempts, ROW_ATTEMPTS_MAX,
                                   UNLESS_ZERO);
    q->crashes = number8(w, "crashes", (uint8_t)q->crashes, ROW_CRASHES_MAX);
    facts(w, &q->facts);
    features(w, &q->facts.features);
}

void
row_words_queued(struct row_words *w, struct row_queued *q,
                 struct row_position *position)
{
    position->priority = score(w, position->priority);
    found(w, q);
    position->host = number32(w, "host_id", position->host, ALWAYS);
    position->url_class =
        number8(w, "url_class", position->url_class, URL_CLASSES_MAX - 1);
    position->sequence =
        number(w, "sequence", position->sequence, ROW_SEQUENCE_MAX, ALWAYS);
}

void
row_words_link(struct row_words *w, struct candidate *c)
{
    c->priority = score(w, c->priority);
    found(w, &c->q);
    c->domain = text(w, "domain", c->domain);
    c->steer = flag(w, "steered", c->steer);
    c->trap = (enum trap)number(w, "trap", c->trap, TRAP_N - 1, UNLESS_ZERO);
    c->sequence = number(w, "sequence", c->sequence, ROW_SEQUENCE_MAX, ALWAYS);
}

void
row_words_ended(struct row_words *w, struct row_seen *s)
{
    struct str reason = text(w, "reason", str_c(verdict_name(s->verdict)));
    struct str outcome = text(w, "outcome", str_c(outcome_name(s->outcome)));

    if (w->to == NULL && (!verdict_find(reason, &s->verdict) ||
                          !outcome_find(outcome, &s->outcome)))
        w->bad = true;
    s->ended_ms = number(w, "ended_ms", s->ended_ms, UINT64_MAX, ALWAYS);
    if ((s->has_badness = has_real(w, "badness", s->has_badness)))
        s->badness = real(w, "badness", s->badness);
    s->position.priority = score(w, s->position.priority);
    facts(w, &s->facts);
}

/* ---- hosts ---- */

static void
url_class(struct row_words *w, struct url_class *c)
{
    c->kind = number32(w, "kind", c->kind, ALWAYS);
    c->queued = number64(w, "queued", c->queued);
    c->head_priority = (uint16_t)number(w, "head_priority", c->head_priority,
                                        UINT16_MAX, UNLESS_ZERO);
    c->head_sequence = number64(w, "head_sequence", c->head_sequence);
    for (int i = 0; i < CLASS_N; i++)
        c->outcomes.n[i] =
            number32(w, outcome_class_name(i), c->outcomes.n[i], UNLESS_ZERO);
}

static void
url_classes(struct row_words *w, struct url_classes *s)
{
    static const char key[] = "url_classes";

    if (w->to != NULL) {
        json_key(w->to, key);
        json_array(w->to);
        for (size_t i = 0; i < s->n; i++) {
            json_object(w->to);
            url_class(w, &s->item[i]);
            json_object_end(w->to);
        }
        json_array_end(w->to);
        return;
    }
    for (s->n = 0; json_reader_enter(w->from, key, s->n); s->n++) {
        if (s->n == URL_CLASSES_MAX)
            w->bad = true;
        else
            url_class(w, &s->item[s->n]);
        json_reader_leave(w->from);
        if (w->bad)
            return;
    }
}

void
row_words_host(struct row_words *w, struct row_host *h)
{
    h->name = text(w, "host", h->name);
    h->domain = text(w, "domain", h->domain);
    if (w->to != NULL) /* the sum over its URL classes */
        json_ku64(w->to, "queued", h->queued);
    h->fetched = number(w, "fetched", h->fetched, UINT64_MAX, ALWAYS);
    h->next_contact_ms =
        number(w, "next_contact_ms", h->next_contact_ms, UINT64_MAX, ALWAYS);
    h->fetched_bytes = number64(w, "fetched_bytes", h->fetched_bytes);
    h->kept_bytes = number64(w, "kept_bytes", h->kept_bytes);
    h->address = number64(w, "address", h->address);
    h->response_ms = number32(w, "response_ms", h->response_ms, UNLESS_ZERO);
    h->sitemap_urls = number64(w, "sitemap_urls", h->sitemap_urls);
    h->failures = number32(w, "failures", h->failures, UNLESS_ZERO);
    h->growth = number8(w, "growth", h->growth, UINT8_MAX);
    h->robots.version = number64(w, "robots_version", h->robots.version);
    h->robots.fetched_ms =
        number64(w, "robots_fetched_ms", h->robots.fetched_ms);
    h->robots.expiry_ms = number64(w, "robots_expiry_ms", h->robots.expiry_ms);
    h->robots.retry_ms = number64(w, "robots_retry_ms", h->robots.retry_ms);
    h->robots.status =
        number32(w, "robots_status", h->robots.status, UNLESS_ZERO);
    h->robots.unreachable =
        number32(w, "robots_unreachable", h->robots.unreachable, UNLESS_ZERO);
    h->robots.crawl_delay_ms =
        number32(w, "crawl_delay_ms", h->robots.crawl_delay_ms, UNLESS_ZERO);
    h->robots.pending = flag(w, "robots_pending", h->robots.pending);
    h->robots.tdmrep = flag(w, "tdmrep_wanted", h->robots.tdmrep);
    url_classes(w, &h->url_classes);
}
