/* rights.c -- see rights.h: signals are rows of tables, a word each and the
 * uses it speaks of.
 *
 * Bounds: of all signals together SIGNALS_MAX bytes are kept as they stand; all
 * are read. */
#include "rights.h"

#include "clean/blocks/block.h"
#include "clean/chain/codepoint.h"
#include "clean/chain/stage.h"
#include "metadata.h"

#define SIGNALS_MAX 2048u

#define USE(id) (1u << RIGHTS_##id)

static const char *const use_names[RIGHTS_USES_N] = {"all", "tdm", "train",
                                                     "ai-input", "search"};

struct right_word {
    struct str word;
    unsigned uses;
};

/* Left of the equals sign in Content-Usage and Content-Signal. */
static const struct right_word preferences[] = {
    {STR("train-ai"), USE(TRAIN)},
    {STR("ai-train"), USE(TRAIN)},
    {STR("train-genai"), USE(TRAIN)},
    {STR("genai"), USE(TRAIN)},
    {STR("ai"), USE(TRAIN) | USE(AI_INPUT)},
    {STR("ai-input"), USE(AI_INPUT)},
    {STR("ai-use"), USE(AI_INPUT)},
    {STR("search"), USE(SEARCH)},
    {STR("tdm"), USE(TDM)},
    {STR("bots"), USE(ALL)},
    {STR("all"), USE(ALL)},
};

/* In robots directives; each of them reserves. */
static const struct right_word directives[] = {
    {STR("noai"), USE(TRAIN) | USE(AI_INPUT)},
    {STR("noml"), USE(TRAIN)},
    {STR("notrain"), USE(TRAIN)},
    {STR("noaitraining"), USE(TRAIN)},
    {STR("disallowaitraining"), USE(TRAIN)},
};

#define N(table) (sizeof(table) / sizeof *(table))

static unsigned
uses_of(const struct right_word *table, size_t n, struct str word)
{
    for (size_t i = 0; i < n; i++)
        if (str_eq_nocase(table[i].word, word))
            return table[i].uses;
    return 0;
}

/* Who reserves is not overruled. */
static void
say(struct rights *r, unsigned uses, bool allowed)
{
    for (int u = 0; u < RIGHTS_USES_N; u++)
        if ((uses >> u & 1) != 0 && r->use[u] != 'n')
            r->use[u] = allowed ? 'y' : 'n';
}

/* "train-ai=n, search=y", as a whole or behind the beginning of the paths it
 * is for.  False: it is for other paths. */
static bool
preference(struct rights *r, struct str value, struct str target)
{
    struct str part;

    if (value.n > 0 && value.p[0] == '/') {
        size_t end = 0;

        while (end < value.n && !ascii_space(value.p[end]))
            end++;
        if (!str_starts(target, str_sub(value, 0, end)))
            return false;
        value = str_sub(value, end, value.n);
    }
    while (str_cut(&value, ',', &part)) {
        size_t equals = str_find(part, '=', 0);
        unsigned uses = uses_of(preferences, N(preferences),
                                str_trim(str_sub(part, 0, equals)));
        struct str what = str_trim(str_sub(part, equals + 1, part.n));

        what = str_trim(str_sub(what, 0, str_find(what, ';', 0)));
        if (str_eq_nocase(what, S("n")) || str_eq_nocase(what, S("no")))
            say(r, uses, false);
        else if (str_eq_nocase(what, S("y")) || str_eq_nocase(what, S("yes")))
            say(r, uses, true);
    }
    return true;
}

static bool
robots_words(struct rights *r, struct str list, struct str agent)
{
    struct robots_list l = {.rest = list, .agent = agent};
    struct str words, word;
    bool found = false;

    while (robots_part(&l, &words))
        while (str_word(&words, &word)) {
            unsigned uses = uses_of(directives, N(directives), word);

            say(r, uses, false);
            found |= uses != 0 || str_eq_nocase(word, S("noimageai"));
        }
    return found;
}

bool
rights_signal(struct rights *r, struct str name, struct str value,
              struct str target, struct str agent)
{
    value = str_trim(value);
    if (str_eq_nocase(name, S("content-usage")) ||
        str_eq_nocase(name, S("content-signal")))
        return preference(r, value, target);
    if (str_eq_nocase(name, S("tdm-reservation"))) {
        if (str_eq(value, S("1")) || str_eq(value, S("0")))
            say(r, USE(TDM), value.p[0] == '0');
        return value.n > 0;
    }
    if (str_eq_nocase(name, S("tdm-policy")))
        return value.n > 0;
    if (str_eq_nocase(name, S("x-robots-tag")) ||
        str_eq_nocase(name, S("robots")) ||
        (agent.n > 0 && str_eq_nocase(name, agent)))
        return robots_words(r, value, agent);
    return false;
}

