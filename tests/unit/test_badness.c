/* Badness follows the published formula, and the shipped profiles tell running
 * text of their language from other languages and from lists.
 *
 * The formula is checked against values worked out by hand; the profiles on
 * short texts written for this test. */
#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "clean/cleaner/stages.h"
#include "clean/language/profiler.h"
#include "clean/language/profiles.h"
#include "test.h"

static bool
near(double x, double y)
{
    return fabs(x - y) < 1e-9;
}

static enum status
parse(struct profile *p, struct arena *a, const char *text, size_t *line)
{
    return profile_parse(p, a, str_c(text), S("xx"), line);
}

static void
profiles_of_texrex_are_read(void)
{
    struct arena *a = arena_new();
    struct profile p;
    size_t line;

    CHECK(parse(&p, a, "#n=1000\nDE|-1.25|0.2|5\n!STOP\n\nVAN|-2|0.1|5\r\n",
                &line) == ST_OK);
    CHECK(p.types_n == 2);
    CHECK(str_eq(p.types[1].text, S("VAN")));
    CHECK(near(p.types[0].mean, -1.25) && near(p.types[1].sd, 0.1));
    CHECK(near(p.worst, 50));
    CHECK(str_eq(p.language, S("xx")));
    CHECK(parse(&p, a, "# language=nl\nDE|-1|0.2|5\n", &line) == ST_OK);
    CHECK(str_eq(p.language, S("nl")));
    arena_free(a);
}

static void
faulty_profiles_are_refused_with_the_line(void)
{
    static const struct {
        const char *text;
        size_t line;
    } bad[] = {
        {"DE|-1|0.2|5\nVAN|-1|0.2\n", 2},
        {"DE|-1|0.2|5|6\n", 1},
        {"#\n\nDE|x|0.2|5\n", 3},
        {"DE|-1|0|5\n", 1},
        {"DE|-1|-1|5\n", 1},
        {"DE|1|0.2|5\n", 1},
        {"DE|nan|0.2|5\n", 1},
        {"DE|-1|inf|5\n", 1},
        {"DE|-1|0.2|5\nDE|-1|0.2|5\n", 2},
        {"|-1|0.2|5\n", 1},
        {"# only a comment\n", 0},
        {"", 0},
    };
    struct arena *a = arena_new();
    struct profile p;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        size_t line = 99;

        CHECK(parse(&p, a, bad[i].text, &line) == ST_INVALID);
        CHECK(line == bad[i].line);
    }
    arena_free(a);
}

static void
a_printed_profile_reads_back(void)
{
    struct arena *a = arena_new();
    struct buf text = {0};
    struct profile p, q;
    size_t line;

    CHECK(parse(&p, a, "DE|-1.234|0.205|5\nEN|-2|1.5|4.5\n", &line) == ST_OK);
    profile_print(&p, &text);
    CHECK(profile_parse(&q, a, buf_view(&text), S(""), &line) == ST_OK);
    CHECK(q.types_n == 2 && near(q.types[0].mean, -1.234) &&
          near(q.types[1].limit, 4.5) && str_eq(q.language, S("xx")));
    buf_free(&text);
    arena_free(a);
}

/* At the end of a line, where what is left is one, too, but for its count. */
static void
a_profile_that_was_cut_is_none(void)
{
    struct arena *a = arena_new();
    struct buf text = {0};
    struct profile p;
    size_t line;

    CHECK(parse(&p, a, "DE|-1.234|0.205|5\nEN|-2|1.5|4.5\n", &line) == ST_OK);
    profile_print(&p, &text);
    CHECK(str_find(buf_view(&text), '#', 0) == 0 &&
          strstr(arena_cstr(a, buf_view(&text)), "\n# lines=2\n") != NULL);
    text.n -= strlen("EN|-2.000|1.500|4.500\n");
    CHECK(str_ends(buf_view(&text), S("\n")));
    CHECK(profile_parse(&p, a, buf_view(&text), S(""), &line) == ST_INVALID &&
          line == 0);
    CHECK(parse(&p, a, "# lines=x\nDE|-1.234|0.205|5\n", &line) == ST_INVALID);
    buf_free(&text);
    arena_free(a);
}

