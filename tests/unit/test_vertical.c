/* Job vertical, and annotate by the built-in tagger.  Method: phases over lines
 * in memory, with the models of data/. */
#include "job_case.h"

#include "folder.h"

#define DOC(language, text)                                                    \
    "http://a.nl/1?x=1&y=2\t<source><location><![CDATA[http://a.nl/1?x=1&y=2]" \
    "]></location><id>i-1</id><title>De \"kat\" &amp; "                        \
    "meer</title><language>" language                                          \
    "</language></source>\t<process><length>9</length><badness>1.5"            \
    "</badness></process>\t" text "\n"

static void
tokens_have_tags_lemmas_and_glue(void)
{
    struct job_case c;

    job_case_open(&c, "vertical", "attributes=url");
    IS(job_case_run(&c, JOB_MAP,
                    S(DOC("nl", "<p heading=\"1\" lang=\"nl\"><s lang=\"nl\" "
                                "lani=\"nl\">De kat zit op de mat.</s></p>"
                                "<p><s>Het huis is groot!</s></p>"))),
       "<doc url=\"http://a.nl/1?x=1&amp;y=2\">\n"
       "<p heading=\"1\" lang=\"nl\">\n<s lang=\"nl\" lani=\"nl\">\n"
       "De\tDET\tde\nkat\tNOUN\tkat\nzit\tVERB\tzitten\nop\tADP\top\n"
       "de\tDET\tde\nmat\tNOUN\tmat\n<g/>\n.\tPUNCT\t.\n</s>\n</p>\n"
       "<p>\n<s>"
       "\nHet\tDET\thet\nhuis\tNOUN\thuis\nis\tAUX\tzijn\ngroot\tADJ\tgroot\n<"
       "g/"
       ">\n!\tPUNCT\t!\n</s>\n"
       "</p>\n</doc>\n");
    CHECK(job_case_counter(&c, "documents") == 1);
    CHECK(job_case_counter(&c, "paragraphs") == 2);
    CHECK(job_case_counter(&c, "sentences") == 2);
    CHECK(job_case_counter(&c, "tokens") == 12);
    CHECK(job_case_counter(&c, "sentences without tagger") == 0);
    job_case_close(&c);
}

static void
what_is_known_of_documents_stands_in_doc(void)
{
    struct job_case c;
    struct str out;

    job_case_open(&c, "vertical", "");
    out = job_case_run(&c, JOB_MAP,
                       S("nothing\n" DOC("eu", "<p>Bai.</p>") "u\ts\tp\tx\n"));
    IS(str_sub(out, 0, str_find(out, '\n', 0)),
       "<doc id=\"i-1\" url=\"http://a.nl/1?x=1&amp;y=2\" title=\"De "
       "&quot;kat&quot; &amp; meer\" date=\"\" timestamp=\"\" language=\"eu\" "
       "length=\"9\" "
       "badness=\"1.5\" boilerplate_mean=\"\">");
    /* No tagger of Basque; a paragraph without sentences is one. */
    CHECK(str_ends(out, S("<s>\nBai\t_\t_\n<g/>\n.\t_\t_\n</s>\n</p>\n"
                          "</doc>\n")));
    CHECK(job_case_counter(&c, "lines rejected") == 2);
    CHECK(job_case_counter(&c, "sentences without tagger") == 1);
    job_case_close(&c);
}

/* As SketchOut of the Web As Corpus Toolkit heads its documents. */
static void
what_is_not_known_has_a_name(void)
{
    struct job_case c, v;
    const char *why;
    struct str out;

    folder_put("in",
               S("{\"url\":\"http://a.nl/1\",\"id\":\"net-1f\",\"author\":"
                 "\"Jan & Piet\",\"text\":\"Dag.\"}\n"));
    job_case_open(&c, "document", "");
    c.path = in_folder("in");
    out = job_case_run(&c, JOB_MAP, S(""));
    job_case_open(&v, "vertical", "missing=n/a tags=0");
    CHECK(job_set(v.job, &v.settings,
                  S("attributes=id url title author language"), &why));
    out = job_case_run(&v, JOB_MAP, out);
    IS(str_sub(out, 0, str_find(out, '\n', 0)),
       "<doc id=\"net-1f\" url=\"http://a.nl/1\" title=\"n/a\" "
       "author=\"Jan &amp; Piet\" language=\"n/a\">");
    job_case_close(&v);
    job_case_close(&c);
}

