/* fuzz_strip.c -- bytes through charset, tokenizer, strip, metadata and
 * features: nothing faults, every index and number is in range. */
#include <math.h>
#include <stdlib.h>

#include "clean/boilerplate/context.h"
#include "clean/chain/stage.h"
#include "clean/charset/charset.h"
#include "clean/charset/sniff.h"
#include "fuzz.h"

extern const struct stage stage_strip;
extern const struct stage stage_metadata;

static void
check(bool ok)
{
    if (!ok)
        abort();
}

static void
check_features(struct document *d)
{
    struct features f;
    float row[FEATURES_N], *p;
    float(*second)[CONTEXT_N];

    features_page(&f, d);
    p = ARENA_ARRAY(d->arena, float, f.n);
    second = arena_alloc(d->arena, f.n * sizeof *second);
    for (uint32_t i = 0; i < f.n; i++) {
        features_row(&f, i, row);
        for (int k = 0; k < FEATURES_N; k++)
            check(isfinite(row[k]) != 0);
        p[i] = (float)(i % 3) / 2;
    }
    context_features(&f, p, second, d->arena);
    for (uint32_t i = 0; i < f.n; i++)
        for (int k = 0; k < CONTEXT_N; k++)
            check(isfinite(second[i][k]) != 0);
}

static void
check_document(const struct document *d)
{
    for (uint32_t i = 0; i < d->blocks_n; i++) {
        const struct block *b = &d->blocks[i];

        check(b->text.n > 0 && b->text.p[0] != ' ');
        check(b->text.p[b->text.n - 1] != ' ' && utf8_valid(b->text));
        check(b->chars > 0 && b->chars <= b->text.n);
        check(b->counts->link_bytes <= b->text.n);
        check(b->form.part <= d->parts_n);
    }
    for (uint32_t i = 1; i <= d->parts_n; i++) {
        check(d->parts[i].parent < i);
        check(d->parts[i].number <= 999999999);
    }
    for (uint32_t i = 0; i < d->links_n; i++) {
        check(d->links[i].block_i <= d->blocks_n);
        check(str_starts(d->links[i].url, S("http")));
        check(d->links[i].anchor.n <= 200 && utf8_valid(d->links[i].anchor));
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static struct arena *a;
    static void *strip, *metadata;
    struct charset_result r;
    struct document d;

    if (a == NULL) {
        a = arena_new();
        check(stage_strip.open(&strip, NULL) == ST_OK);
        check(stage_metadata.open(&metadata, NULL) == ST_OK);
    }
    d = (struct document){.arena = a};
    d.x_robots_tag = d.robots_agent = str_c("");
    check(url_parse(&d.url, a, S("http://www.example.org/a/b"), NULL) == ST_OK);
    d.bytes = str_n((const char *)data, n);
    if (charset_decode(&r, a, CHARSET_WHATWG, d.bytes, str_c("")) == ST_OK) {
        d.utf8 = r.utf8;
        d.xml = sniff_is_xml(S(""), d.utf8);
        check(stage_strip.run(strip, &d) == ST_OK);
        check(stage_metadata.run(metadata, &d) == ST_OK);
        check_document(&d);
        if (d.blocks_n > 0)
            check_features(&d);
    }
    arena_reset(a);
    return 0;
}
