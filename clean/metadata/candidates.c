/* candidates.c -- see candidates.h. */
#include "candidates.h"

#include "author_text.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/url/host.h"
#include "clean/blocks/char_class.h"
#include "clean/markup/entity.h"

#define DAY_MS INT64_C(86400000)
#define KEY_PRIME UINT64_C(0x100000001b3) /* of FNV-1a */

/* 3/4/2024 is in March: in the United States and where they are followed. */
static bool
month_first(const struct document *d)
{
    static const struct str others[] = {
        STR("uk"), STR("au"), STR("nz"), STR("ie"), STR("za"), STR("in"),
        STR("eu"), STR("sg"), STR("my"), STR("hk"), STR("ng"), STR("ke")};
    struct str language = d->meta.language, tld = host_tld(d->url.host);

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (str_eq(tld, others[i]))
            return false;
    if (str_starts_nocase(language, S("en")))
        return language.n < 5 ||
               str_eq_nocase(str_sub(language, 3, 5), S("us"));
    return language.n == 0 && (tld.n != 2 || str_eq(tld, S("us")));
}

void
candidates_init(struct guesses *c, struct document *d)
{
    uint64_t now = d->origin.fetched_ms;

    *c = (struct guesses){.d = d, .arena = d->arena};
    c->domain = host_registered_domain(d->url.host);
    c->domain = str_sub(c->domain, 0, str_find(c->domain, '.', 0));
    c->reading.month_first = month_first(d);
    c->reading.fetched_ms = now;
    if (now == 0)
        now = clock_wall_ms();
    c->last_day = (int32_t)((int64_t)now / DAY_MS) + 1; /* of zones ahead */
}

uint64_t
candidate_key(struct str s, uint32_t *n)
{
    uint64_t h = 0;

    *n = 0;
    for (size_t at = 0; at < s.n;) {
        uint32_t cp = char_next(s, &at);
        uint8_t class = char_class(cp);

        if (!(class & CHAR_WORD))
            continue;
        if (class & CHAR_UPPER)
            cp = cp < 0x80 ? cp + ('a' - 'A') : char_lower(cp);
        h = (h ^ cp) * KEY_PRIME;
        (*n)++;
    }
    return hash_mix(h);
}

void
candidate_place(struct guess_at *at, const struct document *d, uint32_t block_i)
{
    const struct block_counts *b;

    if (block_i >= d->blocks_n)
        return;
    b = d->blocks[block_i].counts;
    at->place = block_i + 1;
    at->within |= b->ancestor[ANCESTOR_NAV] ? LINK_IN_NAV : 0;
    at->within |= b->ancestor[ANCESTOR_HEADER] ? LINK_IN_HEADER : 0;
    at->within |= b->ancestor[ANCESTOR_FOOTER] ? LINK_IN_FOOTER : 0;
    at->within |= b->ancestor[ANCESTOR_ASIDE] ? LINK_IN_ASIDE : 0;
    at->within |= b->ancestor[ANCESTOR_ARTICLE] || b->ancestor[ANCESTOR_MAIN] ||
                          b->ancestor[ANCESTOR_MAIN_ROLE]
                      ? LINK_IN_MAIN
                      : 0;
    at->within |= b->flags & BLOCK_IN_ITEM ? LINK_IN_ITEM : 0;
    at->within |= b->ancestor[ANCESTOR_TABLE] ? LINK_IN_TABLE : 0;
    at->comment |= b->hint[HINT_COMMENT] != 0;
    at->hidden |= (b->flags & BLOCK_HIDDEN) != 0;
}

static struct guess *
room(struct guesses *c, enum meta_field field)
{
    if (c->n[field] == CANDIDATES_MAX)
        return NULL;
    if (c->of[field] == NULL)
        c->of[field] =
            arena_raw(c->arena, CANDIDATES_MAX * sizeof *c->of[field]);
    return &c->of[field][c->n[field]++];
}

static void
note(struct guess *k, const struct guess_at *at)
{
    k->sources |= 1u << at->source;
    k->mentions++;
    if (at->place > 0 && at->place - 1 < k->block_i)
        k->block_i = at->place - 1;
    k->words |= at->words;
    k->within |= at->within;
    k->context |= at->context;
    k->hidden &= at->hidden;
    k->comment &= at->comment;
    k->person |= at->person;
    if (at->thing > k->thing)
        k->thing = at->thing;
    if (at->rank < k->rank)
        k->rank = at->rank;
}

/* The candidate of that key, made if there is none; *is_new says so. */
static struct guess *
find(struct guesses *c, enum meta_field field, uint64_t key,
     const struct guess_at *at, bool *is_new)
{
    struct guess *k = NULL;

    *is_new = false;
    for (uint32_t i = 0; i < c->n[field] && k == NULL; i++)
        if (c->of[field][i].key == key)
            k = &c->of[field][i];
    if (k == NULL) {
        if ((k = room(c, field)) == NULL)
            return NULL;
        *is_new = true;
        *k = (struct guess){.field = field,
                            .key = key,
                            .spelled = at->source,
                            .block_i = NO_BLOCK,
                            .hidden = at->hidden,
                            .comment = at->comment,
                            .rank = UINT32_MAX};
    }
    note(k, at);
    return k;
}

