/* Jobs over documents and counts: what webcorpus' examples say, and lines
 * that are none.  Method: phases over lines in memory. */
#include "job_case.h"

#include "corpus/job/doc_line.h"
#include "corpus/job/job_fields.h"
#include "folder.h"

#define DOC(url, text)                                                         \
    url "\t<source><location><![CDATA[" url                                    \
        "]]></location><date>2011-02-01</date></source>\t"                     \
        "<process><length>9</length></process>\t" text "\n"

/* ---- document ---- */

static struct str
document_of(struct job_case *c, const char *options, const char *bytes)
{
    folder_put("in", str_c(bytes));
    job_case_open(c, "document", options);
    c->path = in_folder("in");
    job_case_run(c, JOB_MAP, S(""));
    return buf_view(&c->out);
}

static void
paragraphs_stand_between_blank_lines(void)
{
    struct job_case c;

    IS(document_of(
           &c, "input-format=leipzig",
           "<source><location>http://a.de/1</location><date>2011-02-01</date>"
           "<user>crawler</user><original_encoding>utf-8</original_encoding>"
           "<language>de</language></source>\n"
           "  Der   erste Absatz\ngeht weiter.  \n \n\n"
           "Der\xc2\xa0zweite & letzte.\n"),
       "http://a.de/1\t<source><location><![CDATA[http://a.de/1]]></location>"
       "<date>2011-02-01</date><user>crawler</user><original_encoding>utf-8"
       "</original_encoding><language>de</language></source>\t"
       "<process><length>49</length></process>\t"
       "<p>Der erste Absatz geht weiter.</p><p>Der zweite &amp; letzte.</p>\n");
    CHECK(job_case_counter(&c, "documents") == 1);
    job_case_close(&c);
}

static void
documents_without_url_or_text_are_dropped(void)
{
    struct job_case c;

    IS(document_of(&c, "",
                   "<source><location></location></source>\nText\n"
                   "<source><location>null</location></source>\nText\n"
                   "<source><location>http://a/1</location></source>\n\n\n"
                   "<source><location>http://a/2</location></source>\nnull\n"
                   "<source><location>http://a/3</location>\nText\n"),
       "");
    CHECK(job_case_counter(&c, "documents without URL") == 2);
    CHECK(job_case_counter(&c, "documents without text") == 2);
    CHECK(job_case_counter(&c, "records rejected") == 1);
    job_case_close(&c);
}

static void
declared_encodings_become_utf8(void)
{
    struct job_case c;

    document_of(&c, "",
                "<source><location>http://a/</location><original_encoding>"
                "iso-8859-1</original_encoding></source>\nGr\xfc\xdf"
                "e\n");
    CHECK(memmem(c.out.p, c.out.n,
                 "<p>Gr\xc3\xbc\xc3\x9f"
                 "e</p>",
                 14) != NULL);
    CHECK(job_case_counter(&c, "documents with invalid UTF-8") == 0);
    job_case_close(&c);
}

static void
json_lines_are_documents_too(void)
{
    struct job_case c;

    IS(document_of(&c, "content-types=text/html",
                   "{\"url\":\"http://a/x y\",\"text\":\"eins\\n\\nzwei\\n\","
                   "\"date\":\"2025-12-31\",\"timestamp\":"
                   "\"2026-01-02T03:04:05Z\",\"badness\":1.5}\n"
                   "\n{\"url\":\n"
                   "{\"url\":\"http://a/2\",\"text\":\"a\",\"content_type\":"
                   "\"text/plain; charset=utf-8\"}\n"
                   "{\"url\":\"http://a/3\",\"text\":\"\xff\"}\n"),
       "http://a/x%20y\t<source><location><![CDATA[http://a/x%20y]]>"
       "</location><date>2025-12-31</date><timestamp>2026-01-02T03:04:05Z"
       "</timestamp></source>\t"
       "<process><length>8</length><badness>1.5</badness></process>\t"
       "<p>eins</p><p>zwei</p>\n"
       "http://a/3\t<source><location><![CDATA[http://a/3]]></location>"
       "</source>\t<process><length>1</length></process>\t"
       "<p>\xef\xbf\xbd</p>\n");
    CHECK(job_case_counter(&c, "records rejected") == 1);
    CHECK(job_case_counter(&c, "content type not listed") == 1);
    CHECK(job_case_counter(&c, "documents with invalid UTF-8") == 1);
    job_case_close(&c);
}

