/* strip_page.h -- a page through strip and metadata, for tests. */
#ifndef STRIP_PAGE_H
#define STRIP_PAGE_H

#include "clean/blocks/block.h"
#include "clean/chain/stage.h"

extern const struct stage stage_strip;
extern const struct stage stage_metadata;

struct page {
    struct arena *arena;
    void *strip;
    struct document d;
};

static inline void
page_read_with(struct page *p, struct str html, const char *url, bool xml,
               const char *headers)
{
    p->arena = arena_new();
    p->d = (struct document){
        .arena = p->arena, .origin.headers = str_c(headers), .xml = xml};
    p->d.utf8 = p->d.bytes = html;
    p->d.url_text = str_c(url);
    p->d.x_robots_tag = str_c("");
    p->d.robots_agent = str_c("winnow");
    if (url != NULL && url_parse(&p->d.url, p->arena, p->d.url_text, NULL) != 0)
        abort();
    if (stage_strip.open(&p->strip, NULL) != ST_OK ||
        stage_strip.run(p->strip, &p->d) != ST_OK)
        abort();
}

static inline void
page_read_by(struct page *p, struct str html, const char *url, bool xml)
{
    page_read_with(p, html, url, xml, "");
}

static inline void
page_read(struct page *p, struct str html, const char *url)
{
    page_read_by(p, html, url, false);
}

static inline void
page_end(struct page *p)
{
    stage_strip.close(p->strip);
    arena_free(p->arena);
}

static inline const struct block_counts *
counts(const struct page *p, uint32_t i)
{
    return p->d.blocks[i].counts;
}

/* Block texts joined by '|', to compare with. */
static inline const char *
page_text(struct page *p)
{
    struct str all = STR("");

    for (uint32_t i = 0; i < p->d.blocks_n; i++)
        all = arena_printf(p->arena, "%.*s%s%.*s", STRF(all), i ? "|" : "",
                           STRF(p->d.blocks[i].text));
    return arena_cstr(p->arena, all);
}

/* These texts are the blocks of a page. */
#define page_gives(html, want) CHECK(page_text_is(html, want))

static inline bool
page_text_is(const char *html, const char *want)
{
    struct page p;
    bool same;

    page_read(&p, str_c(html), NULL);
    same = strcmp(page_text(&p), want) == 0;
    if (!same)
        fprintf(stderr, "%s\n  gives %s\n  wants %s\n", html, page_text(&p),
                want);
    page_end(&p);
    return same;
}

#endif
