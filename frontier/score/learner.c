/* learner.c -- see learner.h: a link, a host and a URL class as features. */
#include "learner_inside.h"

#include "base/hash.h"
#include "base/log.h"

static const float starts[F_N] = {
#define PRIOR(name, weight) [F_##name] = weight,
#include "steering_prior.h" /* made of data/steering.tsv */
#undef PRIOR
};

static const char *const helps[F_N] = {
#define FEATURE(name, help) help,
#include "learner.tbl.h"
#undef FEATURE
};

/* Features without a name: what is hashed. */
enum case_kind {
    KIND_LINKING_HOST,
    KIND_LISTED,
    KIND_LISTED_DATED,
    KIND_SITEMAP_HOST,
    KIND_HOME_PAGE,
    KIND_AROUND,
    KIND_AROUND_HOST,
    KIND_ANCHOR,
    KIND_PATH,
    KIND_DIRECTORY,
    KIND_HOST,
    KIND_DOMAIN,
    KIND_LABEL,
    KIND_TLD,
};

static const char *const kinds[LEARNER_KINDS] = {
    [KIND_LINKING_HOST] = "linking host",
    [KIND_LISTED] = "listed in a sitemap",
    [KIND_LISTED_DATED] = "listed with a date",
    [KIND_SITEMAP_HOST] = "sitemap's host",
    [KIND_HOME_PAGE] = "home page that no link leads to",
    [KIND_AROUND] = "elements around it",
    [KIND_AROUND_HOST] = "elements around it, on the host",
    [KIND_ANCHOR] = "word of the anchor",
    [KIND_PATH] = "word of the path",
    [KIND_DIRECTORY] = "directory of the host",
    [KIND_HOST] = "host",
    [KIND_DOMAIN] = "domain",
    [KIND_LABEL] = "label of the host",
    [KIND_TLD] = "top-level domain",
};

#define TOKENS_MAX 10u /* words of a path that count */
#define LABELS_MAX 4u  /* of a host name */
#define SHRINK 4.0     /* pages' worth of what was believed before */
#define HOST_YIELD 0.3 /* believed of an unknown host */
#define LONG_NAME 30u
#define VERSION 5u /* of what features mean, where their table does not say */

/* Features whose name begins so; those without a name are called by their kind,
 * "word of the anchor" as word_of_the_anchor.  False: none does. */
static bool
blind(struct learner *l, struct str name)
{
    bool any = false;
    char room[LEARNER_NAME_ROOM];

    name = learner_renamed(name, room);
    for (size_t i = 0; i < F_N; i++)
        if (str_starts(str_c(learner_names[i]), name))
            any = l->blind[i] = true;
    for (size_t i = 0; i < LEARNER_KINDS; i++) {
        size_t at = 0;

        while (at < name.n &&
               (name.p[at] == '_' ? ' ' : name.p[at]) == kinds[i][at])
            at++;
        if (at == name.n)
            any = l->blind_kind[i] = true;
    }
    return any;
}

enum status
learner_open(struct learner *l, const struct opts *o)
{
    float weights[LEARNER_NAMED_MAX];
    enum status st;

    memcpy(weights, starts, sizeof starts);
    if (o->frontier_prior.n > 0 &&
        (st = learner_read_prior(weights, o->frontier_prior)) != ST_OK)
        return st;
    *l = (struct learner){.model = model_new(weights, F_N),
                          .there = model_new(NULL, 0),
                          .siblings = siblings_new()};
    for (size_t i = 0; i < LEARNER_KINDS; i++)
        l->kind_hash[i] = hash64(str_c(kinds[i]));
    for (size_t i = 0; i < o->clean_language.n; i++)
        crawl_languages_add(&l->languages, o->clean_language.item[i]);
    for (size_t i = 0; i < o->frontier_without.n; i++)
        if (!blind(l, o->frontier_without.item[i])) {
            log_error("frontier",
                      "frontier.without: no feature begins with %.*s",
                      STRF(o->frontier_without.item[i]));
            learner_close(l);
            return ST_USAGE;
        }
    return ST_OK;
}

