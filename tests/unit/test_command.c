/* test_command.c -- the program around its commands.  Method: commands_main()
 * with fake commands; stdout and stderr are caught in files, compared whole or
 * searched. */
#include "base/log.h"
#include "folder.h"
#include "printed.h"

static struct {
    int runs;
    int code;
    char words[256];
    char job[256];
    char flags[256];
    uint64_t delay_ms;
} seen;

static int
run(struct invocation *in)
{
    const char *dir = invocation_flag(in, "dir");
    size_t n, others_n;
    const char *const *with = invocation_flag_all(in, "with", &n);

    (void)invocation_flag_all(in, "dir", &others_n); /* leaves those alone */
    seen.runs++;
    seen.words[0] = '\0';
    for (size_t i = 0; i < in->words_n; i++) {
        strcat(seen.words, in->words[i].p);
        strcat(seen.words, "|");
    }
    snprintf(seen.job, sizeof seen.job, "%.*s", STRF(in->job));
    snprintf(seen.flags, sizeof seen.flags,
             "dir=%s all=%s with=", dir ? dir : "none",
             invocation_flag(in, "all") ? "yes" : "no");
    for (size_t i = 0; i < n; i++) {
        strcat(seen.flags, with[i]);
        strcat(seen.flags, ",");
    }
    seen.delay_ms = in->opts.politeness_delay_ms;
    if (seen.code == EXIT_USAGE)
        return command_usage(in, "no %s", "good");
    return seen.code;
}

static const struct flag flags[] = {
    FLAG_ON_DISK("dir,d", "DIR", "Where."),
    SWITCH("all", "Everything."),
    FLAG("with", "X", "Repeatable."),
    {0},
};

static const struct command crawl = {
    .name = "crawl",
    .group = COMMANDS_CRAWLING,
    .usage = "JOB.ini [--dir DIR]",
    .summary = "Crawl.",
    .help = "Paragraph.\n",
    .flags = flags,
    .job_first = true,
    .run = run,
};
static const struct command config = {
    .name = "config",
    .group = COMMANDS_JOB_FILES,
    .usage = "check JOB.ini",
    .summary = "Configure.",
    .job_first = true,
    .job_at = 1,
    .run = run,
};
static const struct command clean = {.name = "clean",
                                     .group = COMMANDS_DOCUMENTS,
                                     .usage = "IN",
                                     .summary = "Clean.",
                                     .run = run};

static const struct command *const table[] = {&crawl, &config, &clean, NULL};

/* Run the program with these arguments (ended by NULL); the exit code. */
static int
winnow(const char *const *argv)
{
    int argc = 0;
    char *copy[32];

    copy[argc++] = (char *)(uintptr_t) "winnow";
    for (; *argv; argv++)
        copy[argc++] = (char *)(uintptr_t)*argv;
    copy[argc] = NULL;
    return printed_main(table, argc, copy);
}

#define WINNOW(...) winnow((const char *const[]){__VA_ARGS__, NULL})

static void
reset(void)
{
    memset(&seen, 0, sizeof seen);
}

/* A job file of this text; its path. */
static const char *
job(const char *text)
{
    folder_put("job.ini", str_c(text));
    return in_folder("job.ini");
}

static void
no_command_shows_all_and_is_wrong_usage(void)
{
    CHECK(winnow((const char *const[]){NULL}) == EXIT_USAGE);
    CHECK(strstr(err, "crawl") && strstr(err, "Configure."));
    CHECK(strcmp(out, "") == 0);
}

static void
help_goes_to_stdout_and_exits_with_0(void)
{
    static const char *const ways[] = {"help", "--help", "-h"};

    for (int i = 0; i < 3; i++) {
        CHECK(WINNOW(ways[i]) == EXIT_DONE);
        CHECK(strstr(out, "crawl") && strstr(out, "Clean."));
        CHECK(strcmp(err, "") == 0);
    }
}

static void
every_command_has_two_ways_to_its_help(void)
{
    static char first[sizeof out];

    reset();
    CHECK(WINNOW("help", "crawl") == EXIT_DONE);
    memcpy(first, out, sizeof out);
    CHECK(strstr(out, "usage: winnow crawl JOB.ini [--dir DIR]\n"));
    CHECK(strstr(out, "--dir, -d DIR") && strstr(out, "Paragraph."));
    CHECK(strstr(out, "--set SECTION.KEY=VALUE"));
    CHECK(WINNOW("crawl", "--nonsense", "x.ini", "--help") == EXIT_DONE);
    CHECK(strcmp(out, first) == 0);
    CHECK(strcmp(err, "") == 0);
    CHECK(seen.runs == 0);
}

