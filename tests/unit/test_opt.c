/* test_opt.c -- job files, environment and --set.  Method: a text goes in,
 * the values and the whole of what was reported are compared. */
#include "folder.h"

#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/options/opt.h"

static struct opts o;
static char *reported;
static size_t reported_n;

static void
start(void)
{
    opts_init(&o);
    o.faults = open_memstream(&reported, &reported_n);
}

/* What was reported since start(); valid until finish(). */
static const char *
faults(void)
{
    fflush(o.faults);
    return reported;
}

static void
finish(void)
{
    fclose(o.faults);
    opts_free(&o);
    free(reported);
    reported = NULL;
}

static enum status
read_text(const char *text)
{
    return opts_read_text(&o, "/jobs/nl/job.ini", str_c(text));
}

/* The text gives ST_USAGE and exactly this report. */
static void
refused(const char *text, const char *report)
{
    start();
    CHECK(read_text(text) == ST_USAGE);
    CHECK(strcmp(faults(), report) == 0);
    if (strcmp(faults(), report) != 0)
        fprintf(stderr, "wanted: %s\ngot:    %s\n", report, faults());
    finish();
}

static void
every_preset_is_a_value_of_its_row(void)
{
    for (size_t i = 0; i < opt_table_n; i++) {
        const struct opt *row = &opt_table[i];
        struct buf text = {0};

        start();
        buf_printf(&text, "%s.%s=%s", row->section, row->key, row->preset);
        CHECK(opts_set(&o, "preset", buf_view(&text)) == ST_OK);
        CHECK(strlen(row->help) > 10);
        CHECK(strchr(row->section, '_') == NULL); /* for the environment */
        CHECK(opt_find(str_c(row->section), str_c(row->key)) == row);
        buf_free(&text);
        finish();
    }
}

static void
a_job_file_sets_every_type(void)
{
    start();
    CHECK(read_text("# a job\n"
                    "[scope]\n"
                    "tld = be, nl # the Low Countries\n"
                    "visit = ^https?://[^/]+\\.nl/\n"
                    "[politeness]\n"
                    "delay_ms = 1.5s\n"
                    "robots = no\n"
                    "[fetch]\n"
                    "  user_agent  =  x/1 (+https://x.example/#bot)  \n"
                    "body_max = 64k\n"
                    "[clean]\n"
                    "badness_max = 12.5\n"
                    "network = nets/my.net\n"
                    "; the end\n"
                    "[frontier]\n"
                    "scorer = block\n"
                    "[seeds]\n"
                    "file = ../seeds.txt\n") == ST_OK);
    CHECK(o.scope_tld.n == 2 && str_eq(o.scope_tld.item[1], S("nl")));
    CHECK(str_eq(o.scope_visit, S("^https?://[^/]+\\.nl/")));
    CHECK(o.politeness_delay_ms == 1500);
    CHECK(!o.politeness_robots);
    CHECK(str_eq(o.fetch_user_agent, S("x/1 (+https://x.example/#bot)")));
    CHECK(o.fetch_body_max == 65536);
    CHECK(o.clean_badness_max > 12.49 && o.clean_badness_max < 12.51);
    CHECK(str_eq(o.clean_network, S("/jobs/nl/nets/my.net")));
    CHECK(str_eq(o.frontier_scorer, S("block")));
    CHECK(str_eq(o.seeds_file, S("/jobs/nl/../seeds.txt")));
    CHECK(strcmp(faults(), "") == 0);
    finish();
}

static void
bare_network_names_are_not_paths(void)
{
    start();
    CHECK(read_text("[clean]\nnetwork = other.net\n") == ST_OK);
    CHECK(str_eq(o.clean_network, S("other.net")));
    finish();
}

static void
times_and_sizes_have_units(void)
{
    static const struct {
        const char *text;
        uint64_t value;
    } times[] = {{"1500", 1500},     {"1500ms", 1500}, {"1.5s", 1500},
                 {"2min", 120000},   {"1 h", 3600000}, {"0.0004s", 0},
                 {"2.5 MIN", 150000}},
      sizes[] = {{"4194304", 4194304}, {"64k", 65536},    {"64KiB", 65536},
                 {"4M", 4194304},      {"4MiB", 4194304}, {"1G", 1073741824},
                 {"0.5MiB", 524288},   {"2048b", 2048}};
    char text[80];

    start();
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        snprintf(text, sizeof text, "politeness.delay_ms=%s", times[i].text);
        CHECK(opts_set(&o, "test", str_c(text)) == ST_OK);
        CHECK(o.politeness_delay_ms == times[i].value);
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        snprintf(text, sizeof text, "fetch.body_max=%s", sizes[i].text);
        CHECK(opts_set(&o, "test", str_c(text)) == ST_OK);
        CHECK(o.fetch_body_max == sizes[i].value);
    }
    finish();
}