/* Else its column is empty and nobody is told. */
static void
what_no_job_writes_is_no_attribute(void)
{
    struct job_case v;
    const char *why;

    job_case_open(&v, "vertical", "");
    CHECK(!job_set(v.job, &v.settings, S("attributes=url titel"), &why));
    CHECK(strstr(why, "url ") == why && strstr(why, " title ") != NULL);
    CHECK(strstr(why, " reject") != NULL);
    CHECK(job_set(v.job, &v.settings, S("attributes=author,quality"), &why));
    CHECK(job_set(v.job, &v.settings, S("attributes="), &why));
    job_case_close(&v);
}

/* They may stand in no XML, and a token of them is none. */
static void
control_characters_are_blanks(void)
{
    struct job_case c, v;
    struct str out;

    folder_put("in", S("{\"url\":\"u\",\"title\":\"T\\u0001\\u0000\","
                       "\"text\":\"Dag\\u0000\\u001f \\u0001 Jan\\u0007\"}"));
    job_case_open(&c, "document", "");
    c.path = in_folder("in");
    out = job_case_run(&c, JOB_MAP, S(""));
    CHECK(str_ends(out, S("\t<p>Dag Jan</p>\n")));
    job_case_open(&v, "vertical", "attributes=title tags=0");
    IS(job_case_run(&v, JOB_MAP, out),
       "<doc title=\"T\">\n<p>\n<s>\nDag\t_\t_\nJan\t_\t_\n</s>\n</p>\n"
       "</doc>\n");
    job_case_close(&v);
    job_case_close(&c);
}

static void
the_workbench_gets_references(void)
{
    struct job_case c;

    job_case_open(&c, "vertical", "form=cwb attributes=id tags=0");
    IS(job_case_run(&c, JOB_MAP, S(DOC("nl", "<p><s>&amp; x&lt;y</s></p>"))),
       "<doc id=\"i-1\">\n<p>\n<s>\n&amp;\t_\t_\nx\t_\t_\n<g/>\n&lt;\t_\t_\n"
       "<g/>\ny\t_\t_\n</s>\n</p>\n</doc>\n");
    job_case_close(&c);
    /* Elsewhere only what would begin a structure is one. */
    job_case_open(&c, "vertical", "attributes=id tags=0");
    IS(job_case_run(&c, JOB_MAP, S(DOC("nl", "<p><s>&amp; x&lt;y</s></p>"))),
       "<doc id=\"i-1\">\n<p>\n<s>\n&\t_\t_\nx\t_\t_\n<g/>\n&lt;\t_\t_\n"
       "<g/>\ny\t_\t_\n</s>\n</p>\n</doc>\n");
    job_case_close(&c);
}

#define NONE "\t_\t_\t_\t_\t"

static void
tags_of_the_languages_own_stand_in_column_5(void)
{
    struct str in = S(DOC("de", "<p><s>Anna sah zwei Hunde.</s></p>"));
    struct job_case c;

    job_case_open(&c, "vertical", "form=conllu");
    IS(job_case_run(&c, JOB_MAP, in),
       "# newdoc id = i-1\n# url = http://a.nl/1?x=1&y=2\n# newpar\n"
       "# sent_id = i-1-1\n# text = Anna sah zwei Hunde.\n"
       "1\tAnna\tAnna\tPROPN\tNE\t_\t_\t_\t_\t_\n"
       "2\tsah\tsehen\tVERB\tVVFIN\t_\t_\t_\t_\t_\n"
       "3\tzwei\tzwei\tNUM\tCARD\t_\t_\t_\t_\t_\n"
       "4\tHunde\tHund\tNOUN\tNN\t_\t_\t_\t_\tSpaceAfter=No\n"
       "5\t.\t.\tPUNCT\t$.\t_\t_\t_\t_\t_\n\n");
    job_case_close(&c);
    job_case_open(&c, "vertical", "attributes=id tagset=xpos");
    IS(job_case_run(&c, JOB_MAP, in),
       "<doc id=\"i-1\">\n<p>\n<s>\nAnna\tNE\tAnna\nsah\tVVFIN\tsehen\n"
       "zwei\tCARD\tzwei\nHunde\tNN\tHund\n<g/>\n.\t$.\t.\n</s>\n</p>\n"
       "</doc>\n");
    job_case_close(&c);
    job_case_open(&c, "annotate", "lang=de tagset=xpos");
    IS(job_case_run(&c, JOB_MAP, S("zwei Hunde .\t7\n")),
       "zwei/<CARD> Hunde/<NN> ./<$.>\t7\n");
    job_case_close(&c);
}

