/* Aim: the small parts everything stands on: strings, arena, buffer, JSON
 * writer, queue. */
#include "folder.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ascii_run.h"
#include "base/facts.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/path.h"
#include "base/process_end.h"
#include "base/random.h"
#include "base/workq.h"

static void
numbers_are_whole_and_in_range(void)
{
    uint64_t u;
    double r;

    CHECK(str_u64(S("18446744073709551615"), &u) && u == UINT64_MAX);
    CHECK(!str_u64(S("18446744073709551616"), &u));
    CHECK(!str_u64(S(""), &u) && !str_u64(S(" 1"), &u) &&
          !str_u64(S("1x"), &u));
    CHECK(str_real(S("0.5"), &r) && r == 0.5);
    CHECK(!str_real(S("0,5"), &r) && !str_real(S("nan"), &r));
}

/* Bit for bit, whether a number is read the short way or not. */
static void
reals_are_what_strtod_makes_of_them(void)
{
    static const char *const some[] = {"0",      "-0",
                                       "-0.0",   "1e22",
                                       "1e23",   "1E-22",
                                       "1e-23",  ".5",
                                       "5.",     "9007199254740993",
                                       "1e+5",   "0.1",
                                       "0.3",    "123456789.123456789",
                                       "1e308",  "1e-320",
                                       "00.100", "1.7976931348623157e308",
                                       "0x10",   "-1.25e-3"};
    static const char *const broken[] = {"",     "-",   ".",    "e5",  "1e",
                                         "1e+",  "--1", "1..2", "1x",  "+-1",
                                         "1e5.", "- 1", "inf",  "nan", "1e999"};
    struct random r = random_seed(5);
    char text[64];

    for (size_t i = 0; i < 20000 + sizeof some / sizeof *some; i++) {
        double got = 1, want;

        if (i < sizeof some / sizeof *some)
            snprintf(text, sizeof text, "%s", some[i]);
        else if (i % 3 == 0)
            snprintf(text, sizeof text, "%.*g", (int)(i % 18),
                     (random_unit(&r) - 0.5) * pow(10, (double)(i % 60) - 30));
        else
            snprintf(text, sizeof text, "%s%llu.%0*lluE%d", i % 2 ? "-" : "",
                     (unsigned long long)random_below(&r, 100000),
                     (int)(i % 11), (unsigned long long)random_below(&r, 1000),
                     (int)(i % 50) - 25);
        want = strtod(text, NULL);
        CHECK(str_real(str_c(text), &got));
        CHECK(memcmp(&got, &want, sizeof got) == 0);
    }
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        double x;

        CHECK(!str_real(str_c(broken[i]), &x));
    }
}

static void
cut_gives_every_part_once(void)
{
    struct str rest = S("a,,b"), part;

    CHECK(str_cut(&rest, ',', &part) && str_eq(part, S("a")));
    CHECK(str_cut(&rest, ',', &part) && part.n == 0);
    CHECK(str_cut(&rest, ',', &part) && str_eq(part, S("b")));
    CHECK(!str_cut(&rest, ',', &part));
    rest = S("  be, nl ");
    CHECK(str_word(&rest, &part) && str_eq(part, S("be")));
    CHECK(str_word(&rest, &part) && str_eq(part, S("nl")));
    CHECK(!str_word(&rest, &part));
}

static void
an_arena_keeps_what_it_gave_until_reset(void)
{
    struct arena *a = arena_new();
    char *big, *grown;

    for (int round = 0; round < 3; round++) {
        char *first = arena_alloc(a, 10);

        memset(first, 'x', 10);
        big = arena_alloc(a, 1000000);
        memset(big, 'y', 1000000);
        grown = arena_raw(a, 100);
        memset(grown, 'z', 100);
        CHECK(arena_grow(a, grown, 100, 5000) == grown);
        CHECK(first[9] == 'x' && grown[99] == 'z');
        CHECK((uintptr_t)grown % 16 == 0);
        arena_reset(a);
        CHECK(arena_used(a) == 0 && arena_high(a) >= 1000000);
    }
    arena_free(a);
}

