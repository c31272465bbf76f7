/* cmd_try.c -- `winnow try`: one page through the whole chain, in the terminal.
 *
 * Needs no job file and no folder; with a job file the page is judged as that
 * job would. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/live.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/options/command.h"
#include "crawler/admit/address_policy.h"
#include "crawler/admit/robots.h"
#include "trial.h"

#define LINKS 10u
#define EXPLAINED 1u

static bool
wants_colours(void)
{
    const char *no = getenv("NO_COLOR");

    return live_can(STDOUT_FILENO) && (no == NULL || no[0] == '\0');
}

/* A number, or all. */
static int
count(const struct invocation *in, const char *flag, size_t *out)
{
    const char *value = invocation_flag(in, flag);
    uint64_t n;

    if (value == NULL)
        return EXIT_DONE;
    if (str_eq(str_c(value), S("all")))
        n = SIZE_MAX;
    else if (!str_u64(str_c(value), &n))
        return command_usage(in, "--%s %s: a number or all", flag, value);
    *out = (size_t)n;
    return EXIT_DONE;
}

/* That of an archive, from 1 on. */
static int
page_number(const struct invocation *in, size_t *out)
{
    const char *value = invocation_flag(in, "page");
    uint64_t n = *out;

    if (value != NULL && (!str_u64(str_c(value), &n) || n == 0))
        return command_usage(in, "--page %s: a number from 1 on", value);
    *out = (size_t)n;
    return EXIT_DONE;
}

static int
set_language(struct invocation *in, struct arena *a)
{
    const char *language = invocation_flag(in, "language");
    struct str set;

    if (language == NULL)
        return EXIT_DONE;
    set = arena_printf(a, "clean.language=%s", language);
    return opts_set(&in->opts, "--language", set) == ST_OK ? EXIT_DONE
                                                           : EXIT_USAGE;
}

static int
set_contact(struct invocation *in, struct arena *a)
{
    const char *contact = invocation_flag(in, "contact");
    struct str set, whole, token = robots_token(in->opts.fetch_user_agent);

    if (contact == NULL)
        return EXIT_DONE;
    whole = address_policy_contact(a, str_c(contact));
    if (whole.n == 0)
        return command_usage(in, "--contact %s: a mail address or a URL",
                             contact);
    set = arena_printf(a, "fetch.user_agent=%.*s/%s (+%.*s)", STRF(token),
                       WINNOW_VERSION, STRF(whole));
    return opts_set(&in->opts, "--contact", set) == ST_OK ? EXIT_DONE
                                                          : EXIT_USAGE;
}

/* One spelling, as a crawl would have it. */
static int
check_url(const struct invocation *in, struct arena *a, const char **out)
{
    const char *text = invocation_flag(in, "url");
    struct url url;

    *out = "";
    if (text == NULL)
        return EXIT_DONE;
    if (url_parse_plain(&url, a, str_c(text), NULL) != ST_OK)
        return command_usage(in, "--url %s: not an http or https URL", text);
    *out = arena_cstr(a, url.href);
    return EXIT_DONE;
}

static int
show(const struct trial *t, const struct invocation *in,
     const struct trial_look *look)
{
    struct buf out = {0};
    bool written;

    if (invocation_flag(in, "json") != NULL)
        trial_json(t, &out);
    else
        trial_text(t, look, &out);
    written = fwrite(out.p, 1, out.n, stdout) == out.n && fflush(stdout) == 0;
    if (!written)
        fprintf(stderr, "winnow try: cannot write: %s\n", strerror(errno));
    buf_free(&out);
    return written ? EXIT_DONE : EXIT_FAILED;
}

static bool
is_url(struct str word)
{
    return str_starts_nocase(word, S("http://")) ||
           str_starts_nocase(word, S("https://"));
}

/* An exit code. */
static int
bring(struct trial *t, const struct invocation *in, size_t number)
{
    const char *from = in->words[0].p, *url;
    int code;

    if (!is_url(in->words[0])) {
        if (strcmp(from, "-") != 0 && access(from, F_OK) != 0) {
            fprintf(stderr,
                    "winnow try: %s: %s (a page of the Web begins with "
                    "https://)\n",
                    from, strerror(errno));
            return EXIT_FAILED;
        }
        if ((code = check_url(in, t->arena, &url)) != EXIT_DONE)
            return code;
        return trial_read(t, from, url, number) == ST_OK ? EXIT_DONE
                                                         : EXIT_FAILED;
    }
    if (invocation_flag(in, "url") != NULL || number != 1)
        return command_usage(in, "--url and --page are for files");
    return trial_fetch(t, from);
}

