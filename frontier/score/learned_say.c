/* learned_say.c -- what scorer learned makes of a URL and how reliable it has
 * been, for people. */
#include <math.h>

#include "learned.h"

#define SAID_MAX 12u     /* of a part's features, those that weigh most */
#define SAID_LEAST 0.005 /* logits */

/* The features of one part; they are used up. */
static void
say_part(const struct model *m, struct learner_case *c, const char *part,
         struct buf *out)
{
    buf_printf(out, "  %s: %+.2f\n", part, model_sum(m, c->f, c->n));
    for (size_t said = 0; said < SAID_MAX; said++) {
        double most = 0;
        size_t at = 0;

        for (size_t i = 0; i < c->n; i++) {
            double weight =
                (double)model_weight(m, c->f[i].at) * (double)c->f[i].x;

            if (fabs(weight) > fabs(most)) {
                most = weight;
                at = i;
            }
        }
        if (fabs(most) < SAID_LEAST)
            return;
        buf_printf(out, "    %+.2f ", most);
        learner_say(c, at, out);
        buf_char(out, '\n');
        c->f[at].x = 0;
    }
}

void
learned_explain(const void *state, const struct scorer_lesson *n,
                struct buf *out)
{
    const struct learner *l = state;
    const struct link_signals *s = &n->link;
    const struct model *m = l->model;
    struct learner_case c;

    buf_printf(out,
               "  learned from %llu pages, in logits (0 is 0.5, each +1 2.7 "
               "times the odds):\n",
               (unsigned long long)model_cases(m));
    buf_printf(
        out, "  chance that %s leads to a page: %.2f\n",
        s->seed ? "a seed" : "a link of its URL class",
        learner_works(l, &n->yields, s->seed, learner_link_sums(l, s).there));
    c.n = 0;
    learner_link(l, &c, s);
    say_part(m, &c, "link", out);
    c.n = 0;
    learner_host(l, &c, &n->host);
    say_part(m, &c, "host", out);
    c.n = 0;
    learner_url_class(l, &c, &n->yields);
    say_part(m, &c, "URL class", out);
}

void
learned_reliability(const void *state, struct buf *out)
{
    const struct learner *l = state;
    const struct model_class *class;

    if (model_cases(l->model) == 0)
        return;
    class = model_classes(l->model);
    buf_c(out, "reliability of learned:\n"
               "  foretold       pages  mean chance  kept\n");
    for (size_t i = 0; i < MODEL_CLASSES; i++)
        if (class[i].n > 0)
            buf_printf(out, "  %.1f..%.1f %11llu        %.3f  %.3f\n",
                       (double)i / MODEL_CLASSES,
                       (double)(i + 1) / MODEL_CLASSES,
                       (unsigned long long)class[i].n,
                       class[i].chances / (double)class[i].n,
                       (double)class[i].kept / (double)class[i].n);
}
