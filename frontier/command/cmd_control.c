/* cmd_control.c -- see cmd_control.h.
 *
 * A store belongs to one process: while a crawl or a service works on the
 * folder, it is asked through its socket there (FRONTIER_SOCKET), else the
 * store is opened here.  What is said is durable when the command ends. */
#include "cmd_control.h"

#include "frontier/features/pattern.h"
#include "frontier/frontier.h"
#include "frontier/schedule/timekeeper.h"
#include "frontier/service/frontier_client.h"
#include "frontier/service/frontier_service.h"
#include "frontier/tools/frontier_tools.h"

#include <stdio.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"

static const struct {
    const char *flag, *done;
    enum control_action action;
} words[] = {
    {"delete", "deleted", CONTROL_DELETE},
    {"pause", "paused", CONTROL_PAUSE},
    {"resume", "resumed", CONTROL_RESUME},
    {"forget", "forgotten", CONTROL_DELETE},
    {"rules", NULL, CONTROL_LIST},
};
#define WORDS_N (sizeof words / sizeof words[0])

bool
control_wanted(const struct invocation *in)
{
    for (size_t i = 0; i < WORDS_N; i++)
        if (invocation_flag(in, words[i].flag) != NULL)
            return true;
    return false;
}

/* ---- on a store of our own ---- */

static enum status
one_call(struct frontier *f, struct control_change *c)
{
    enum status st = frontier_begin(f);

    if (st != ST_OK)
        return st;
    if ((st = frontier_control(f, c, frontier_now(f))) == ST_OK)
        return frontier_commit(f);
    frontier_abort(f);
    return st;
}

static enum status
change_store(struct frontier *f, struct control_change *c, struct buf *rules)
{
    const struct control_rule *rule;
    uint64_t hosts = 0, urls = 0;
    enum status st;

    do {
        if ((st = one_call(f, c)) != ST_OK)
            return st;
        hosts += c->hosts;
        urls += c->urls;
    } while (c->next_n > 0);
    c->hosts = hosts;
    c->urls = urls;
    if (c->action == CONTROL_LIST)
        for (size_t n = frontier_control_rules(f, &rule); n > 0; n--)
            frontier_control_say(rule++, rules);
    return ST_OK;
}

/* ---- either ---- */

struct target {
    struct arena *arena; /* of the URL in the options */
    struct opts opts;
    struct frontier_client *client; /* or */
    struct frontier *store;
    uint64_t sampled; /* URLs that confirm() has met */
    struct buf dir;   /* the crawl's folder */
    struct forget *forget;
};

static enum status
change(struct target *t, struct control_change *c, struct buf *rules)
{
    return t->client != NULL ? frontier_client_control(t->client, c, rules)
                             : change_store(t->store, c, rules);
}

static enum status
open_client(struct target *t, const struct opts *given, struct str url,
            bool has_to_answer)
{
    struct control_change probe = {.action = CONTROL_LIST};
    enum status st;

    t->opts = *given; /* the client reads them, and says the URL */
    t->opts.frontier_url = arena_str(t->arena, url);
    if ((st = frontier_client_open(&t->client, &t->opts, 0)) != ST_OK)
        return st;
    if ((st = frontier_client_control(t->client, &probe, NULL)) == ST_OK)
        return ST_OK;
    if (has_to_answer && st == ST_TIMEOUT)
        frontier_client_say_unanswered(t->client);
    frontier_client_close(t->client);
    t->client = NULL;
    return st;
}

void
control_ask_to_save(const char *dir, const struct opts *o)
{
    struct target t = {.arena = arena_new()};
    struct buf url = {0};

    buf_printf(&url, "ipc://%s/" FRONTIER_SOCKET, dir);
    if (frontier_in_use(dir) && access(url.p + strlen("ipc://"), F_OK) == 0 &&
        open_client(&t, o, buf_view(&url), false) == ST_OK)
        frontier_client_close(t.client);
    buf_free(&url);
    arena_free(t.arena);
}

static enum status
open_target(struct target *t, const struct opts *o, const char *where)
{
    struct buf url = {0};
    enum status st = ST_NONE;

    if (command_is_address(str_c(where))) {
        return open_client(t, o, str_c(where), true);
    }
    buf_printf(&url, "ipc://%s/" FRONTIER_SOCKET, where);
    if (access(url.p + strlen("ipc://"), F_OK) == 0)
        st = open_client(t, o, buf_view(&url), false);
    buf_free(&url);
    if (st == ST_OK)
        return ST_OK;
    buf_printf(&url, "%s/data.mdb", where);
    if (access(url.p, F_OK) != 0) {
        log_error("frontier", "%s: there is no frontier", where);
        st = ST_USAGE;
    } else {
        st = frontier_open(&t->store, where, o, timekeeper_peek(where));
    }
    buf_free(&url);
    return st;
}

