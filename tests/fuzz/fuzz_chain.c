/* Any bytes through the whole chain and every writer.
 *
 * Besides memory errors, what all parts rely on: counts agree with the blocks,
 * texts are valid UTF-8 in one line, badness and boilerplate in their range. */
#include <string.h>

#include "base/buf.h"
#include "clean/chain/codepoint.h"
#include "clean/charset/utf8.h"
#include "clean/cleaner/cleaner.h"
#include "clean/write/writer.h"
#include "fuzz.h"

static void
check_blocks(const struct document *d)
{
    uint32_t kept = 0, kept_chars = 0, all_chars = 0;

    for (uint32_t i = 0; i < d->blocks_n; i++) {
        const struct block *b = &d->blocks[i];

        MUST(utf8_valid(b->text));
        MUST(b->text.n == 0 || memchr(b->text.p, '\n', b->text.n) == NULL);
        MUST(b->chars == codepoint_count(b->text));
        MUST(b->boilerplate >= 0 && b->boilerplate <= 1);
        MUST(b->duplicate_of < (int32_t)i);
        kept += b->kept;
        kept_chars += b->kept ? b->chars : 0;
        all_chars += b->chars;
    }
    MUST(kept == d->kept_blocks_n && kept_chars == d->kept_chars);
    MUST(all_chars == d->all_chars);
    for (uint32_t i = 0; i < d->links_n; i++)
        MUST(d->links[i].block_i <= d->blocks_n);
    MUST(d->badness >= 0 && d->badness <= 50.001);
    MUST(d->badness_best <= d->badness);
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
        MUST(cleaner_open(&cleaner, &opts) == ST_OK);
        arena = arena_new();
    }
    d.arena = arena;
    MUST(cleaner_run(cleaner, &d, true) == ST_OK);
    check_blocks(&d);
    for (const struct writer *const *w = writer_table; *w != NULL; w++) {
        buf_clear(&out);
        (*w)->render(&opts, &d, &out);
        /* TARC has the page in its own encoding. */
        MUST(strcmp((*w)->name, "tarc") == 0 || utf8_valid(buf_view(&out)));
    }
    buf_free(&out);
    arena_reset(arena);
    return 0;
}
