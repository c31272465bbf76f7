/* Moving a frontier: a dump loads into an equal one, also when the loading is
 * killed again and again, and what is no dump is refused; a compacted store is
 * the same in less space. */
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
#include "base/path.h"
#include "base/random.h"
#include "frontier/intake/pending.h"
#include "frontier_help.h"

enum { KILLS = 15 };

static struct opts o;
static struct arena *arena;
static const uint64_t T0 = 1800000000000;

static void
why(struct frontier *f, const char *url)
{
    struct buf text = {0};

    CHECK(frontier_begin(f) == ST_OK);
    CHECK(frontier_why(f, str_c(url), T0, &text) == ST_OK);
    frontier_abort(f); /* a commit would merge what waits */
    buf_char(&text, '\0');
    CHECK(strstr(text.p, "found: waits") != NULL);
    buf_free(&text);
}

/* URLs that are held, those to come as well. */
static void
pause_some(struct frontier *f, uint64_t now)
{
    struct control_change c = {.action = CONTROL_PAUSE, .pattern = S("*/d3/*")};

    do
        HELP_OK(f, frontier_control(f, &c, now));
    while (c.next_n > 0);
}

/* A frontier in which every kind of row is met. */
static void
make(const char *dir, int pages, uint64_t merge_from)
{
    struct random r = random_seed(5);
    struct frontier_totals totals;
    struct frontier *f;
    uint64_t now = T0;

    o.frontier_merge_from = merge_from;
    CHECK(frontier_open(&f, dir, &o, now) == ST_OK);
    for (int i = 0; i < 40; i++)
        help_seed(f, arena_printf(arena, "http://h%d.test/", i).p, now);
    for (int i = 0; i < pages; i++) {
        struct frontier_link links[30];
        struct frontier_lease l = help_lease(f, now += 300, arena, NULL);
        struct frontier_done d =
            help_done(l.url,
                      (enum frontier_outcome[]){
                          OUTCOME_FETCHED, OUTCOME_FETCHED, OUTCOME_FETCHED,
                          OUTCOME_FAILED, OUTCOME_RETRY}[random_below(&r, 5)],
                      now);

        if (i == pages / 2)
            pause_some(f, now);
        if (l.url.n == 0 || i % 50 == 49) /* some stay out */
            continue;
        if (i % 10 == 3) { /* some are unreported */
            HELP_OK(f, frontier_request_ended(f, &d, now));
            continue;
        }
        d.links = links;
        d.links_n = d.outcome == OUTCOME_FETCHED ? 30 : 0;
        for (size_t k = 0; k < d.links_n; k++)
            links[k] = (struct frontier_link){
                .url = arena_printf(arena, "http%s://h%d.test/d%d/%d",
                                    k % 3 ? "" : "s", (int)random_below(&r, 60),
                                    (int)k % 4, (int)random_below(&r, 300)),
                .domain = S("test"),
                .anchor = S("more of it"),
                .boilerplate = (float)random_below(&r, 11) / 10};
        if (l.kind == FRONTIER_ROBOTS) {
            d = help_done(l.url, OUTCOME_ROBOTS_DONE, now);
            d.robots = (struct frontier_robots){.status = 200,
                                                .body = S("User-agent: *\n")};
        }
        help_report(f, &d, now);
    }
    if (merge_from == 0) { /* and some links wait */
        struct frontier_link link = help_link("http://new.test/");
        struct frontier_lease l = help_lease(f, now += 5000, arena, NULL);
        struct frontier_done d = help_done(l.url, OUTCOME_FETCHED, now);

        d.links = &link;
        d.links_n = 1;
        help_report(f, &d, now);
        why(f, "http://new.test/");
    }
    frontier_totals(f, &totals, now);
    CHECK(totals.held > 0 && totals.hosts_out > (uint64_t)pages / 100);
    CHECK(f->sched->unreported_n > 0);
    frontier_close(f);
}

