/* One page in every format, compared whole with cases/formats/page.SUFFIX.
 *
 * The page keeps all its blocks and gets values by rule, so that the files do
 * not depend on the networks and profiles of the day.  WINNOW_GOLDEN=write
 * writes the files anew, for reading the difference. */
#include <string.h>

#include "base/file.h"
#include "clean/cleaner/cleaner.h"
#include "clean/write/writer.h"
#include "test.h"

#define FOLDER "tests/cases/formats/"

/* What the dedup service knows of the writers. */
static void
the_table_of_suffixes_is_that_of_the_writers(void)
{
    static const struct {
        const char *name, *suffix;
    } formats[] = {
#define FORMAT(name, suffix) {#name, suffix},
        OUTPUT_FORMATS(FORMAT, FORMAT)
#undef FORMAT
    };
    size_t n = sizeof formats / sizeof *formats;

    for (size_t i = 0; i < n && writer_table[i] != NULL; i++) {
        CHECK(strcmp(formats[i].name, writer_table[i]->name) == 0);
        CHECK(strcmp(formats[i].suffix, writer_table[i]->suffix) == 0);
    }
    CHECK(writer_table[n] == NULL);
}

static struct opts opts;
static struct document page;

static struct buf
contents(const char *path)
{
    struct buf b = {0};

    CHECK(file_read(&b, path, SIZE_MAX) == ST_OK);
    return b;
}

static void
same_as_file(const char *name, const struct buf *got)
{
    char path[256];
    struct buf expected;

    snprintf(path, sizeof path, FOLDER "%s", name);
    if (getenv("WINNOW_GOLDEN") != NULL)
        CHECK(file_write(path, buf_view(got)) == ST_OK);
    expected = contents(path);
    CHECK(str_eq(buf_view(&expected), buf_view(got)));
    if (!str_eq(buf_view(&expected), buf_view(got)))
        fprintf(stderr, "%s is now:\n%.*s", path, STRF(buf_view(got)));
    buf_free(&expected);
}

static void
set(const char *assignment)
{
    CHECK(opts_set(&opts, "test", str_c(assignment)) == ST_OK);
}

static void
rendered_is(const char *format, const char *file)
{
    const struct writer *w = writer_find(str_c(format));
    struct buf out = {0};

    CHECK(w != NULL);
    w->render(&opts, &page, &out);
    same_as_file(file, &out);
    buf_free(&out);
}

/* Values that depend on nothing but the place. */
static void
fix_values(struct document *d)
{
    for (uint32_t i = 0; i < d->blocks_n; i++)
        d->blocks[i].boilerplate = (float)(i % 8) / 8;
    d->badness = 5.25;
    d->badness_best = 4.5;
    d->boilerplate_mean = 0.125;
    d->language = d->language_best = S("nl");
    d->reject = VERDICT_NONE;
    d->reject_detail = S("");
}

static void
make_page(struct arena *a, const struct buf *bytes)
{
    struct cleaner *cleaner = NULL;

    set("clean.boilerplate_max=1");
    set("clean.language=nl");
    page = (struct document){
        .arena = a,
        .id = document_id_make(S("https://www.bakker.example.be/brood"),
                               1732147200000),
        .origin = {.ip = S("192.0.2.7"),
                   .last_modified = S("Fri, 31 May 2024 10:00:00 GMT"),
                   .file = S("nl-0001.warc.gz"),
                   .offset = 4711,
                   .length = 2048,
                   .fetched_ms = 1732147200000},
        .url_text = S("https://www.bakker.example.be/brood"),
        .bytes = buf_view(bytes),
        .content_type = S("text/html; charset=utf-8"),
        .x_robots_tag = S(""),
        .robots_agent = S("winnow")};
    CHECK(cleaner_open(&cleaner, &opts) == ST_OK);
    CHECK(cleaner_run(cleaner, &page, true) == ST_OK);
    cleaner_close(cleaner);
    CHECK(page.blocks_n == 8 && page.links_n == 4);
    fix_values(&page);
}

static void
every_format_has_a_name_of_output_format_in_that_order(void)
{
    const struct opt *row = opt_find(S("output"), S("format"));
    struct buf names = {0};

    for (const struct writer *const *w = writer_table; *w != NULL; w++) {
        if (names.n > 0)
            buf_char(&names, '|');
        buf_c(&names, (*w)->name);
        CHECK(strlen((*w)->suffix) <= 8); /* what the dedup service takes */
        CHECK(strspn((*w)->suffix, "abcdefghijklmnopqrstuvwxyz0123456789") ==
              strlen((*w)->suffix));
        for (const struct writer *const *v = writer_table; v != w; v++)
            CHECK(strcmp((*v)->suffix, (*w)->suffix) != 0);
    }
    CHECK(str_eq(buf_view(&names), str_c(row->unit)));
    buf_free(&names);
}

