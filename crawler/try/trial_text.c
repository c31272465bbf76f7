/* trial_text.c -- a trial for people.
 *
 * What stands on a page is a stranger's: control characters, which could move
 * the cursor or name commands of the terminal, are shown as U+FFFD, and so are
 * those that turn the direction of writing round. */
#include "base/clock.h"
#include "base/verdict.h"
#include "clean/chain/codepoint.h"
#include "clean/text/filter.h"
#include "trial.h"

enum style { PLAIN, STRONG, FAINT, GOOD, BAD, DOUBTFUL };

struct sheet {
    const struct trial *t;
    const struct trial_look *look;
    struct buf *out;
};

static const char *const sgr[] = {
    [PLAIN] = "0", [STRONG] = "1", [FAINT] = "2",
    [GOOD] = "32", [BAD] = "31",   [DOUBTFUL] = "33",
};

static void
begin(const struct sheet *p, enum style s)
{
    if (p->look->colours && s != PLAIN)
        buf_printf(p->out, "\033[%sm", sgr[s]);
}

static void
end(const struct sheet *p, enum style s)
{
    if (p->look->colours && s != PLAIN)
        buf_c(p->out, "\033[0m");
}

static void
heading(const struct sheet *p, const char *text)
{
    buf_char(p->out, '\n');
    begin(p, STRONG);
    buf_c(p->out, text);
    end(p, STRONG);
}

static bool
is_control(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029 ||
           (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) ||
           c == 0x200e || c == 0x200f || c == 0x061c;
}

/* At most so many characters, an ellipsis for the rest; lines become one. */
static void
shown(const struct sheet *p, struct str s, size_t most)
{
    size_t n = 0;

    for (size_t i = 0; i < s.n; n++) {
        bool broken = (s.p[i] & 0xc0) == 0x80; /* of a URL in an archive */
        size_t from = i;
        uint32_t c = broken ? 0xfffdu : codepoint_next(s, &i);

        i += broken;
        if (n + 1 >= most && i < s.n) {
            buf_c(p->out, "…");
            return;
        }
        if (c == '\n' || c == '\t')
            buf_char(p->out, ' ');
        else if (broken || is_control(c))
            buf_utf8(p->out, 0xfffd);
        else
            buf_add(p->out, s.p + from, i - from);
    }
}

/* ---- the verdict ---- */

static void
show_origin(const struct sheet *p)
{
    const struct trial *t = p->t;
    const struct document *d = &t->doc;
    const char *between = "  ";

    begin(p, STRONG);
    shown(p, d->url_text.n > 0 ? d->url_text : S("(no URL)"), SIZE_MAX);
    end(p, STRONG);
    buf_char(p->out, '\n');
    if (t->status > 0) {
        buf_printf(p->out, "  HTTP %u", t->status);
        between = ", ";
    }
    buf_c(p->out, between);
    buf_grouped(p->out, d->bytes.n);
    buf_printf(p->out, " bytes%s", d->origin.cut ? " (cut off)" : "");
    if (t->ms > 0)
        buf_printf(p->out, " in %llu ms", (unsigned long long)t->ms);
    if (t->address.n > 0)
        buf_printf(p->out, " from %.*s", STRF(t->address));
    if (t->redirects > 0)
        buf_printf(p->out, " after %u redirect%s", t->redirects,
                   t->redirects > 1 ? "s" : "");
    if (d->charset.n > 0)
        buf_printf(p->out, ", %.*s (%s)", STRF(d->charset), d->charset_from);
    buf_char(p->out, '\n');
}

static void
number(const struct sheet *p, double x)
{
    struct buf text = {0};

    if (x == (double)(uint64_t)x && x < 1e15)
        buf_grouped(&text, (uint64_t)x);
    else
        buf_printf(&text, "%.2f", x);
    buf_printf(p->out, "%10.*s", STRF(buf_view(&text)));
    buf_free(&text);
}

/* Not what every page with a word in it has. */
static bool
is_asked(const struct filter_check *c)
{
    return !c->met || !c->least || (c->limit > 0 && c->option[0] != '\0');
}

static void
show_checks(const struct sheet *p)
{
    struct filter_limits limits;
    struct filter_check check[FILTER_CHECKS_N];

    filter_limits_of(&limits, p->t->opts);
    filter_checks(&limits, &p->t->doc, check);
    for (size_t i = 0; i < FILTER_CHECKS_N; i++) {
        const struct filter_check *c = &check[i];
        enum style s = c->met ? GOOD : BAD;

        if (!is_asked(c))
            continue;
        buf_c(p->out, "  ");
        begin(p, s);
        buf_c(p->out, c->met ? "ok " : "NO ");
        end(p, s);
        buf_printf(p->out, "%-26s", c->what);
        number(p, c->value);
        buf_c(p->out, c->least ? "   at least" : "   at most ");
        number(p, c->limit);
        if (c->option[0] != '\0') {
            begin(p, FAINT);
            buf_printf(p->out, "   %s", c->option);
            end(p, FAINT);
        }
        buf_char(p->out, '\n');
    }
}