static char *
dump_of(const char *dir)
{
    struct frontier *f;
    char *text = NULL;
    size_t n = 0;
    FILE *to = open_memstream(&text, &n);

    CHECK(frontier_open_reader(&f, dir, &o) == ST_OK);
    CHECK(frontier_begin(f) == ST_OK);
    CHECK(frontier_dump(f, to) == ST_OK);
    frontier_close(f);
    fclose(to);
    return text;
}

static enum status
load_text(const char *dir, const char *text, size_t n)
{
    FILE *from = tmpfile();
    uint64_t lines;
    enum status st;

    CHECK(from != NULL && fwrite(text, 1, n, from) == n);
    rewind(from);
    st = frontier_load(dir, &o, from, "a dump", &lines);
    fclose(from);
    return st;
}

static void
check_dir(const char *dir, bool waits)
{
    struct frontier *f;

    CHECK(frontier_open(&f, dir, &o, T0 * 2) == ST_OK);
    CHECK(!waits || pending_n(f->in->pending) > 0);
    help_check(f);
    frontier_close(f);
}

/* Row by row, but for what tells of the folder and what leases add. */
static void
same_rows(const char *dir, const char *other)
{
    struct frontier *f, *g;
    struct str key, value, key2, value2;

    CHECK(frontier_open_reader(&f, dir, &o) == ST_OK);
    CHECK(frontier_open_reader(&g, other, &o) == ST_OK);
    CHECK(frontier_begin(f) == ST_OK && frontier_begin(g) == ST_OK);
    for (int i = TABLE_META + 1; i < TABLE_N; i++) {
        enum table t = (enum table)i;
        enum status a = tables_seek(f->db->tables, t, S(""), &key, &value),
                    b = tables_seek(g->db->tables, t, S(""), &key2, &value2);

        while (t != TABLE_LEASES && a == ST_OK && b == ST_OK) {
            CHECK(str_eq(key, key2) && str_eq(value, value2));
            a = tables_next(f->db->tables, t, &key, &value);
            b = tables_next(g->db->tables, t, &key2, &value2);
        }
        CHECK(t == TABLE_LEASES || (a == ST_NONE && b == ST_NONE));
    }
    frontier_close(f);
    frontier_close(g);
}

/* What has words has no bytes beside them. */
static void
each_row_is_said_once(const char *text)
{
    struct str rest = str_c(text), line;
    size_t words_n = 0, bytes_n = 0;

    while (str_cut(&rest, '\n', &line)) {
        const char *row = memmem(line.p, line.n, "\"row\":", 6);
        bool words = memmem(line.p, line.n, "\"score\":", 8) != NULL ||
                     memmem(line.p, line.n, "\"host\":", 7) != NULL;

        CHECK(!(words && row != NULL));
        words_n += words;
        bytes_n += row != NULL;
    }
    CHECK(words_n > 0 && bytes_n > 0);
}

static void
round_trip(uint64_t merge_from)
{
    const char *dir = help_folder(), *other = help_folder();
    char *left, *right;

    make(dir, 400, merge_from);
    left = dump_of(dir);
    CHECK(load_text(other, left, strlen(left)) == ST_OK);
    right = dump_of(other);
    CHECK(strcmp(left, right) == 0);
    same_rows(dir, other);
    each_row_is_said_once(left);
    CHECK(strstr(left, "\"state\":\"leased\"") != NULL);
    CHECK(strstr(left, "\"state\":\"waiting\"") != NULL);
    CHECK(strstr(left, "\"state\":\"done\"") != NULL);
    CHECK((strstr(left, "\"state\":\"pending\"") != NULL) == (merge_from == 0));
    check_dir(other, merge_from == 0);
    CHECK(load_text(other, left, strlen(left)) == ST_USAGE); /* not empty */
    free(left);
    free(right);
    folder_remove(dir);
    folder_remove(other);
}

static void
a_dump_loads_into_an_equal_frontier(void)
{
    round_trip(1000000);
}

