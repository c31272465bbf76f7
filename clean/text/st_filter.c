/* st_filter.c -- the reasons to reject a document for what it holds.
 *
 * Nothing is removed here; the first reason met is kept, cheapest to explain
 * first: what is empty or short is called so and not "bad", since badness of
 * little text is noise.
 *
 * Another language fits better when its profile's badness is lower than that of
 * the best target language by clean.language_margin: close relatives (nl af, da
 * nb, cs sk) share function words and lie within it of each other. */
#include "base/buf.h"
#include "base/memory.h"
#include "clean/chain/stage.h"
#include "filter.h"

#define LANGUAGE_BADNESS_MAX 35.0

void
filter_limits_of(struct filter_limits *l, const struct opts *o)
{
    l->chars_min = o->clean_chars_min;
    l->blocks_min = o->clean_blocks_min;
    l->chars_all_min = o->clean_chars_all_min;
    l->blocks_all_min = o->clean_blocks_all_min;
    l->chars_share_min = o->clean_chars_share_min;
    l->blocks_share_min = o->clean_blocks_share_min;
    l->language_margin = o->clean_language_margin;
    l->badness_max = o->clean_badness_max;
    l->kinds_max = o->clean_kinds_rejected_max;
    l->kinds = 0;
    for (int k = 0; k < PAGE_KINDS_N; k++)
        if (opt_list_has(&o->clean_kinds_rejected, str_c(page_kind_name(k))))
            l->kinds |= 1u << k;
}

static struct filter_check
least(enum verdict verdict, const char *what, const char *option, double value,
      double limit)
{
    return (struct filter_check){verdict, what, option,        value,
                                 limit,   true, value >= limit};
}

static struct filter_check
most(enum verdict verdict, const char *what, const char *option, double value,
     double limit)
{
    return (struct filter_check){verdict, what,  option,        value,
                                 limit,   false, value <= limit};
}

/* By how much another language's profile fits better; where none fits, none
 * does. */
static double
language_lead(const struct document *d)
{
    return d->badness_best <= LANGUAGE_BADNESS_MAX
               ? d->badness - d->badness_best
               : 0;
}

/* A share of nothing is 1. */
static double
share(uint32_t part, uint32_t all)
{
    return all > 0 ? (double)part / all : 1;
}

/* Of no kinds, nothing is asked. */
static struct filter_check
of_kinds(const struct filter_limits *l, const struct document *d)
{
    const char *what = "share of unwanted kinds";
    double sum = 0;

    if (l->kinds == 0)
        return least(VERDICT_PAGE_KIND, what, "clean.kinds_rejected", 0, 0);
    for (int k = 0; k < PAGE_KINDS_N; k++)
        if (l->kinds & 1u << k)
            sum += (double)d->page_kind[k];
    return most(VERDICT_PAGE_KIND, what, "clean.kinds_rejected_max", sum,
                l->kinds_max);
}

size_t
filter_checks(const struct filter_limits *l, const struct document *d,
              struct filter_check out[FILTER_CHECKS_N])
{
    const struct filter_check checks[FILTER_CHECKS_N] = {
        least(VERDICT_EMPTY, "characters of all blocks", "", d->all_chars, 1),
        least(VERDICT_SHORT, "characters of text", "clean.chars_min",
              d->kept_chars, (double)l->chars_min),
        least(VERDICT_SHORT, "characters of all blocks", "clean.chars_all_min",
              d->all_chars, (double)l->chars_all_min),
        least(VERDICT_BLOCKS, "blocks of text", "clean.blocks_min",
              d->kept_blocks_n, (double)l->blocks_min),
        least(VERDICT_BLOCKS, "all blocks", "clean.blocks_all_min", d->blocks_n,
              (double)l->blocks_all_min),
        least(VERDICT_BOILERPLATE, "text in all characters",
              "clean.chars_share_min", share(d->kept_chars, d->all_chars),
              l->chars_share_min),
        least(VERDICT_BOILERPLATE, "text in all blocks",
              "clean.blocks_share_min", share(d->kept_blocks_n, d->blocks_n),
              l->blocks_share_min),
        most(VERDICT_LANGUAGE, "lead of another language",
             "clean.language_margin", language_lead(d), l->language_margin),
        most(VERDICT_BADNESS, "badness", "clean.badness_max", d->badness,
             l->badness_max),
        of_kinds(l, d),
    };
    size_t first = FILTER_CHECKS_N;

    for (size_t i = FILTER_CHECKS_N; i-- > 0;) {
        out[i] = checks[i];
        if (!checks[i].met)
            first = i;
    }
    return first;
}

static enum status
open_limits(void **self, const struct opts *o)
{
    struct filter_limits *l = memory_zero(1, sizeof *l);

    if (l == NULL)
        return ST_NOMEM;
    filter_limits_of(l, o);
    *self = l;
    return ST_OK;
}

static void
add_number(struct buf *out, const char *before, double value)
{
    buf_c(out, before);
    buf_real(out, value, 4);
}

/* "badness 24.1, at most 12 (clean.badness_max): word order 24.1, words 3.2,
 * another language 0". */
static struct str
detail(const struct filter_check *c, const struct document *d)
{
    struct buf out = {.arena = d->arena};

    buf_c(&out, c->what);
    add_number(&out, " ", c->value);
    add_number(&out, c->least ? ", at least " : ", at most ", c->limit);
    if (c->option[0] != '\0')
        buf_printf(&out, " (%s)", c->option);
    if (c->verdict == VERDICT_LANGUAGE) {
        add_number(&out, ": badness ", d->badness);
        buf_printf(&out, " in %.*s", STRF(d->language));
        add_number(&out, ", ", d->badness_best);
        buf_printf(&out, " in %.*s", STRF(d->language_best));
    }
    if (c->verdict == VERDICT_BADNESS) {
        add_number(&out, ": word order ", d->badness_parts.order);
        add_number(&out, ", words ", d->badness_parts.words);
        add_number(&out, ", another language ", d->badness_parts.foreign);
    }
    return buf_view(&out);
}

static enum status
run(const void *self, struct document *d)
{
    struct filter_check check[FILTER_CHECKS_N];
    size_t first = filter_checks(self, d, check);

    if (first < FILTER_CHECKS_N && d->reject == VERDICT_NONE) {
        document_reject(d, check[first].verdict);
        d->reject_detail = detail(&check[first], d);
    }
    return ST_OK;
}

const struct stage stage_filter = {
    .name = "filter",
    .needs = DOC_BLOCKS | DOC_BOILERPLATE | DOC_BADNESS,
    .open = open_limits,
    .run = run,
    .close = memory_free,
};