static void
the_version_is_printed(void)
{
    CHECK(WINNOW("--version") == EXIT_DONE);
    CHECK(strcmp(out, "winnow " WINNOW_VERSION "\n") == 0);
}

static void
unknown_commands_name_the_nearest_one(void)
{
    CHECK(WINNOW("confg") == EXIT_USAGE);
    CHECK(strcmp(err, "winnow: no such command: confg, did you mean "
                      "config?\n") == 0);
    CHECK(WINNOW("help", "craw") == EXIT_USAGE);
    CHECK(strcmp(err, "winnow: no such command: craw, did you mean "
                      "crawl?\n") == 0);
    CHECK(WINNOW("zzzz") == EXIT_USAGE);
    CHECK(strcmp(err, "winnow: no such command: zzzz (winnow help shows "
                      "all)\n") == 0);
}

static void
the_exit_code_of_the_command_is_the_programs(void)
{
    static const int codes[] = {EXIT_DONE, EXIT_FAILED, EXIT_REJECTED,
                                EXIT_INTERRUPTED};

    for (int i = 0; i < 4; i++) {
        reset();
        seen.code = codes[i];
        CHECK(WINNOW("clean", "a") == codes[i]);
        CHECK(seen.runs == 1);
    }
    reset();
    seen.code = EXIT_USAGE;
    CHECK(WINNOW("clean", "a") == EXIT_USAGE);
    CHECK(strcmp(err, "winnow clean: no good\nusage: winnow clean IN\n") == 0);
}

static void
flags_come_in_every_form(void)
{
    static const char *const forms[][6] = {
        {"crawl", "--dir", "D", NULL},
        {"crawl", "--dir=D", NULL},
        {"crawl", "-d", "D", NULL},
        {"crawl", "--dir", "C", "--dir=D", NULL}, /* the last one counts */
    };

    for (int i = 0; i < 4; i++) {
        reset();
        CHECK(winnow(forms[i]) == EXIT_DONE);
        CHECK(strcmp(seen.flags, "dir=D all=no with=") == 0);
    }
    reset();
    CHECK(WINNOW("crawl", "--with", "1", "w", "--all", "--with=--x") == 0);
    CHECK(strcmp(seen.flags, "dir=none all=yes with=1,--x,") == 0);
    CHECK(strcmp(seen.words, "w|") == 0);
    CHECK(WINNOW("crawl", "--with", "1", "--dir", "D") == 0);
    CHECK(strcmp(seen.flags, "dir=D all=no with=1,") == 0);
    CHECK(WINNOW("crawl", "--dir=") == 0);
    CHECK(strcmp(seen.flags, "dir= all=no with=") == 0);
}

static void
standard_output_is_no_folder_and_no_prefix_of_files(void)
{
    reset();
    CHECK(WINNOW("crawl", "--dir", "-") == EXIT_USAGE);
    CHECK(strcmp(err, "winnow crawl: --dir: standard output or input is no "
                      "DIR; ./- is one of that name\n") == 0);
    CHECK(WINNOW("crawl", "-d", "-") == EXIT_USAGE);
    CHECK(WINNOW("crawl", "--dir=-") == EXIT_USAGE);
    CHECK(seen.runs == 0);
    CHECK(WINNOW("crawl", "--dir", "./-", "--with", "-") == EXIT_DONE);
    CHECK(strcmp(seen.flags, "dir=./- all=no with=-,") == 0);
}

static void
words_may_look_like_flags_after_two_dashes(void)
{
    reset();
    CHECK(WINNOW("clean", "-", "--", "--all", "--") == EXIT_DONE);
    CHECK(strcmp(seen.words, "-|--all|--|") == 0);
}

static void
all_wrong_flags_and_options_are_reported_together(void)
{
    reset();
    CHECK(WINNOW("crawl", job("[limits]\npags = 1\n"), "--dri", "x", "--all=1",
                 "--set", "limits.pages=x", "--log", "loud", "-x",
                 "--with") == EXIT_USAGE);
    CHECK(seen.runs == 0);
    CHECK(strstr(err, "winnow crawl: no such flag: --dri, did you mean "
                      "--dir?\n"));
    CHECK(strstr(err, "winnow crawl: --all takes no value\n"));
    CHECK(strstr(err, "winnow crawl: no such flag: -x (winnow crawl --help "
                      "shows all)\n"));
    CHECK(strstr(err, "winnow crawl: --with needs a value: X\n"));
    CHECK(strstr(err, "job.ini:2: limits.pags: no such option"));
    CHECK(strstr(err, "--set: limits.pages = x: not a whole number"));
    CHECK(strstr(err, "--log: log.level = loud: not a known word"));
}