static void
links_that_wait_move_too(void)
{
    o.frontier_merge_seconds = 86400;
    round_trip(0);
    o.frontier_merge_seconds = 10;
}

/* While somebody writes: it is as it was when the copy began, and the other one
 * is not touched. */
static void
a_backup_is_the_frontier_of_that_moment(void)
{
    const char *dir = help_folder(), *base = help_folder();
    const struct path to = path_printf("%s/copy", base);
    char *left, *right;
    struct frontier *f;

    o.frontier_merge_seconds = 86400;
    make(dir, 400, 0);
    left = dump_of(dir);
    CHECK(frontier_open(&f, dir, &o, T0 * 2) == ST_OK);
    CHECK(frontier_save_later(f, &o) == ST_OK);
    frontier_save_now(f);
    help_seed(f, "http://later.test/", T0 * 2); /* in the log of rows */
    CHECK(frontier_backup(dir, to.z, &o) == ST_OK);
    right = dump_of(to.z);
    CHECK(strcmp(left, right) == 0);
    same_rows(dir, to.z);
    frontier_close(f);
    check_dir(to.z, true);
    CHECK(frontier_backup(dir, to.z, &o) == ST_USAGE); /* there is one */
    o.frontier_merge_seconds = 10;
    free(left);
    free(right);
    folder_remove(dir);
    folder_remove(base);
}

/* A process that commits these and is killed. */
static void
seed_and_die(const char *dir, int n)
{
    pid_t child = fork();
    struct frontier *f;
    int how;

    if (child == 0) {
        if (frontier_open(&f, dir, &o, T0 * 2) != ST_OK ||
            frontier_save_later(f, &o) != ST_OK)
            _exit(1);
        for (int i = 0; i < n; i++)
            help_seed(f, arena_printf(arena, "http://late%d.test/", i).p,
                      T0 * 2);
        _exit(0);
    }
    CHECK(waitpid(child, &how, 0) == child && how == 0);
}

static bool
has_late(const char *dir)
{
    char *text = dump_of(dir);
    bool has = strstr(text, "http://late0.test/") != NULL;

    free(text);
    return has;
}

/* Whatever ends a repair: what was only in the log of rows is in one of the two
 * stores, and the log of the one is not taken for the other's. */
static void
a_repair_that_ends_early_keeps_the_log(void)
{
    for (int commits = 0; commits < 8; commits++) {
        const char *dir = help_folder();
        const struct path kept = path_printf("%s/data.mdb.damaged", dir),
                          inside = path_printf("%s/x", kept.z),
                          row[] = {path_printf("%s/rows-0", dir),
                                   path_printf("%s/rows-1", dir)};
        struct buf said = {0}, log[2] = {{0}, {0}};
        struct frontier *f;
        char *left, *right;

        for (int i = 0; i < commits; i++) {
            CHECK(frontier_open(&f, dir, &o, T0) == ST_OK);
            help_seed(f, arena_printf(arena, "http://h%d.test/", i).p, T0);
            frontier_close(f);
        }
        seed_and_die(dir, 1 + commits % 3);
        for (int i = 0; i < 2; i++)
            (void)file_read(&log[i], row[i].z, SIZE_MAX);
        CHECK(log[0].n + log[1].n > 0);
        CHECK(mkdir(kept.z, 0777) == 0 && mkdir(inside.z, 0777) == 0);
        log_threshold = LOG_ERROR + 1;
        CHECK(frontier_repair(dir, &o, &said) == ST_IO);
        log_threshold = LOG_ERROR;
        CHECK(access(row[0].z, F_OK) == 0 || access(row[1].z, F_OK) == 0);
        CHECK(rmdir(inside.z) == 0 && rmdir(kept.z) == 0);
        CHECK(frontier_repair(dir, &o, &said) == ST_OK);
        CHECK(access(row[0].z, F_OK) != 0 && access(row[1].z, F_OK) != 0);
        CHECK(has_late(dir));
        left = dump_of(dir);
        for (int i = 0; i < 2; i++) /* killed before they were removed */
            if (log[i].n > 0)
                CHECK(file_write(row[i].z, buf_view(&log[i])) == ST_OK);
        right = dump_of(dir);
        CHECK(strcmp(left, right) == 0);
        free(left);
        free(right);
        buf_free(&said);
        buf_free(&log[0]);
        buf_free(&log[1]);
        folder_remove(dir);
    }
}

