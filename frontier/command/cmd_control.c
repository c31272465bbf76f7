/* cmd_control.c -- see cmd_control.h.
 *
 * A store belongs to one process: while a crawl or a service works on the
 * folder, it is asked through its socket there (FRONTIER_SOCKET), else the
 * store is opened here.  What is said is durable when the command ends. */
#include "cmd_control.h"

#include "frontier/features/pattern_set.h"
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

#define PURGED_AT_ONCE 5000u /* URLs; more begin another transaction */

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

struct patterns { /* of a flag, each once */
    const char **z;
    size_t n;
};

struct target {
    struct arena *arena; /* of the URL in the options, and of patterns */
    struct opts opts;
    struct frontier_client *client; /* or */
    struct frontier *store;
    struct buf dir; /* the crawl's folder */
    struct forget *forget;
    struct patterns leaves; /* of --forget */
    uint64_t *queued;       /* URLs of each of them */
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

static struct patterns
patterns_of(struct target *t, const struct invocation *in, const char *flag)
{
    size_t given_n;
    const char *const *given = invocation_flag_all(in, flag, &given_n);
    struct patterns p = {ARENA_ARRAY(t->arena, const char *, given_n), 0};
    struct str *all = ARENA_ARRAY(t->arena, struct str, given_n);
    struct pattern_set set;

    for (size_t i = 0; i < given_n; i++)
        all[i] = str_c(given[i]);
    pattern_set_init(&set, t->arena, all, (uint32_t)given_n);
    for (size_t i = 0; i < given_n; i++) {
        uint32_t first = pattern_set_same(&set, all[i]);

        if (first == i || first == PATTERN_NONE) /* too long for one */
            p.z[p.n++] = given[i];
    }
    return p;
}

/* The first of them, and how many there are besides. */
static const char *
some_of(struct target *t, const struct patterns *p)
{
    struct buf out = {.arena = t->arena};

    buf_c(&out, p->z[0]);
    if (p->n > 1)
        buf_printf(&out, " and %zu more", p->n - 1);
    buf_char(&out, '\0');
    return out.p;
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
static control_scope *say_scope;

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

void
control_scope_with(control_scope *how)
{
    say_scope = how;
}

void
control_say_scope(const struct opts *o, const char *url, struct buf *out)
{
    if (say_scope != NULL)
        say_scope(o, url, out);
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
say_elsewhere(const char *dir, const char *some)
{
    log_error("frontier",
              "%s has no corpus: nothing of %s is fetched any more, its "
              "documents are in the dedup service's folder, and what was "
              "archived in those of crawlers; give these, too (winnow frontier "
              "DIR --forget ...)",
              dir, some);
    return ST_BUSY;
}

static bool
is_elsewhere(struct target *t)
{
    struct frontier_totals n;

    frontier_totals(t->store, &n, frontier_now(t->store));
    return n.kept > 0 && !is_there(t->dir.p, "dedup");
}

/* Anything but a frontier? */
static bool
has_fetched(const char *dir)
{
    return is_there(dir, "dedup") || is_there(dir, "warc");
}

/* Can the documents go, too?  Asked before the rule is made. */
static enum status
look_at_documents(struct target *t, const struct opts *o)
{
    if (t->client != NULL)
        return forgets->can(t->dir.p);
    return is_elsewhere(t) && !has_fetched(t->dir.p)
               ? ST_OK
               : forgets->open(&t->forget, t->dir.p, t->leaves.z, t->leaves.n,
                               o);
}

/* From *c of the leaf *i on, as far as one transaction goes. */
static enum status
purge_some(struct target *t, struct control_change *c, size_t *i)
{
    uint64_t urls = 0;
    enum status st = frontier_begin(t->store);

    if (st != ST_OK)
        return st;
    do {
        c->pattern = str_c(t->leaves.z[*i]);
        st = frontier_control(t->store, c, frontier_now(t->store));
        t->queued[*i] += c->urls;
        urls += c->urls;
        *i += c->next_n == 0;
    } while (st == ST_OK && c->next_n == 0 && *i < t->leaves.n &&
             urls < PURGED_AT_ONCE);
    if (st == ST_OK)
        return frontier_commit(t->store);
    frontier_abort(t->store);
    return st;
}

/* What is queued of them goes for good; what several match counts for one. */
static enum status
purge(struct target *t)
{
    struct control_change c = {.action = CONTROL_PURGE};
    enum status st = ST_OK;

    for (size_t i = 0; i < t->leaves.n && st == ST_OK;)
        st = purge_some(t, &c, &i);
    return st;
}

/* The rules stand: the rest of the queue goes, and so do the documents. */
static enum status
forget(struct target *t, const char *where)
{
    const char *some = some_of(t, &t->leaves);
    enum status st;
    bool elsewhere;

    if (t->client != NULL) {
        fflush(stdout); /* what is done comes first */
        log_error(
            "frontier",
            "%s: a crawl works on it. Nothing of %s is fetched any more; "
            "its documents go when it has ended and this command is given "
            "again",
            where, some);
        return ST_BUSY;
    }
    if ((st = purge(t)) != ST_OK)
        return st;
    elsewhere = is_elsewhere(t);
    frontier_close(t->store);
    t->store = NULL;
    if (t->forget != NULL)
        st = forgets->run(t->forget, t->queued);
    return st == ST_OK && elsewhere ? say_elsewhere(t->dir.p, some) : st;
}

/* A folder of the dedup service alone, documents and index, or of a crawler. */
static enum status
forget_documents(struct target *t, const struct invocation *in)
{
    enum status st;

    printf("%s has no frontier: its documents of %s, what is known of them and "
           "what was archived\n",
           t->dir.p, some_of(t, &t->leaves));
    fflush(stdout);
    if (!is_meant(invocation_flag(in, "yes") != NULL, "forget them?"))
        return ST_STOPPED;
    st = forgets->open(&t->forget, t->dir.p, t->leaves.z, t->leaves.n,
                       &in->opts);
    return st == ST_OK ? forgets->run(t->forget, t->queued) : st;
}

/* All values of a flag; nothing of it is done unless all of it is meant. */
static enum status
run_word(struct target *t, const struct invocation *in, size_t i)
{
    bool yes = invocation_flag(in, "yes") != NULL;
    bool forgets_it = strcmp(words[i].flag, "forget") == 0;
    struct patterns p = patterns_of(t, in, words[i].flag);
    enum status st = ST_OK;

    for (size_t k = 0; k < p.n && st == ST_OK; k++)
        if (words[i].action == CONTROL_DELETE)
            st = confirm(t, p.z[k], yes);
    if (st == ST_OK && forgets_it && p.n > 0)
        st = look_at_documents(t, &in->opts);
    for (size_t k = 0; k < p.n && st == ST_OK; k++)
        st = say_one(t, i, p.z[k], yes);
    return st;
}

/* The patterns of rules as frontier_control_say() has them. */
static void
read_rules(struct target *t, struct str lines, struct pattern_set *out)
{
    struct str line, action, word, *pattern;
    uint32_t n = 0;

    for (size_t i = 0; i < lines.n; i++)
        n += lines.p[i] == '\n';
    pattern = ARENA_ARRAY(t->arena, struct str, n);
    for (n = 0; str_cut(&lines, '\n', &line);)
        if (str_word(&line, &action) && str_word(&line, &word))
            pattern[n++] = word;
    pattern_set_init(out, t->arena, pattern, n);
}

/* Have all that make a rule room among those that stand? */
static enum status
look_for_room(struct target *t, const struct invocation *in)
{
    struct control_change c = {.action = CONTROL_LIST};
    struct buf lines = {.arena = t->arena};
    struct pattern_set there;
    size_t fresh = 0;
    enum status st = change(t, &c, &lines);

    if (st != ST_OK)
        return st;
    read_rules(t, buf_view(&lines), &there);
    for (size_t i = 0; i < WORDS_N; i++) {
        struct patterns p = patterns_of(t, in, words[i].flag);

        if (words[i].action != CONTROL_DELETE &&
            words[i].action != CONTROL_PAUSE)
            continue;
        for (size_t k = 0; k < p.n; k++)
            fresh += pattern_set_same(&there, str_c(p.z[k])) == PATTERN_NONE;
    }
    if (there.n + fresh <= CONTROL_RULES_MAX)
        return ST_OK;
    log_error("frontier",
              "%zu pauses and deletions beside the %u that stand are more than "
              "%u: nothing is changed; hosts that are only not to be fetched "
              "may stand in scope.exclude_file",
              fresh, (unsigned)there.n, CONTROL_RULES_MAX);
    return ST_USAGE;
}

static enum status
run(struct target *t, const struct invocation *in, const char *where)
{
    enum status st = open_target(t, &in->opts, where);

    if (st == ST_OK)
        st = look_for_room(t, in);
    for (size_t i = 0; i < WORDS_N && st == ST_OK; i++)
        st = run_word(t, in, i);
    return st == ST_OK && t->leaves.n > 0 ? forget(t, where) : st;
}

/* All that is given, before any of it is done. */
static bool
can_all_match(struct target *t, const struct invocation *in)
{
    for (size_t i = 0; i < WORDS_N; i++) {
        struct patterns p = patterns_of(t, in, words[i].flag);

        for (size_t k = 0; k < p.n; k++)
            if (!can_match(words[i].action, p.z[k]))
                return false;
    }
    for (size_t k = 0; k < t->leaves.n; k++)
        if (pattern_of_urls(str_c(t->leaves.z[k]))) {
            log_error("frontier", "--forget %s: hosts are forgotten, not URLs",
                      t->leaves.z[k]);
            return false;
        }
    return true;
}

int
control_run(const struct invocation *in, const char *where)
{
    struct target t = {.arena = arena_new(), .dir = crawl_of(where)};
    enum status st;

    t.leaves = patterns_of(&t, in, "forget");
    t.queued = ARENA_ARRAY(t.arena, uint64_t, t.leaves.n);
    if (!can_all_match(&t, in)) {
        st = ST_USAGE;
    } else if (t.leaves.n > 0 && !is_there(where, "data.mdb") &&
               has_fetched(t.dir.p)) {
        st = forget_documents(&t, in);
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
