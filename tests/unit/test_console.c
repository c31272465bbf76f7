/* test_console.c -- `winnow config` and `winnow report` as an operator meets
 * them: arguments in, exit code and output out. */
#include "folder.h"
#include "printed.h"

#include <json-c/json.h>

#define SEEDS "[seeds]\nurl = http://a.nl/\n"
#define CONTACT "user_agent = test/1.0 (+https://example.org/bot)\n"
#define WHO "[fetch]\n" CONTACT

extern const struct command command_config, command_report, command_clean;

static const struct command *const table[] = {&command_config, &command_report,
                                              &command_clean, NULL};

/* `line`: the arguments, separated by blanks, @ replaced by the folder. */
static int
winnow(const char *line)
{
    int argc = 0;
    char words[512], *argv[16], *rest = words;

    snprintf(words, sizeof words, "winnow ");
    for (const char *c = line; *c; c++) {
        size_t n = strlen(words);

        if (*c == '@')
            snprintf(words + n, sizeof words - n, "%s", folder);
        else
            snprintf(words + n, sizeof words - n, "%c", *c);
    }
    while ((argv[argc] = strtok_r(rest, " ", &rest)) != NULL)
        argc++;
    return printed_main(table, argc, argv);
}

static void
a_good_job_file_is_ok_and_shows_what_it_changes(void)
{
    folder_put("seeds.txt", S("http://a.nl/\n"));
    folder_put("good.ini", S("[seeds]\nfile = seeds.txt\n[limits]\npages = 5\n"
                             "depth = 0\n" WHO));
    CHECK(winnow("config check @/good.ini") == EXIT_DONE);
    CHECK(strstr(out, "limits.pages = 5\n"));
    CHECK(strstr(out, "/seeds.txt\n"));
    CHECK(strstr(out, "depth") == NULL); /* as the preset */
    CHECK(strstr(out, "/good.ini: ok, 3 of "));
    CHECK(strcmp(err, "") == 0);
}

static void
a_bad_job_file_is_wrong_usage(void)
{
    folder_put("bad.ini", S("[limits]\npages = x\ndepht = 1\n"));
    CHECK(winnow("config check @/bad.ini") == EXIT_USAGE);
    CHECK(strstr(err, "/bad.ini:2: limits.pages = x: not a whole number"));
    CHECK(strstr(err, "/bad.ini:3: limits.depht: no such option, did you mean "
                      "limits.depth?"));
    CHECK(strcmp(out, "") == 0);
}

static void
a_file_named_in_the_job_must_be_there(void)
{
    folder_put("lost.ini", S("[seeds]\nfile = nowhere.txt\n"));
    CHECK(winnow("config check @/lost.ini") == EXIT_USAGE);
    CHECK(strstr(err, "seeds.file = /tmp/winnow-test-"));
    CHECK(strstr(err, "nowhere.txt: No such file or directory"));
}

/* What winnow crawl would refuse, and why. */
static void
a_job_that_no_crawl_would_take_is_refused(void)
{
    static const char *const bad[][2] = {
        {"[clean]\nlanguage = nll\n" WHO SEEDS,
         "clean.language = nll: there is no such profile, did you mean nl?"},
        {"[clean]\nlanguage = Dutch\n" WHO SEEDS, ", did you mean nl?"},
        {"[clean]\nlanguage = fran\xc3\xa7"
         "ais\n" WHO SEEDS,
         "mean fr?"},
        {"[clean]\nlanguage = deu\n" WHO SEEDS, "did you mean de?"},
        {"[clean]\nlanguage = pt-BR\n" WHO SEEDS, "did you mean pt?"},
        {"[clean]\nlanguage = xx\n" WHO SEEDS, "`winnow profile` makes one"},
        {"[clean]\nlanguage = nl\n" WHO, "no seeds"},
        {"[clean]\nlanguage = nl\n" SEEDS, "no contact URL"},
        {"[scope]\ntld = be\n" WHO SEEDS, "none of the 1 seeds"},
        {"[clean]\nnetwork = nowhere.net\n" WHO SEEDS, "nowhere.net"},
        {"[clean]\nprofiles = nl=nowhere.prof\n" WHO SEEDS, "nowhere.prof"},
        {"[clean]\nchain = charset strip\n" WHO SEEDS, "shingles"},
        {"[fetch]\nallow_private = 10.0.0.0/99\n" CONTACT SEEDS,
         "allow_private"},
        {"[dedup]\nurl = tcp://192.0.2.1:99\n" WHO SEEDS, "plain tcp beyond"},
        {"[dedup]\nurl = tcp://localhost:99999\n" WHO SEEDS,
         "dedup.url = tcp://localhost:99999: its port"},
        {"[dedup]\nurl =\n" WHO SEEDS, "dedup.url = (empty): not an address"},
        {"[frontier]\nurl = foo://x\n" WHO SEEDS,
         "frontier.url = foo://x: not an address"},
        {"[dedup]\npub = tls+tcp://a:1\n" WHO SEEDS, "needs tls.authority"},
        {"[frontier]\nwithout = foo\n" WHO SEEDS, "no feature begins with foo"},
        {"[fetch]\ndns_servers = foo\n" CONTACT SEEDS, "fetch.dns_servers"},
        {"[fetch]\nsign_key = refused.ini\nsign_agent = "
         "https://a.example\n" CONTACT SEEDS,
         "no private Ed25519 key"},
        {"[fetch]\nsign_agent = https://a.example\n" CONTACT SEEDS,
         "without fetch.sign_key"},
        {"[fetch]\nsign_key = refused.ini\nsign_agent = a.example\n" CONTACT
             SEEDS,
         "fetch.sign_agent = a.example: not an https URL"},
        {"[recrawl]\ninterval_seconds = 60\ninterval_max_seconds = 60\n" WHO
             SEEDS,
         "recrawl.interval_min_seconds = 3600 is more than"},
        {"[frontier]\nlease_seconds = 36\n" WHO SEEDS,
         "frontier.lease_seconds = 36 is less than a fetch may take, 37 with"},
        {"[politeness]\nrobots_also = GPTBot *\n" WHO SEEDS,
         "politeness.robots_also = *: not the name of a crawler"},
        {"[fetch]\nlogins = .\n" CONTACT SEEDS, ": Is a directory"},
        {"[scope]\nhosts = *.a.example\n" WHO SEEDS,
         "refused.ini:2: scope.hosts = *.a.example: not a host name: "
         "*.a.example"},
    };

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        folder_put("refused.ini", str_c(bad[i][0]));
        CHECK(winnow("config check @/refused.ini") == EXIT_USAGE);
        CHECK(strstr(err, bad[i][1]));
        if (strstr(err, bad[i][1]) == NULL)
            fprintf(stderr, "wanted: %s\ngot:    %s\n", bad[i][1], err);
        CHECK(strcmp(out, "") == 0);
    }
}