static void
conllu_has_the_words_of_contractions(void)
{
    struct job_case c;

    job_case_open(&c, "vertical", "form=conllu");
    IS(job_case_run(&c, JOB_MAP,
                    S(DOC("de", "<p><s>Im Haus ist es warm.</s></p>"))),
       "# newdoc id = i-1\n# url = http://a.nl/1?x=1&y=2\n# newpar\n"
       "# sent_id = i-1-1\n# text = Im Haus ist es warm.\n"
       "1-2\tIm\t_\t_\t_" NONE "_\n1\tIn\tin\tADP\tAPPR" NONE "_\n"
       "2\tdem\tder\tDET\tART" NONE "_\n3\tHaus\tHaus\tNOUN\tNN" NONE "_\n"
       "4\tist\tsein\tAUX\tVAFIN" NONE "_\n5\tes\tes\tPRON\tPPER" NONE "_\n"
       "6\twarm\twarm\tADJ\tADJD" NONE "SpaceAfter=No\n"
       "7\t.\t.\tPUNCT\t$." NONE "_\n\n");
    job_case_close(&c);
}

static void
a_contraction_is_one_token_of_a_vertical_file(void)
{
    struct job_case c;

    job_case_open(&c, "vertical", "attributes=id");
    IS(job_case_run(&c, JOB_MAP, S(DOC("de", "<p><s>Im Haus</s></p>"))),
       "<doc id=\"i-1\">\n<p>\n<s>\nIm\tADP+DET\tin+der\nHaus\tNOUN\tHaus\n"
       "</s>\n</p>\n</doc>\n");
    job_case_close(&c);
    job_case_open(&c, "token", "lang=de contractions=1");
    IS(job_case_run(&c, JOB_MAP, S("Im Haus, zum Beispiel.\t3\n")),
       "In dem Haus , zu dem Beispiel .\t3\n");
    job_case_close(&c);
    job_case_open(&c, "token", "lang=de");
    IS(job_case_run(&c, JOB_MAP, S("Im Haus.\n")), "Im Haus .\n");
    job_case_close(&c);
}

static void
a_registry_names_what_the_file_has(void)
{
    struct job_case c;
    struct str out;

    job_case_open(&c, "vertical",
                  "form=registry corpus=brood path=/c/brood.vert");
    out = job_case_run(&c, JOB_MAP, S(""));
    CHECK(str_starts(out, S("NAME \"brood\"\nPATH \"/c/brood.vert.indexed\"\n"
                            "VERTICAL \"/c/brood.vert\"\n")));
    CHECK(memmem(out.p, out.n, "\tATTRIBUTE badness\n", 19) != NULL);
    CHECK(memmem(out.p, out.n, "STRUCTURE p {\n\tATTRIBUTE heading\n", 33));
    CHECK(str_has(out, S("ATTRIBUTE word\nATTRIBUTE lc {\n")));
    CHECK(str_has(out, S("ATTRIBUTE lemma\nATTRIBUTE lemma_lc {\n")));
    CHECK(str_has(out, S("\tFROMATTR lemma\n")));
    job_case_close(&c);
}

static void
annotate_has_taggers(void)
{
    struct job_case c;

    job_case_open(&c, "annotate", "lang=de");
    IS(job_case_run(&c, JOB_MAP, S("Das Kind geht zum Arzt .\t7\tu\n\t1\n")),
       "Das/<DET> Kind/<NOUN> geht/<VERB> zum/<ADP+DET> Arzt/<NOUN> "
       "./<PUNCT>\t7\tu\n");
    CHECK(job_case_counter(&c, "sentences tagged") == 1);
    CHECK(job_case_counter(&c, "lines rejected") == 1);
    job_case_close(&c);
}

