/* Jobs `mask` and `quality`, the filters of published corpora: what is personal
 * data and what only looks so; a document for each rule, and none without one.
 * Method: phases over lines in memory. */
#include "job_case.h"

#include "corpus/job/doc_line.h"
#include "folder.h"

/* ---- mask ---- */

/* The text of one document after the job; its counters stay in *c. */
static struct str
masked(struct job_case *c, const char *options, const char *text)
{
    struct buf in = {0};
    struct doc_line d;

    job_case_open(c, "mask", options);
    buf_printf(&in, "u\ts\t<process></process>\t%s\n", text);
    job_case_run(c, JOB_MAP, buf_view(&in));
    buf_free(&in);
    CHECK(doc_line_read(&d, buf_view(&c->out)));
    return str_trim(d.text);
}

static void
personal_data_is_masked(void)
{
    struct job_case c;

    IS(masked(&c, "",
              "<p>An a.b+c@x-y.co.uk. oder 192.0.2.17, +49 (30) 1234-567.</p>"
              "<p>DE89 3704 0044 0532 0130 00 und 4111 1111 1111 1111</p>"),
       "<p>An emailblank. oder ipblank, phoneblank.</p>"
       "<p>ibanblank und cardblank</p>");
    CHECK(memmem(c.out.p, c.out.n, "<masked>5</masked>", 18) != NULL);
    CHECK(job_case_counter(&c, "e-mail") == 1);
    CHECK(job_case_counter(&c, "IP") == 1);
    CHECK(job_case_counter(&c, "telephone") == 1);
    CHECK(job_case_counter(&c, "IBAN") == 1);
    CHECK(job_case_counter(&c, "cards") == 1);
    job_case_close(&c);
    IS(masked(&c, "",
              "<p>a@b, DE88 3704 0044 0532 0130 00, 4111 1111 1111 1112, "
              "1.2.3, 256.1.1.1, 1.2.3.4.5, 03.05.2020, 012345678, @x.de</p>"),
       "<p>a@b, DE88 3704 0044 0532 0130 00, 4111 1111 1111 1112, "
       "1.2.3, 256.1.1.1, 1.2.3.4.5, 03.05.2020, 012345678, @x.de</p>");
    CHECK(memmem(c.out.p, c.out.n, "<masked>0</masked>", 18) != NULL);
    job_case_close(&c);
    IS(masked(&c, "email=0 ip=0", "<p>a@b.de 192.0.2.1, 0170/123 456 78</p>"),
       "<p>a@b.de 192.0.2.1, phoneblank</p>");
    job_case_close(&c);
}

static void
addresses_of_version_6_are_masked(void)
{
    struct job_case c;

    IS(masked(&c, "",
              "<p>Von 2001:db8::8a2e:370:7334, fe80::1. und "
              "[2001:0db8:85a3:0000:0000:8a2e:0370:7334]:80, "
              "::ffff:192.0.2.128: so.</p>"),
       "<p>Von ipblank, ipblank. und [ipblank]:80, ipblank: so.</p>");
    CHECK(job_case_counter(&c, "IP") == 4);
    job_case_close(&c);
    IS(masked(&c, "",
              "<p>12:30:45, 1::2, std::dead::beef, 00:1a:2b:3c:4d:5e, "
              "::1, abc::defg, add: 2001:db8:::1, a::</p>"),
       "<p>12:30:45, 1::2, std::dead::beef, 00:1a:2b:3c:4d:5e, "
       "::1, abc::defg, add: 2001:db8:::1, a::</p>");
    job_case_close(&c);
    IS(masked(&c, "ip=0", "<p>2001:db8::1</p>"), "<p>2001:db8::1</p>");
    job_case_close(&c);
}