static void
an_arena_uses_outsized_chunks_again(void)
{
    struct arena *a = arena_new();
    char *first = arena_raw(a, 1000000), *huge;

    arena_reset(a);
    CHECK(arena_raw(a, 900000) == first); /* near enough */
    huge = arena_raw(a, (size_t)64 << 20);
    memset(huge, 'x', (size_t)64 << 20);
    for (int i = 0; i < 100; i++)
        memset(arena_raw(a, 200000), 'y', 200000);
    arena_reset(a);
    CHECK(arena_raw(a, 300000) == first); /* what is over the bound is gone */
    CHECK(arena_raw(a, 300000) != first);
    arena_free(a);
}

/* What a huge page had is kept for the next one, and given back little by
 * little.  Only glibc's own malloc tells how much there is. */
static void
an_arena_keeps_what_was_used_lately(void)
{
    const size_t size = (size_t)40 << 20;
    struct arena *a = arena_new();
    char *huge = arena_raw(a, size);

    arena_reset(a);
    CHECK(arena_raw(a, size) == huge);
    for (int i = 0; i < 8; i++) {
        arena_reset(a);
        (void)arena_raw(a, 1000);
    }
    arena_reset(a);
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) &&                    \
    !defined(__SANITIZE_THREAD__)
    {
        size_t before = mallinfo2().hblkhd;

        for (int i = 0; i < 500; i++)
            arena_reset(a);
        CHECK(before >= size && mallinfo2().hblkhd <= before - size);
    }
#endif
    arena_free(a);
}

/* Against the words of the header, for each byte in each place. */
static void
a_run_ends_at_the_first_byte_that_stops_it(void)
{
    static const char stops[5] = {'&', '<', '>', '"', '\''};
    char text[40];

    for (int c = 0; c < 256; c++)
        for (size_t at = 0; at < sizeof text; at++) {
            bool ends = c < 0x20 || c >= 0x7f || memchr(stops, c, 5) != NULL;

            memset(text, 'x', sizeof text);
            text[at] = (char)c;
            CHECK(ascii_run(str_n(text, sizeof text), 0, stops) ==
                  (ends ? at : sizeof text));
            CHECK(ascii_run(str_n(text, sizeof text), at + 1, stops) ==
                  sizeof text);
        }
    CHECK(ascii_run(S(""), 0, stops) == 0);
}

static enum status
free_and_make(void *first)
{
    struct arena *a;

    arena_free(first);
    a = arena_new(); /* whoever ends this gives it back: a chunk of its own */
    CHECK(arena_raw(a, 100) != NULL);
    memory_fail(ST_LIMIT, 0);
}

static void
chunks_of_freed_arenas_are_used_again(void)
{
    struct arena *a, *b;
    char *first, *second;

    arena_keep(1);
    a = arena_new();
    b = arena_new();
    first = memset(arena_raw(a, 100000), 'x', 100000);
    second = arena_raw(b, 100000);
    arena_free(a);
    arena_free(b); /* over the bound */
    a = arena_new();
    CHECK(arena_raw(a, 100000) == first && second != first);
    CHECK(memory_owned(free_and_make, a) == ST_LIMIT);
    arena_keep(0);
}

static void
json_escapes_and_repairs_strings(void)
{
    struct buf b = {0};
    struct json j = {.out = &b};

    json_object(&j);
    json_kstr(&j, "a", S("q\" \\ \n\x01 \xc3\xa4 \xff"));
    json_kstr(&j, "no characters",
              S("\xef\xb7\x90\xef\xbf\xbf\xf4\x8f\xbf\xbe \xef\xb7\x8f"
                "\xef\xb7\xb0\xf0\x9f\xbf\xbd"));
    json_key(&j, "b");
    json_array(&j);
    json_u64(&j, 1);
    json_real(&j, 0.25);
    json_real(&j, 3);
    json_real(&j, 1e-9);
    json_real(&j, -2e30);
    json_array_end(&j);
    json_kbool(&j, "c", true);
    json_object_end(&j);
    CHECK(str_eq(buf_view(&b),
                 S("{\"a\":\"q\\\" \\\\ \\n\\u0001 \xc3\xa4 \xef\xbf\xbd\","
                   "\"no characters\":\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd "
                   "\xef\xb7\x8f\xef\xb7\xb0\xf0\x9f\xbf\xbd\","
                   "\"b\":[1,0.25,3.0,1.0e-09,-2.0e+30],\"c\":true}")));
    buf_free(&b);
}

