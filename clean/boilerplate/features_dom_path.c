/* features_dom_path.c -- where a block stands in the page as a whole: how it
 * gets to the element with most of the running text (dom_path.h) or with the
 * title and the text behind it, what else is in its branch, and who speaks
 * there.
 *
 * An article is long sentences by nobody; comments are dates, pronouns and
 * names over and over; teasers are links.  Seen in a whole branch that holds
 * where a single block says little, and on pages of any kind. */
#include "feature_row.h"
#include "features_sum.h"

/* The innermost container that holds the heading with the page's title, else
 * its first <h1>, and the first running text behind it. */
static uint32_t
story(const struct feature_sums *x, const float *weight)
{
    const struct block *blocks = x->d->blocks;
    uint32_t title = x->n, h1 = x->n, at;

    for (uint32_t i = 0; i < x->n && title == x->n; i++) {
        const struct block_counts *c = blocks[i].counts;
        uint32_t words = x->d->page_counts->title_words_n;
        bool heading = c->tag >= TAG_H1 && c->tag <= TAG_H6;

        if (heading && 2 * c->title_words > words &&
            2 * c->title_words > c->words)
            title = i;
        if (c->tag == TAG_H1 && h1 == x->n)
            h1 = i;
    }
    title = title < x->n ? title : h1;
    for (at = title + 1; at < x->n && !(weight[at] > 0);)
        at++;
    if (at >= x->n)
        return DOM_PATH_BODY;
    return dom_path_common(&x->tree, blocks[title].counts->parent[0],
                           blocks[at].counts->parent[0]);
}

static void
find_dom_paths(struct feature_sums *x)
{
    static const float share[] = {0.5f, 0.8f};
    const struct page_counts *page = x->d->page_counts;
    struct arena *a = x->d->arena;
    float *weight = arena_raw(a, 2 * x->n * sizeof *weight),
          *words = weight + x->n;
    uint32_t *container = arena_raw(a, x->n * sizeof *container);
    struct dom_path_blocks b = {weight, words, container, x->n};

    x->parent = ARENA_ARRAY(a, uint32_t, page->containers_n);
    for (uint32_t i = 1; i < page->containers_n; i++)
        x->parent[i] = page->containers[i].parent;
    for (uint32_t i = 0; i < x->n; i++) {
        const struct block_counts *c = x->d->blocks[i].counts;

        words[i] = (float)c->words;
        container[i] = c->parent[0];
        weight[i] = c->words >= FEATURE_LONG_WORDS
                        ? words[i] * (1 - x->link_share[i])
                        : 0;
    }
    dom_path_tree(&x->tree, &b, x->parent, page->containers_n, a);
    for (int k = 0; k < 2; k++)
        dom_path_find(&x->dom_path[k], &x->tree,
                      dom_path_heavy(&x->tree, share[k]), a);
    dom_path_find(&x->dom_path[2], &x->tree, story(x, weight), a);
}

static void
sum_voices(struct feature_sums *x)
{
    uint32_t n = x->d->page_counts->containers_n;

    x->voice = ARENA_ARRAY(x->d->arena, struct feature_voice, n);
    for (uint32_t i = 0; i < x->n; i++) {
        const struct block_counts *c = x->d->blocks[i].counts;
        struct feature_voice *v = &x->voice[c->parent[0]];

        v->links += x->link_share[i] * (float)c->words;
        v->stops += c->stop[x->language];
        v->pronouns += c->lexicon[LEXICON_PRONOUN];
        v->commas += (float)c->commas;
        v->dates += (c->flags & (BLOCK_DATE | BLOCK_TIME)) != 0;
        v->bylines += c->lexicon[LEXICON_BYLINE] > 0;
        v->comments += c->lexicon[LEXICON_COMMENT] > 0;
        v->sentences += (c->flags & BLOCK_ENDS_SENTENCE) != 0;
        v->titles += 2 * c->title_words > x->d->page_counts->title_words_n &&
                     c->words < 3 * c->title_words;
    }
    for (uint32_t id = n; id-- > DOM_PATH_BODY + 1;) {
        const struct feature_voice *from = &x->voice[id];
        struct feature_voice *v = &x->voice[x->parent[id]];

        v->links += from->links;
        v->stops += from->stops;
        v->pronouns += from->pronouns;
        v->commas += from->commas;
        v->dates += from->dates;
        v->bylines += from->bylines;
        v->comments += from->comments;
        v->sentences += from->sentences;
        v->titles += from->titles;
    }
}