/* Its names are those of loopback addresses, and other hosts are out of bounds.
 */
static void
a_hosts_file_needs_no_contact(void)
{
    folder_put("hosts", S("a.nl 127.0.0.1:80\n"));
    folder_put("own.ini", S("[fetch]\nhosts_file = hosts\n" SEEDS));
    CHECK(winnow("config check @/own.ini") == EXIT_DONE);
}

/* From behind `begin` to one of `end`, in `into`. */
static void
cut_out(const char *begin, const char *end, char into[256])
{
    const char *from = strstr(out, begin);

    CHECK(from != NULL);
    from = from == NULL ? "" : from + strlen(begin);
    snprintf(into, 256, "%.*s", (int)strcspn(from, end), from);
}

static void
the_examples_of_help_work_in_their_order(void)
{
    char dump[256], check[256], line[512];

    CHECK(winnow("help config") == EXIT_DONE);
    cut_out("Examples:\n  winnow ", ">", dump);
    cut_out("\n  winnow config check job.ini", "\n", check);
    CHECK(winnow(dump) == EXIT_DONE && strlen(out) > 10000);
    folder_put("job.ini", str_c(out));
    snprintf(line, sizeof line, "config check @/job.ini%s", check);
    CHECK(winnow(line) == EXIT_DONE);
    CHECK(strstr(out, "limits.pages = 1000\n"));
}

/* Whoever has made five mistakes hears of five. */
static void
all_faults_are_told_at_once(void)
{
    static const char *const wanted[] = {
        ":2: limits.pages = x: not a whole number",
        ":6: limits.depht: no such option",
        "seeds.file = ",
        "nowhere.txt: No such file",
        "log.stats_file = ",
        ":10: output.format = jsonl pdf: pdf: not a known word",
        "clean.language = nll: there is no such profile",
        "clean.language = dee: there is no such profile",
        "clean.letters: 41-zz is no range",
        "allow_private"};

    folder_put("many.ini",
               S("[limits]\npages = x\n[seeds]\nfile = nowhere.txt\n"
                 "[limits]\ndepht = 1\n[log]\nstats_file = no/such/job.log\n"
                 "[output]\nformat = jsonl pdf\n[clean]\nlanguage = nll dee\n"
                 "letters = 41-zz\n[fetch]\nallow_private = 10.0.0.0/99\n"));
    CHECK(winnow("config check @/many.ini") == EXIT_USAGE);
    CHECK(strcmp(out, "") == 0);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (strstr(err, wanted[i]) == NULL)
            fprintf(stderr, "wanted: %s\ngot:    %s\n", wanted[i], err);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        CHECK(strstr(err, wanted[i]));
    CHECK(strstr(err, "no seeds") == NULL); /* only since their file is lost */
    CHECK(winnow("config dump @/many.ini") == EXIT_USAGE);
    CHECK(strcmp(out, "") == 0);
}

/* texrex's job names no path, but itself: who reads "/tmp/x/job.log: No such
 * file" has never heard of that. */
static void
a_log_that_cannot_be_written_is_named_by_its_key(void)
{
    folder_put("page.html", S("<p>een"));
    CHECK(winnow("clean @/page.html --set log.stats_file=@/no/such/job.log "
                 "-o @/page.txt") != EXIT_DONE);
    CHECK(strstr(err, "log.stats_file (TTrApplication.JobName of texrex) = "));
    CHECK(strstr(err, "/no/such/job.log: No such file or directory"));
}