/* A comma (de_DE), a character of two bytes (ps_AF); as far as they are
 * installed. */
static void
reals_have_a_point_in_every_locale(void)
{
    static const char *const locales[] = {"C", "de_DE.UTF-8", "ps_AF.UTF-8"};

    for (size_t i = 0; i < sizeof locales / sizeof *locales; i++) {
        struct buf b = {0};
        struct json j = {.out = &b};

        if (setlocale(LC_ALL, locales[i]) == NULL)
            fprintf(stderr, "no locale %s: not tried\n", locales[i]);
        buf_real(&b, 24.125, 4);
        buf_real(&b, -1.5e-9, 6);
        buf_real(&b, 1e300, 6);
        json_real(&j, 24.125);
        json_real(&j, 1.5e30);
        json_real(&j, 7);
        CHECK(str_eq(buf_view(&b), S("24.12-1.5e-091e+300"
                                     "24.125,1.5e+30,7.0")));
        buf_free(&b);
    }
    setlocale(LC_ALL, "C");
}

static void
facts_that_differ_are_told_once(void)
{
    struct buf out = {0};

    facts_compare(S("# a comment\nsame = 1\nother = a\nset =\ngone = b\n"),
                  S("gone =\nset = c d\nother = e\nsame = 1\nnew = f\n"), &out);
    CHECK(str_eq(buf_view(&out),
                 S("other: a -> e\ngone: b -> (empty)\nset: (empty) -> c d\n"
                   "new: (empty) -> f\n")));
    buf_free(&out);
}

static void
numbers_are_grouped_by_thousands(void)
{
    struct buf b = {0};

    buf_grouped(&b, 0);
    buf_char(&b, ' ');
    buf_grouped(&b, 999);
    buf_char(&b, ' ');
    buf_grouped(&b, 1000);
    buf_char(&b, ' ');
    buf_grouped(&b, UINT64_MAX);
    CHECK(str_eq(buf_view(&b), S("0 999 1,000 18,446,744,073,709,551,615")));
    buf_free(&b);
}

static void
quotes_hold_their_own_marks(void)
{
    struct buf b = {0};

    buf_quoted(&b, S("a \"b\" \\ 'c'"));
    CHECK(str_eq(buf_view(&b), S("\"a \\\"b\\\" \\\\ 'c'\"")));
    buf_clear(&b);
    buf_shell(&b, S("a \"b\" 'c'"));
    CHECK(str_eq(buf_view(&b), S("'a \"b\" '\\''c'\\'''")));
    buf_free(&b);
}

static void
a_part_is_found_wherever_it_is(void)
{
    CHECK(str_has(S("abc"), S("abc")) && str_has(S("abc"), S("c")));
    CHECK(str_has(S("abc"), S("")) && str_has((struct str){0}, S("")));
    CHECK(!str_has(S("abc"), S("abcd")) && !str_has(S("abc"), S("ac")));
    CHECK(!str_has((struct str){0}, S("a")));
}

static void
a_file_is_written_whole_and_read_up_to_its_limit(void)
{
    const char *path, *part;
    struct buf b = {0};

    folder_open();
    path = in_folder("file");
    part = in_folder("file.part");
    CHECK(file_read(&b, path, 10) == ST_IO && errno == ENOENT);
    CHECK(file_read(&b, folder, 10) == ST_IO && errno == EISDIR);
    CHECK(file_write(path, S("first")) == ST_OK);
    CHECK(file_write(path, S("0123456789")) == ST_OK);
    CHECK(access(part, F_OK) != 0);
    CHECK(file_read(&b, path, 10) == ST_OK && b.n == 10);
    CHECK(file_read(&b, path, 9) == ST_LIMIT);
    CHECK(str_eq(buf_view(&b), S("012345678")));
    CHECK(file_read(&b, path, SIZE_MAX) == ST_OK && b.n == 10);
    CHECK(file_write(path, S("")) == ST_OK);
    CHECK(file_read(&b, path, 0) == ST_OK && b.n == 0);
    CHECK(file_write("/dev/full/x", S("a")) == ST_IO && errno == ENOTDIR);
    folder_close();
    buf_free(&b);
}