static void
badness_is_the_published_sum(void)
{
    struct arena *a = arena_new();
    struct profile p;
    size_t line;
    const uint32_t usual[] = {100, 10}, rare[] = {10, 10}, gone[] = {0, 10};
    const uint32_t frequent[] = {900, 100};

    CHECK(parse(&p, a, "A|-1|0.5|5\nB|-2|0.2|5\n", &line) == ST_OK);
    /* scaled from 2 types to 10: times 5 */
    CHECK(near(profile_badness(&p, usual, 1000), 0));
    CHECK(near(profile_badness(&p, frequent, 1000), 0)); /* only rarer counts */
    CHECK(
        near(profile_badness(&p, rare, 1000), 2 * 5)); /* 1 / 0.5 deviations */
    CHECK(
        near(profile_badness(&p, gone, 1000), 5 * 5)); /* missing: the limit */
    CHECK(near(profile_badness(&p, NULL, 0), 50));
    CHECK(near(profile_badness(&p, usual, 100000000), 50)); /* limited */
    arena_free(a);
}

static enum status
finish(const struct profiler *made, struct profile *p, struct arena *a,
       uint32_t types_n, double sd_min)
{
    return profiler_finish(made, p, a,
                           &(struct profiler_plan){.language = S("nl"),
                                                   .types_n = types_n,
                                                   .types_min = types_n,
                                                   .sd_min = sd_min});
}

static void
a_profile_is_made_of_mean_and_deviation(void)
{
    struct profiler *made = profiler_new();
    struct arena *a = arena_new();
    struct profile p;

    /* "een": 1/10 in 10 words, 1/100 in 100 words; "twee" in both, too */
    struct buf text = {0};

    buf_c(&text, "een twee");
    for (int i = 0; i < 8; i++)
        buf_printf(&text, " x%cx", 'a' + i);
    CHECK(str_eq(buf_view(&text), S("een twee xax xbx xcx xdx xex xfx xgx "
                                    "xhx")));
    profiler_add(made, buf_view(&text));
    buf_clear(&text);
    buf_c(&text, "een twee twee naam naam naam naam");
    for (int i = 0; i < 93; i++)
        buf_printf(&text, " y%c%cy", 'a' + i % 10, 'a' + i / 10);
    profiler_add(made, buf_view(&text));
    profiler_skip(made, S("naam"));
    CHECK(profiler_documents_n(made) == 2 && profiler_tokens_n(made) == 110);
    CHECK(finish(made, &p, a, 2, 0.1) == ST_OK);
    CHECK(p.types_n == 2 && str_eq(p.types[0].text, S("TWEE")) &&
          str_eq(p.types[1].text, S("EEN")));
    CHECK(near(p.types[1].mean, (10 * -1.0 + 100 * -2.0) / 110));
    CHECK(near(p.types[1].sd, sqrt(10.0 / 110 * 100 / 110)));
    CHECK(finish(made, &p, a, 101, 0.1) == ST_INVALID);
    CHECK(finish(made, &p, a, 2, 3) == ST_OK);
    CHECK(near(p.types[1].sd, 3)); /* the floor */
    buf_free(&text);
    arena_free(a);
    profiler_free(made);
}

static void
too_little_text_makes_no_profile(void)
{
    struct profiler *made = profiler_new();
    struct arena *a = arena_new();
    struct profile p;

    profiler_add(made, S("een twee drie"));
    CHECK(finish(made, &p, a, 2, 0.1) == ST_INVALID);
    profiler_add(made, S("een twee drie"));
    CHECK(finish(made, &p, a, 4, 0.1) == ST_INVALID);
    CHECK(finish(made, &p, a, 3, 0.1) == ST_OK);
    arena_free(a);
    profiler_free(made);
}