static void
show_language(const struct sheet *p)
{
    const struct document *d = &p->t->doc;

    buf_printf(p->out, "  language %.*s%s, badness %.1f = the worst of",
               STRF(d->language),
               p->t->language_found ? " (found, none was asked for)" : "",
               d->badness);
    buf_printf(p->out, " words %.1f, order %.1f, foreign %.1f",
               d->badness_parts.words, d->badness_parts.order,
               d->badness_parts.foreign);
    if (!str_eq(d->language, d->language_best))
        buf_printf(p->out, "; fits %.*s better (%.1f)", STRF(d->language_best),
                   d->badness_best);
    buf_char(p->out, '\n');
}

static void
show_verdict(const struct sheet *p)
{
    const struct document *d = &p->t->doc;
    bool kept = d->reject == VERDICT_NONE;

    buf_char(p->out, '\n');
    begin(p, STRONG);
    begin(p, kept ? GOOD : BAD);
    buf_c(p->out, kept ? "kept" : "rejected: ");
    if (!kept)
        buf_printf(p->out, "%s", verdict_name(d->reject));
    end(p, STRONG);
    if (!kept)
        buf_printf(p->out, " - %s", verdict_text(d->reject));
    buf_char(p->out, '\n');
    if (d->reject == VERDICT_MEMORY)
        return;
    show_checks(p);
    if (d->tokens_n > 0)
        show_language(p);
}

/* ---- metadata ---- */

/* Who says so, for a field of the table of metadata. */
static void
show_sources(const struct sheet *p, enum meta_field field)
{
    const struct meta *m = &p->t->doc.meta;

    for (uint32_t i = 0; i < m->candidates_n; i++) {
        const struct meta_candidate *c = &m->candidates[i];
        const char *between = "  (";

        if (c->field != field || !c->chosen)
            continue;
        begin(p, FAINT);
        for (int s = 0; s < META_SOURCES_N; s++)
            if (c->sources >> s & 1) {
                buf_printf(p->out, "%s%s", between,
                           meta_source_name((enum meta_source)s));
                between = ", ";
            }
        buf_printf(p->out, "; %.2f)", (double)c->confidence);
        end(p, FAINT);
        return;
    }
}

static void
fact(const struct sheet *p, enum meta_field field, struct str value)
{
    if (value.n == 0)
        return;
    buf_printf(p->out, "  %-18s", meta_field_name(field));
    shown(p, value, p->look->columns > 60 ? p->look->columns - 20 : 40);
    show_sources(p, field);
    buf_char(p->out, '\n');
}

static void
show_meta(const struct sheet *p)
{
    const struct meta *m = &p->t->doc.meta;
    const struct {
        enum meta_field field;
        struct str value;
    } facts[] = {
        {META_TITLE, m->title},         {META_SITE, m->site},
        {META_AUTHOR, m->author},       {META_PUBLISHED, m->date},
        {META_MODIFIED, m->modified},   {META_DESCRIPTION, m->description},
        {META_KEYWORDS, m->keywords},   {META_SECTION, m->section},
        {META_CANONICAL, m->canonical}, {META_LICENCE, m->licence},
        {META_IMAGE, m->image},         {META_TYPE, m->type},
        {META_LANGUAGE, m->language}};

    heading(p, "Metadata");
    buf_c(p->out, " (who says so; confidence)\n");
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        fact(p, facts[i].field, facts[i].value);
    if (m->robots.n > 0) {
        buf_printf(p->out, "  %-18s", "robots");
        shown(p, m->robots, 60);
        buf_char(p->out, '\n');
    }
}

/* ---- blocks ---- */

static enum style
block_style(const struct sheet *p, const struct block *b)
{
    double limit = p->t->opts->clean_boilerplate_max,
           value = (double)b->boilerplate;

    if (value > limit / 2 && value < (1 + limit) / 2)
        return DOUBTFUL;
    return b->kept ? GOOD : FAINT;
}

static void
show_block(const struct sheet *p, uint32_t i)
{
    const struct block *b = &p->t->doc.blocks[i];
    enum style s = block_style(p, b);
    size_t room = p->look->columns > 40 ? p->look->columns - 24 : 25;

    buf_printf(p->out, "%5u ", i);
    begin(p, s);
    buf_printf(p->out, "%5.2f %c", (double)b->boilerplate, b->kept ? '+' : '-');
    end(p, s);
    buf_printf(p->out, " %-10.*s", STRF(b->container));
    begin(p, b->kept ? PLAIN : FAINT);
    if (b->duplicate_of >= 0)
        buf_printf(p->out, "(repeats %d) ", b->duplicate_of);
    shown(p, b->text, p->look->whole ? SIZE_MAX : room);
    end(p, b->kept ? PLAIN : FAINT);
    buf_char(p->out, '\n');
}