void
learner_close(struct learner *l)
{
    model_free(l->model);
    model_free(l->there);
    siblings_free(l->siblings);
    l->model = l->there = NULL;
    l->siblings = NULL;
}

/* ---- cases ---- */

static void
add(struct learner_case *c, enum feature at, double x)
{
    if (c->n == MODEL_FEATURES_MAX || !(x > 1e-9 || x < -1e-9) ||
        c->of->blind[at])
        return;
    c->kind[c->n] = NULL;
    c->f[c->n++] = (struct model_feature){(uint32_t)at, (float)x};
}

static void
on(struct learner_case *c, enum feature at)
{
    add(c, at, 1);
}

/* A feature without a name: `kind` tells apart equal texts, `of` is whose. */
static void
hashed_number(struct learner_case *c, enum case_kind kind, uint64_t of,
              uint64_t text)
{
    uint64_t h = hash_mix(text + hash_mix(of + c->of->kind_hash[kind]));

    if (c->n == MODEL_FEATURES_MAX || c->of->blind_kind[kind])
        return;
    c->kind[c->n] = kinds[kind];
    c->text[c->n] = S("");
    c->f[c->n++] =
        (struct model_feature){F_N + (uint32_t)(h % (MODEL_WEIGHTS - F_N)), 1};
}

static void
hashed(struct learner_case *c, enum case_kind kind, uint64_t of,
       struct str text)
{
    size_t n = c->n;

    hashed_number(c, kind, of, hash64(text));
    if (c->n > n)
        c->text[n] = text;
}

void
learner_say(const struct learner_case *c, size_t i, struct buf *out)
{
    if (c->kind[i] == NULL)
        buf_c(out, helps[c->f[i].at]);
    else
        buf_printf(out, "%s %.*s", c->kind[i], STRF(c->text[i]));
}

/* As a line of tests/real/fit_prior.py. */
void
learner_lesson(const struct learner_case *c, struct buf *out)
{
    for (size_t i = 0; i < c->n; i++)
        if (c->kind[i] == NULL)
            buf_printf(out, " %s=%.4g", learner_names[c->f[i].at],
                       (double)c->f[i].x);
}

/* ---- the link ---- */

static void
of_parent(struct learner_case *c, const struct link_signals *s)
{
    static const enum feature parents[] = {
        [PARENT_NONE] = F_PARENT_UNKNOWN,
        [PARENT_KEPT] = F_PARENT_KEPT,
        [PARENT_DOUBTFUL] = F_PARENT_DOUBTFUL,
        [PARENT_SHORT] = F_PARENT_SHORT,
        [PARENT_LANGUAGE] = F_PARENT_LANGUAGE};
    static const float most[] = {5, 10, 15, 25, 40};
    int bucket = 0;

    if (s->seed) {
        on(c, F_SEED);
        return;
    }
    on(c, parents[s->parent]);
    while (bucket < 5 && s->badness > most[bucket])
        bucket++;
    on(c, s->has_badness ? F_BADNESS_0 + (enum feature)bucket : F_BADNESS_NONE);
    if (s->parent_host != 0)
        hashed_number(c, KIND_LINKING_HOST, 0, s->parent_host);
}

/* A sitemap is no page of which anything could be judged. */
static void
of_list(struct learner_case *c, const struct link_signals *s)
{
    hashed_number(c, KIND_LISTED, 0, 0);
    if (s->dated)
        hashed_number(c, KIND_LISTED_DATED, 0, 0);
    hashed_number(c, KIND_SITEMAP_HOST, 0, s->parent_host);
}

/* Believed of the links of an unknown page, for so many links' worth. */
#define SIBLING_YIELD 0.25 /* of those that are there */
#define SIBLING_THERE 0.6
#define SIBLING_SHRINK 1.5

static double
sibling_logit(uint32_t yes, uint32_t of, double believed)
{
    return model_logit((yes + SIBLING_SHRINK * believed) /
                       (of + SIBLING_SHRINK)) -
           model_logit(believed);
}

/* Of three features for few, some and many. */
static enum feature
by_count(enum feature first, uint32_t n)
{
    return first + (n <= 2 ? 0u : n <= 9 ? 1u : 2u);
}