static void
a_path_that_is_too_long_is_no_files(void)
{
    char long_name[sizeof(struct path)];
    struct path p = path_printf("%s/%d", "/tmp", 7);

    CHECK(strcmp(p.z, "/tmp/7") == 0);
    CHECK(str_eq(path_base(str_c(p.z)), S("7")));
    CHECK(str_eq(path_base(S("a")), S("a")) && path_base(S("a/")).n == 0);
    memset(long_name, '/', sizeof long_name - 1); /* any part of it is there */
    long_name[sizeof long_name - 1] = '\0';
    CHECK(access(path_printf("%s", long_name).z, F_OK) == 0);
    p = path_printf("%s/", long_name);
    CHECK(access(p.z, F_OK) != 0);
    CHECK(access(path_printf("%s/..", p.z).z, F_OK) != 0);
}

static void
folders_are_made_with_those_on_the_way(void)
{
    char path[600], longest[PATH_FOLDER_MAX + 2];

    folder_open();
    memset(longest, '/', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    CHECK(file_make_folders(longest) == ST_IO && errno == ENAMETOOLONG);
    longest[PATH_FOLDER_MAX] = '\0';
    CHECK(file_make_folders(longest) == ST_OK);
    snprintf(path, sizeof path, "%s//a/b/", folder);
    CHECK(file_make_folder(path) == ST_IO && errno == ENOENT);
    CHECK(file_make_folders(path) == ST_OK);
    CHECK(file_make_folders(path) == ST_OK); /* they are there */
    CHECK(access(in_folder("a/b"), F_OK) == 0);
    CHECK(file_write(in_folder("file"), S("")) == ST_OK);
    CHECK(file_make_folders(in_folder("file/c")) == ST_IO && errno == ENOTDIR);
    CHECK(file_make_folders("") == ST_IO && errno == ENOENT);
    folder_close();
}

static void
what_is_no_file_is_written_to_as_it_is(void)
{
    char got[8] = "";
    struct stat sb;
    int reader;

    folder_open();
    CHECK(mkfifo(in_folder("fifo"), 0600) == 0);
    reader = open(in_folder("fifo"), O_RDWR | O_NONBLOCK);
    CHECK(file_write(in_folder("fifo"), S("bytes")) == ST_OK);
    CHECK(stat(in_folder("fifo"), &sb) == 0 && S_ISFIFO(sb.st_mode));
    CHECK(read(reader, got, sizeof got - 1) == 5 && strcmp(got, "bytes") == 0);
    close(reader);
    CHECK(file_write(folder, S("bytes")) == ST_IO && errno == EISDIR);
    folder_close();
}

static void
a_symbolic_link_stays_one(void)
{
    char link[200];
    struct stat sb;

    folder_open();
    CHECK(mkdir(in_folder("below"), 0777) == 0);
    snprintf(link, sizeof link, "%s", in_folder("link"));
    CHECK(symlink("below/next", link) == 0);
    CHECK(symlink("file", in_folder("below/next")) == 0);
    for (int i = 0; i < 2; i++) { /* it leads nowhere, then to a file */
        CHECK(file_write(link, i == 0 ? S("first") : S("second")) == ST_OK);
        CHECK(lstat(link, &sb) == 0 && S_ISLNK(sb.st_mode));
        CHECK(lstat(in_folder("below/next"), &sb) == 0 && S_ISLNK(sb.st_mode));
        CHECK(strcmp(folder_text("below/file"), i == 0 ? "first" : "second") ==
              0);
    }
    CHECK(symlink("circle", in_folder("circle")) == 0);
    CHECK(file_write(in_folder("circle"), S("a")) == ST_IO && errno == ELOOP);
    folder_close();
}

static void *
produce(void *q)
{
    static int items[1000];

    for (int i = 0; i < 1000; i++)
        CHECK(workq_push(q, &items[i]) == ST_OK);
    workq_close(q);
    return NULL;
}

static void
a_queue_hands_over_everything_then_stops(void)
{
    struct workq *q = workq_new(7);
    pthread_t thread;
    void *item;
    int n = 0;

    CHECK(workq_pop(q, &item, 1) == ST_TIMEOUT);
    pthread_create(&thread, NULL, produce, q);
    while (workq_pop(q, &item, UINT64_MAX) == ST_OK)
        n++;
    CHECK(n == 1000);
    CHECK(workq_push(q, &n) == ST_STOPPED);
    pthread_join(thread, NULL);
    workq_free(q);
}

static long
switches(void)
{
    struct rusage use;

    CHECK(getrusage(RUSAGE_THREAD, &use) == 0);
    return use.ru_nvcsw;
}

static void
a_look_into_a_queue_waits_for_nobody(void)
{
    struct workq *q = workq_new(1);
    long before = switches();
    void *item;

    for (int i = 0; i < 1000; i++)
        CHECK(workq_pop(q, &item, 0) == ST_TIMEOUT);
    CHECK(switches() - before < 10);
    workq_free(q);
}

static size_t
lines_in(const struct buf *text)
{
    size_t n = 0;

    for (size_t i = 0; i < text->n; i++)
        n += text->p[i] == '\n';
    return n;
}

static void
what_strangers_cause_is_a_few_lines_a_minute(void)
{
    struct log_limit limit = LOG_LIMIT(3), other = LOG_LIMIT(1);
    struct buf out = {0};

    log_capture(&out);
    for (int i = 0; i < 500; i++)
        log_rarely(&limit, LOG_ERROR, "test", "line %d", i);
    log_rarely(&other, LOG_ERROR, "test", "another kind");
    log_rarely(&limit, LOG_DEBUG, "test", "below the threshold");
    CHECK(lines_in(&out) >= 4 && lines_in(&out) <= 8); /* a minute may end */
    limit.minute = 1; /* a minute that is over */
    buf_clear(&out);
    log_rarely(&limit, LOG_ERROR, "test", "one more");
    CHECK(lines_in(&out) == 2);
    CHECK(memmem(out.p, out.n, "49", 2) != NULL); /* 497, or a few less */
    log_capture(NULL);
    buf_free(&out);
}

static bool
ended(int status, const char *how)
{
    char text[PROCESS_END_SIZE];

    return strcmp(process_end(status, text), how) == 0;
}

static void
the_end_of_a_child_is_said_in_words(void)
{
    int status = 0;
    pid_t pid = fork();

    if (pid == 0)
        _exit(3);
    CHECK(waitpid(pid, &status, 0) == pid && ended(status, "exit status 3"));
    if ((pid = fork()) == 0)
        pause();
    kill(pid, SIGKILL);
    CHECK(waitpid(pid, &status, 0) == pid && ended(status, "signal 9, Killed"));
}

int
main(int argc, char **argv)
{
    static const struct test tests[] = {
        TEST(numbers_are_whole_and_in_range),
        TEST(reals_are_what_strtod_makes_of_them),
        TEST(cut_gives_every_part_once),
        TEST(an_arena_keeps_what_it_gave_until_reset),
        TEST(an_arena_uses_outsized_chunks_again),
        TEST(an_arena_keeps_what_was_used_lately),
        TEST(a_run_ends_at_the_first_byte_that_stops_it),
        TEST(chunks_of_freed_arenas_are_used_again),
        TEST(json_escapes_and_repairs_strings),
        TEST(reals_have_a_point_in_every_locale),
        TEST(facts_that_differ_are_told_once),
        TEST(numbers_are_grouped_by_thousands),
        TEST(quotes_hold_their_own_marks),
        TEST(a_part_is_found_wherever_it_is),
        TEST(a_file_is_written_whole_and_read_up_to_its_limit),
        TEST(a_path_that_is_too_long_is_no_files),
        TEST(folders_are_made_with_those_on_the_way),
        TEST(what_is_no_file_is_written_to_as_it_is),
        TEST(a_symbolic_link_stays_one),
        TEST(a_queue_hands_over_everything_then_stops),
        TEST(a_look_into_a_queue_waits_for_nobody),
        TEST(what_strangers_cause_is_a_few_lines_a_minute),
        TEST(the_end_of_a_child_is_said_in_words),
        {0},
    };

    return test_main(tests, argc, argv);
}