static const struct {
    const char *language, *text;
} running[] = {
    {"nl",
     "De molen aan de rand van het dorp is gebouwd in het begin van de "
     "achttiende eeuw en werd tot kort na de oorlog gebruikt om graan te malen "
     "voor de boeren in de omgeving. Toen de laatste molenaar stopte, stond "
     "het "
     "gebouw een aantal jaren leeg, en de wieken zijn in een zware storm "
     "verloren gegaan. Een groep bewoners heeft daarna geld verzameld om de "
     "molen op te knappen. Het heeft lang geduurd voor de vergunning er was, "
     "maar nu draait hij weer op zaterdag en kunnen bezoekers zien hoe het "
     "meel "
     "wordt gemaakt. Wie met een groep wil komen, moet dat van tevoren laten "
     "weten. Het is niet mogelijk om met een rolstoel naar boven te gaan, want "
     "de trap is te smal. Voor kinderen is er een eigen rondleiding, die door "
     "een van de vrijwilligers wordt gegeven."},
    {"de",
     "Die alte Mühle am Rand des Dorfes wurde zu Beginn des achtzehnten "
     "Jahrhunderts gebaut und diente bis kurz nach dem Krieg den Bauern der "
     "Umgebung. Als der letzte Müller aufhörte, stand das Haus einige Jahre "
     "leer, und die Flügel gingen in einem Sturm verloren. Danach hat eine "
     "Gruppe von Bewohnern Geld gesammelt, um die Mühle wieder in Betrieb zu "
     "nehmen. Es ist nicht leicht gewesen, die Genehmigung zu bekommen, aber "
     "jetzt dreht sie sich an jedem Samstag, und die Besucher können sehen, "
     "wie das Mehl gemahlen wird. Wer mit einer Gruppe kommen will, soll sich "
     "vorher anmelden. Für Kinder gibt es eine eigene Führung, die von einem "
     "der Helfer auf Wunsch auch am Sonntag angeboten wird. Die Treppe ist "
     "schmal, das Dach ist mit Schiefer gedeckt, und von oben hat man einen "
     "weiten Blick in das Tal."},
    {"fr",
     "Le vieux moulin qui se trouve au bord du village a été construit au "
     "début du dix-huitième siècle et il a servi aux paysans de la région "
     "jusque dans les années qui ont suivi la guerre. Quand le dernier meunier "
     "est parti, la maison est restée vide et les ailes ont disparu dans une "
     "tempête. Un groupe d'habitants a ensuite réuni l'argent pour le remettre "
     "en état. Il a fallu du temps pour obtenir le permis, mais le moulin "
     "tourne de nouveau le samedi et les visiteurs peuvent voir comment on "
     "fait la farine. Les groupes sont priés de s'annoncer à l'avance. Il "
     "n'est "
     "pas possible de monter en fauteuil, car l'escalier est étroit. Pour les "
     "enfants, il y a une visite à part, que l'un des membres de l'association "
     "propose en été et à la demande."},
    {"en",
     "The old mill at the edge of the village was built at the beginning of "
     "the eighteenth century, and it was used by the farmers of the valley "
     "until a few years after the war. When the last miller gave up, the house "
     "stood empty for a long time and the sails were lost in a storm. A group "
     "of people who live near it then raised the money to put it in order. It "
     "took years to get a permit, but now it turns again on Saturdays, and "
     "visitors can see how the flour is made. If you want to come with a "
     "group, "
     "you have to let them know in advance. It is not possible to go up in a "
     "wheelchair, as the stairs are narrow. For children there is a tour of "
     "their own that is given by one of the volunteers."},
};

static const char link_list[] =
    "Startseite Produkte Preise Kontakt Impressum Datenschutz Anmelden "
    "Warenkorb Neuheiten Angebote Herren Damen Kinder Schuhe Jacken Hosen "
    "Hemden Taschen Gürtel Mützen Schmuck Uhren Zubehör Marken Filialen "
    "Karriere Presse Newsletter Versand Zahlung Rückgabe Gutscheine Facebook "
    "Twitter Instagram Youtube Hamburg Berlin München Köln Frankfurt Stuttgart "
    "Bremen Leipzig Dresden Hannover Startseite Produkte Preise Kontakt";