static void
values_that_are_no_values_are_refused(void)
{
    static const char *const bad[] = {
        "limits.pages=",
        "limits.pages=-1",
        "limits.pages=1e3",
        "limits.pages=12 pages",
        "limits.pages=99999999999999999999",
        "politeness.delay_ms=fast",
        "politeness.delay_ms=1.5parsec",
        "politeness.delay_ms=-1s",
        "politeness.delay_ms=2h",
        "fetch.body_max=4X",
        "fetch.body_max=k",
        "fetch.body_max=1e400k",
        "clean.badness_max=nan",
        "clean.badness_max=0x10",
        "clean.badness_max=inf",
        "clean.badness_max=1,5",
        "clean.badness_max=1001",
        "fetch.tls_verify=maybe",
        "fetch.tls_verify=",
        "scope.visit=(",
        "scope.visit=[z-a]",
        "log.level=loud",
        "output.format=xml jsonl xml",
        "output.format=pdf",
        "fetch.allow_private=yes a.example",
        "seeds.file=a\nb",
        "fetch.user_agent=\x1b[31m",
    };

    start();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK(opts_set(&o, "test", str_c(bad[i])) == ST_USAGE);
        if (opts_set(&o, "test", str_c(bad[i])) != ST_USAGE)
            fprintf(stderr, "accepted: %s\n", bad[i]);
    }
    for (size_t i = 0; i < opt_table_n; i++) { /* and change nothing */
        struct buf now = {0}, preset = {0};
        struct opts presets;

        opts_init(&presets);
        opts_show(&o, &opt_table[i], &now);
        opts_show(&presets, &opt_table[i], &preset);
        CHECK(str_eq(buf_view(&now), buf_view(&preset)));
        opts_free(&presets);
        buf_free(&now);
        buf_free(&preset);
    }
    finish();
}

static void
allow_private_is_all_none_or_a_list(void)
{
    static const char *const all[] = {"yes", "true", "on", "1"};
    static const char *const none[] = {"no", "false", "off", "0", ""};
    char text[80];

    start();
    for (size_t i = 0; i < 4; i++) {
        snprintf(text, sizeof text, "fetch.allow_private=%s", all[i]);
        CHECK(opts_set(&o, "test", str_c(text)) == ST_OK);
        CHECK(o.fetch_allow_private.n == 1);
        CHECK(str_eq(o.fetch_allow_private.item[0], S("yes")));
    }
    for (size_t i = 0; i < 5; i++) {
        snprintf(text, sizeof text, "fetch.allow_private=%s", none[i]);
        CHECK(opts_set(&o, "test", str_c(text)) == ST_OK);
        CHECK(o.fetch_allow_private.n == 0);
    }
    CHECK(opts_set(&o, "test", S("fetch.allow_private=.lab 10.0.0.0/8")) ==
          ST_OK);
    CHECK(o.fetch_allow_private.n == 2);
    finish();
}

static void
unknown_keys_name_the_nearest_one(void)
{
    refused("[fetch]\nparalel = 3\n",
            "/jobs/nl/job.ini:2: fetch.paralel: no such option, did you mean "
            "fetch.parallel?\n");
    refused("[fetch]\ndelay_ms = 3\n", /* of another section */
            "/jobs/nl/job.ini:2: fetch.delay_ms: no such option, did you mean "
            "politeness.delay_ms?\n");
    refused("[fetch]\nzzz = 3\n",
            "/jobs/nl/job.ini:2: fetch.zzz: no such option (winnow config list "
            "shows all)\n");
}

static void
unknown_sections_are_reported_once(void)
{
    refused("[scop]\ntld = nl\nhosts = a\n[limits]\npages = 1\n",
            "/jobs/nl/job.ini:1: [scop]: no such section, did you mean "
            "[scope]?\n");
}

