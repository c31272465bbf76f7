/* Jobs over sentences: they are cut, labelled with their language, tokenised
 * and tagged.  Method: phases over lines in memory. */
#include "job_case.h"

#include "corpus/job/language_runs.h"
#include "folder.h"

#define DOC(url, text)                                                         \
    url "\t<source><location><![CDATA[" url                                    \
        "]]></location><date>2011-02-01</date></source>\t"                     \
        "<process><length>9</length></process>\t" text "\n"

static void
paragraphs_become_sentences(void)
{
    struct job_case c;

    job_case_open(&c, "sentence", "lang=de");
    IS(job_case_run(&c, JOB_MAP,
                    S(DOC("u", "<p>Das ist R&amp;B. Am 3. Mai kommt Dr. Wolf!"
                               "</p><p>Ohne Punkt</p>") "x\n")),
       DOC("u", "<p><s>Das ist R&amp;B.</s><s>Am 3. Mai kommt Dr. Wolf!</s>"
                "</p><p><s>Ohne Punkt</s></p>"));
    CHECK(job_case_counter(&c, "sentences") == 3);
    CHECK(job_case_counter(&c, "paragraphs") == 2);
    CHECK(job_case_counter(&c, "lines rejected") == 1);
    IS(job_case_run(&c, JOB_MAP,
                    S(DOC("u", "<p><s>Hallo Welt.</s><s>Guten Tag.</s></p>"))),
       DOC("u", "<p><s>Hallo Welt.</s><s>Guten Tag.</s></p>"));
    job_case_close(&c);
    job_case_open(&c, "sentence", "lang=de quotes=1");
    IS(job_case_run(&c, JOB_MAP,
                    S(DOC("u", "<p>Er rief: \u201eHalt! Bleib!\u201c</p>"))),
       DOC("u", "<p><s>Er rief: \u201eHalt! Bleib!\u201c</s></p>"));
    job_case_close(&c);
}

static void
sentences_become_tokens(void)
{
    struct job_case c;

    job_case_open(&c, "token", "lang=de");
    IS(job_case_run(&c, JOB_MAP,
                    S("Das ist R&B, oder?\t3\n\n" DOC(
                        "u", "<p><s lang=\"de\">\"R&amp;B!\"</s></p>"))),
       "Das ist R&B , oder ?\t3\n" DOC(
           "u", "<p><s lang=\"de\">\" R&amp;B ! \"</s></p>"));
    CHECK(job_case_counter(&c, "tokens") == 6 + 4);
    CHECK(job_case_counter(&c, "lines rejected") == 1);
    job_case_close(&c);
}

/* "d" for a sentence of `wanted`, else a letter a language; how many characters
 * each has.  Those that count as wanted come back as '+'. */
static const char *
runs(const char *detected, uint64_t chars, uint64_t most)
{
    static char out[32];
    struct labelled_sentence s[32];
    size_t n = strlen(detected);

    for (size_t i = 0; i < n; i++)
        s[i] = (struct labelled_sentence){str_n(detected + i, 1), chars, false};
    language_runs(s, n, S("d"), most);
    for (size_t i = 0; i < n; i++)
        out[i] = s[i].is_wanted ? '+' : '-';
    out[n] = '\0';
    return out;
}

#define GERMAN                                                                 \
    "Die Kinder spielten am Nachmittag im Garten, und ihre Mutter las "        \
    "unter dem alten Baum ein Buch."
#define RUSSIAN                                                                \
    "\u042d\u0442\u043e \u043f\u0440\u0435\u0434\u043b\u043e\u0436\u0435"      \
    "\u043d\u0438\u0435 \u043d\u0430\u043f\u0438\u0441\u0430\u043d\u043e "     \
    "\u043d\u0430 \u0440\u0443\u0441\u0441\u043a\u043e\u043c "                 \
    "\u044f\u0437\u044b\u043a\u0435."