bool
rights_reserved(const struct rights *r, struct str purpose)
{
    unsigned asked = 0;

    if (str_eq(purpose, S("research")))
        asked = USE(ALL);
    else if (str_eq(purpose, S("training")))
        asked = USE(ALL) | USE(TDM) | USE(TRAIN);
    else if (str_eq(purpose, S("none-reserved")))
        asked = (1u << RIGHTS_USES_N) - 1;
    for (int u = 0; u < RIGHTS_USES_N; u++)
        if ((asked >> u & 1) != 0 && r->use[u] == 'n')
            return true;
    return false;
}

/* ---- of a document ---- */

struct rights_reading {
    struct document *d;
    struct rights r;
    char tdmrep;             /* what tdm-reservation says so far, and */
    const char *tdmrep_from; /* where */
    struct buf signals;
    struct str target;
};

static void
merge(struct rights *r, const struct rights *more)
{
    for (int u = 0; u < RIGHTS_USES_N; u++)
        if (more->use[u] != 0)
            say(r, 1u << u, more->use[u] == 'y');
}

/* A header supersedes the file of the host, and <meta> both (section 5 of the
 * report); in one place the stricter counts. */
static void
supersede(struct rights_reading *x, const char *from, char said)
{
    if (said == 0 || (x->tdmrep_from == from && x->tdmrep == 'n'))
        return;
    x->tdmrep = said;
    x->tdmrep_from = from;
}

/* What is not ASCII in a header is read as ISO-8859-1 (RFC 9110, 5.5). */
static void
add_value(struct buf *out, struct str value, bool header)
{
    for (size_t i = 0; i < value.n; i++) {
        unsigned char c = (unsigned char)value.p[i];
        char utf8[4];

        if (header && c >= 0x80)
            buf_add(out, utf8, codepoint_put(utf8, c));
        else
            buf_char(out, c < ' ' ? ' ' : value.p[i]);
    }
}

static void
read_signal(struct rights_reading *x, const char *from, struct str name,
            struct str value)
{
    struct rights said = {{0}};
    bool is;

    value = str_trim(value);
    is = rights_signal(&said, name, value, x->target, x->d->robots_agent);
    if (str_eq_nocase(name, S("tdm-reservation")))
        supersede(x, from, said.use[RIGHTS_TDM]);
    else
        merge(&x->r, &said);
    if (!is || x->signals.n + name.n + value.n > SIGNALS_MAX)
        return;
    buf_printf(&x->signals, "%s%s %.*s: ", x->signals.n > 0 ? " | " : "", from,
               STRF(name));
    add_value(&x->signals, value, str_eq(str_c(from), S("header")));
}

/* Of a header: all but X-Robots-Tag, which the document has by itself. */
static void
read_lines(struct rights_reading *x, const char *from, struct str lines)
{
    struct str line;

    while (str_cut(&lines, '\n', &line)) {
        size_t colon = str_find(line, ':', 0);
        struct str name = str_trim(str_sub(line, 0, colon));

        if (colon < line.n && !str_eq_nocase(name, S("x-robots-tag")) &&
            !str_eq_nocase(name, S("robots")))
            read_signal(x, from, name, str_sub(line, colon + 1, line.n));
    }
}

static void
reject(struct document *d)
{
    if (d->reject != VERDICT_NONE)
        return;
    document_reject(d, VERDICT_RIGHTS);
    d->reject_detail = d->meta.rights;
}

void
metadata_rights(struct document *d, struct str purpose)
{
    struct rights_reading x = {.d = d,
                               .signals = {.arena = d->arena},
                               .target = d->url.target.n > 0 ? d->url.target
                                                             : S("/")};
    const struct page_counts *page = d->page_counts;
    struct str tags = d->x_robots_tag, tag;
    struct buf out = {.arena = d->arena};

    read_lines(&x, "tdmrep.json", d->site_tdmrep);
    read_lines(&x, "robots.txt", d->site_rights);
    read_lines(&x, "header", d->origin.headers);
    while (str_cut(&tags, '\n', &tag))
        read_signal(&x, "header", S("x-robots-tag"), tag);
    for (uint32_t i = 0; i < page->heads_n; i++)
        read_signal(&x, "meta", page->heads[i].key, page->heads[i].value);
    if (x.tdmrep != 0)
        say(&x.r, USE(TDM), x.tdmrep == 'y');
    d->meta.rights_signals = buf_keep(&x.signals);
    for (int u = 0; u < RIGHTS_USES_N; u++)
        if (x.r.use[u] != 0)
            buf_printf(&out, "%s%s=%c", out.n > 0 ? " " : "", use_names[u],
                       x.r.use[u]);
    d->meta.rights = buf_keep(&out);
    if (rights_reserved(&x.r, purpose))
        reject(d);
}