static void
delays_of_hosts_count_beside_that_of_all(void)
{
    struct opt_delay_range r;
    struct opts job;

    opts_init(&job);
    r = opt_delay_range(&job);
    CHECK(r.least_ms == 1000 && r.most_ms == 1000);
    CHECK(opts_set(&job, "",
                   S("politeness.delays=a.nl=0 .b.nl=2min c.nl=1s")) == ST_OK);
    r = opt_delay_range(&job);
    CHECK(r.least_ms == 0 && r.most_ms == 120000);
    opts_free(&job);
}

static void
out_of_range_names_the_range(void)
{
    refused("[limits]\n\ndepth = 70000\n",
            "/jobs/nl/job.ini:3: limits.depth = 70000: out of range; allowed: "
            "0 to 65535 links\n");
    refused("[fetch]\nparallel = 0\n",
            "/jobs/nl/job.ini:2: fetch.parallel = 0: out of range; allowed: "
            "1 to 10000 transfers\n");
    refused("[fetch]\nbody_max = 2G\n",
            "/jobs/nl/job.ini:2: fetch.body_max = 2G: out of range; allowed: "
            "1KiB to 1GiB\n");
    refused("[politeness]\ndelays = a.nl=1s b.nl=2h\n",
            "/jobs/nl/job.ini:2: politeness.delays = a.nl=1s b.nl=2h: out of "
            "range: b.nl=2h; allowed: 0 to 3600000 ms\n");
    refused("[politeness]\ndelays = a.nl\n",
            "/jobs/nl/job.ini:2: politeness.delays = a.nl: no HOST=TIME: a.nl; "
            "allowed: 0 to 3600000 ms\n");
    refused("[politeness]\ndelays = http://a.nl/=1s\n",
            "/jobs/nl/job.ini:2: politeness.delays = http://a.nl/=1s: no "
            "HOST=TIME: http://a.nl/=1s; allowed: 0 to 3600000 ms\n");
    refused("[log]\nlevel = debg\n",
            "/jobs/nl/job.ini:2: log.level = debg: not a known word, did you "
            "mean debug?; allowed: error, warn, info, debug\n");
}

static void
a_list_of_the_wrong_length_says_how_many_words_it_may_have(void)
{
    refused("[clean]\nnormalise = nfc sweep nfc\n",
            "/jobs/nl/job.ini:2: clean.normalise = nfc sweep nfc: 3 words, at "
            "most 2; allowed: nfc, sweep\n");
    refused("[clean]\nbadness =\n",
            "/jobs/nl/job.ini:2: clean.badness = : 0 words, at least 1; "
            "allowed: published, words, order, foreign\n");
}

/* As many as there are. */
static void
every_format_can_be_written_at_once(void)
{
    struct str rest = str_c(opt_find(S("output"), S("format"))->unit), one;
    struct buf text = {0};
    size_t n = 0;

    buf_c(&text, "[output]\nformat =");
    for (; str_cut(&rest, '|', &one); n++)
        buf_printf(&text, " %.*s", STRF(one));
    buf_char(&text, '\0');
    start();
    CHECK(read_text(text.p) == ST_OK && o.output_format.n == n && n > 15);
    finish();
    buf_free(&text);
}

static void
a_key_given_twice_names_both_lines(void)
{
    refused("[limits]\npages = 1\n[scope]\n[limits]\npages = 1\n",
            "/jobs/nl/job.ini:5: limits.pages is given twice, first in line "
            "2\n");
}

/* Jobs and recorded webs of earlier versions say clean.furniture, and name
 * stages `second` and `furniture`. */
static void
old_names_are_accepted_and_the_present_ones_shown(void)
{
    struct buf shown = {0};

    start();
    CHECK(read_text("[clean]\nfurniture = on\n"
                    "chain = charset strip second furniture\n") == ST_OK);
    CHECK(o.clean_ascii_art && faults()[0] == '\0');
    opts_show(&o, opt_find(S("clean"), S("chain")), &shown);
    CHECK(
        str_eq(buf_view(&shown), S("charset strip double_encoding ascii_art")));
    CHECK(opt_find(S("clean"), S("furniture")) ==
          opt_find(S("clean"), S("ascii_art")));
    buf_free(&shown);
    finish();
    refused("[clean]\nfurniture = on\nascii_art = on\n",
            "/jobs/nl/job.ini:3: clean.ascii_art is given twice, first in "
            "line 2\n");
    start();
    CHECK(read_text("[clean]\nchain = second double_encoding\n") == ST_USAGE);
    CHECK(strstr(faults(), "double_encoding: given twice") != NULL);
    finish();
}