/* Said here, since a service says it where it logs. */
static bool
can_match(enum control_action action, const char *pattern)
{
    const char *why = action == CONTROL_DELETE || action == CONTROL_PAUSE
                          ? pattern_fault(str_c(pattern))
                          : NULL;

    if (why != NULL)
        log_error("frontier", "'%s' matches nothing: %s", pattern, why);
    return why == NULL;
}

/* By --yes, or by the answer of a terminal. */
static bool
is_meant(bool yes, const char *question)
{
    char answer[16] = "";

    if (yes)
        return true;
    if (isatty(STDIN_FILENO) && isatty(STDERR_FILENO)) {
        fprintf(stderr, "%s [y/N] ", question);
        if (fgets(answer, sizeof answer, stdin) != NULL &&
            ascii_lower(answer[0]) == 'y')
            return true;
    }
    log_error("frontier", "nothing is deleted: --yes says that it is meant");
    return false;
}

/* What --delete would meet, and whether it is meant; ST_STOPPED: it is not. */
static enum status
confirm(struct target *t, const char *pattern, bool yes)
{
    struct buf sample = {0};
    struct control_change c = {
        .action = CONTROL_LOOK, .pattern = str_c(pattern), .sample = &sample};
    enum status st = change(t, &c, NULL);

    if (st == ST_OK) {
        printf("%s matches %llu queued URLs%s\n%.*s%s", pattern,
               (unsigned long long)c.urls, c.urls > 0 ? ":" : "",
               STRF(buf_view(&sample)),
               c.urls > CONTROL_SAMPLE_MAX ? "...\n" : "");
        fflush(stdout);
    }
    buf_free(&sample);
    t->sampled = c.urls;
    if (st != ST_OK)
        return st;
    return is_meant(yes, "delete them, and those to come?") ? ST_OK
                                                            : ST_STOPPED;
}

/* A service gives its reasons where it logs. */
static void
say_refused(const char *flag, const char *pattern, bool resumes)
{
    log_error(
        "frontier", "--%s %s: refused%s", flag, pattern,
        resumes ? ": it is neither paused nor deleted, or was forgotten, which "
                  "only --yes takes back; see --rules"
                : "; who works on the folder has logged why");
}

static enum status
say_one(struct target *t, size_t i, const char *pattern, bool yes)
{
    bool forgets_it = strcmp(words[i].flag, "forget") == 0;
    struct control_change c = {
        .action = words[i].action,
        .pattern = str_c(pattern),
        .forgotten = forgets_it || (words[i].action == CONTROL_RESUME && yes)};
    struct buf rules = {0};
    enum status st = change(t, &c, &rules);

    if (st == ST_USAGE)
        say_refused(words[i].flag, pattern, c.action == CONTROL_RESUME);
    else if (st != ST_OK)
        log_error("frontier", "--%s %s: %s", words[i].flag, pattern,
                  status_name(st));
    else if (c.action == CONTROL_LIST)
        fwrite(buf_view(&rules).p, 1, rules.n, stdout);
    else if (forgets_it)
        printf("%s: %llu queued URLs, and those to come, are fetched no more\n",
               pattern, (unsigned long long)c.urls);
    else if (c.action == CONTROL_DELETE)
        printf("deleted %s: %llu URLs, and those to come; --resume '%s' brings "
               "them back, until --compact\n",
               pattern, (unsigned long long)c.urls, pattern);
    else if (c.urls > 0)
        printf("%s %s: %llu URLs\n", words[i].done, pattern,
               (unsigned long long)c.urls);
    else
        printf("%s %s: %llu hosts\n", words[i].done, pattern,
               (unsigned long long)c.hosts);
    buf_free(&rules);
    return st;
}

/* ---- what main() brings ---- */

static const struct control_forgets *forgets;
static control_job *read_job;

void
control_forget_with(const struct control_forgets *how)
{
    forgets = how;
}

/* The folder of the crawl whose frontier stands in `where`. */
static struct buf
crawl_of(const char *where)
{
    struct str dir = str_c(where);
    struct buf out = {0};

    while (dir.n > 1 && dir.p[dir.n - 1] == '/')
        dir.n--;
    if (str_ends(dir, S("/frontier")))
        dir = str_sub(dir, 0, dir.n - strlen("/frontier"));
    else if (str_eq(dir, S("frontier")))
        dir = S(".");
    buf_str(&out, dir);
    buf_char(&out, '\0');
    return out;
}

static bool
is_there(const char *dir, const char *name)
{
    struct buf path = {0};
    bool there;

    buf_printf(&path, "%s/%s", dir, name);
    there = access(path.p, F_OK) == 0;
    buf_free(&path);
    return there;
}

void
control_job_with(control_job *how)
{
    read_job = how;
}

bool
control_read_job(struct opts *o, const char *where)
{
    struct buf dir = crawl_of(where);
    bool there = is_there(dir.p, "job");

    if (read_job != NULL)
        (void)read_job(o, dir.p);
    buf_free(&dir);
    return there;
}

/* ---- forgetting ---- */