struct guess *
candidate_add(struct guesses *c, enum meta_field field, struct str value,
              const struct guess_at *at)
{
    struct guess *k;
    uint32_t n;
    uint64_t key;
    bool is_new;

    value = str_trim(value);
    if (value.n == 0)
        return NULL;
    if (field == META_TITLE && value.n > CANDIDATE_BYTES)
        return NULL;
    key = candidate_key(value, &n);
    if (n == 0 || (k = find(c, field, key, at, &is_new)) == NULL)
        return NULL;
    /* As it is seen in the page, rather than as machines have it. */
    if (is_new || (at->source == META_FROM_H1 && k->spelled != META_FROM_H1)) {
        k->value = value;
        k->spelled = at->source;
    }
    return k;
}

struct guess *
candidate_day(struct guesses *c, enum meta_field field,
              const struct day_time *day, const struct guess_at *at)
{
    int32_t number = date_day(day);
    struct guess *k;
    bool is_new;

    if (number > c->last_day || number < -25567) /* 1900 */
        return NULL;
    k = find(c, field, (uint64_t)(int64_t)number, at, &is_new);
    if (k == NULL)
        return NULL;
    if (is_new || (day->has_time && !k->at.has_time) ||
        (day->has_zone && !k->at.has_zone))
        k->at = *day;
    return k;
}

struct guess *
candidate_date(struct guesses *c, enum meta_field field, struct str text,
               const struct guess_at *at)
{
    struct day_time day;

    if (!date_value(&day, text, &c->reading))
        return NULL;
    return candidate_day(c, field, &day, at);
}

/* What is made for machines. */
static const uint32_t machine =
    1u << META_FROM_JSON_LD | 1u << META_FROM_OPEN_GRAPH |
    1u << META_FROM_CITATION | 1u << META_FROM_DUBLIN_CORE |
    1u << META_FROM_PARSELY | 1u << META_FROM_META | 1u << META_FROM_MICRODATA;

bool
candidate_stated(const struct guesses *c, enum meta_field field)
{
    for (uint32_t i = 0; i < c->n[field]; i++)
        if (c->of[field][i].sources & machine)
            return true;
    return false;
}

/* Whether it names that day. */
static bool
stated(const struct guesses *c, const struct day_time *day)
{
    uint64_t key = (uint64_t)(int64_t)date_day(day);

    for (int f = META_PUBLISHED; f <= META_MODIFIED; f++)
        for (uint32_t i = 0; i < c->n[f]; i++)
            if (c->of[f][i].key == key && c->of[f][i].sources & machine)
                return true;
    return false;
}

struct guess *
candidate_found(struct guesses *c, enum meta_field field,
                const struct date_found *found, const struct guess_at *at)
{
    struct day_time other = found->at;

    other.day = found->at.month;
    other.month = found->at.day;
    if (found->either && stated(c, &other) && !stated(c, &found->at))
        return candidate_day(c, field, &other, at);
    return candidate_day(c, field, &found->at, at);
}

/* Whether the name behind n others is one of them. */
static bool
named(const struct str *names, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (str_eq_nocase(names[i], names[n]))
            return true;
    return false;
}

/* "Jane Doe and John Roe" as it stands in one text; a longer list, or one of
 * several texts, with commas. */
static struct str
authors_text(struct arena *a, const struct str *all, uint32_t n, bool one_text)
{
    struct buf joined = {.arena = a};

    if (n == 2 && one_text)
        return str_n(all[0].p, (size_t)(all[1].p - all[0].p) + all[1].n);
    for (uint32_t i = 0; i < n; i++) {
        buf_c(&joined, i > 0 ? ", " : "");
        buf_str(&joined, all[i]);
    }
    return buf_keep(&joined);
}

/* "Jos&eacute;", of which the semicolon would part names: it was encoded
 * twice. */
static struct str
decoded(struct arena *a, struct str name)
{
    struct buf out = {.arena = a};

    if (!str_has(name, S("&")) || !str_has(name, S(";")) ||
        entity_decode_all(&out, name) == 0)
        return name;
    return buf_keep(&out);
}

struct guess *
candidate_authors(struct guesses *c, const struct str *names, uint32_t n,
                  const struct guess_at *at)
{
    struct guess *k;
    uint32_t letters, kept = 0, texts = 0;
    uint64_t key;
    struct str all[AUTHORS_MAX];
    bool is_new;

    for (uint32_t i = 0; i < n && kept < AUTHORS_MAX; i++) {
        uint32_t more = author_names(decoded(c->arena, names[i]), at->running,
                                     all + kept, AUTHORS_MAX - kept);

        if (more == 0 || (more == 1 && named(all, kept)))
            continue;
        kept += more;
        texts++;
    }
    if (kept == 0)
        return NULL;
    key = 0;
    for (uint32_t i = 0; i < kept; i++)
        key = hash_mix(key * 31 + candidate_key(all[i], &letters));
    if ((k = find(c, META_AUTHOR, key, at, &is_new)) == NULL)
        return NULL;
    if (is_new) {
        k->value = authors_text(c->arena, all, kept, texts == 1);
        k->names = ARENA_ARRAY(c->arena, struct str, kept);
        memcpy(k->names, all, kept * sizeof *all);
        k->names_n = kept;
    }
    return k;
}

struct guess *
candidate_author(struct guesses *c, struct str text, const struct guess_at *at)
{
    return candidate_authors(c, &text, 1, at);
}