static void
all_faults_are_reported_in_one_go(void)
{
    refused("pages = 1\n[limits\ndepth = 3\n[limits]\npags = 1\nnothing\n"
            "= 3\ndepth = \"3\nseconds = \"3\" 4\n[]\n",
            "/jobs/nl/job.ini:1: a key before the first [section]\n"
            "/jobs/nl/job.ini:2: the closing ] of the section is missing\n"
            "/jobs/nl/job.ini:5: limits.pags: no such option, did you mean "
            "limits.pages?\n"
            "/jobs/nl/job.ini:6: neither [section] nor key = value\n"
            "/jobs/nl/job.ini:7: there is no key before =\n"
            "/jobs/nl/job.ini:8: the closing double quote is missing\n"
            "/jobs/nl/job.ini:9: text after the closing double quote (a double "
            "quote inside quotes is written twice)\n"
            "/jobs/nl/job.ini:10: the section has no name\n");
}

static void
endless_faults_end(void)
{
    struct buf text = {0};
    size_t lines = 0;

    for (int i = 0; i < 1000; i++)
        buf_c(&text, "junk\n");
    start();
    CHECK(opts_read_text(&o, "x", buf_view(&text)) == ST_USAGE);
    for (const char *c = faults(); *c; c++)
        lines += *c == '\n';
    CHECK(lines == 51);
    CHECK(strstr(faults(), "more faults are not shown"));
    finish();
    buf_free(&text);
}

static void
carriage_returns_and_byte_order_mark_are_no_text(void)
{
    start();
    CHECK(read_text("\xef\xbb\xbf[scope]\r\ntld = nl\r\n\r\n[fetch]\r\n"
                    "user_agent = me\r\n") == ST_OK);
    CHECK(o.scope_tld.n == 1 && str_eq(o.scope_tld.item[0], S("nl")));
    CHECK(str_eq(o.fetch_user_agent, S("me")));
    finish();
}

static void
quotes_keep_blanks_comments_and_quotes(void)
{
    start();
    CHECK(read_text("[fetch]\nuser_agent = \" a # b ; \"\"c\"\" \" # note\n"
                    "[scope]\nvisit = \"\\.nl/ # x\"\n"
                    "[seeds]\nurl = http://a.example/#top\n") == ST_OK);
    CHECK(str_eq(o.fetch_user_agent, S(" a # b ; \"c\" ")));
    CHECK(str_eq(o.scope_visit, S("\\.nl/ # x")));
    CHECK(o.seeds_url.n == 1);
    CHECK(str_eq(o.seeds_url.item[0], S("http://a.example/#top")));
    finish();
}

static void
a_dump_reads_back_equal(void)
{
    static const char *const odd[] = {
        "fetch.user_agent= ",
        "scope.visit=a # \"b\" ;",
        "fetch.user_agent=\"",
        "fetch.user_agent=;x",
        "clean.badness_max=0.1",
        "clean.badness_max=1e-7",
        "fetch.body_max=5000",
        "limits.pages=1000000000000",
        "fetch.allow_private=yes",
        "seeds.file=seeds",
        "frontier.random_seed=999999999999999999",
        "seeds.url=http://a/ http://b/#x",
    };
    char *text = NULL;
    size_t n = 0;
    struct opts again;
    FILE *f;

    start();
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        CHECK(opts_set(&o, "test", str_c(odd[i])) == ST_OK);
    f = open_memstream(&text, &n);
    opts_dump(&o, f);
    fclose(f);
    opts_init(&again);
    CHECK(!opts_equal(&o, &again));
    CHECK(opts_read_text(&again, "/elsewhere/x.ini", str_n(text, n)) == ST_OK);
    CHECK(opts_equal(&o, &again));
    for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1)
        CHECK(line[0] != '#' || end - line <= 80);
    opts_free(&again);
    free(text);
    finish();
}

