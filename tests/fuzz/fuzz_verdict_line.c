/* fuzz_verdict_line.c -- any bytes as a line of the log of verdicts: what is
 * taken is within bounds, and written and read again it is the same. */
#include <stdlib.h>

#include "fuzz.h"
#include "shingle/corpus/verdict_line.h"

static bool
same_places(const struct verdict_line *a, const struct verdict_line *b)
{
    for (size_t i = 0; i < a->places_n; i++) {
        const struct verdict_place *p = &a->place[i], *q = &b->place[i];

        if (p->group != q->group || p->part != q->part || p->at != q->at ||
            p->bytes != q->bytes || !str_eq(p->suffix, q->suffix))
            return false;
    }
    return a->places_n == b->places_n;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct json_reader *r = json_reader_new(4), *again = json_reader_new(4);
    struct verdict_line a, b;
    struct buf out = {0};

    if (verdict_line_read(&a, r, str_n((const char *)data, n))) {
        if (a.places_n > DEDUP_RECORDS_MAX || a.number == 0)
            abort();
        for (size_t i = 0; i < a.places_n; i++)
            if (a.place[i].part == 0 || a.place[i].suffix.n == 0 ||
                a.place[i].suffix.n > CORPUS_SUFFIX_MAX ||
                a.place[i].group >= CORPUS_GROUPS_N)
                abort();
        verdict_line_write(&out, &a);
        if (!verdict_line_read(&b, again,
                               str_sub(buf_view(&out), 0, out.n - 1)))
            abort();
        if (a.number != b.number || a.verdict != b.verdict ||
            !same_places(&a, &b))
            abort();
    }
    buf_free(&out);
    json_reader_free(r);
    json_reader_free(again);
    return 0;
}
