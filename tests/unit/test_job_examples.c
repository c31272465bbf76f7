/* What the manual of webcorpus shows of its jobs, example by example: its lines
 * in, its lines out, and the presets of its jobconf.txt.  Method: phases over
 * lines in memory. */
#include "job_case.h"

#include "folder.h"

#define DOC(url, text)                                                         \
    url "\t<source><location><![CDATA[" url                                    \
        "]]></location><date>2011-02-01</date></source>\t"                     \
        "<process><length>9</length></process>\t" text "\n"

/* The same line n times. */
static struct str
times(struct buf *b, unsigned n, const char *line)
{
    buf_clear(b);
    for (unsigned i = 0; i < n; i++)
        buf_c(b, line);
    return buf_view(b);
}

static bool
has(struct str text, const char *part)
{
    return memmem(text.p, text.n, part, strlen(part)) != NULL;
}

/* Two paragraphs of German, 83 characters: URL, source, process, text. */
static void
document(void)
{
    struct job_case c;

    folder_put("in", S("<source><location>http://www.a.de/1</location><date>"
                       "2011-02-01</date><user>crawler</user><original_encoding"
                       ">iso-8859-1</original_encoding><language>de</language>"
                       "</source>\n"
                       "Die  digitalen Programme sind\nf\xfcr alle da.\n\n\n\n"
                       " Im Garten bl\xfcht es \xfcppig in vielen Farben.\n"));
    job_case_open(&c, "document", "input-format=leipzig");
    c.path = in_folder("in");
    IS(job_case_run(&c, JOB_MAP, S("")),
       "http://www.a.de/1\t<source><location><![CDATA[http://www.a.de/1]]>"
       "</location><date>2011-02-01</date><user>crawler</user>"
       "<original_encoding>iso-8859-1</original_encoding><language>de"
       "</language></source>\t<process><length>83</length></process>\t"
       "<p>Die digitalen Programme sind f\u00fcr alle da.</p>"
       "<p>Im Garten bl\u00fcht es \u00fcppig in vielen Farben.</p>\n");
    job_case_close(&c);
}

/* /1 twice and /1/print with the same text: two lines stay, of one host one. */
static void
deduplication(void)
{
    static const char lines[] = DOC("http://a.de/1", "<p>Ein Text.</p>")
        DOC("http://a.de/1", "<p>Ein Text.</p>")
            DOC("http://a.de/1/print", "<p>Ein Text.</p>");
    struct job_case c;

    job_case_open(&c, "deduplication", "");
    IS(job_case_all(&c, S(lines)),
       DOC("http://a.de/1/print", "<p>Ein Text.</p>")
           DOC("http://a.de/1", "<p>Ein Text.</p>"));
    job_case_close(&c);
    job_case_open(&c, "deduplication", "drop=0");
    CHECK(has(job_case_all(&c, S(lines)), "<is_duplicate>true</is_duplicate>"));
    job_case_close(&c);
    job_case_open(&c, "dedup-by-host", "");
    IS(job_case_all(&c, S(DOC("http://a.de/1", "<p>Ein Text.</p>")
                              DOC("http://a.de/1/print", "<p>Ein Text.</p>"))),
       DOC("http://a.de/1", "<p>Ein Text.</p>"));
    job_case_close(&c);
}

static void
utf8(void)
{
    struct job_case c;

    job_case_open(&c, "utf8", "");
    IS(job_case_run(&c, JOB_MAP,
                    S(DOC("u", "<p>Stra\xef\xbf\xbd"
                               "e</p>"))),
       "");
    job_case_close(&c);
    job_case_open(&c, "utf8", "drop=0");
    CHECK(has(job_case_run(&c, JOB_MAP,
                           S(DOC("u", "<p>Stra\xef\xbf\xbd"
                                      "e</p>"))),
              "<encoding_error>true</encoding_error>"));
    job_case_close(&c);
}

/* The sentence in the middle is of no known language and stays; the last one is
 * Mongolian and goes, though the two stand side by side. */
static void
language(void)
{
    struct job_case c;
    struct str out;

    job_case_open(&c, "language", "lang=de");
    out = job_case_run(
        &c, JOB_MAP,
        S(DOC("u", "<p><s>Die Kinder spielten am Nachmittag im Garten und "
                   "lasen ein Buch.</s><s>4711 / 0815 -- 12:30</s><s>"
                   "\u0411\u0438 \u043c\u043e\u043d\u0433\u043e\u043b "
                   "\u0445\u044d\u043b\u044d\u044d\u0440 "
                   "\u044f\u0440\u044c\u0434\u0430\u0433 \u0431\u0430 "
                   "\u04af\u04af\u043d\u0434 \u0438\u0445 "
                   "\u0434\u0443\u0440\u0442\u0430\u0439.</s></p>")));
    CHECK(has(out, "<s lang=\"de\" lani=\"de\">Die Kinder"));
    CHECK(has(out, "<s lang=\"de\" lani=\"unknown\">4711"));
    CHECK(!has(out, "mn") && !has(out, "\u043c\u043e\u043d\u0433\u043e\u043b"));
    CHECK(job_case_counter(&c, "sentences of another language") == 1);
    job_case_close(&c);
}