static void
copies_of_one_url_are_dropped(void)
{
    struct job_case c;

    job_case_open(&c, "document", "test-length=3");
    IS(job_case_run(&c, JOB_REDUCE,
                    S(DOC("u1", "<p>abc def ghi</p>")
                          DOC("u1", "<p>abc xxx ghi</p>")
                              DOC("u1", "<p>abc  xxx ghi</p>")
                                  DOC("u2", "<p>abc def ghi</p>") "u3\tx\n")),
       DOC("u1", "<p>abc def ghi</p>") DOC("u1", "<p>abc  xxx ghi</p>")
           DOC("u2", "<p>abc def ghi</p>"));
    CHECK(job_case_counter(&c, "duplicates") == 1);
    CHECK(job_case_counter(&c, "records rejected") == 1);
    job_case_close(&c);
}

/* All documents may have one URL; each was compared with all. */
static void
one_url_may_have_any_number_of_documents(void)
{
    enum { N = 300000 };
    struct buf in = {0};
    struct job_case c;

    for (int i = 0; i < N; i++)
        buf_printf(&in, "u\ts\tp\t<p>%d</p>\n", i);
    for (int i = 0; i < N; i++)
        buf_printf(&in, "v\ts\tp\t<p>%d</p>\n", i / 2);
    job_case_open(&c, "document", "");
    job_case_run(&c, JOB_REDUCE, buf_view(&in));
    CHECK(job_case_counter(&c, "duplicates") == N / 2);
    job_case_close(&c);
    buf_free(&in);
}

/* ---- deduplication ---- */

#define SAME "<p>Ein Text.</p>"
static const char three[] = DOC("http://a.de/1", SAME)
    DOC("http://a.de/1", SAME) DOC("http://a.de/1/print", SAME);

static void
one_of_equal_url_length_and_ends_stays(void)
{
    struct job_case c;

    job_case_open(&c, "deduplication", "");
    job_case_all(&c, str_c(three));
    CHECK(job_case_counter(&c, "duplicates") == 1);
    CHECK(c.out.n ==
          strlen(DOC("http://a.de/1", SAME) DOC("http://a.de/1/print", SAME)));
    job_case_close(&c);
    job_case_open(&c, "deduplication", "drop=0");
    job_case_all(&c, str_c(three));
    CHECK(memmem(c.out.p, c.out.n,
                 "<is_duplicate>true</is_duplicate></process>", 43) != NULL);
    CHECK(memmem(c.out.p, c.out.n,
                 "<length>9</length><is_duplicate>false</is_duplicate>",
                 51) != NULL);
    job_case_close(&c);
}

static void
of_a_host_one_stays(void)
{
    struct job_case c;

    job_case_open(&c, "dedup-by-host", "");
    IS(job_case_all(&c, S(DOC("http://a.de/1", SAME)
                              DOC("http://a.de:80/1/print", SAME) "x\ty\n")),
       DOC("http://a.de/1", SAME));
    CHECK(job_case_counter(&c, "lines rejected") == 1);
    job_case_close(&c);
    job_case_open(&c, "dedup-by-host", "test-length=2");
    job_case_all(&c, S(DOC("http://a.de/1", "<p>abXcd</p>")
                           DOC("http://b.de/1", "<p>abXcd</p>")
                               DOC("http://a.de/2", "<p>abYcd</p>")
                                   DOC("http://a.de/3", "<p>abYYcd</p>")));
    CHECK(job_case_counter(&c, "duplicates") == 1);
    job_case_close(&c);
}

/* ---- utf8 ---- */