/* A phase that fails reads nothing and says so. */
static void
annotate_wants_a_tagger_or_a_command(void)
{
    struct job_case c;
    struct job_io io = {&c, job_case_line, job_case_file, job_case_put, NULL};

    job_case_open(&c, "annotate", "lang=eu");
    c.rest = S("Bai .\n");
    CHECK(!job_run_phase(c.job, JOB_MAP, &c.settings, &io, &c.totals));
    CHECK(c.out.n == 0);
    job_case_close(&c);
}

/* ---- headings and languages of paragraphs ---- */

#define LONG "Die Kinder spielten am Nachmittag im Garten hinter dem Haus."

static void
headings_of_a_document_are_marked(void)
{
    struct job_case c;
    struct str out;

    folder_put("in", S("{\"url\":\"http://a/1\",\"id\":\"i\",\"title\":\"T\","
                       "\"text\":\"Kopf\\n\\n" LONG "\\nFu\xc3\x9f\\n\","
                       "\"headings\":\"0 3\",\"language\":\"de\"}\n"));
    job_case_open(&c, "document", "");
    c.path = in_folder("in");
    out = job_case_run(&c, JOB_MAP, S(""));
    CHECK(memmem(out.p, out.n, "<id>i</id><title>T</title>", 26) != NULL);
    CHECK(str_ends(out, S("\t<p heading=\"1\">Kopf</p><p>" LONG
                          "</p><p heading=\"1\">Fu\xc3\x9f</p>\n")));
    job_case_close(&c);
}

static void
jobs_keep_the_marks_of_paragraphs(void)
{
    struct job_case c;

    job_case_open(&c, "sentence", "");
    IS(job_case_run(
           &c, JOB_MAP,
           S("u\ts\tp\t<p heading=\"1\">" LONG "</p><p>Ja. Gut.</p>\n")),
       "u\ts\tp\t<p heading=\"1\"><s>" LONG "</s></p><p><s>Ja.</s><s>Gut.</s>"
       "</p>\n");
    job_case_close(&c);
    job_case_open(&c, "language", "lang=de paragraphs=1");
    IS(job_case_run(&c, JOB_MAP,
                    S("u\ts\tp\t<p heading=\"1\"><s>" LONG "</s></p>\n")),
       "u\ts\tp\t<p heading=\"1\" lang=\"de\"><s lang=\"de\" lani=\"de\">" LONG
       "</s></p>\n");
    job_case_close(&c);
    job_case_open(&c, "language", "lang=de");
    IS(job_case_run(&c, JOB_MAP,
                    S("u\ts\tp\t<p heading=\"1\"><s>" LONG "</s></p>\n")),
       "u\ts\tp\t<p heading=\"1\"><s lang=\"de\" lani=\"de\">" LONG
       "</s></p>\n");
    job_case_close(&c);
    job_case_open(&c, "ngram", "column=4");
    IS(job_case_run(&c, JOB_MAP, S("u\ts\tp\t<p heading=\"1\">a b</p>\n")),
       "a\t1\nb\t1\n");
    job_case_close(&c);
}

static const struct test tests[] = {
    TEST(tokens_have_tags_lemmas_and_glue),
    TEST(what_is_known_of_documents_stands_in_doc),
    TEST(what_is_not_known_has_a_name),
    TEST(what_no_job_writes_is_no_attribute),
    TEST(control_characters_are_blanks),
    TEST(the_workbench_gets_references),
    TEST(conllu_has_the_words_of_contractions),
    TEST(tags_of_the_languages_own_stand_in_column_5),
    TEST(a_contraction_is_one_token_of_a_vertical_file),
    TEST(a_registry_names_what_the_file_has),
    TEST(annotate_has_taggers),
    TEST(annotate_wants_a_tagger_or_a_command),
    TEST(headings_of_a_document_are_marked),
    TEST(jobs_keep_the_marks_of_paragraphs),
    {0},
};

int
main(int argc, char **argv)
{
    return folder_main(tests, argc, argv);
}