static void
of_siblings(struct learner_case *c, const struct sibling_counts *n)
{
    uint32_t there = (uint32_t)(n->ended - n->dead);

    if (n->ended == 0)
        return;
    add(c, by_count(F_SIBLINGS_2, there),
        sibling_logit(n->kept, there, SIBLING_YIELD));
    add(c, by_count(F_THERE_2, n->ended),
        sibling_logit(there, n->ended, SIBLING_THERE));
}

/* What its author has made of it: some words, and a place on the page. */
static void
of_place(struct learner_case *c, const struct link_signals *s)
{
    const struct link_features *p = &s->features;

    on(c, p->words == 0   ? F_ANCHOR_0
          : p->words == 1 ? F_ANCHOR_1
          : p->words <= 3 ? F_ANCHOR_3
          : p->words <= 7 ? F_ANCHOR_7
                          : F_ANCHOR_MORE);
    on(c, p->tenth == 0   ? F_PLACE_FIRST
          : p->tenth == 9 ? F_PLACE_LAST
                          : F_PLACE_MIDDLE);
    for (unsigned i = 0; i < 8; i++)
        if (p->within >> i & 1)
            on(c, F_IN_NAV + (enum feature)i);
    if (p->path != 0) {
        hashed_number(c, KIND_AROUND, 0, p->path);
        hashed_number(c, KIND_AROUND_HOST, hash64(s->host), p->path);
    }
    of_siblings(c, &s->siblings);
}

static void
of_block(struct learner_case *c, const struct link_signals *s)
{
    double text = 1 - (double)s->boilerplate;
    const struct link_features *p = &s->features;

    if (s->seed)
        return;
    if (!(text > 0))
        text = 0;
    add(c, F_TEXT, text > 1 ? 1 : text);
    if (s->parent == PARENT_KEPT)
        add(c, F_TEXT_KEPT, text > 1 ? 1 : text);
    else if (s->parent == PARENT_LANGUAGE)
        add(c, F_TEXT_LANGUAGE, text > 1 ? 1 : text);
    on(c, s->relation == 0   ? F_SAME_HOST
          : s->relation == 1 ? F_SAME_DOMAIN
                             : F_EXTERNAL);
    if (s->relation > 1 && s->parent == PARENT_KEPT)
        on(c, F_EXTERNAL_KEPT);
    else if (s->relation > 1 && s->parent == PARENT_LANGUAGE)
        on(c, F_EXTERNAL_LANGUAGE);
    if (p->path == LINK_PATH_HOME)
        hashed_number(c, KIND_HOME_PAGE, 0, 0);
    else
        of_place(c, s);
    on(c, F_LEVEL_HOME + (enum feature)(p->level & 3));
    on(c, F_LINKS_10 + (enum feature)(p->crowd & 3));
    for (size_t i = 0; i < p->anchor_n; i++)
        hashed_number(c, KIND_ANCHOR, 0, p->anchor[i]);
}

static bool
page_extension(struct str s) /* with its dot */
{
    static const char *const known[] = {".html", ".htm",   ".php", ".asp",
                                        ".aspx", ".xhtml", ".jsp", ".shtml"};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (str_eq_nocase(s, str_c(known[i])))
            return true;
    return s.n == 3; /* .de of x.html.de */
}

static void
of_name(struct learner_case *c, struct str name)
{
    size_t dot = name.n;

    for (size_t i = 0; i < name.n; i++)
        if (name.p[i] == '.')
            dot = i;
    if (name.n == 0)
        on(c, F_NAME_DIR);
    else if (dot == name.n)
        on(c, F_NAME_PLAIN);
    else
        on(c, page_extension(str_sub(name, dot, name.n)) ? F_NAME_PAGE
                                                         : F_NAME_OTHER);
    if (name.n > LONG_NAME)
        on(c, F_NAME_LONG);
}

static bool
letter(char ch)
{
    return ascii_alpha(ch) || ((unsigned char)ch & 0x80) != 0 || ch == '%';
}