static void
damaged_documents_go_or_are_labelled(void)
{
    struct job_case c;

    job_case_open(&c, "utf8", "");
    IS(job_case_run(&c, JOB_MAP,
                    S(DOC("u1", "<p>gut</p>")
                          DOC("u2", "<p>a\xef\xbf\xbd\xef\xbf\xbd</p>")
                              DOC("u3", "<p>a\xff</p>"))),
       DOC("u1", "<p>gut</p>"));
    CHECK(job_case_counter(&c, "documents damaged") == 2);
    CHECK(job_case_counter(&c, "characters lost") == 3);
    job_case_close(&c);
    job_case_open(&c, "utf8", "drop=0");
    IS(job_case_run(&c, JOB_MAP,
                    S("u\ts\t<process></process>\t<p>\xff</p>\n"
                      "v\ts\tp\t<p>b</p>\n")),
       "u\ts\t<process><encoding_error>true</encoding_error></process>\t"
       "<p>\xef\xbf\xbd</p>\n"
       "v\ts\t<process><encoding_error>false</encoding_error></process>\t"
       "<p>b</p>\n");
    job_case_close(&c);
}

/* ---- sentences out of documents ---- */

static void
sentences_come_with_url_and_date(void)
{
    struct job_case c;

    job_case_open(&c, "sentence-extract", "chars-max=12");
    IS(job_case_run(
           &c, JOB_MAP,
           S(DOC("http://a/",
                 "<p><s lang=\"de\" lani=\"de\">R&amp;B ist "
                 "gut.</s><s lang=\"de\" lani=\"unknown\">Hm."
                 "</s><s>Zu lang ist er.</s></p><p>Ohne.</p>") "nur eine "
                                                               "Spalte\n")),
       "R&B ist gut.\thttp://a/\t2011-02-01\n");
    CHECK(job_case_counter(&c, "sentences too long") == 1);
    CHECK(job_case_counter(&c, "sentences of no known language") == 1);
    CHECK(job_case_counter(&c, "lines rejected") == 1);
    job_case_close(&c);
}

/* Of pages hardly any has one, and not all are of one form. */
static void
the_date_of_a_sentence_is_that_of_the_fetch(void)
{
    struct job_case c;

    job_case_open(&c, "sentence-extract", "");
    IS(job_case_run(
           &c, JOB_MAP,
           S("http://a/\t<source><date>2011-02-01</date><timestamp>"
             "2026-01-02T03:04:05Z</timestamp></source>\t<process>"
             "</process>\t<p><s lang=\"de\" lani=\"de\">Satz.</s></p>\n")),
       "Satz.\thttp://a/\t2026-01-02T03:04:05Z\n");
    job_case_close(&c);
}

static void
equal_sentences_become_one_line(void)
{
    struct job_case c;

    job_case_open(&c, "sentence-extract-compact", "urls-max=2");
    IS(job_case_all(&c, S("Satz.\thttp://b/\t2011-02-03\n"
                          "Satz.\thttp://a/\t2011-02-04\n"
                          "Satz.\thttp://a/\t2011-02-02\n"
                          "Satz.\thttp://c/\t\n"
                          "Satz\thttp://c/\t2010-01-01\n"
                          "Kaputt\n")),
       "Satz\t1\t2010-01-01\thttp://c/\n"
       "Satz.\t4\t2011-02-02\thttp://a/\thttp://b/\n");
    CHECK(job_case_counter(&c, "lines rejected") == 1);
    job_case_close(&c);
}

/* ---- counts ---- */