static void
every_format_is_as_in_its_file(void)
{
    static const char *const formats[] = {
        "text",   "xml",      "jsonl",  "vertical", "cwb",  "wet",      "links",
        "tokens", "shingles", "tender", "page",     "tarc", "markdown", "tei"};

    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        char file[64];

        snprintf(file, sizeof file, "page.%s",
                 writer_find(str_c(formats[i]))->suffix);
        rendered_is(formats[i], file);
    }
}

static void
jsonl_has_the_fields_of_others(void)
{
    set("output.fields=fineweb");
    rendered_is("jsonl", "page.fineweb.jsonl");
    set("output.fields=dolma");
    rendered_is("jsonl", "page.dolma.jsonl");
    set("output.fields=oscar");
    rendered_is("jsonl", "page.oscar.jsonl");
    set("output.fields=winnow");
}

static void
xml_obeys_every_switch(void)
{
    set("output.xml_doc_attributes=host tld language date last-modified author "
        "robots");
    set("output.xml_doc_meta=arcfile arcoffset arclength domain robots");
    set("output.xml_doc_container=title keywords description");
    set("output.xml_block_attributes=container chars tokens kept");
    set("output.xml_duplicate_text=dupblank");
    rendered_is("xml", "page.texrex.xml");
    set("output.xml_text=off");
    set("output.xml_duplicates=off");
    rendered_is("xml", "page.bare.xml");
    opts_free(&opts);
    opts_init(&opts);
}

static size_t
occurrences(const char *text, const char *of)
{
    size_t n = 0;

    for (; (text = strstr(text, of)) != NULL; text++)
        n++;
    return n;
}

static size_t
rendered_with(const char *of)
{
    struct buf out = {0};
    size_t n;

    writer_find(S("xml"))->render(&opts, &page, &out);
    buf_char(&out, '\0');
    n = occurrences(out.p, of);
    buf_free(&out);
    return n;
}

/* XML allows an attribute once, whatever a header is called. */
static void
attributes_are_written_once(void)
{
    set("output.xml_doc_attributes=header-reject unknown-bdv unknown-url "
        "header-sourcecharset header-x unknown-x header-idx");
    set("output.xml_block_attributes=unknown-idx unknown-bpv chars "
        "unknown-chars unknown-y");
    set("output.xml_doc_meta=url");
    page.reject = VERDICT_SHORT;
    CHECK(rendered_with(" reject=") == 1 && rendered_with(" url=") == 1);
    CHECK(rendered_with(" bdv=") == 1 && rendered_with(" x=") == 1);
    CHECK(rendered_with(" sourcecharset=") == 1);
    CHECK(rendered_with("<div idx=") == rendered_with("<div "));
    CHECK(rendered_with(" idx=") ==
          1 + rendered_with("<div ") + rendered_with("<dup "));
    CHECK(rendered_with(" bpv=") == rendered_with("<div "));
    CHECK(rendered_with(" chars=") == rendered_with("<div "));
    CHECK(rendered_with(" y=") == rendered_with("<div "));
    page.reject = VERDICT_NONE;
    CHECK(opts_set(&opts, "test", S("output.xml_doc_attributes=header-1x")) !=
          ST_OK);
    CHECK(opts_set(&opts, "test", S("output.xml_doc_attributes=header-a:b")) !=
          ST_OK);
    set("output.vertical_attributes=header-x-y header-x_y id");
    {
        struct buf out = {0};

        writer_find(S("vertical"))->render(&opts, &page, &out);
        buf_char(&out, '\0');
        CHECK(occurrences(out.p, " header_x_y=") == 1);
        CHECK(occurrences(out.p, " id=") == 1);
        buf_free(&out);
    }
    opts_free(&opts);
    opts_init(&opts);
}