static void
words_of(struct learner_case *c, struct str path)
{
    size_t tokens = 0;

    for (size_t i = 0, from; i < path.n && tokens < TOKENS_MAX; i++) {
        if (!letter(path.p[i]))
            continue;
        for (from = i; i < path.n && letter(path.p[i]); i++)
            ;
        if (i - from > 1) {
            hashed(c, KIND_PATH, 0, str_sub(path, from, i));
            tokens++;
        }
    }
}

static void
of_url(const struct learner *l, struct learner_case *c,
       const struct link_signals *s)
{
    size_t query = str_find(s->rest, '?', 0), slash = 0, dirs = 0, digits = 0;
    struct str path = str_sub(s->rest, 0, query);
    uint64_t host = hash64(s->host);
    enum url_language language =
        url_language_of(&l->languages, s->host, s->rest);

    for (size_t i = 0; i < path.n; i++) {
        digits += ascii_digit(path.p[i]);
        if (path.p[i] != '/')
            continue;
        if (dirs == 1 || dirs == 2)
            hashed(c, KIND_DIRECTORY, host, str_sub(path, 0, i));
        dirs += i > 0;
        if (i == 0)
            dirs = 1;
        slash = i + 1;
    }
    dirs -= dirs > 0;
    on(c, dirs == 0   ? F_DIRS_0
          : dirs == 1 ? F_DIRS_1
          : dirs == 2 ? F_DIRS_2
          : dirs <= 4 ? F_DIRS_4
                      : F_DIRS_MORE);
    on(c, digits == 0            ? F_DIGITS_NONE
          : digits * 5 <= path.n ? F_DIGITS_FEW
                                 : F_DIGITS_MANY);
    if (query < s->rest.n)
        on(c, F_QUERY);
    of_name(c, str_sub(path, slash, path.n));
    if (language != URL_LANGUAGE_NONE)
        on(c, language == URL_LANGUAGE_WANTED ? F_URL_LANGUAGE_WANTED
                                              : F_URL_LANGUAGE_OTHER);
    if (language == URL_LANGUAGE_WANTED && s->parent == PARENT_LANGUAGE)
        on(c, F_URL_LANGUAGE_WANTED_LANGUAGE);
    words_of(c, path);
}

/* Of links, seeds and what sitemaps list: by markup, else by words. */
static void
of_language(struct learner_case *c, const struct link_signals *s)
{
    uint8_t said = s->features.language;

    if (said == URL_LANGUAGE_WANTED || said == URL_LANGUAGE_OTHER)
        on(c, said == URL_LANGUAGE_WANTED ? F_SAID_WANTED : F_SAID_OTHER);
    else if (said >= URL_LANGUAGE_WORDS)
        on(c, (s->parent == PARENT_LANGUAGE ? F_WORDS_WANTED_SURE_LANGUAGE
                                            : F_WORDS_WANTED_SURE) +
                  (enum feature)(said - URL_LANGUAGE_WORDS));
}

void
learner_link(const struct learner *l, struct learner_case *c,
             const struct link_signals *s)
{
    uint32_t d = s->depth;

    c->of = l;
    if (s->listed)
        of_list(c, s);
    else
        of_parent(c, s);
    on(c, d == 0   ? F_DEPTH_0
          : d == 1 ? F_DEPTH_1
          : d == 2 ? F_DEPTH_2
          : d <= 4 ? F_DEPTH_4
          : d <= 8 ? F_DEPTH_8
                   : F_DEPTH_MORE);
    if (!s->listed)
        of_block(c, s);
    of_language(c, s);
    of_url(l, c, s);
}

/* ---- the host ---- */

static double
shrunk(uint64_t kept, uint64_t pages, double believed)
{
    return ((double)kept + SHRINK * believed) / ((double)pages + SHRINK);
}

static double
host_yield(const struct outcome_counts *h)
{
    return shrunk(h->n[CLASS_KEPT], outcomes_there(h), HOST_YIELD);
}