static void
flag_wins_over_environment_over_job_file(void)
{
    const char *ini = job("[politeness]\ndelay_ms = 1\n");

    reset();
    CHECK(WINNOW("crawl", ini) == 0 && seen.delay_ms == 1);
    CHECK(strcmp(seen.job, ini) == 0 && strcmp(seen.words, "") == 0);
    setenv("WINNOW_POLITENESS_DELAY_MS", "2", 1);
    CHECK(WINNOW("crawl", ini) == 0 && seen.delay_ms == 2);
    CHECK(WINNOW("crawl", "--set", "politeness.delay_ms=3", ini) == 0 &&
          seen.delay_ms == 3);
    CHECK(WINNOW("crawl", "--set=politeness.delay_ms=3", ini, "--set",
                 "politeness.delay_ms=4") == 0 &&
          seen.delay_ms == 4);
    unsetenv("WINNOW_POLITENESS_DELAY_MS");
    CHECK(WINNOW("crawl") == 0 && seen.delay_ms == 1000);
    CHECK(strcmp(seen.job, "") == 0);
}

static void
only_the_stated_word_is_a_job_file(void)
{
    const char *ini = job("[politeness]\ndelay_ms = 5\n");

    reset();
    CHECK(WINNOW("crawl", "other", ini) == 0 && seen.delay_ms == 1000);
    CHECK(WINNOW("config", "check", ini) == 0 && seen.delay_ms == 5);
    CHECK(strcmp(seen.words, "check|") == 0);
    CHECK(WINNOW("clean", ini) == 0 && seen.delay_ms == 1000);
    CHECK(strcmp(seen.job, "") == 0);
}

static void
a_missing_job_file_is_wrong_usage(void)
{
    reset();
    CHECK(WINNOW("crawl", "/nowhere/job.ini") == EXIT_USAGE);
    CHECK(strcmp(err, "/nowhere/job.ini: No such file or directory\n") == 0);
    CHECK(seen.runs == 0);
}

static void
the_log_level_is_set(void)
{
    CHECK(WINNOW("clean", "--log", "debug") == 0);
    CHECK(log_threshold == LOG_DEBUG);
    CHECK(WINNOW("clean", "--set", "log.level=error") == 0);
    CHECK(log_threshold == LOG_ERROR);
    CHECK(WINNOW("clean") == 0);
    CHECK(log_threshold == LOG_INFO);
}

static void
a_link_named_like_a_command_is_that_command(void)
{
    char *link[] = {(char *)(uintptr_t) "/usr/bin/clean",
                    (char *)(uintptr_t) "--log", (char *)(uintptr_t) "error",
                    NULL};
    char *other[] = {(char *)(uintptr_t) "/usr/bin/winnow2", NULL};

    CHECK(commands_main(table, 3, link) == EXIT_DONE);
    CHECK(log_threshold == LOG_ERROR);
    log_threshold = LOG_INFO;
    CHECK(commands_main(table, 1, other) == EXIT_USAGE);
}

static void
output_that_cannot_be_written_is_a_failure(void)
{
    int saved = dup(1), code;
    FILE *full = fopen("/dev/full", "w");
    char *argv[] = {(char *)(uintptr_t) "winnow", (char *)(uintptr_t) "help",
                    NULL};

    if (full == NULL)
        return;
    fflush(stdout);
    dup2(fileno(full), 1);
    code = commands_main(table, 2, argv);
    dup2(saved, 1);
    close(saved);
    fclose(full);
    clearerr(stdout);
    CHECK(code == EXIT_FAILED);
}

int
main(int argc, char **argv)
{
    static const struct test tests[] = {
        TEST(no_command_shows_all_and_is_wrong_usage),
        TEST(help_goes_to_stdout_and_exits_with_0),
        TEST(every_command_has_two_ways_to_its_help),
        TEST(the_version_is_printed),
        TEST(unknown_commands_name_the_nearest_one),
        TEST(the_exit_code_of_the_command_is_the_programs),
        TEST(flags_come_in_every_form),
        TEST(standard_output_is_no_folder_and_no_prefix_of_files),
        TEST(words_may_look_like_flags_after_two_dashes),
        TEST(all_wrong_flags_and_options_are_reported_together),
        TEST(flag_wins_over_environment_over_job_file),
        TEST(only_the_stated_word_is_a_job_file),
        TEST(a_missing_job_file_is_wrong_usage),
        TEST(the_log_level_is_set),
        TEST(a_link_named_like_a_command_is_that_command),
        TEST(output_that_cannot_be_written_is_a_failure),
        {0},
    };

    return folder_main(tests, argc, argv);
}