/* Cells share a line, and code has several. */
static void
oscar_has_an_identification_for_each_line(void)
{
    struct block before[3], *b = page.blocks;
    struct buf out = {0}, text = {0};

    memcpy(before, b, sizeof before);
    for (size_t i = 0; i < 3; i++)
        b[i].kept = true;
    b[0].form = (struct block_form){.form = FORM_CODE};
    b[0].text = S("a\nb\nc");
    b[1].form = b[2].form = (struct block_form){.form = FORM_CELL, .row = 1};
    b[2].form.column = 1;
    set("output.fields=oscar");
    writer_find(S("jsonl"))->render(&opts, &page, &out);
    buf_char(&out, '\0');
    document_text(&page, &text);
    buf_char(&text, '\0');
    CHECK(occurrences(strstr(out.p, "sentence_identifications"), "null") ==
          occurrences(text.p, "\n"));
    buf_free(&out);
    buf_free(&text);
    memcpy(b, before, sizeof before);
    opts_free(&opts);
    opts_init(&opts);
}

static void
text_without_entities_stands_as_it_is(void)
{
    size_t attributes, bare;

    set("output.xml_text=off");
    set("output.xml_duplicates=off");
    attributes = rendered_with("&amp;") + rendered_with("&lt;");
    set("output.xml_text=on");
    CHECK(rendered_with("&amp;") + rendered_with("&lt;") > attributes);
    bare = rendered_with(" & ") + rendered_with(" < ");
    set("output.xml_entities=off");
    CHECK(rendered_with("&amp;") + rendered_with("&lt;") == attributes);
    CHECK(rendered_with(" & ") + rendered_with(" < ") > bare);
    opts_free(&opts);
    opts_init(&opts);
}

static void
an_attribute_that_is_always_there_is_not_written_twice(void)
{
    struct buf out = {0};

    set("output.xml_doc_attributes=url id ip language");
    writer_find(S("xml"))->render(&opts, &page, &out);
    buf_char(&out, '\0');
    *strchr(out.p, '\n') = '\0';
    CHECK(occurrences(out.p, " url=") == 1 && occurrences(out.p, " id=") == 1);
    CHECK(occurrences(out.p, " ip=") == 1);
    CHECK(occurrences(out.p, " language=\"nl\"") == 1);
    buf_free(&out);
    opts_free(&opts);
    opts_init(&opts);
}

static void
a_registry_names_every_attribute_and_quotes_its_paths(void)
{
    const struct registry_place at = {.text = S("| zcat '/c/x y\"z'"),
                                      .folder = S("/c/x")},
                                plain = {.text = S("/c/it's.vrt"),
                                         .folder = S("/c/i's")};
    static const char encode[] =
        "\n## cwb-encode -d '/c/i'\\''s' -f '/c/it'\\''s.vrt' -xsB";
    struct buf out = {0};

    set("output.corpus=2nd Corpus");
    set("output.vertical_attributes=url last-modified ip");
    writer_find(S("vertical"))->registry(&opts, &at, &out);
    same_as_file("page.vert.registry", &out);
    buf_clear(&out);
    writer_find(S("cwb"))->registry(&opts, &at, &out);
    same_as_file("page.vrt.registry", &out);
    buf_clear(&out);
    writer_find(S("cwb"))->registry(&opts, &plain, &out);
    CHECK(memmem(out.p, out.n, encode, sizeof encode - 1) != NULL);
    buf_clear(&out);
    writer_find(S("vertical"))->render(&opts, &page, &out);
    CHECK(str_starts(buf_view(&out),
                     S("<doc url=\"https://www.bakker.example.be/brood\" "
                       "last_modified=\"Fri, 31 May 2024 10:00:00 GMT\" "
                       "ip=\"192.0.2.7\">\n")));
    buf_free(&out);
    opts_free(&opts);
    opts_init(&opts);
}

static void
a_moved_registry_is_that_of_the_other_place(void)
{
    const struct registry_place places[] = {
        {.text = S("| zcat '/c/x y\"z'"), .folder = S("/c -xsB/x")},
        {.text = S("/c/it's -xsB.vrt"), .folder = S("/c/i's")}};
    const char *const formats[] = {"vertical", "cwb"};
    struct buf made[2] = {{0}}, moved = {0};

    for (size_t k = 0; k < 4; k++) {
        size_t from = k % 2, to = 1 - from;

        for (size_t i = 0; i < 2; i++) {
            buf_clear(&made[i]);
            writer_find(str_c(formats[k / 2]))
                ->registry(&opts, &places[i], &made[i]);
            buf_c(&made[i], "PATHS and ## lines of one's own\n## HOME\n");
        }
        buf_clear(&moved);
        registry_moved(&moved, buf_view(&made[from]), &places[to]);
        CHECK(str_eq(buf_view(&moved), buf_view(&made[to])));
    }
    buf_free(&made[0]);
    buf_free(&made[1]);
    buf_free(&moved);
}

