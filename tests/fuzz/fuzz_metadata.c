/* fuzz_metadata.c -- what reads facts of outside: JSON-LD, dates in texts and
 * paths, names of authors.  Every index, length and number is in range, and
 * texts stay valid UTF-8. */
#include <stdlib.h>

#include "clean/charset/utf8.h"
#include "clean/metadata/author_text.h"
#include "clean/metadata/date_text.h"
#include "clean/metadata/json_tree.h"
#include "fuzz.h"

static void
check(bool ok)
{
    if (!ok)
        abort();
}

static void
read_json(struct arena *a, struct str text)
{
    struct json_tree t = {.arena = a};

    json_tree_read(&t, str_sub(text, 0, text.n / 2));
    json_tree_read(&t, text);
    check(t.n <= JSON_TREE_NODES_MAX);
    for (uint32_t i = 0; i < t.n; i++) {
        const struct json_node *node = &t.nodes[i];

        check(node->parent == JSON_TREE_NONE || node->parent < i);
        check(node->child == JSON_TREE_NONE ||
              (node->child > i && node->child < t.n));
        check(node->next == JSON_TREE_NONE ||
              (node->next > i && node->next < t.n));
        check(json_tree_text(&t, i).n <= 3 * node->raw.n);
        (void)json_tree_member(&t, i, S("@type"));
    }
}

static void
check_day(struct arena *a, const struct day_time *t)
{
    check(t->month >= 1 && t->month <= 12 && t->day >= 1 && t->day <= 31);
    check(t->hour <= 24 && t->minute <= 59 && t->second <= 60);
    check(date_text(a, t).n <= 25);
}

static void
read_dates(struct arena *a, struct str text)
{
    const struct date_reading how = {text.n % 2 == 1, UINT64_C(1789000000000)};
    struct date_found found;
    struct day_time day;
    size_t from = 0;

    check(date_context(text) <= (DATE_PUBLISHED | DATE_UPDATED | DATE_EVENT));
    while (date_find(&found, text, from, &how)) {
        check(found.from >= from && found.to > found.from &&
              found.to <= text.n);
        check(!found.either ||
              (found.at.day <= 12 && found.at.day != found.at.month));
        check_day(a, &found.at);
        from = found.to;
    }
    if (date_value(&day, text, &how))
        check_day(a, &day);
    if (date_of_path(&day, text))
        check_day(a, &day);
}

static void
read_authors(struct str text)
{
    struct str names[8];
    size_t behind;
    uint32_t n;

    for (int running = 0; running < 2; running++) {
        n = author_names(text, running != 0, names, 8);
        check(n <= 8);
        for (uint32_t i = 0; i < n; i++)
            check(names[i].n > 0 && names[i].p >= text.p &&
                  names[i].p + names[i].n <= text.p + text.n);
    }
    check(!author_byline(text, &behind) || behind < text.n);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static struct arena *a;
    struct str text = str_n((const char *)data, n);

    if (a == NULL) {
        a = arena_new();
        date_names_init();
    }
    read_json(a, text);
    if (utf8_valid(text) && n < 5000) {
        read_dates(a, text);
        read_authors(text);
    }
    arena_reset(a);
    return 0;
}
