/* strip_head.c -- collects what the head says; st_metadata.c makes sense of
 * it.  Entries anywhere in the page count, since heads end early on the Web. */
#include "strip.h"

void
strip_head(struct strip *s, struct str key, struct str value)
{
    struct page_counts *page = s->page;
    struct arena *a = s->d->arena;
    struct buf clean = {.arena = a};
    bool blank = false;
    struct head_entry *e;

    if (key.n == 0 || key.n > 64)
        return;
    if (page->heads_n == STRIP_HEADS_MAX) {
        page->heads_dropped++;
        return;
    }
    e = &page->heads[page->heads_n++];
    e->key = arena_str(a, key);
    for (size_t i = 0; i < key.n; i++)
        ((char *)(uintptr_t)e->key.p)[i] = ascii_lower(key.p[i]);
    strip_collapse(&clean, &blank, value, STRIP_HEAD_BYTES);
    e->value = buf_keep(&clean);
    if (s->summary_words.n == 0 && (str_eq(e->key, S("description")) ||
                                    str_eq(e->key, S("og:description"))))
        title_words_set_summary(&s->summary_words, e->value);
}

void
strip_head_meta(struct strip *s, const struct tag_token *t)
{
    struct str content = strip_attribute(t, S("content"));
    struct str equiv = strip_attribute(t, S("http-equiv"));
    struct str key = strip_attribute(t, S("name"));

    if (content.n == 0)
        return;
    if (str_eq_nocase(str_trim(equiv), S("refresh"))) {
        if (!strip_top(s)->dropped)
            strip_link_refresh(s, content);
        return;
    }
    if (key.n == 0)
        key = strip_attribute(t, S("property"));
    if (key.n == 0)
        key = strip_attribute(t, S("itemprop"));
    if (key.n == 0)
        key = equiv;
    strip_head(s, str_trim(key), content);
}

void
strip_head_link(struct strip *s, const struct tag_token *t)
{
    struct str rel = strip_attribute(t, S("rel")), word;

    while (str_word(&rel, &word)) {
        if (str_eq_nocase(word, S("canonical")))
            strip_head(s, S("<canonical>"), strip_attribute(t, S("href")));
        else if (str_eq_nocase(word, S("image_src")))
            strip_head(s, S("<image_src>"), strip_attribute(t, S("href")));
        else if (str_eq_nocase(word, S("license")))
            strip_head(s, S("<license>"), strip_attribute(t, S("href")));
        else if (str_eq_nocase(word, S("alternate")))
            strip_alternate(s, t);
    }
}
