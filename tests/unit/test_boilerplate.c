/* test_boilerplate.c -- the boilerplate stage with the network in data/. */
#include "folder.h"

#include <fann.h>
#include <math.h>

#include "base/log.h"
#include "strip_page.h"

extern const struct stage stage_boilerplate;

static const char article[] =
    "<!doctype html><html lang=de><head><title>Der alte Leuchtturm - Unsere "
    "Zeitung</title></head><body><div id=header><ul class=menu>"
    "<li><a href=/>Startseite</a><li><a href=/politik>Politik</a>"
    "<li><a href=/sport>Sport</a><li><a href=/kultur>Kultur</a></ul></div>"
    "<div class=content><h1>Der alte Leuchtturm</h1>"
    "<p>Seit hundert Jahren steht der alte Leuchtturm auf der Insel, und noch "
    "immer zeigt er in jeder Nacht den Schiffen den Weg in den Hafen.</p>"
    "<p>Die Frau, die ihn heute h\xc3\xbctet, hat das Amt von ihrem Vater "
    "\xc3\xbc"
    "bernommen. Sie sagt, dass sie nie etwas anderes werden wollte, "
    "auch wenn die Winter lang sind.</p>"
    "<p>Im Sommer kommen viele Besucher, die von oben auf das Meer sehen "
    "wollen. F\xc3\xbcr sie hat die Gemeinde die Treppe erneuert, die schon "
    "sehr alt und an manchen Stellen gef\xc3\xa4hrlich war.</p></div>"
    "<div class=sidebar><h3>Meistgelesen</h3><ul><li><a href=/1>Neue Stra"
    "\xc3\x9f"
    "e</a><li><a href=/2>Wetter morgen</a></ul></div>"
    "<div id=footer><a href=/impressum>Impressum</a> | <a href=/agb>AGB</a>"
    "<p>Copyright 2012. Alle Rechte vorbehalten.</p></div>";

static void
options(struct opts *o, const char *data, const char *network)
{
    opts_init(o);
    o->clean_data = str_c(data);
    if (network != NULL)
        o->clean_network = str_c(network);
}

static void
text_is_told_from_boilerplate(void)
{
    struct page p;
    struct opts o;
    void *self = NULL;

    options(&o, "data", NULL);
    CHECK(stage_boilerplate.open(&self, &o) == ST_OK);
    page_read(&p, S(article), "http://example.org/");
    CHECK(stage_boilerplate.run(self, &p.d) == ST_OK);
    CHECK(p.d.blocks_n == 13);
    for (uint32_t i = 0; i < p.d.blocks_n; i++) {
        const struct block *b = &p.d.blocks[i];

        CHECK(b->boilerplate >= 0 && b->boilerplate <= 1);
        CHECK(b->kept == (b->boilerplate <= 0.5f));
        if (str_eq(b->container, S("li")))
            CHECK(!b->kept);
        if (b->chars > 100)
            CHECK(b->kept);
    }
    CHECK(!p.d.blocks[p.d.blocks_n - 1].kept);
    CHECK(p.d.kept_blocks_n >= 3 && p.d.kept_blocks_n <= 4);
    CHECK(p.d.kept_chars > 400 && p.d.kept_chars < p.d.all_chars);
    CHECK(p.d.boilerplate_mean > 0 && p.d.boilerplate_mean < 0.6);
    page_end(&p);
    stage_boilerplate.close(self);
    opts_free(&o);
}

static void
the_limit_decides_what_is_kept(void)
{
    static const double limit[] = {0, 0.2, 0.5, 1};
    uint32_t before = 0;

    for (size_t k = 0; k < sizeof limit / sizeof *limit; k++) {
        struct page p;
        struct opts o;
        void *self = NULL;

        options(&o, "data", NULL);
        o.clean_boilerplate_max = limit[k];
        CHECK(stage_boilerplate.open(&self, &o) == ST_OK);
        page_read(&p, S(article), "http://example.org/");
        stage_boilerplate.run(self, &p.d);
        CHECK(p.d.kept_blocks_n >= before);
        before = p.d.kept_blocks_n;
        CHECK(limit[k] < 1 || before == p.d.blocks_n);
        page_end(&p);
        stage_boilerplate.close(self);
        opts_free(&o);
    }
}

static void
a_page_without_blocks_passes(void)
{
    struct page p;
    struct opts o;
    void *self = NULL;

    options(&o, "data", NULL);
    CHECK(stage_boilerplate.open(&self, &o) == ST_OK);
    page_read(&p, S("<img src=x>"), "http://example.org/");
    CHECK(stage_boilerplate.run(self, &p.d) == ST_OK);
    CHECK(p.d.kept_blocks_n == 0 && p.d.reject == VERDICT_EMPTY);
    CHECK(fabs(p.d.boilerplate_mean - 1) < 1e-9);
    page_end(&p);
    stage_boilerplate.close(self);
    opts_free(&o);
}