static int
try_page(struct invocation *in, struct trial *t)
{
    struct trial_look look = {.colours = wants_colours(),
                              .whole = invocation_flag(in, "whole") != NULL,
                              .columns = live_columns(STDOUT_FILENO),
                              .links = LINKS,
                              .explained = EXPLAINED};
    size_t number = 1;
    enum status st;
    int code;

    if ((code = count(in, "links", &look.links)) != EXIT_DONE ||
        (code = count(in, "why", &look.explained)) != EXIT_DONE ||
        (code = page_number(in, &number)) != EXIT_DONE ||
        (code = set_language(in, t->arena)) != EXIT_DONE ||
        (code = set_contact(in, t->arena)) != EXIT_DONE)
        return code;
    if ((st = scope_open(&t->scope, t->opts)) == ST_OK &&
        (code = bring(t, in, number)) != EXIT_DONE)
        return code;
    if (st != ST_OK || (st = trial_clean(t)) != ST_OK ||
        (st = trial_score(t)) != ST_OK)
        return command_exit(st);
    return show(t, in, &look);
}

static int
run(struct invocation *in)
{
    struct trial t = {
        .opts = &in->opts, .arena = arena_new(), .page_arena = arena_new()};
    int code;

    if (log_threshold == LOG_INFO && invocation_flag(in, "log") == NULL)
        log_threshold = LOG_WARN; /* what there is to say is in the result */
    if (in->words_n == 1)
        code = try_page(in, &t);
    else
        code = command_usage(in, in->words_n == 0
                                     ? "which page? a URL, a file or -"
                                     : "one page at a time");
    cleaner_close(t.cleaner);
    scope_close(t.scope);
    arena_free(t.page_arena);
    arena_free(t.arena);
    return code;
}

static const struct flag flags[] = {
    FLAG("language,l", "LIST",
         "Target languages; the same as clean.language.  Without: it is found "
         "out."),
    FLAG("url,u", "URL",
         "Where the page in the file is from; links need that.  Of an archive: "
         "its page of that URL."),
    FLAG("contact", "WHO",
         "Your mail address or a page of yours, for who runs the server of a "
         "URL."),
    FLAG("page", "N",
         "Of an archive: its Nth page (of --url), as winnow clean counts them "
         "(no errors, redirects, images); without: its first."),
    FLAG("links", "N", "How many links are listed, or all; without: 10."),
    FLAG("why", "N",
         "For so many of these: what each scorer sees in it; without: 1."),
    SWITCH("whole", "Blocks whole, not cut to a line."),
    SWITCH("json", "One JSON object with all of it."),
    {0},
};

const struct command command_try = {
    .name = "try",
    .group = COMMANDS_CRAWLING,
    .usage = "[JOB.ini] URL|FILE|-",
    .summary = "Judge one page and show why: verdict, blocks, metadata, links.",
    .help =
        "A URL is fetched as a crawl would: robots.txt first, private "
        "addresses "
        "only\n"
        "where fetch.allow_private names the host, and not without a contact.\n"
        "FILE is an HTML file, compressed or not, a WARC, ARC or WACZ file; - "
        "is\n"
        "standard input.  Nothing is written anywhere.  With a job file the "
        "page\n"
        "is judged as that job would; without one by the presets.\n"
        "\n"
        "Verdict: whether a corpus would keep the page, and what was asked "
        "for\n"
        "that, with the page's values and the limits.  (Whether it is a "
        "duplicate\n"
        "only a crawl can tell.)\n"
        "Blocks: + is text; the value goes from 0 (text) to 1 (boilerplate).\n"
        "Links: the priority (0 to 1) with which each scorer would queue them "
        "in\n"
        "a crawl that begins with this page.\n"
        "\n"
        "Colours are for terminals only, and off when NO_COLOR is set.\n"
        "\n"
        "Examples:\n"
        "  winnow try --contact you@your.site https://a.example/page\n"
        "  winnow try --url http://a.example/page.html page.html\n"
        "  winnow try --page 3 --links all crawl.warc.gz\n"
        "  winnow try --url https://a.example/page crawl.warc.gz\n"
        "  winnow try -j be-nl.ini --json page.html | jq .verdict\n",
    .flags = flags,
    .job_first = true,
    .run = run,
};