static void
environment_and_set_go_by_name(void)
{
    setenv("WINNOW_POLITENESS_DELAY_MS", "2s", 1);
    setenv("WINNOW_LOG_LEVEL", "warn", 1);
    setenv("WINNOW_FETCH_PARALEL", "3", 1);
    setenv("WINNOW_OTHER_THING", "3", 1); /* not ours */
    start();
    CHECK(opts_read_env(&o) == ST_USAGE);
    CHECK(o.politeness_delay_ms == 2000);
    CHECK(str_eq(o.log_level, S("warn")));
    CHECK(strcmp(faults(), "WINNOW_FETCH_PARALEL: fetch.paralel: no such "
                           "option, did you mean fetch.parallel?\n") == 0);
    CHECK(opts_set(&o, "--set", S(" politeness.delay_ms = 3s ")) == ST_OK);
    CHECK(o.politeness_delay_ms == 3000);
    finish();
    unsetenv("WINNOW_POLITENESS_DELAY_MS");
    unsetenv("WINNOW_LOG_LEVEL");
    unsetenv("WINNOW_FETCH_PARALEL");
    unsetenv("WINNOW_OTHER_THING");
}

static void
assignments_without_a_name_are_refused(void)
{
    start();
    CHECK(opts_set(&o, "--set", S("pages=3")) == ST_USAGE);
    CHECK(opts_set(&o, "--set", S("limits.pages")) == ST_USAGE);
    CHECK(opts_set(&o, "--set", S("")) == ST_USAGE);
    CHECK(strcmp(faults(), "--set: pages=3: not section.key=value\n"
                           "--set: limits.pages: not section.key=value\n"
                           "--set: : not section.key=value\n") == 0);
    finish();
}

static void
relative_paths_of_flags_start_in_the_working_folder(void)
{
    char *here = getcwd(NULL, 0);
    struct buf want = {0};

    start();
    CHECK(opts_set(&o, "--set", S("seeds.file=./a/b.txt")) == ST_OK);
    buf_printf(&want, "%s/a/b.txt", here);
    CHECK(str_eq(o.seeds_file, buf_view(&want)));
    CHECK(opts_read_text(&o, "job.ini", S("[seeds]\nfile = a/b.txt\n")) ==
          ST_OK);
    CHECK(str_eq(o.seeds_file, buf_view(&want)));
    CHECK(opts_set(&o, "--set", S("seeds.file=/a")) == ST_OK);
    CHECK(str_eq(o.seeds_file, S("/a")));
    finish();
    buf_free(&want);
    free(here);
}

static void
paths_that_no_job_can_hold_are_refused(void)
{
    start();
    CHECK(opts_read_text(&o, "/a\nb/job.ini", S("[seeds]\nfile = s.txt\n")) ==
          ST_USAGE);
    CHECK(opts_read_text(&o, "/a\nb/job.ini",
                         S("[clean]\nprofiles = nl=p.tsv\n")) == ST_USAGE);
    CHECK(opts_read_text(&o, "/a\nb/job.ini", S("[seeds]\nfile = /s.txt\n")) ==
          ST_OK);
    finish();
}

/* Folders of people have blanks: a list of paths reads back as it is written.
 */
static void
paths_of_a_list_may_have_blanks(void)
{
    struct buf text = {0};

    start();
    CHECK(opts_read_text(
              &o, "/My job/job.ini",
              S("[clean]\nprofiles = nl=p.tsv 'de=/a, b/de.prof' fr.prof\n")) ==
          ST_OK);
    for (int again = 0; again < 2; again++) {
        CHECK(o.clean_profiles.n == 3 &&
              str_eq(o.clean_profiles.item[0], S("nl=/My job/p.tsv")) &&
              str_eq(o.clean_profiles.item[1], S("de=/a, b/de.prof")) &&
              str_eq(o.clean_profiles.item[2], S("/My job/fr.prof")));
        buf_clear(&text);
        buf_c(&text, "[clean]\nprofiles = ");
        opts_show(&o, opt_find(S("clean"), S("profiles")), &text);
        finish();
        start();
        CHECK(opts_read_text(&o, "/elsewhere/job.ini", buf_view(&text)) ==
              ST_OK);
    }
    CHECK(opts_read_text(&o, "/Max's job/job.ini",
                         S("[clean]\nprofiles = nl=p.tsv\n")) == ST_USAGE);
    CHECK(strstr(faults(), "apostrophe") != NULL);
    finish();
    buf_free(&text);
}

