/* Any bytes through the whole chain and every writer.
 *
 * Besides memory errors, what all parts rely on: counts agree with the blocks,
 * texts are valid UTF-8 in one line, badness and boilerplate in their range. */
#include <stdlib.h>
#include <string.h>

#include "clean/chain/codepoint.h"
#include "clean/charset/utf8.h"
#include "clean/cleaner/cleaner.h"
#include "clean/write/writer.h"
#include "winnow/buf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void
must(bool holds)
{
    if (!holds)
        abort();
}

static void
check_blocks(const struct document *d)
{
    uint32_t kept = 0, kept_chars = 0, all_chars = 0;

    for (uint32_t i = 0; i < d->blocks_n; i++) {
        const struct block *b = &d->blocks[i];

        must(utf8_valid(b->text));
        must(b->text.n == 0 || memchr(b->text.p, '\n', b->text.n) == NULL);
        must(b->chars == codepoint_count(b->text));
        must(b->boilerplate >= 0 && b->boilerplate <= 1);
        must(b->duplicate_of < (int32_t)i);
        kept += b->kept;
        kept_chars += b->kept ? b->chars : 0;
        all_chars += b->chars;
    }
    must(kept == d->kept_blocks_n && kept_chars == d->kept_chars);
    must(all_chars == d->all_chars);
    for (uint32_t i = 0; i < d->links_n; i++)
        must(d->links[i].block_i <= d->blocks_n);
    must(d->badness >= 0 && d->badness <= 50.001);
    must(d->badness_best <= d->badness);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static struct cleaner *cleaner;
    static struct arena *arena;
    static struct opts opts;
    struct buf out = {0};
    struct document d = {.url_text = S("http://a.example/b/c.html"),
                         .bytes = str_n((const char *)data, n),
                         .content_type = S("text/html"),
                         .x_robots_tag = S(""),
                         .robots_agent = S("winnow")};

    if (cleaner == NULL) {
        opts_init(&opts); /* kept for the writers */
        opts.output_xml_metrics = true;
        must(cleaner_open(&cleaner, &opts) == ST_OK);
        arena = arena_new();
    }
    d.arena = arena;
    must(cleaner_run(cleaner, &d, true) == ST_OK);
    check_blocks(&d);
    for (const struct writer *const *w = writer_table; *w != NULL; w++)
        (*w)->render(&opts, &d, &out);
    must(utf8_valid(buf_view(&out)));
    buf_free(&out);
    arena_reset(arena);
    return 0;
}