static void
of_host_name(const struct learner *l, struct learner_case *c,
             const struct scorer_host *h)
{
    enum url_language country = url_language_of_country(&l->languages, h->name);
    struct str name = h->name, label;
    size_t labels = 0;

    hashed(c, KIND_HOST, 0, h->name);
    if (h->domain.n > 0)
        hashed(c, KIND_DOMAIN, 0, h->domain);
    while (labels++ < LABELS_MAX && str_cut(&name, '.', &label))
        hashed(c, name.n > 0 ? KIND_LABEL : KIND_TLD, 0, label);
    if (country != URL_LANGUAGE_NONE)
        on(c,
           country == URL_LANGUAGE_WANTED ? F_COUNTRY_WANTED : F_COUNTRY_OTHER);
}

void
learner_host(const struct learner *l, struct learner_case *c,
             const struct scorer_host *h)
{
    uint64_t pages = outcomes_there(h->outcomes);
    const uint32_t *n = h->outcomes->n;
    double yield =
        model_logit(host_yield(h->outcomes)) - model_logit(HOST_YIELD);

    c->of = l;
    on(c, F_BIAS); /* here, so that it moves all that is queued */
    of_host_name(l, c, h);
    on(c, pages == 0    ? F_HOST_AT_0
          : pages == 1  ? F_HOST_AT_1
          : pages == 2  ? F_HOST_AT_2
          : pages <= 5  ? F_HOST_AT_5
          : pages <= 15 ? F_HOST_AT_15
                        : F_HOST_AT_MORE);
    if (pages == 0)
        return;
    add(c,
        pages <= 2    ? F_HOST_2
        : pages <= 9  ? F_HOST_9
        : pages <= 30 ? F_HOST_30
                      : F_HOST_MORE,
        yield);
    add(c, F_HOST_COPIES,
        (double)((uint64_t)n[CLASS_EXACT] + n[CLASS_NEAR]) /
            (double)(pages + 1));
    add(c, F_HOST_LANGUAGE, (double)n[CLASS_LANGUAGE] / (double)(pages + 1));
}

/* ---- the URL class ---- */

void
learner_url_class(const struct learner *l, struct learner_case *c,
                  const struct scorer_yields *y)
{
    uint64_t pages = outcomes_there(y->url_class);
    const uint32_t *n = y->url_class->n;
    double of_host = host_yield(y->host);

    c->of = l;
    if (pages == 0)
        return;
    add(c,
        pages <= 2    ? F_URL_CLASS_2
        : pages <= 9  ? F_URL_CLASS_9
        : pages <= 30 ? F_URL_CLASS_30
                      : F_URL_CLASS_MORE,
        model_logit(shrunk(n[CLASS_KEPT], pages, of_host)) -
            model_logit(of_host));
    add(c, F_URL_CLASS_COPIES,
        (double)((uint64_t)n[CLASS_EXACT] + n[CLASS_NEAR]) /
            (double)(pages + 1));
}

/* ---- sums ---- */

struct learner_sums
learner_link_sums(const struct learner *l, const struct link_signals *s)
{
    struct learner_case c;

    c.n = 0;
    learner_link(l, &c, s);
    return (struct learner_sums){model_sum(l->model, c.f, c.n),
                                 s->seed ? 0 : model_sum(l->there, c.f, c.n)};
}

double
learner_host_sum(const struct learner *l, const struct scorer_host *h)
{
    struct learner_case c;

    c.n = 0;
    learner_host(l, &c, h);
    return model_sum(l->model, c.f, c.n);
}

double
learner_url_class_sum(const struct learner *l, const struct scorer_yields *y)
{
    struct learner_case c;

    c.n = 0;
    learner_url_class(l, &c, y);
    return model_sum(l->model, c.f, c.n);
}

double
learner_works(const struct learner *l, const struct scorer_yields *y, bool seed,
              double there)
{
    return seed ? link_rot_seed(&l->link_rot)
                : model_chance(model_logit(link_rot_link(
                                   &l->link_rot, &y->link_rot, y->url_class)) +
                               there);
}

uint64_t
learner_version(void)
{
    uint64_t h = VERSION;

    for (size_t i = 0; i < F_N; i++)
        h = hash_mix(h + hash64(str_c(helps[i])));
    return h;
}