static void
sentences_say_their_language(void)
{
    struct job_case c;
    static const char in[] =
        DOC("u", "<p><s>" GERMAN "</s><s>" RUSSIAN "</s><s>" GERMAN "</s></p>"
                 "<p><s>" RUSSIAN "</s></p>");

    job_case_open(&c, "language", "lang=de drop=0");
    job_case_run(&c, JOB_MAP, S(in));
    CHECK(memmem(c.out.p, c.out.n, "<p><s lang=\"de\" lani=\"de\">Die", 29));
    CHECK(memmem(c.out.p, c.out.n, "<s lang=\"de\" lani=\"ru\">", 23));
    CHECK(memmem(c.out.p, c.out.n, "<p><s lang=\"ru\" lani=\"ru\">", 26));
    CHECK(job_case_counter(&c, "taken for errors") == 1);
    CHECK(job_case_counter(&c, "sentences of another language") == 1);
    job_case_close(&c);
    job_case_open(&c, "language", "lang=de unknown-max=10");
    job_case_run(&c, JOB_MAP, S(in));
    CHECK(memmem(c.out.p, c.out.n, "ru", 2) == NULL && c.out.n > 100);
    CHECK(job_case_counter(&c, "sentences of another language") == 2);
    job_case_close(&c);
    job_case_open(&c, "language", "lang=nl");
    IS(job_case_run(&c, JOB_MAP, S(in)), "");
    CHECK(job_case_counter(&c, "documents without a sentence left") == 1);
    job_case_close(&c);
}

static void
a_run_is_of_one_detected_language(void)
{
    CHECK(strcmp(runs("ddd", 50, 200), "+++") == 0);
    CHECK(strcmp(runs("eddf", 50, 200), "-++-") == 0);
    CHECK(strcmp(runs("deeeed", 50, 200), "++++++") == 0);
    CHECK(strcmp(runs("deeeeed", 50, 200), "+-----+") == 0);
    /* As in webcorpus' example: a middle sentence of no known language stays,
     * the last one, which is Mongolian, goes. Taken together both would go. */
    CHECK(strcmp(runs("d?m", 50, 200), "++-") == 0);
    CHECK(strcmp(runs("de?ed", 80, 200), "+++++") == 0);
    CHECK(strcmp(runs("e", 50, 200), "-") == 0);
    CHECK(strcmp(runs("efg", 50, 200), "---") == 0);
    CHECK(strcmp(runs("", 50, 200), "") == 0);
}

#define TAGGER "awk '/^</{print;next}{print$1\"\\t\"toupper(substr($1,1,1))}'"

static struct str
annotated(struct job_case *c, const char *command, const char *more,
          const char *lines)
{
    struct buf given = {0};
    const char *why;

    job_case_open(c, "annotate", more);
    buf_printf(&given, "command=%s", command);
    CHECK(job_set(c->job, &c->settings, buf_view(&given), &why));
    job_case_run(c, JOB_MAP, str_c(lines));
    buf_free(&given);
    return buf_view(&c->out);
}

static void
a_command_tags_sentences(void)
{
    struct job_case c;

    IS(annotated(&c, TAGGER, "batch=2", "a b\t7\nc  d\n\ne\t8\tx\n"),
       "a/<A> b/<B>\t7\nc/<C> d/<D>\ne/<E>\t8\tx\n");
    CHECK(job_case_counter(&c, "sentences tagged") == 3);
    CHECK(job_case_counter(&c, "lines rejected") == 1);
    job_case_close(&c);
}

/* Dies at the word "bad", eats the word "lost", never ends at "slow". */
#define BAD_TAGGER                                                             \
    "awk '/bad/{exit 1}/lost/{next}/slow/{system(\"sleep 100\")}"              \
    "/^</{print;next}{print$1\"\\tT\"}'"

static void
what_a_command_fails_on_stays_without_tags(void)
{
    struct job_case c;

    IS(annotated(&c, BAD_TAGGER, "timeout=1",
                 "a\na bad b\t5\nc\nlost\nd\nbad\nslow\ne\n"),
       "a/<T>\na bad b\t5\nc/<T>\nlost\nd/<T>\nbad\nslow\ne/<T>\n");
    CHECK(job_case_counter(&c, "sentences the command failed on") == 4);
    CHECK(job_case_counter(&c, "sentences") == 8);
    CHECK(job_case_counter(&c, "sentences tagged") == 4);
    job_case_close(&c);
    annotated(&c, "false", "", "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm\n");
    IS(buf_view(&c.out), "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm\n");
    CHECK(job_case_counter(&c, "restarts") == 10);
    job_case_close(&c);
}

static const struct test tests[] = {
    TEST(paragraphs_become_sentences),
    TEST(sentences_become_tokens),
    TEST(sentences_say_their_language),
    TEST(a_run_is_of_one_detected_language),
    TEST(a_command_tags_sentences),
    TEST(what_a_command_fails_on_stays_without_tags),
    {0},
};

int
main(int argc, char **argv)
{
    return folder_main(tests, argc, argv);
}