static void
ngrams(void)
{
    struct job_case c;
    struct buf b = {0};

    job_case_open(&c, "ngram", "n=3");
    IS(job_case_all(&c, S("und digitale Programme\n")),
       "und digitale Programme\t1\n");
    job_case_close(&c);
    job_case_open(&c, "ngram-with-pos", "n=3");
    IS(job_case_all(&c, S("und/<KON> digitale/<ADJA> Programme/<NN>\n")),
       "und/<KON> digitale/<ADJA> Programme/<NN>\t1\n");
    job_case_close(&c);
    job_case_open(&c, "pos-ngram", "n=3");
    job_case_all(&c,
                 times(&b, 15, "und/<KON> digitale/<ADJA> Programme/<NN>\n"));
    CHECK(has(buf_view(&c.out), "und <ADJA> <NN>\t15\n"));
    CHECK(has(buf_view(&c.out), "<KON> <ADJA> <NN>\t15\n"));
    CHECK(job_case_counter(&c, "keys") == 8);
    job_case_close(&c);
    job_case_open(&c, "cooccurrence", "n=3");
    job_case_all(&c, times(&b, 9, "\u00fcppig bl\u00fcht es in\n"));
    CHECK(has(buf_view(&c.out), "\u00fcppig@@-3 in@@+3\t9\n"));
    job_case_close(&c);
    buf_free(&b);
}

/* 512 characters, not bytes, and not one more. */
static void
sentence_extract(void)
{
    struct buf in = {0}, sentence = {0}, expected = {0};
    struct job_case c;

    times(&sentence, 512, "\u00fc");
    buf_printf(&in, "http://a.de/\t<source><date>2011-02-01</date></source>\t"
                    "<process></process>\t<p><s lang=\"de\" lani=\"de\">");
    buf_str(&in, buf_view(&sentence));
    buf_c(&in, "</s><s lang=\"de\" lani=\"de\">x");
    buf_str(&in, buf_view(&sentence));
    buf_c(&in, "</s><s lang=\"de\" lani=\"unknown\">4711</s></p>\n");
    buf_str(&expected, buf_view(&sentence));
    buf_c(&expected, "\thttp://a.de/\t2011-02-01\n");
    job_case_open(&c, "sentence-extract", "");
    CHECK(
        str_eq(job_case_run(&c, JOB_MAP, buf_view(&in)), buf_view(&expected)));
    CHECK(job_case_counter(&c, "sentences too long") == 1);
    job_case_close(&c);
    buf_free(&in);
    buf_free(&sentence);
    buf_free(&expected);
}

/* One count, the first date, at most ten URLs. */
static void
sentence_extract_compact(void)
{
    struct buf in = {0};
    struct job_case c;

    for (int i = 30; i > 18; i--)
        buf_printf(&in, "Ein Satz.\thttp://a.de/%d\t2011-02-%d\n", i, i);
    job_case_open(&c, "sentence-extract-compact", "");
    IS(job_case_all(&c, buf_view(&in)),
       "Ein Satz.\t12\t2011-02-19\thttp://a.de/19\thttp://a.de/20\t"
       "http://a.de/21\thttp://a.de/22\thttp://a.de/23\thttp://a.de/24\t"
       "http://a.de/25\thttp://a.de/26\thttp://a.de/27\thttp://a.de/28\n");
    job_case_close(&c);
    buf_free(&in);
}

static bool
is_preset(const char *job, const char *option, const char *value)
{
    const struct corpus_job *j = job_find(str_c(job));

    for (size_t i = 0; i < JOB_OPTIONS_MAX && j->options[i].name; i++)
        if (strcmp(j->options[i].name, option) == 0)
            return strcmp(j->options[i].preset, value) == 0;
    return false;
}

static void
presets(void)
{
    CHECK(is_preset("document", "test-length", "1000"));
    CHECK(is_preset("deduplication", "test-length", "1000"));
    CHECK(is_preset("language", "unknown-max", "200"));
    CHECK(is_preset("sentence-extract", "chars-max", "512"));
    CHECK(is_preset("sentence-extract-compact", "urls-max", "10"));
    CHECK(is_preset("cooccurrence", "mark", "@@"));
    CHECK(is_preset("ngram", "separator", "<s>"));
}

static const struct test tests[] = {
    TEST(document),
    TEST(deduplication),
    TEST(utf8),
    TEST(language),
    TEST(ngrams),
    TEST(sentence_extract),
    TEST(sentence_extract_compact),
    TEST(presets),
    {0},
};

int
main(int argc, char **argv)
{
    return folder_main(tests, argc, argv);
}
