/* spells.h -- how long each of many things took, and how that changed while
 * they were done: a mean hides the spell in which nothing moved. */
#ifndef BENCH_SPELLS_H
#define BENCH_SPELLS_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "seconds.h"

struct times {
    double wall, own, thread; /* seconds; of the process, of this thread */
};

static inline struct times
times_now(void)
{
    return (struct times){seconds(CLOCK_MONOTONIC),
                          seconds(CLOCK_PROCESS_CPUTIME_ID),
                          seconds(CLOCK_THREAD_CPUTIME_ID)};
}

static inline void
times_since(struct times *sum, struct times start)
{
    struct times end = times_now();

    sum->wall += end.wall - start.wall;
    sum->own += end.own - start.own;
    sum->thread += end.thread - start.thread;
}

/* Pages this thread had to wait for: from the kernel's cache, from the disk. */
struct faults {
    long minor, major;
};

static inline struct faults
faults_now(void)
{
    struct rusage u;

    getrusage(RUSAGE_THREAD, &u);
    return (struct faults){u.ru_minflt, u.ru_majflt};
}

struct spell {
    double us, things; /* what it took; what was done in it */
};

struct spells { /* in the order in which they were */
    struct spell *spell;
    size_t n, cap;
};

static inline void
spells_add(struct spells *s, double start, double things)
{
    if (s->n == s->cap) {
        s->cap = s->cap ? 2 * s->cap : 1024;
        s->spell = realloc(s->spell, s->cap * sizeof *s->spell);
        if (s->spell == NULL)
            abort();
    }
    s->spell[s->n++] =
        (struct spell){(seconds(CLOCK_MONOTONIC) - start) * 1e6, things};
}

static inline int
spells_by_size(const void *x, const void *y)
{
    const struct spell *a = x, *b = y;

    return (a->us > b->us) - (a->us < b->us);
}

static inline void
spells_sort(struct spell *s, size_t n)
{
    qsort(s, n, sizeof *s, spells_by_size);
}

/* A line a tenth of them: things a second, then the longest one or, for what
 * is to be even, the median, too. */
static inline void
spells_tenths(struct spells *s)
{
    double rate[10], median[10], longest[10];

    if (s->n < 10)
        return;
    for (size_t t = 0; t < 10; t++) {
        struct spell *from = s->spell + s->n * t / 10;
        size_t n = s->n * (t + 1) / 10 - s->n * t / 10;
        double us = 0, things = 0;

        for (size_t i = 0; i < n; i++) {
            us += from[i].us;
            things += from[i].things;
        }
        spells_sort(from, n);
        rate[t] = things / us * 1e6;
        median[t] = from[n / 2].us / 1e3;
        longest[t] = from[n - 1].us / 1e3;
    }
    printf("    by tenths: a second");
    for (size_t t = 0; t < 10; t++)
        printf(" %.0f", rate[t]);
    printf("\n               median ms");
    for (size_t t = 0; t < 10; t++)
        printf(" %.2f", median[t]);
    printf("\n               longest ms");
    for (size_t t = 0; t < 10; t++)
        printf(" %.1f", longest[t]);
    printf("\n");
}

/* Empties them. */
static inline void
spells_tell(const char *what, struct spells *s)
{
    if (s->n > 0) {
        spells_tenths(s);
        spells_sort(s->spell, s->n);
        printf("%s: median %.2f ms, p99 %.2f ms, p99.9 %.2f ms, longest %.1f "
               "ms\n",
               what, s->spell[s->n / 2].us / 1e3,
               s->spell[s->n * 99 / 100].us / 1e3,
               s->spell[s->n * 999 / 1000].us / 1e3,
               s->spell[s->n - 1].us / 1e3);
    }
    free(s->spell);
    *s = (struct spells){0};
}

#endif
