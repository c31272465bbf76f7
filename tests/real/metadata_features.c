/* metadata_features.c -- candidates of titles, authors and dates of pages, with
 * their features, for tests/real/metadata.py.
 *
 *   metadata_features [no-json-ld] < LIST
 *
 * A line of LIST is a file, TAB, its URL.  For each candidate a line: number of
 * the page, field, value, names (of authors, parted by U+001F), features.
 * no-json-ld: as if the page had none. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "clean/chain/stage.h"
#include "clean/charset/charset.h"
#include "clean/metadata/metadata.h"
#include "clean/metadata/model.h"

extern const struct stage stage_strip;
extern const struct stage stage_metadata;

static void
print_text(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        putchar((unsigned char)s.p[i] < ' ' && s.p[i] != '\x1f' ? ' ' : s.p[i]);
}

static void
print_candidate(unsigned page, const struct guesses *c,
                const struct page_facts *facts, enum meta_field field,
                uint32_t i)
{
    const struct guess *k = &c->of[field][i];
    float row[META_FEATURES_N];

    printf("%u\t%s\t", page, meta_field_name(field));
    print_text(k->value);
    putchar('\t');
    for (uint32_t n = 0; n < k->names_n; n++) {
        print_text(k->names[n]);
        if (n + 1 < k->names_n)
            putchar('\x1f');
    }
    meta_features(row, c, facts, field, i);
    for (int f = 0; f < META_FEATURES_N; f++)
        printf("\t%g", (double)row[f]);
    putchar('\n');
}

static void
print_page(unsigned page, struct document *d)
{
    static const enum meta_field fields[] = {META_TITLE, META_AUTHOR,
                                             META_PUBLISHED};
    struct guesses c;
    struct page_facts facts;
    uint32_t heading_i;

    metadata_collect(&c, d, &heading_i);
    metadata_choose(&c, heading_i);
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
        page_facts(&facts, &c, fields[f] == META_TITLE ? 0 : heading_i);
        for (uint32_t i = 0; i < c.n[fields[f]]; i++)
            print_candidate(page, &c, &facts, fields[f], i);
    }
}

static void
page(unsigned i, const char *path, const char *url, void *strip, bool json_ld)
{
    struct arena *a = arena_new();
    struct charset_result r;
    struct document d = {.arena = a};
    struct buf bytes = {.arena = a};

    if (file_read(&bytes, path, 1u << 28) != ST_OK)
        exit(1);
    d.bytes = buf_view(&bytes);
    d.url_text = str_c(url);
    d.x_robots_tag = d.robots_agent = str_c("");
    (void)url_parse(&d.url, a, d.url_text, NULL);
    if (charset_decode(&r, a, CHARSET_WHATWG, d.bytes, str_c("")) == ST_OK) {
        d.utf8 = r.utf8;
        if (stage_strip.run(strip, &d) != ST_OK)
            exit(1);
        if (!json_ld)
            d.page_counts->json_ld_n = 0;
        print_page(i, &d);
    }
    arena_free(a);
}

int
main(int argc, char **argv)
{
    static char line[70000];
    bool json_ld = argc < 2 || strcmp(argv[1], "no-json-ld") != 0;
    void *strip, *metadata;

    if (stage_strip.open(&strip, NULL) != ST_OK ||
        stage_metadata.open(&metadata, NULL) != ST_OK)
        return 1;
    printf("page\tfield\tvalue\tnames");
#define META_SOURCE(id, name) printf("\tFROM_" #id);
#include "clean/chain/metadata.tbl.h"
#undef META_SOURCE
#define META_FEATURE(id) printf("\t" #id);
#include "clean/metadata/feature.tbl.h"
#undef META_FEATURE
    putchar('\n');
    for (unsigned i = 0; fgets(line, sizeof line, stdin) != NULL; i++) {
        char *url = strchr(line, '\t');

        line[strcspn(line, "\n")] = '\0';
        if (url == NULL)
            return 1;
        *url++ = '\0';
        page(i, line, url, strip, json_ld);
    }
    stage_strip.close(strip);
    return 0;
}