static void
judge(const struct stage *s, const void *self, const char *text,
      struct document *d, struct arena *a)
{
    struct block *b = arena_alloc(a, sizeof *b);
    struct opts o;
    void *tokens;

    *b = (struct block){.text = str_c(text), .kept = true};
    *d = (struct document){.arena = a, .blocks = b, .blocks_n = 1};
    opts_init(&o);
    CHECK(stage_tokens.open(&tokens, &o) == ST_OK);
    opts_free(&o);
    CHECK(stage_tokens.run(tokens, d) == ST_OK);
    stage_tokens.close(tokens);
    CHECK(s->run(self, d) == ST_OK);
}

static void
running_text_is_good_in_its_language_and_bad_in_others(void)
{
    const size_t n = sizeof running / sizeof *running;
    struct arena *a = arena_new();

    for (size_t i = 0; i < n; i++) {
        struct str target = str_c(running[i].language);
        struct opts o = {.clean_data = S("data"),
                         .clean_language = {&target, 1}};
        struct document d;
        void *self;

        CHECK(stage_badness.open(&self, &o) == ST_OK);
        for (size_t k = 0; k < n; k++) {
            judge(&stage_badness, self, running[k].text, &d, a);
            CHECK(str_eq(d.language, target));
            CHECK(str_eq(d.language_best, str_c(running[k].language)));
            CHECK(k == i ? d.badness < 15 : d.badness > 30);
            CHECK(d.badness_best <= d.badness);
        }
        judge(&stage_badness, self, link_list, &d, a);
        CHECK(d.badness > 45);
        stage_badness.close(self);
    }
    arena_free(a);
}