/* Of a crawl whose dedup service has another folder. */
static enum status
say_elsewhere(const char *dir, const char *pattern)
{
    log_error("frontier",
              "%s has no corpus: nothing of %s is fetched any more, its "
              "documents are in the dedup service's folder; give that one, too "
              "(winnow frontier DIR --forget %s)",
              dir, pattern, pattern);
    return ST_BUSY;
}

static bool
is_elsewhere(struct target *t)
{
    struct frontier_totals n;

    frontier_totals(t->store, &n, frontier_now(t->store));
    return n.kept > 0 && !is_there(t->dir.p, "dedup");
}

/* Can the documents go, too?  Asked before the rule is made. */
static enum status
look_at_documents(struct target *t, const struct opts *o, const char *pattern)
{
    if (t->client != NULL)
        return forgets->can(t->dir.p);
    return is_elsewhere(t)
               ? ST_OK
               : forgets->open(&t->forget, t->dir.p, str_c(pattern), o);
}

/* The rule stands: what is queued goes for good, and so do the documents. */
static enum status
forget(struct target *t, const char *where, const char *pattern)
{
    struct control_change purge = {.action = CONTROL_PURGE,
                                   .pattern = str_c(pattern)};
    enum status st;

    if (t->client != NULL) {
        fflush(stdout); /* what is done comes first */
        log_error(
            "frontier",
            "%s: a crawl works on it. Nothing of %s is fetched any more; "
            "its documents go when it has ended and this command is given "
            "again",
            where, pattern);
        return ST_BUSY;
    }
    if ((st = change_store(t->store, &purge, NULL)) != ST_OK)
        return st;
    frontier_close(t->store);
    t->store = NULL;
    return t->forget == NULL
               ? say_elsewhere(t->dir.p, pattern)
               : forgets->run(t->forget, purge.urls > t->sampled ? purge.urls
                                                                 : t->sampled);
}

/* A folder of the dedup service alone: documents and index. */
static enum status
forget_documents(struct target *t, const struct invocation *in,
                 const char *pattern)
{
    enum status st;

    if (!can_match(CONTROL_DELETE, pattern))
        return ST_USAGE;
    printf(
        "%s has no frontier: its documents of %s and what is known of them\n",
        t->dir.p, pattern);
    fflush(stdout);
    if (!is_meant(invocation_flag(in, "yes") != NULL, "forget them?"))
        return ST_STOPPED;
    st = forgets->open(&t->forget, t->dir.p, str_c(pattern), &in->opts);
    return st == ST_OK ? forgets->run(t->forget, 0) : st;
}

static enum status
run(struct target *t, const struct invocation *in, const char *where)
{
    const char *leaves = invocation_flag(in, "forget");
    enum status st = open_target(t, &in->opts, where);

    for (size_t i = 0; i < WORDS_N && st == ST_OK; i++) {
        const char *pattern = invocation_flag(in, words[i].flag);

        if (pattern != NULL && !can_match(words[i].action, pattern))
            st = ST_USAGE;
        else if (pattern != NULL && words[i].action == CONTROL_DELETE)
            st = confirm(t, pattern, invocation_flag(in, "yes") != NULL);
        if (pattern != NULL && pattern == leaves && st == ST_OK)
            st = look_at_documents(t, &in->opts, pattern);
        if (pattern != NULL && st == ST_OK)
            st = say_one(t, i, pattern, invocation_flag(in, "yes") != NULL);
    }
    return st == ST_OK && leaves != NULL ? forget(t, where, leaves) : st;
}

/* Of two patterns only the last would be met, and nobody told. */
static bool
is_given_once(const struct invocation *in)
{
    for (size_t i = 0; i < WORDS_N; i++) {
        size_t n;

        (void)invocation_flag_all(in, words[i].flag, &n);
        if (n > 1 && words[i].action != CONTROL_LIST) {
            log_error("frontier",
                      "--%s is given %zu times and nothing is done: one "
                      "pattern at a time",
                      words[i].flag, n);
            return false;
        }
    }
    return true;
}

int
control_run(const struct invocation *in, const char *where)
{
    const char *leaves = invocation_flag(in, "forget");
    struct target t = {.arena = arena_new(), .dir = crawl_of(where)};
    enum status st;

    if (!is_given_once(in)) {
        st = ST_USAGE;
    } else if (leaves != NULL && pattern_of_urls(str_c(leaves))) {
        log_error("frontier", "--forget %s: hosts are forgotten, not URLs",
                  leaves);
        st = ST_USAGE;
    } else if (leaves != NULL && !is_there(where, "data.mdb") &&
               is_there(t.dir.p, "dedup")) {
        st = forget_documents(&t, in, leaves);
    } else {
        st = run(&t, in, where);
    }
    frontier_client_close(t.client);
    frontier_close(t.store);
    if (t.forget != NULL)
        forgets->close(t.forget);
    buf_free(&t.dir);
    arena_free(t.arena);
    return st == ST_OK                          ? EXIT_DONE
           : st == ST_USAGE || st == ST_STOPPED ? EXIT_USAGE
                                                : EXIT_FAILED;
}