/* Quotes, dashes and signs of other scripts stand right beside them. */
static void
what_other_scripts_and_typography_have_beside_it_hides_nothing(void)
{
    static const struct {
        const char *text, *masked;
    } rows[] = {
        {"„a@b.de“ «a@b.de» …a@b.de–a@b.de", "„emailblank“ «emailblank» "
                                             "…emailblank–emailblank"},
        {"„192.0.2.17“, „2001:db8::1“–„+49 30 1234567“",
         "„ipblank“, „ipblank“–„phoneblank“"},
        {"“DE89370400440532013000” ‘4111111111111111’",
         "“ibanblank” ‘cardblank’"},
        {"müller@bücher.de, info@müller.de, jürgen.k@web.de.",
         "emailblank, emailblank, emailblank."},
        {"иван@почта.рф: тел. +7 495 1234567.", "emailblank: тел. phoneblank."},
        {"उपयोगकर्ता@उदाहरण.भारत", "emailblank"},
        {"用户@例子.广告", "emailblank"},
        {"邮箱abc@b.com谢谢，电话+86 10 12345678。",
         "邮箱emailblank谢谢，电话phoneblank。"},
        {"邮箱：abc@b.com、192.0.2.17です", "邮箱：emailblank、ipblankです"},
        {"이메일abc@b.com으로 보내", "이메일emailblank으로 보내"},
        {"ы192.0.2.17 192.0.2.17ы é192.0.2.17", "ы192.0.2.17 192.0.2.17ы "
                                                "é192.0.2.17"},
        {"@bücher.de müller@ é@b ü@b.1", "@bücher.de müller@ é@b ü@b.1"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct job_case c;

        IS(masked(&c, "", rows[i].text), rows[i].masked);
        job_case_close(&c);
    }
}

/* What stands beside a number does not hide it, nor does one number another. */
static void
numbers_in_a_row_are_masked(void)
{
    static const struct {
        const char *text, *masked;
    } rows[] = {
        {"IBAN: DE89 3704 0044 0532 0130 00 BIC: COBADEFFXXX",
         "IBAN: ibanblank BIC: COBADEFFXXX"},
        {"DE89370400440532013000 Postbank", "ibanblank Postbank"},
        {"NL91 ABNA 0417 1643 00 NL91ABNA0417164300 7",
         "ibanblank ibanblank 7"},
        {"4111 1111 1111 1111 12/27", "cardblank 12/27"},
        {"4111 1111 1111 1111 5500 0000 0000 0004 3te",
         "cardblank cardblank 3te"},
        {"Karte 2 378282246310005 123", "Karte 2 cardblank 123"},
        {"10.0.0.1 10.0.0.2", "ipblank ipblank"},
        {"80 10.0.0.1-10.0.0.2/10.0.0.3", "80 ipblank-ipblank/ipblank"},
        {"2001:db8::1 2001:db8::2", "ipblank ipblank"},
        {"7 1a@x.de 2b@x.de", "7 emailblank emailblank"},
        {"030 1234567 040 7654321 0171 1234 5678",
         "phoneblank phoneblank phoneblank"},
        {"030/1234567 / 040/0123456, 050/7654321",
         "phoneblank / phoneblank, phoneblank"},
        {"+49 30 1234567 +49 40 7654321 040/7654321",
         "phoneblank phoneblank phoneblank"},
        {"+49 30 1234567 040 7654321", "phoneblank phoneblank"},
        {"+49301234567 040 7654321", "phoneblank phoneblank"},
        {"0171-1234567/0172-1234567", "phoneblank/phoneblank"},
        {"Tel.030/1234567 Nr.4111111111111111.",
         "Tel.phoneblank Nr.cardblank."},
        {"030 / 1234567, 0171 / 1234567 / 0172 / 1234567",
         "phoneblank, phoneblank / phoneblank"},
        {"Tel. 0 30 / 12 34 56, 0 61 31 / 12 34 56",
         "Tel. phoneblank, phoneblank"},
        {"+49 30 / 12 34 56 / 0 30 / 12 34 56", "phoneblank / phoneblank"},
        {"Fax:(030)12345-67 Fax(030) 12345-67", "Fax:phoneblank Faxphoneblank"},
        {"12 (030) 1234567 ((+49) 30 1234567)", "12 phoneblank (phoneblank)"},
        {"(030 1234567) (0171/1234567, (0)30 1234567)",
         "(phoneblank) (phoneblank, phoneblank)"},
        {"Version 1.2.3.4 on 10.0.0.1, versions 1.2.3.4 10.0.0.1",
         "Version 1.2.3.4 on ipblank, versions 1.2.3.4 ipblank"},
        {"10.0.0.1 and 10.0.0.2.tarred", "ipblank and ipblank.tarred"},
        {"Versionsserver 10.0.0.1: 10.0.0.2, vers 10.0.0.3",
         "Versionsserver ipblank: ipblank, vers ipblank"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct job_case c;

        IS(masked(&c, "", rows[i].text), rows[i].masked);
        job_case_close(&c);
    }
}

/* ... but rows of other numbers stay. */
static void
rows_of_other_numbers_stay(void)
{
    static const char *const rows[] = {"DE89 3704 0044 0532 0130 01 BIC",
                                       "DE89 3704 0044 0532 0130 BIC",
                                       "so.1.2.3.4, 7.030/1234567",
                                       "Version 1.2.3.4, versie: 1.2.3.4",
                                       "(Firmware-Version 1.2.3.4)",
                                       "VERSION=1.2.3.4, Build (10.0.0.1)",
                                       "versions 1.2.3.4 and 1.2.3.5",
                                       ("Versionen 1.2.3.4, 1.2.3.5, 1.2.3.6 "
                                        "oder 1.2.3.7"),
                                       "version 1.2.3.4 - 1.2.3.5",
                                       "lib-1.2.3.4.tar.gz, 10.0.0.1.ZIP",
                                       "1 (02) 3, (2024) 05 / 2024, (0)",
                                       "0 1 / 20 24 / 0 2 / 20 25",
                                       "05 / 2024 - 06 / 2025, 01 / 2024567",
                                       "DE893704004405320130001",
                                       "4111 1111 1111 1112 12/27",
                                       "2012 2013 2014 2015 2016 2017",
                                       "2019 2020 2021 2022 2023 2024",
                                       "01067 01069 01097 01099 01108",
                                       "0815 0816 0817 0818 0819",
                                       "12 0170 1234567",
                                       "3-030/1234567",
                                       "30 0044 0532 0130 00",
                                       "1.2.3 4.5.6 1.2.3.4.5 6.7",
                                       "0123 4567 8901 2345 6789 0123 4567"};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct job_case c;

        IS(masked(&c, "", rows[i]), rows[i]);
        job_case_close(&c);
    }
}

/* A row of a page's length is not read again from each place in it, for which
 * the time that the test has would not do. */
static void
long_rows_come_to_an_end(void)
{
    static const char *const part[] = {"0(",   "(0", "0)(",  "1.2 (",   "(+0",
                                       "a@b.", "яa", "用a.", "用用用用"};

    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        struct buf text = {0};
        struct job_case c;

        for (int n = 0; n < 200000; n++)
            buf_c(&text, part[i]);
        buf_char(&text, '\0');
        masked(&c, "", text.p);
        job_case_close(&c);
        buf_free(&text);
    }
}

