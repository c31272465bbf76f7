/* Any bytes as the anchor and the URL of a link, an empty line between them:
 * the same answer each time, none without a model, and what stands behind the
 * path says nothing. */
#include "base/buf.h"
#include "clean/charset/utf8.h"
#include "clean/language/link_words.h"
#include "fuzz.h"

static struct link_words_model *
model(void)
{
    static struct link_words_model *m;
    struct opts o;

    if (m != NULL)
        return m;
    opts_init(&o);
    MUST(opts_read_text(&o, "fuzz", S("[clean]\nlanguage = fr\n")) == ST_OK);
    MUST(link_words_open(&m, &o) == ST_OK);
    opts_free(&o);
    return m;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct str all = str_n((const char *)data, n), anchor = S("");
    struct arena *a = arena_new();
    struct buf longer = {0};
    enum link_words words;

    if (n > 4096 || !str_cut(&all, '\n', &anchor))
        goto out;
    anchor = utf8_repair(a, anchor); /* it comes out of a cleaned page */
    words = link_words_of(model(), anchor, all);
    MUST(words <= LINK_WORDS_OTHER_SURE);
    MUST(words == link_words_of(model(), anchor, all));
    MUST(link_words_of(NULL, anchor, all) == LINK_WORDS_NONE);
    if (str_find(all, ':', 0) + 3 < all.n) {
        buf_str(&longer, all);
        buf_c(&longer, "?dans=les&des=une");
        MUST(words == link_words_of(model(), anchor, buf_view(&longer)));
    }
out:
    buf_free(&longer);
    arena_free(a);
    return 0;
}