static void
a_load_that_is_killed_goes_on(void)
{
    const char *dir = help_folder(), *other = help_folder();
    struct random r = random_seed(3);
    char *text, *again;
    int how = 0, kills = 0;

    make(dir, 3000, 1000000);
    text = dump_of(dir);
    do {
        pid_t child;

        fflush(NULL);
        if ((child = fork()) == 0)
            _exit(load_text(other, text, strlen(text)) != ST_OK);
        if (kills < KILLS) {
            usleep((useconds_t)random_below(&r, 30000));
            kill(child, SIGKILL);
        }
        CHECK(waitpid(child, &how, 0) == child);
        kills += WIFSIGNALED(how);
        if (WIFEXITED(how))
            break;
    } while (kills <= KILLS);
    CHECK(WIFEXITED(how) && WEXITSTATUS(how) == 0);
    again = dump_of(other);
    CHECK(strcmp(text, again) == 0);
    free(text);
    free(again);
    check_dir(other, false);
    folder_remove(dir);
    folder_remove(other);
}

static void
what_is_no_dump_is_refused(void)
{
    const char *dir = help_folder(), *other = help_folder();
    char *text, *cut;
    struct frontier *f;

    make(dir, 100, 1000000);
    text = dump_of(dir);
    CHECK(load_text(other, "", 0) == ST_INVALID);
    CHECK(load_text(other, "hello\n", 6) == ST_INVALID);
    folder_remove(other);
    cut = strdup(text);
    cut[strlen(cut) / 2] = '\0';
    *(strrchr(cut, '\n') + 1) = '\0';
    CHECK(load_text(other, cut, strlen(cut)) == ST_INVALID);
    CHECK(frontier_open(&f, other, &o, T0) == ST_USAGE); /* half of it */
    CHECK(load_text(other, text, strlen(text)) == ST_OK);
    check_dir(other, false);
    free(cut);
    free(text);
    folder_remove(dir);
    folder_remove(other);
}

static void
a_compacted_store_is_the_same_and_smaller(void)
{
    const char *dir = help_folder();
    char *text, *again;
    uint64_t before, after;

    make(dir, 2000, 1000000);
    text = dump_of(dir);
    CHECK(frontier_compact(dir, &o, &before, &after) == ST_OK);
    CHECK(after < before * 3 / 4);
    again = dump_of(dir);
    CHECK(strcmp(text, again) == 0);
    check_dir(dir, false);
    free(text);
    free(again);
    folder_remove(dir);
    CHECK(frontier_compact(dir, &o, &before, &after) == ST_USAGE);
}

static const struct test tests[] = {
    TEST(a_dump_loads_into_an_equal_frontier),
    TEST(links_that_wait_move_too),
    TEST(a_backup_is_the_frontier_of_that_moment),
    TEST(a_repair_that_ends_early_keeps_the_log),
    TEST(a_load_that_is_killed_goes_on),
    TEST(what_is_no_dump_is_refused),
    TEST(a_compacted_store_is_the_same_and_smaller),
    {0},
};

int
main(int argc, char **argv)
{
    int rc;

    log_threshold = LOG_ERROR;
    arena = arena_new();
    o = help_opts();
    o.politeness_delay_ms = 100;
    o.politeness_retry_ms = 100000;
    rc = test_main(tests, argc, argv);
    arena_free(arena);
    opts_free(&o);
    return rc;
}