/* ---- quality ---- */

/* Which rule a text of `n` times `part` does not meet; "" : it meets all. */
static const char *
unmet(const char *options, const char *part, size_t n)
{
    static char rule[32];
    struct buf in = {0};
    struct job_case c;
    struct doc_line d;
    struct str name;

    job_case_open(&c, "quality", "drop=0");
    if (options[0] != '\0') {
        const char *why;

        CHECK(job_set(c.job, &c.settings, str_c(options), &why));
    }
    buf_c(&in, "u\ts\t<process></process>\t");
    for (size_t i = 0; i < n; i++)
        buf_printf(&in, part, i, i * 7 + 1000, i * 13 + 7000);
    buf_char(&in, '\n');
    job_case_run(&c, JOB_MAP, buf_view(&in));
    CHECK(doc_line_read(&d, str_trim(buf_view(&c.out))));
    CHECK(memmem(d.process.p, d.process.n, "<quality>words=", 15) != NULL);
    name = doc_element(d.process, DOC_FACT_REJECT);
    snprintf(rule, sizeof rule, "%.*s", STRF(name));
    buf_free(&in);
    job_case_close(&c);
    return rule;
}

static const struct {
    const char *rule, *options, *part;
    size_t n;
} rule_case[] = {
    {"", "", "<p>Wortes%zu kamens%zu hierher%zu.</p>", 30},
    {"words-min", "", "<p>Dies ist ein kurzer Text %zu.</p>", 3},
    {"words-max", "limits=words-min=1 words-max=5",
     "<p>Dies ist dann ein kurzer Text.</p>", 1},
    {"", "limits=words-min=5 letters=0",
     "<p>Dies ist dann ein kurzer Text %zu von %zu und %zu.</p>", 1},
    {"word-mean-min", "", "<p>Da ja so zu an um.</p>", 30},
    {"word-mean-max", "", "<p>Donaudampfschifffahrtswort%zu%zu%zu.</p>", 60},
    {"symbols", "", "<p>Dies #ist der a%zu #Satz b%zu mit c%zu.</p>", 30},
    /* # and ellipses by themselves: each is at every 16th word */
    {"", "rules=symbols",
     "<p>Dies #ist der a%zu Satz b%zu mit c%zu und so weiter bis an das Ende "
     "des Textes...</p>",
     30},
    {"bullets", "", "<p>- Wort%zu steht%zu hier%zu genau.</p>", 30},
    {"ellipses", "limits=symbols=1", "<p>Wort%zu steht%zu hier%zu und...</p>",
     30},
    {"letters", "", "<p>Zahlen %zu %zu %zu.</p>", 30},
    {"letters", "rules=letters",
     "<p>Wort%zu \u2013 \u2022 &amp; steht%zu hier%zu.</p>", 30},
    {"", "rules=letters", "<p>\u0441\u043b\u043e\u0432\u043e \u8bcd</p>", 30},
    {"punctuation", "", "<p>Dies ist der Satz a%zu von Text b%zu ganz c%zu</p>",
     30},
    {"short-lines", "", "<p>Wort%zu steht%zu.</p>", 30},
    {"lines-twice", "", "<p>Dies ist immer der gleiche Satz im Text.</p>", 30},
    {"chars-twice", "limits=lines-twice=1",
     "<p>Dies ist immer der gleiche Satz im Text.</p>", 30},
    {"top-2", "rules=top-2", "<p>und dann a%zu und dann b%zu.</p>", 30},
    {"", "rules=top-2", /* the most frequent one is short */
     "<p>ab cd so ab cd dann ab cd Bundesverfassungsgericht "
     "Geschwindigkeitsbegrenzung und Bundesverfassungsgericht "
     "Geschwindigkeitsbegrenzung sind lange Woerter in diesem Satz.</p>",
     1},
    {"top-3", "rules=top-3", "<p>und dann so a%zu und dann so b%zu.</p>", 30},
    {"top-4", "rules=top-4", "<p>so und dann an a%zu b%zu.</p>", 30},
    {"twice-5", "rules=twice-5", "<p>eins zwei drei vier fuenf a%zu sechs.</p>",
     30},
    {"twice-10", "rules=twice-10",
     "<p>eins zwei drei vier fuenf sechs acht neun zehn elf a%zu.</p>", 30},
    {"stop-words", "lang=en", "<p>Wortes%zu kamens%zu hierher%zu.</p>", 30},
    {"", "lang=en", "<p>The words%zu are here%zu and of there%zu.</p>", 30},
    {"", "rules=words-max", "<p>x</p>", 1},
};
#define RULE_CASES (sizeof rule_case / sizeof *rule_case)