static void
words_in_a_row_are_counted(void)
{
    struct job_case c;

    job_case_open(&c, "ngram", "n=3");
    IS(job_case_run(&c, JOB_MAP, S("und digitale Programme\n")),
       "und digitale Programme\t1\n");
    IS(job_case_all(&c, S("a b c d<s>a b c\nb  c d\nx y\n")),
       "a b c\t2\nb c d\t2\n");
    CHECK(job_case_counter(&c, "keys") == 2);
    job_case_close(&c);
    job_case_open(&c, "ngram", "n=2 n-min=1 min-count=2 weight-column=2");
    IS(job_case_all(&c, S("a b\t3\nb a\t1\nb\t0\nb\n")),
       "a\t4\na b\t3\nb\t4\n");
    CHECK(job_case_counter(&c, "lines rejected") == 2);
    job_case_close(&c);
    job_case_open(&c, "ngram", "n=2 column=4");
    IS(job_case_all(&c,
                    S(DOC("u", "<p><s lang=\"de\">a &lt;</s><s>b</s></p>"))),
       "a <\t1\n");
    job_case_close(&c);
}

static void
sums_are_exact_with_and_without_combiner(void)
{
    struct job_case c;

    job_case_open(&c, "ngram", "min-count=3");
    IS(job_case_run(&c, JOB_COMBINE, S("a\t1\na\t1\nb\t1\n")), "a\t2\nb\t1\n");
    IS(job_case_run(&c, JOB_REDUCE,
                    S("\t5\na\t2\na\t18446744073709551616\na\t1\nb\t2\nb\n")),
       "\t5\na\t3\n");
    CHECK(job_case_counter(&c, "lines rejected") == 2);
    job_case_close(&c);
}

static void
parts_of_speech_are_counted(void)
{
    struct job_case c;

    job_case_open(&c, "ngram-with-pos", "n=3");
    IS(job_case_run(
           &c, JOB_MAP,
           S("und/<KON> digitale/<ADJA> Programme/<NN>\nohne Marken hier\n")),
       "und/<KON> digitale/<ADJA> Programme/<NN>\t1\n");
    CHECK(job_case_counter(&c, "sentences without tags") == 1);
    job_case_close(&c);
    job_case_open(&c, "pos-ngram", "n=3");
    IS(job_case_run(&c, JOB_MAP,
                    S("und/<KON> digitale/<ADJA> Programme/<NN>\n"
                      "a/ <> </<X> //\n")),
       "und digitale Programme\t1\n<KON> digitale Programme\t1\n"
       "und <ADJA> Programme\t1\n<KON> <ADJA> Programme\t1\n"
       "und digitale <NN>\t1\n<KON> digitale <NN>\t1\n"
       "und <ADJA> <NN>\t1\n<KON> <ADJA> <NN>\t1\n");
    job_case_close(&c);
    job_case_open(&c, "pos-ngram", "n=2");
    IS(job_case_run(&c, JOB_MAP, S("a//<X> b/<c/<Y>\n")),
       "a/ b/<c\t1\n<X> b/<c\t1\na/ <Y>\t1\n<X> <Y>\t1\n");
    job_case_close(&c);
}

static void
pairs_have_their_distance(void)
{
    struct job_case c;

    job_case_open(&c, "cooccurrence", "n=3");
    IS(job_case_all(&c, S("\xc3\xbcppig bl\xc3\xbcht es in\n")),
       "bl\xc3\xbcht@@-1 es@@+1\t1\nbl\xc3\xbcht@@-2 in@@+2\t1\n"
       "es@@-1 in@@+1\t1\n\xc3\xbcppig@@-1 bl\xc3\xbcht@@+1\t1\n"
       "\xc3\xbcppig@@-2 es@@+2\t1\n\xc3\xbcppig@@-3 in@@+3\t1\n");
    job_case_close(&c);
    job_case_open(&c, "cooccurrence", "mark=_ weight-column=2");
    IS(job_case_all(&c, S("a b\t4\na b\t5\n")), "a_-1 b_+1\t9\n");
    job_case_close(&c);
}

/* ---- options, pieces of lines ---- */

static void
options_are_checked(void)
{
    struct job_settings s;
    const struct corpus_job *j = job_find(S("document"));
    const char *why;

    job_preset(j, &s);
    CHECK(!job_set(j, &s, S("input-format=pdf"), &why));
    CHECK(strstr(why, "leipzig") != NULL);
    CHECK(!job_set(j, &s, S("test-length=0"), &why));
    CHECK(!job_set(j, &s, S("test-length"), &why));
    CHECK(!job_set(j, &s, S("no-such=1"), &why));
    CHECK(job_set(j, &s, S("content-types=a=b"), &why) &&
          str_eq(s.text[1], S("a=b")));
}