static int
by_letters(const void *a, const void *b)
{
    return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

/* The words of `text` in alphabetical order. */
static char *
sorted_words(const char *text, struct arena *a)
{
    struct str *word = ARENA_ARRAY(a, struct str, strlen(text)), rest;
    struct buf out = {0};
    size_t n = 0;
    char *sorted;

    rest = str_c(text);
    while (str_word(&rest, &word[n]))
        n++;
    qsort(word, n, sizeof *word, by_letters);
    for (size_t i = 0; i < n; i++)
        buf_printf(&out, "%.*s ", STRF(word[i]));
    sorted = arena_cstr(a, buf_view(&out));
    buf_free(&out);
    return sorted;
}

static void
the_right_words_in_no_order_are_bad(void)
{
    struct arena *a = arena_new();

    for (size_t i = 0; i < sizeof running / sizeof *running; i++) {
        struct str target = str_c(running[i].language);
        struct opts o = {.clean_data = S("data"),
                         .clean_language = {&target, 1}};
        struct document good, bad;
        void *self;

        CHECK(stage_badness.open(&self, &o) == ST_OK);
        judge(&stage_badness, self, running[i].text, &good, a);
        judge(&stage_badness, self, sorted_words(running[i].text, a), &bad, a);
        CHECK(near(good.badness_parts.words, bad.badness_parts.words));
        CHECK(good.badness_parts.order < 5 && bad.badness_parts.order > 20);
        CHECK(near(good.badness, fmax(good.badness_parts.words,
                                      fmax(good.badness_parts.order,
                                           good.badness_parts.foreign))));
        stage_badness.close(self);
    }
    arena_free(a);
}

/* The same in Croatian and in Bosnian. */
static const char croatian[] =
    "U travnju je tisuću ljudi došlo na otvorenje nove knjižnice u središtu "
    "grada. Tko god je želio, mogao je vidjeti što se sve promijenilo od "
    "prošlog tjedna. Općina je platila grijanje i struju, a nitko nije pitao "
    "koliko to stoji. Netko je svirao glazbu, djeca su dobila juhu i kruh, i "
    "svatko je mogao ponijeti kući jednu knjigu o povijesti grada. Osobno "
    "mislim da je točno tako trebalo učiniti, jer vlak iz Zagreba vjerojatno "
    "neće uskoro opet voziti.";
static const char bosnian[] =
    "U aprilu je hiljadu ljudi došlo na otvaranje nove biblioteke u centru "
    "grada. Ko god je htio, mogao je da vidi šta se sve promijenilo od prošle "
    "sedmice. Opština je platila grijanje i struju, a niko nije pitao koliko "
    "to košta. Neko je svirao muziku, djeca su dobila supu i hljeb, i svako "
    "je mogao da ponese kući jednu knjigu o historiji grada. Lično mislim da "
    "je tačno tako trebalo uraditi, jer voz iz Sarajeva vjerovatno neće "
    "uskoro opet voziti.";

static void
a_confusable_language_is_told_by_what_it_has_other_words_for(void)
{
    struct str target = S("hr");
    struct opts o = {.clean_data = S("data"), .clean_language = {&target, 1}};
    struct arena *a = arena_new();
    struct document d;
    void *self;

    CHECK(stage_badness.open(&self, &o) == ST_OK);
    judge(&stage_badness, self, croatian, &d, a);
    CHECK(d.badness < 12 && str_eq(d.language, S("hr")));
    judge(&stage_badness, self, bosnian, &d, a);
    CHECK(d.badness > 30 && near(d.badness, d.badness_parts.foreign));
    stage_badness.close(self);
    arena_free(a);
}

static const struct {
    const char *language, *text;
} confusable[] = {
    {"hr", croatian},
    {"bs", bosnian},
    {"sr-latn",
     "U aprilu je hiljadu ljudi došlo na otvaranje nove biblioteke u centru "
     "grada. Ko god je hteo, mogao je da vidi šta se sve promenilo od prošle "
     "nedelje. Opština je platila grejanje i struju, a niko nije pitao koliko "
     "to košta. Neko je svirao muziku, deca su dobila supu i hleb, i svako je "
     "mogao da ponese kući jednu knjigu o istoriji grada. Lično mislim da je "
     "tačno tako trebalo uraditi, jer voz iz Beograda verovatno neće uskoro "
     "opet voziti."},
    {"ms",
     "Kerajaan berkata bahawa harga minyak tidak akan dinaikkan sehingga akhir "
     "tahun ini kerana rakyat masih menghadapi kos sara hidup yang tinggi. "
     "Menteri itu memberitahu pemberita selepas mesyuarat di pejabatnya bahawa "
     "syarikat boleh memohon bantuan daripada bank, manakala pekerja yang "
     "hilang kerja akan diberi wang setiap bulan oleh kementerian. Beliau juga "
     "berkata polis sedang menyiasat kes itu dan orang ramai diminta supaya "
     "tidak percaya kepada berita palsu."},
    {"id",
     "Pemerintah mengatakan bahwa harga minyak tidak akan naik sampai akhir "
     "tahun ini karena masyarakat masih menghadapi biaya hidup yang tinggi. "
     "Menteri itu mengatakan kepada wartawan setelah rapat di kantornya bahwa "
     "perusahaan bisa mengajukan bantuan dari bank, sedangkan karyawan yang "
     "kehilangan pekerjaan akan diberi uang setiap bulan oleh kementerian. Dia "
     "juga mengatakan polisi sedang menyelidiki kasus itu dan warga diminta "
     "agar tidak percaya pada berita bohong."},
};

static void
confusable_ones_are_told_apart_when_none_is_asked_for(void)
{
    struct opts o = {.clean_data = S("data")};
    struct arena *a = arena_new();
    void *self;

    CHECK(stage_badness.open(&self, &o) == ST_OK);
    for (size_t i = 0; i < sizeof confusable / sizeof *confusable; i++) {
        struct document d;

        judge(&stage_badness, self, confusable[i].text, &d, a);
        CHECK(d.badness < 12);
        CHECK(str_eq(d.language_best, str_c(confusable[i].language)));
    }
    stage_badness.close(self);
    arena_free(a);
}

static void
what_counts_can_be_chosen(void)
{
    struct str target = S("de"), part = S("published");
    struct opts o = {.clean_data = S("data"),
                     .clean_language = {&target, 1},
                     .clean_badness = {&part, 1}};
    struct arena *a = arena_new();
    struct document published, words, foreign;
    void *self;

    CHECK(stage_badness.open(&self, &o) == ST_OK);
    judge(&stage_badness, self, running[1].text, &published, a);
    CHECK(near(published.badness_parts.order, 0) &&
          near(published.badness_parts.foreign, 0));
    stage_badness.close(self);
    part = S("words");
    CHECK(stage_badness.open(&self, &o) == ST_OK);
    judge(&stage_badness, self, running[1].text, &words, a);
    CHECK(words.badness < published.badness); /* a short text */
    stage_badness.close(self);
    part = S("foreign");
    CHECK(stage_badness.open(&self, &o) == ST_OK);
    judge(&stage_badness, self, running[0].text, &foreign, a);
    CHECK(foreign.badness > 45 && str_eq(foreign.language_best, S("nl")));
    CHECK(near(foreign.badness_parts.words, 0));
    stage_badness.close(self);
    arena_free(a);
}

/* The first of all profiles had as good a badness as any. */
static void
what_has_no_word_is_in_no_language(void)
{
    struct str targets[] = {STR("nl"), STR("de")};
    struct arena *a = arena_new();

    for (size_t n = 0; n <= 2; n++) {
        struct opts o = {.clean_data = S("data"),
                         .clean_language = {targets, n}};
        struct document d;
        void *self;

        CHECK(stage_badness.open(&self, &o) == ST_OK);
        judge(&stage_badness, self, "123, 4.5 - 6", &d, a);
        CHECK(near(d.badness, 50) && d.language_best.n == 0);
        CHECK(str_eq(d.language, n == 1 ? S("nl") : S("")));
        stage_badness.close(self);
    }
    arena_free(a);
}

static void
without_target_languages_every_profile_is_one(void)
{
    struct opts o = {.clean_data = S("data")};
    struct arena *a = arena_new();
    struct document d;
    void *self;

    CHECK(stage_badness.open(&self, &o) == ST_OK);
    judge(&stage_badness, self, running[2].text, &d, a);
    CHECK(str_eq(d.language, S("fr")) && near(d.badness, d.badness_best));
    judge(&stage_badness, self, "", &d, a);
    CHECK(near(d.badness, 50)); /* no words at all: the worst */
    stage_badness.close(self);
    arena_free(a);
}

static void
a_language_without_profile_and_a_folder_without_profiles_are_refused(void)
{
    struct str target = S("qq");
    struct opts o = {.clean_data = S("data"), .clean_language = {&target, 1}};
    struct opts elsewhere = {.clean_data = S("tests/unit")};
    void *self = NULL;

    CHECK(stage_badness.open(&self, &o) == ST_USAGE);
    CHECK(stage_badness.open(&self, &elsewhere) == ST_IO);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(profiles_of_texrex_are_read),
        TEST(faulty_profiles_are_refused_with_the_line),
        TEST(a_printed_profile_reads_back),
        TEST(a_profile_that_was_cut_is_none),
        TEST(badness_is_the_published_sum),
        TEST(a_profile_is_made_of_mean_and_deviation),
        TEST(too_little_text_makes_no_profile),
        TEST(running_text_is_good_in_its_language_and_bad_in_others),
        TEST(the_right_words_in_no_order_are_bad),
        TEST(a_confusable_language_is_told_by_what_it_has_other_words_for),
        TEST(confusable_ones_are_told_apart_when_none_is_asked_for),
        TEST(what_counts_can_be_chosen),
        TEST(what_has_no_word_is_in_no_language),
        TEST(without_target_languages_every_profile_is_one),
        TEST(
            a_language_without_profile_and_a_folder_without_profiles_are_refused),
        {0},
    };

    return test_main(table, argc, argv);
}
