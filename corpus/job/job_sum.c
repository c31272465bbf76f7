/* job_sum.c -- see job_sum.h. */
#include "job_sum.h"

#include <inttypes.h>

#include "base/buf.h"

struct sum {
    struct buf key;
    uint64_t n, least;
    bool open;
    unsigned keys, written;
};

static void
finish(struct job_run *r, struct sum *s)
{
    if (s->open)
        job_count(r, s->keys, 1);
    if (s->open && s->n >= s->least) {
        buf_printf(&s->key, "\t%" PRIu64, s->n);
        job_put(r, buf_view(&s->key));
        job_count(r, s->written, 1);
    }
    buf_clear(&s->key);
    s->n = 0;
    s->open = false;
}

void
job_sum(struct job_run *r, uint64_t least, unsigned rejected, unsigned keys,
        unsigned written)
{
    struct sum s = {.least = least, .keys = keys, .written = written};
    struct str line, key, value;

    while (job_line(r, &line)) {
        uint64_t n;

        if (!job_split(line, &key, &value) || !str_u64(value, &n) || n == 0) {
            job_count(r, rejected, 1);
            continue;
        }
        if (!s.open || !str_eq(key, buf_view(&s.key))) {
            finish(r, &s);
            buf_str(&s.key, key);
            s.open = true;
        }
        s.n += n;
    }
    finish(r, &s);
    buf_free(&s.key);
}