static void
fields_of_json_are_columns(void)
{
    struct job_case c;
    struct job_fields f;
    struct job_io io,
        lines = {&c, job_case_line, job_case_file, job_case_put, NULL};

    job_case_open(&c, "ngram", "n=2 weight-column=2");
    c.rest = S("{\"t\":\"a\\tb\",\"k\":3}\nnone\n{\"t\":\"c d\"}\n");
    job_fields_open(&f, &io, &lines, S("t,k:words,count"));
    CHECK(job_run_phase(c.job, JOB_MAP, &c.settings, &io, &c.totals));
    IS(buf_view(&c.out), "{\"words\":\"a b\",\"count\":3}\n");
    CHECK(f.rejected == 1 && job_case_counter(&c, "lines rejected") == 1);
    job_fields_close(&f);
    job_case_close(&c);
}

static void
every_job_is_described(void)
{
    for (const struct corpus_job *const *j = job_table; *j != NULL; j++) {
        struct job_settings s;
        const char *why;

        CHECK((*j)->summary != NULL && (*j)->lines != NULL);
        CHECK(job_find(str_c((*j)->name)) == *j);
        job_preset(*j, &s);
        for (size_t i = 0; i < JOB_OPTIONS_MAX && (*j)->options[i].name; i++) {
            struct buf given = {0};

            buf_printf(&given, "%s=%s", (*j)->options[i].name,
                       (*j)->options[i].preset);
            CHECK((*j)->options[i].help[0] != '\0');
            CHECK(job_set(*j, &s, buf_view(&given), &why));
            buf_free(&given);
        }
    }
}

static void
tags_are_told_from_text(void)
{
    struct str rest = S("<p>1 < 2 <b>x</b><s lang=\"nl\">y</s><");
    static const enum doc_piece_kind kinds[] = {
        DOC_P, DOC_TEXT, DOC_OTHER, DOC_TEXT, DOC_OTHER,
        DOC_S, DOC_TEXT, DOC_S_END, DOC_TEXT, DOC_END};
    struct buf b = {0};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct doc_piece piece = doc_next(&rest);

        CHECK(piece.kind == kinds[i]);
        if (piece.kind == DOC_S) {
            CHECK(str_eq(doc_attribute(piece.text, "lang"), S("nl")));
            CHECK(doc_attribute(piece.text, "lani").n == 0);
        }
    }
    doc_unescape(&b, S("&amp;lt; &lt;&gt; &uuml; &"));
    IS(buf_view(&b), "&lt; <> &uuml; &");
    CHECK(doc_chars(S("<p>\xc3\xbc&amp;x</p><p>y</p>")) == 4);
    buf_free(&b);
}

static const struct test tests[] = {
    TEST(paragraphs_stand_between_blank_lines),
    TEST(documents_without_url_or_text_are_dropped),
    TEST(declared_encodings_become_utf8),
    TEST(json_lines_are_documents_too),
    TEST(copies_of_one_url_are_dropped),
    TEST(one_url_may_have_any_number_of_documents),
    TEST(one_of_equal_url_length_and_ends_stays),
    TEST(of_a_host_one_stays),
    TEST(damaged_documents_go_or_are_labelled),
    TEST(sentences_come_with_url_and_date),
    TEST(the_date_of_a_sentence_is_that_of_the_fetch),
    TEST(equal_sentences_become_one_line),
    TEST(words_in_a_row_are_counted),
    TEST(sums_are_exact_with_and_without_combiner),
    TEST(parts_of_speech_are_counted),
    TEST(pairs_have_their_distance),
    TEST(options_are_checked),
    TEST(fields_of_json_are_columns),
    TEST(every_job_is_described),
    TEST(tags_are_told_from_text),
    {0},
};

int
main(int argc, char **argv)
{
    return folder_main(tests, argc, argv);
}