static void
show_blocks(const struct sheet *p)
{
    const struct document *d = &p->t->doc;

    heading(p, "Blocks");
    buf_printf(p->out,
               ": %u of %u are text (+), values from 0 text to 1 "
               "boilerplate, text up to %.2f\n",
               d->kept_blocks_n, d->blocks_n,
               p->t->opts->clean_boilerplate_max);
    for (uint32_t i = 0; i < d->blocks_n; i++)
        show_block(p, i);
}

/* ---- links ---- */

static const char *
relation(enum link_relation r)
{
    switch (r) {
    case LINK_SAME_HOST: return "same host";
    case LINK_SAME_DOMAIN: return "same domain";
    case LINK_EXTERNAL: break;
    }
    return "external";
}

static void
show_left_out(const struct sheet *p)
{
    const struct outlinks *o = &p->t->outlinks;
    const struct {
        size_t n;
        const char *why;
    } left[] = {{o->nofollow, "nofollow"}, {o->out_of_scope, "out of scope"},
                {o->too_deep, "too deep"}, {o->too_long, "too long"},
                {o->repeated, "repeated"}, {o->over, "too many"}};
    const char *between = " (";

    for (size_t i = 0; i < sizeof left / sizeof *left; i++)
        if (left[i].n > 0) {
            buf_printf(p->out, "%s%zu %s", between, left[i].n, left[i].why);
            between = ", ";
        }
    buf_c(p->out, *between == ',' ? ")" : "");
}

static void
show_link(const struct sheet *p, size_t k)
{
    const struct trial_link *l = &p->t->link[k];
    const struct link *from = &p->t->doc.links[l->link_i];
    size_t room = p->look->columns > 40 ? p->look->columns - 4 : 40;
    bool inside = from->block_i < p->t->doc.blocks_n;

    for (size_t i = 0; i < TRIAL_SCORERS_N; i++)
        if (l->priority[i] < 0)
            buf_printf(p->out, "%8s", "-");
        else
            buf_printf(p->out, "%8.3f", (double)l->priority[i]);
    buf_c(p->out, "\n    ");
    shown(p, from->url, room);
    buf_c(p->out, "\n    ");
    begin(p, FAINT);
    buf_printf(p->out, "%s, ", relation(from->relation));
    if (inside)
        buf_printf(p->out, "block %u (%.2f)", from->block_i,
                   (double)p->t->doc.blocks[from->block_i].boilerplate);
    else
        buf_c(p->out, "after the last block");
    if (from->anchor.n > 0) {
        buf_c(p->out, ": ");
        shown(p, from->anchor, room > 60 ? room - 40 : 20);
    }
    if (l->trap[0] != '\0')
        buf_printf(p->out, "; lowered: %s", l->trap);
    end(p, FAINT);
    buf_char(p->out, '\n');
    for (size_t i = 0; k < p->look->explained && i < TRIAL_SCORERS_N; i++) {
        if (l->why[i].n == 0)
            continue;
        buf_printf(p->out, "    %s:\n", trial_scorer_name[i]);
        for (struct str rest = l->why[i], line; str_cut(&rest, '\n', &line);) {
            buf_c(p->out, "    ");
            shown(p, line, SIZE_MAX);
            buf_char(p->out, '\n');
        }
    }
}

static void
show_links(const struct sheet *p)
{
    const struct trial *t = p->t;
    size_t n = t->links_n < p->look->links ? t->links_n : p->look->links;

    heading(p, "Links");
    buf_printf(p->out, ": %zu to follow", t->links_n);
    show_left_out(p);
    if (t->doc.url_text.n == 0)
        buf_c(p->out, "; --url URL says where the page is from, which links "
                      "need");
    if (t->links_n > 0)
        buf_printf(p->out,
                   ", the best by %.*s first, and with what priority each "
                   "scorer would queue them (0 to 1)",
                   STRF(t->opts->frontier_scorer));
    buf_char(p->out, '\n');
    if (n == 0)
        return;
    for (size_t i = 0; i < TRIAL_SCORERS_N; i++)
        buf_printf(p->out, "%8s", trial_scorer_name[i]);
    buf_char(p->out, '\n');
    for (size_t k = 0; k < n; k++)
        show_link(p, k);
    if (n < t->links_n)
        buf_printf(p->out, "  ... and %zu more (--links all)\n",
                   t->links_n - n);
}

void
trial_text(const struct trial *t, const struct trial_look *look,
           struct buf *out)
{
    const struct sheet p = {t, look, out};

    show_origin(&p);
    show_verdict(&p);
    if (t->doc.reject == VERDICT_MEMORY)
        return;
    show_meta(&p);
    show_blocks(&p);
    show_links(&p);
}