/* What the tip mostly consists of, and the heaviest branch. */
static void
sum_kinds(struct feature_sums *x)
{
    const struct dom_path *t = &x->dom_path[0];
    float *words = ARENA_ARRAY(x->d->arena, float, x->records_n);

    for (uint32_t id = DOM_PATH_BODY + 1; id < x->tree.n; id++) {
        uint32_t kind = x->records_of[id];

        if (t->way[id].branch == id && x->tree.sum[id].weight > x->heaviest)
            x->heaviest = x->tree.sum[id].weight;
        if (x->parent[id] != t->tip)
            continue;
        words[kind] += x->tree.sum[id].words;
        if (words[kind] > x->tip_words) {
            x->tip_words = words[kind];
            x->tip_members = x->records[kind].members;
        }
    }
}

void
feature_dom_paths(struct feature_sums *x)
{
    find_dom_paths(x);
    sum_voices(x);
    sum_kinds(x);
}

/* ---- rows ---- */

/* Where it leaves the way to most of the text, and what leaves there. */
static void
around_dom_path(const struct feature_sums *x, const struct dom_path *t,
                uint32_t i, struct row *r)
{
    const struct dom_path_way *w = &t->way[x->place[i].group[0]];
    const struct dom_path_sum *tip = &x->tree.sum[t->tip],
                              *branch = &x->tree.sum[w->branch];
    uint32_t records = x->records_of[w->branch];

    put(r, log_of(w->up));
    put(r, log_of(w->below));
    put(r, w->up == 0);
    put(r, i < tip->first ? -1 : i > tip->last);
    put(r, i < tip->first  ? log_of(tip->first - i)
           : i > tip->last ? log_of(i - tip->last)
                           : 0);
    put(r, w->branch == 0);
    put(r, ratio((double)branch->words, x->words));
    put(r, ratio((double)branch->weight, (double)branch->words));
    put(r, ratio((double)branch->words, (double)tip->words + 1));
    put(r, log_of(branch->blocks));
    put(r, w->branch != 0 ? ratio(i - branch->first, branch->blocks) : 0);
    put(r, log_of(x->records[records].members));
    put(r, ratio((double)tip->weight, x->words));
}

static void
put_voice(const struct feature_voice *v, const struct dom_path_sum *s,
          struct row *r)
{
    double words = (double)s->words, blocks = s->blocks;

    put(r, ratio((double)v->stops, words));
    put(r, lesser(10 * ratio((double)v->pronouns, words), 3));
    put(r, lesser(10 * ratio((double)v->commas, words), 3));
    put(r, ratio(v->dates, blocks));
    put(r, ratio(v->sentences, blocks));
}

/* Who speaks in the branch. */
static void
around_voice(const struct feature_sums *x, uint32_t i, struct row *r)
{
    const struct dom_path *t = &x->dom_path[0];
    uint32_t id = t->way[x->place[i].group[0]].branch;
    const struct feature_voice *v = &x->voice[id];
    const struct dom_path_sum *s = &x->tree.sum[id];
    uint32_t outer = x->place[i].group[BLOCK_PARENTS - 1];

    put_voice(v, s, r);
    put(r, ratio((double)v->links, (double)s->words));
    put(r, ratio(v->bylines, s->blocks));
    put(r, ratio(v->comments, s->blocks));
    put(r, v->titles > 0);
    put(r, ratio((double)s->weight, (double)x->heaviest));
    v = &x->voice[outer];
    s = &x->tree.sum[outer];
    put(r, lesser(10 * ratio((double)v->pronouns, (double)s->words), 3));
    put(r, ratio(v->dates, s->blocks));
    put(r, ratio(v->sentences, s->blocks));
    put(r, v->titles > 0);
}

void
feature_dom_path_row(const struct feature_sums *x, uint32_t i, struct row *r)
{
    for (int k = 0; k < FEATURE_DOM_PATHS; k++)
        around_dom_path(x, &x->dom_path[k], i, r);
    around_voice(x, i, r);
}

void
feature_tip_row(const struct feature_sums *x, struct row *r)
{
    uint32_t tip = x->dom_path[0].tip;

    put(r, log_of(x->tip_members));
    put(r, ratio((double)x->tip_words, x->words));
    put_voice(&x->voice[tip], &x->tree.sum[tip], r);
}