static void
a_missing_network_is_an_error_at_the_start(void)
{
    struct opts o;
    void *self = NULL;

    options(&o, "/nowhere", NULL);
    CHECK(stage_boilerplate.open(&self, &o) == ST_IO);
    opts_free(&o);
    options(&o, "data", "./README.md");
    CHECK(stage_boilerplate.open(&self, &o) == ST_INVALID);
    opts_free(&o);
    CHECK(self == NULL);
}

/* A network for texrex's features judges by those, and by no others. */
static void
features_and_network_must_fit(void)
{
    struct fann *ann = fann_create_standard(3, 37, 3, 1);
    const char *path = in_folder("texrex.net");
    struct opts o;
    void *self = NULL;

    for (unsigned i = 0; i < ann->total_connections; i++)
        ann->weights[i] = 0;
    ann->weights[ann->total_connections - 1] = 9; /* the output's bias */
    fann_set_activation_function_output(ann, FANN_LINEAR);
    CHECK(fann_save(ann, path) == 0);
    fann_destroy(ann);
    options(&o, "data", path);
    CHECK(stage_boilerplate.open(&self, &o) == ST_INVALID && self == NULL);
    opts_free(&o);
    options(&o, "data", NULL);
    o.clean_features = S("texrex");
    CHECK(stage_boilerplate.open(&self, &o) == ST_INVALID && self == NULL);
    o.clean_network = str_c(path);
    CHECK(stage_boilerplate.open(&self, &o) == ST_OK);
    if (self != NULL) {
        struct page p;

        page_read(&p, S(article), "http://example.org/");
        CHECK(stage_boilerplate.run(self, &p.d) == ST_OK);
        for (uint32_t i = 0; i < p.d.blocks_n; i++) /* 4.5, brought to 1 */
            CHECK(fabsf(p.d.blocks[i].boilerplate - 1) < 1e-6f);
        page_end(&p);
        stage_boilerplate.close(self);
    }
    opts_free(&o);
}

extern const struct stage stage_override;

/* Readers' comments are marked, and dropped when the operator says so; posts
 * of a forum are none, and a class of <body> says nothing. */
static void
comments_are_marked_and_may_be_dropped(void)
{
    static const bool comment[] = {false, true, false};

    for (int drop = 0; drop < 2; drop++) {
        struct opts o = {.clean_comments = drop ? (struct str)STR("drop")
                                                : (struct str)STR("keep")};
        struct page p;
        void *self;

        page_read(&p,
                  S("<body class=comments-open><p>The text.</p>"
                    "<div id=comments><p>I beg to differ.</p></div>"
                    "<div class='message reply'><p>A post.</p></div>"),
                  "https://www.daily.example/a/storm");
        CHECK(p.d.blocks_n == 3);
        for (uint32_t i = 0; i < p.d.blocks_n; i++) {
            p.d.blocks[i].kept = true;
            p.d.kept_blocks_n++;
            p.d.kept_chars += p.d.blocks[i].chars;
        }
        CHECK(stage_override.open(&self, &o) == ST_OK);
        CHECK(stage_override.run(self, &p.d) == ST_OK);
        for (uint32_t i = 0; i < p.d.blocks_n && i < 3; i++) {
            CHECK(p.d.blocks[i].comment == comment[i]);
            CHECK(p.d.blocks[i].kept == !(drop && comment[i]));
        }
        CHECK(p.d.kept_blocks_n == (drop ? 2u : 3u));
        stage_override.close(self);
        page_end(&p);
    }
}

/* A theme names the whole article after its comments. */
static void
text_does_not_begin_with_comments(void)
{
    struct opts o = {.clean_comments = STR("drop")};
    struct page p;
    void *self;

    page_read(&p,
              S("<h1>The mill</h1><div class='post with-comments comment-open'>"
                "<p>It stood still for years.</p><p>Now it turns.</p></div>"),
              "https://www.daily.example/a/mill");
    CHECK(p.d.blocks_n == 3);
    for (uint32_t i = 0; i < p.d.blocks_n; i++)
        p.d.blocks[i].kept = true;
    p.d.kept_blocks_n = p.d.blocks_n;
    CHECK(stage_override.open(&self, &o) == ST_OK);
    CHECK(stage_override.run(self, &p.d) == ST_OK);
    for (uint32_t i = 0; i < p.d.blocks_n; i++)
        CHECK(p.d.blocks[i].kept && !p.d.blocks[i].comment);
    stage_override.close(self);
    page_end(&p);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(text_is_told_from_boilerplate),
        TEST(the_limit_decides_what_is_kept),
        TEST(a_page_without_blocks_passes),
        TEST(a_missing_network_is_an_error_at_the_start),
        TEST(features_and_network_must_fit),
        TEST(comments_are_marked_and_may_be_dropped),
        TEST(text_does_not_begin_with_comments),
        {0}};

    return folder_main(table, argc, argv);
}