static size_t
count(const struct buf *b, char c)
{
    size_t n = 0;

    for (size_t i = 0; i < b->n; i++)
        n += b->p[i] == c;
    return n;
}

static void
metrics_have_a_line_of_equal_length_for_every_block(void)
{
    struct buf out = {0}, xml = {0};
    struct str rest, line;
    size_t lines = 0;

    writer_find(S("metrics"))->render(&opts, &page, &out);
    rest = buf_view(&out);
    CHECK(str_cut(&rest, '\n', &line) && str_starts(line, S("# ")));
    for (size_t blanks = 0; str_cut(&rest, '\n', &line); lines++) {
        struct buf one = {.p = (char *)(uintptr_t)line.p, .n = line.n};

        CHECK(count(&one, '\t') == 3);
        blanks = blanks ? blanks : count(&one, ' ');
        CHECK(blanks > 200 && count(&one, ' ') == blanks);
    }
    CHECK(lines == page.blocks_n);
    set("output.xml_metrics=on");
    writer_find(S("xml"))->render(&opts, &page, &xml);
    buf_char(&xml, '\0');
    CHECK(strstr(xml.p, ">\n<metrics value=\"") != NULL);
    buf_free(&out);
    buf_free(&xml);
    opts_free(&opts);
    opts_init(&opts);
}

static void
tokens_are_cut_at_the_most_frequent(void)
{
    struct buf few = {0}, all = {0};

    set("output.tokens_max=2");
    writer_find(S("tokens"))->render(&opts, &page, &few);
    CHECK(count(&few, '\n') == 3);
    set("output.tokens_max=0");
    writer_find(S("tokens"))->render(&opts, &page, &all);
    CHECK(count(&all, '\n') == (size_t)page.types_n + 1);
    CHECK(str_starts(buf_view(&all), buf_view(&few)));
    buf_free(&few);
    buf_free(&all);
    opts_free(&opts);
    opts_init(&opts);
}

/* Each row has its one cell in a column of its own. */
static void
what_is_no_table_is_none_to_its_end(void)
{
    enum { ROWS = 40 };
    struct block rows[ROWS] = {0};
    struct document d = {
        .arena = arena_new(), .blocks = rows, .blocks_n = ROWS};

    for (uint32_t i = 0; i < ROWS; i++)
        rows[i] = (struct block){.text = S("cell"),
                                 .kept = true,
                                 .form = {.form = FORM_CELL,
                                          .table = 1,
                                          .row = i + 1,
                                          .cell = i + 1,
                                          .column = (uint16_t)i}};
    d.kept_blocks_n = ROWS;
    for (int i = 0; i < 2; i++) {
        const struct writer *w = writer_find(i == 0 ? S("markdown") : S("tei"));
        struct buf out = {0};

        w->render(&opts, &d, &out);
        CHECK(str_find(buf_view(&out), '|', 0) == out.n);
        buf_char(&out, '\0');
        CHECK(strstr(out.p, "cell") != NULL &&
              strstr(out.p, "<table>") == NULL);
        buf_free(&out);
    }
    arena_free(d.arena);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(the_table_of_suffixes_is_that_of_the_writers),
        TEST(every_format_has_a_name_of_output_format_in_that_order),
        TEST(every_format_is_as_in_its_file),
        TEST(jsonl_has_the_fields_of_others),
        TEST(xml_obeys_every_switch),
        TEST(attributes_are_written_once),
        TEST(oscar_has_an_identification_for_each_line),
        TEST(text_without_entities_stands_as_it_is),
        TEST(an_attribute_that_is_always_there_is_not_written_twice),
        TEST(a_registry_names_every_attribute_and_quotes_its_paths),
        TEST(a_moved_registry_is_that_of_the_other_place),
        TEST(metrics_have_a_line_of_equal_length_for_every_block),
        TEST(tokens_are_cut_at_the_most_frequent),
        TEST(what_is_no_table_is_none_to_its_end),
        {0},
    };
    struct arena *a = arena_new();
    struct buf bytes;
    int code;

    opts_init(&opts);
    bytes = contents(FOLDER "page.html");
    make_page(a, &bytes);
    code = test_main(table, argc, argv);
    buf_free(&bytes);
    arena_free(a);
    opts_free(&opts);
    return code;
}