/* Behind the three counters of documents come those of the rules. */
static void
each_rule_rejects_a_document(void)
{
    const struct corpus_job *quality = job_find(S("quality"));
    size_t rules = 0;

    for (size_t i = 0; i < RULE_CASES; i++) {
        const char *rule =
            unmet(rule_case[i].options, rule_case[i].part, rule_case[i].n);

        if (strcmp(rule, rule_case[i].rule) != 0)
            fprintf(stderr, "row %zu: %s\n", i, rule);
        CHECK(strcmp(rule, rule_case[i].rule) == 0);
    }
    for (size_t k = 3; k < JOB_COUNTERS_MAX && quality->counters[k] != NULL;
         k++) {
        size_t i = 0;

        while (i < RULE_CASES &&
               strcmp(rule_case[i].rule, quality->counters[k]) != 0)
            i++;
        CHECK(i < RULE_CASES);
        rules++;
    }
    CHECK(rules == 18);
}

static void
rules_that_are_none_are_a_fault(void)
{
    struct job_case c;
    struct job_io io = {&c, job_case_line, job_case_file, job_case_put, NULL};

    job_case_open(&c, "quality", "rules=no-such");
    c.rest = S("");
    CHECK(!job_run_phase(c.job, JOB_MAP, &c.settings, &io, &c.totals));
    job_case_close(&c);
}

static const struct test tests[] = {
    TEST(personal_data_is_masked),
    TEST(addresses_of_version_6_are_masked),
    TEST(what_other_scripts_and_typography_have_beside_it_hides_nothing),
    TEST(numbers_in_a_row_are_masked),
    TEST(long_rows_come_to_an_end),
    TEST(rows_of_other_numbers_stay),
    TEST(each_rule_rejects_a_document),
    TEST(rules_that_are_none_are_a_fault),
    {0},
};

int
main(int argc, char **argv)
{
    return folder_main(tests, argc, argv);
}