/* One of winnow clean: its files may be named by wildcards, or come later. */
static void
a_job_with_an_input_needs_no_seeds(void)
{
    folder_put("clean.ini", S("[input]\npath = *.warc.gz\n[output]\n"
                              "prefix = later/nl\n[clean]\nlanguage = nl\n"));
    CHECK(winnow("config check @/clean.ini") == EXIT_DONE);
    folder_put("clean.ini",
               S("[input]\npath = *.warc.gz\n[clean]\nlanguage = nll\n"));
    CHECK(winnow("config check @/clean.ini") == EXIT_USAGE);
    CHECK(strstr(err, "did you mean nl?"));
}

static void
a_dump_is_a_job_file(void)
{
    CHECK(winnow("config dump --set limits.pages=77 "
                 "--set seeds.url=http://localhost/") == EXIT_DONE);
    folder_put("dump.ini", str_c(out));
    CHECK(winnow("config check @/dump.ini") == EXIT_DONE);
    CHECK(strstr(out, "limits.pages = 77\n"));
    CHECK(strstr(out, "/dump.ini: ok, 2 of "));
}

static void
the_list_comes_in_three_forms(void)
{
    struct json_object *rows;

    CHECK(winnow("config list") == EXIT_DONE);
    CHECK(strstr(out, "  politeness.delay_ms = 1000  (ms: 0 to 3600000 ms)\n"));
    CHECK(winnow("config list --markdown") == EXIT_DONE);
    CHECK(strstr(out, "## politeness\n\n| key | preset | values | meaning |"));
    CHECK(winnow("config list --json") == EXIT_DONE);
    rows = json_tokener_parse(out);
    CHECK(json_object_array_length(rows) == opt_table_n);
    json_object_put(rows);
}

static void
config_without_a_known_word_is_wrong_usage(void)
{
    CHECK(winnow("config") == EXIT_USAGE);
    CHECK(winnow("config chekc") == EXIT_USAGE);
    CHECK(strstr(err, "usage: winnow config check JOB.ini"));
    CHECK(winnow("config check") == EXIT_USAGE);
    CHECK(winnow("config check @/seeds.txt") == EXIT_USAGE);
    CHECK(strstr(err, "job files end in .ini"));
}

static void
a_report_prints_one_object_and_writes_its_files(void)
{
    struct json_object *o, *v = NULL;

    folder_put(
        "log/crawl.jsonl",
        S("{\"url\":\"http://a.nl/\",\"host\":\"a.nl\",\"kind\":\"page\","
          "\"outcome\":\"FETCHED\",\"verdict\":\"kept\",\"bytes\":10}\n"));
    CHECK(winnow("report @ --json --out @/tables") == EXIT_DONE);
    o = json_tokener_parse(out);
    CHECK(json_object_object_get_ex(o, "fetched", &v));
    CHECK(json_object_get_int(v) == 1);
    json_object_put(o);
    CHECK(strchr(out, '\n') == out + strlen(out) - 1);
    CHECK(folder_has("tables/report.svg"));
    CHECK(winnow("report @") == EXIT_DONE);
    CHECK(strstr(out, "yield ratio    1.0000"));
    CHECK(folder_has("report/yield.tsv"));
}

static void
a_report_of_nothing_fails_clearly(void)
{
    CHECK(winnow("report") == EXIT_USAGE);
    CHECK(winnow("report @/nowhere") == EXIT_FAILED);
    CHECK(strstr(err, "/nowhere error=\"no such folder\""));
    CHECK(winnow("report @ @/nowhere") == EXIT_FAILED);
    CHECK(strstr(err, "/nowhere error=\"no such folder\""));
    CHECK(strcmp(out, "") == 0);
}

static void
a_report_that_cannot_write_still_prints(void)
{
    CHECK(winnow("report @ --out @/seeds.txt/x") == EXIT_FAILED);
    CHECK(strstr(out, "pages fetched  1 from 1 hosts"));
    CHECK(strstr(err, "seeds.txt/x error=\"Not a directory\""));
}

int
main(int argc, char **argv)
{
    static const struct test tests[] = {
        TEST(a_good_job_file_is_ok_and_shows_what_it_changes),
        TEST(a_bad_job_file_is_wrong_usage),
        TEST(a_file_named_in_the_job_must_be_there),
        TEST(a_job_that_no_crawl_would_take_is_refused),
        TEST(a_hosts_file_needs_no_contact),
        TEST(the_examples_of_help_work_in_their_order),
        TEST(all_faults_are_told_at_once),
        TEST(a_log_that_cannot_be_written_is_named_by_its_key),
        TEST(a_job_with_an_input_needs_no_seeds),
        TEST(a_dump_is_a_job_file),
        TEST(the_list_comes_in_three_forms),
        TEST(config_without_a_known_word_is_wrong_usage),
        TEST(a_report_prints_one_object_and_writes_its_files),
        TEST(a_report_of_nothing_fails_clearly),
        TEST(a_report_that_cannot_write_still_prints),
        {0},
    };

    return folder_main(tests, argc, argv);
}