static void
files_that_are_no_job_files_are_refused(void)
{
    struct buf text = {0};

    folder_open();
    start();
    CHECK(opts_read_file(&o, in_folder("none.ini")) == ST_IO);
    CHECK(strstr(faults(), "none.ini: No such file"));
    CHECK(opts_read_file(&o, folder) == ST_IO);
    CHECK(strstr(faults(), "is a folder"));
    folder_put("binary.ini", S("[limits]\npages = 1\n\0\0"));
    CHECK(opts_read_file(&o, in_folder("binary.ini")) == ST_IO);
    CHECK(strstr(faults(), "a binary file"));
    CHECK(o.limits_pages == 0);
    for (int i = 0; i < 200000; i++)
        buf_c(&text, "# text\n");
    folder_put("large.ini", buf_view(&text));
    CHECK(opts_read_file(&o, in_folder("large.ini")) == ST_IO);
    CHECK(strstr(faults(), "larger than 1 MiB"));
    folder_put("job.ini", /* no line end */
               S("[seeds]\nfile = s.txt\n[limits]\npages = 7"));
    CHECK(opts_read_file(&o, in_folder("job.ini")) == ST_OK);
    CHECK(o.limits_pages == 7);
    CHECK(str_starts(o.seeds_file, str_c(folder)));
    finish();
    buf_free(&text);
    folder_close();
}

static void
control_characters_in_a_line_are_shown_harmless(void)
{
    start();
    CHECK(read_text("[fetch]\nuser_agent = \x1b[31mred\n") == ST_USAGE);
    CHECK(strchr(faults(), '\x1b') == NULL);
    CHECK(opts_set(&o, "--set", S("x\x1b.y=1")) == ST_USAGE);
    CHECK(strchr(faults(), '\x1b') == NULL);
    CHECK(read_text("[\x1b]\n") == ST_USAGE);
    CHECK(strchr(faults(), '\x1b') == NULL);
    finish();
}

/* Another version may not have had an option: it did what the preset says. */
static void
facts_of_another_version_lack_what_is_preset(void)
{
    struct buf out = {0};

    opts_compare_facts(S("clean.language = nl\ngone.away = x"),
                       S("clean.kinds_rejected_max = 0.5\n"
                         "clean.chars_min = 500\nclean.language = nl\n"),
                       &out);
    CHECK(str_eq(buf_view(&out), S("gone.away: x -> (empty)\n")));
    buf_clear(&out);
    opts_compare_facts(S("clean.chars_min = 10\n"),
                       S("clean.kinds_rejected_max = 0.6\nclean.chain =\n"),
                       &out);
    CHECK(str_starts(buf_view(&out), S("clean.chars_min: 10 -> 500\n")));
    buf_char(&out, '\0');
    CHECK(strstr(out.p, "clean.kinds_rejected_max: 0.5 -> 0.6\n") != NULL);
    CHECK(strstr(out.p, " -> (empty)\n") != NULL); /* said to have none */
    buf_free(&out);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(every_preset_is_a_value_of_its_row),
        TEST(a_job_file_sets_every_type),
        TEST(bare_network_names_are_not_paths),
        TEST(times_and_sizes_have_units),
        TEST(values_that_are_no_values_are_refused),
        TEST(allow_private_is_all_none_or_a_list),
        TEST(unknown_keys_name_the_nearest_one),
        TEST(unknown_sections_are_reported_once),
        TEST(delays_of_hosts_count_beside_that_of_all),
        TEST(out_of_range_names_the_range),
        TEST(a_list_of_the_wrong_length_says_how_many_words_it_may_have),
        TEST(every_format_can_be_written_at_once),
        TEST(a_key_given_twice_names_both_lines),
        TEST(old_names_are_accepted_and_the_present_ones_shown),
        TEST(all_faults_are_reported_in_one_go),
        TEST(endless_faults_end),
        TEST(carriage_returns_and_byte_order_mark_are_no_text),
        TEST(quotes_keep_blanks_comments_and_quotes),
        TEST(a_dump_reads_back_equal),
        TEST(environment_and_set_go_by_name),
        TEST(assignments_without_a_name_are_refused),
        TEST(relative_paths_of_flags_start_in_the_working_folder),
        TEST(paths_that_no_job_can_hold_are_refused),
        TEST(paths_of_a_list_may_have_blanks),
        TEST(files_that_are_no_job_files_are_refused),
        TEST(control_characters_in_a_line_are_shown_harmless),
        TEST(facts_of_another_version_lack_what_is_preset),
        {0},
    };

    return test_main(table, argc, argv);
}
