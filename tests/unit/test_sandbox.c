/* What the sandbox refuses, that nobody outside of it notices, and that pages
 * are cleaned in it as they are outside. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <netinet/in.h>

#include "base/buf.h"
#include "clean/sandbox/sandbox.h"
#include "test.h"

static struct sandbox *box; /* of the test that runs */
static int file;            /* open, of the process */

/* What a call came to: its errno, 0 when it was done. */
struct tried {
    int open, create, unlink, socket, connect, exec, fork, kill, ptrace, read,
        write, execute, protect, map, chmod, send, ring;
};

static int
fault(long rc)
{
    return rc < 0 ? errno : 0;
}

static void
try_everything(void *self)
{
    static char byte[] = "x";
    static char *const argv[] = {byte, NULL};
    struct tried *t = self;
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9)};
    void *p;

    t->open = fault(open("/etc/passwd", O_RDONLY));
    t->create = fault(creat("/tmp/winnow-sandbox", 0600));
    t->unlink = fault(unlink("/tmp/winnow-sandbox"));
    t->chmod = fault(chmod("/tmp/winnow-sandbox", 0600));
    t->socket = fault(socket(AF_INET, SOCK_STREAM, 0));
    t->connect = fault(connect(file, (struct sockaddr *)&to, sizeof to));
    t->send = fault(send(file, byte, 1, MSG_NOSIGNAL));
    t->exec = fault(execve("/bin/true", argv, argv + 1));
    t->fork = fault(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
    t->kill = fault(kill(getpid(), 0));
    t->ptrace = fault(ptrace(PTRACE_TRACEME, 0, NULL, NULL));
    t->read = fault(read(file, byte, 1));
    t->write = fault(write(file, byte, 1));
    t->ring = fault(syscall(425, 1, NULL)); /* io_uring_setup */
    p = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
             0);
    t->execute = p == MAP_FAILED ? errno : 0;
    p = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, file, 0);
    t->map = p == MAP_FAILED ? errno : 0;
    p = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    t->protect =
        p == MAP_FAILED ? 0 : fault(mprotect(p, 4096, PROT_READ | PROT_EXEC));
}

static void
nothing_but_memory_is_had_in_the_sandbox(void)
{
    struct tried t;
    const int *each = (const int *)&t;

    CHECK(sandbox_open(&box) == ST_OK);
    sandbox_run(box, try_everything, &t);
    sandbox_close(box);
    for (size_t i = 0; i < sizeof t / sizeof *each; i++) {
        CHECK(each[i] == EPERM);
        if (each[i] != EPERM)
            fprintf(stderr, "the call %zu of struct tried\n", i);
    }
}

/* ---- pages ---- */

struct cleaned {
    struct arena *arena;
    struct document d;
    struct buf text;
};

static void
clean(struct cleaned *c, struct sandbox *in, const struct cleaner *cleaner,
      struct str html)
{
    *c = (struct cleaned){.arena = arena_new()};
    c->d = (struct document){.arena = c->arena,
                             .url_text = S("http://www.\xc3\xa4.example/"),
                             .bytes = html,
                             .content_type = S("text/html"),
                             .x_robots_tag = S(""),
                             .robots_agent = S("winnow")};
    CHECK(sandbox_clean(in, cleaner, &c->d, true) == ST_OK);
    document_text(&c->d, &c->text);
}

/* In the sandbox first: what is loaded late would have to be loaded there. */
static void
is_the_same(const struct cleaner *cleaner, struct str html)
{
    struct cleaned in, out;

    clean(&in, box, cleaner, html);
    clean(&out, NULL, cleaner, html);
    CHECK(str_eq(buf_view(&in.text), buf_view(&out.text)));
    CHECK(str_eq(in.d.charset, out.d.charset) && in.d.charset.n > 0);
    CHECK(in.d.reject == out.d.reject && in.d.tokens_n == out.d.tokens_n);
    CHECK(in.d.links_n == out.d.links_n && in.d.tokens_n > 0);
    buf_free(&in.text);
    buf_free(&out.text);
    arena_free(in.arena);
    arena_free(out.arena);
}

static void
pages_of_all_character_sets_are_cleaned_in_it_as_outside(void)
{
    static const char *const charset[] = {
        "utf-8",       "gbk",          "big5",       "euc-jp",
        "iso-2022-jp", "shift_jis",    "euc-kr",     "gb18030",
        "koi8-r",      "windows-1252", "iso-8859-2", "utf-16le"};
    static const char text[] =
        "<p>Het huis staat op de heuvel en de zee is van daar te zien. "
        "\xe4\xf6 \xc4\xe3\xba\xc3 \x83\x65\x83\x58 cafe\xcc\x81 "
        "\xe0\xb8\xa0\xe0\xb8\xb2\xe0\xb8\xa9 <a href='/x?\xe4'>Meer</a>";
    struct cleaner *cleaner;
    struct opts o;

    opts_init(&o);
    CHECK(opts_set(&o, "test", S("clean.word_break=dictionary")) == ST_OK);
    CHECK(opts_set(&o, "test", S("clean.mojibake=on")) == ST_OK);
    CHECK(opts_set(&o, "test", S("clean.english=british")) == ST_OK);
    CHECK(opts_set(&o, "test", S("clean.boilerplate_regex=^Meer")) == ST_OK);
    CHECK(cleaner_open(&cleaner, &o) == ST_OK);
    CHECK(sandbox_open(&box) == ST_OK);
    for (size_t i = 0; i < sizeof charset / sizeof *charset; i++) {
        struct buf html = {0};

        buf_printf(&html, "<meta charset=%s>%s", charset[i], text);
        is_the_same(cleaner, buf_view(&html));
        buf_free(&html);
    }
    is_the_same(cleaner, S(text)); /* guessed */
    sandbox_close(box);
    cleaner_close(cleaner);
    opts_free(&o);
}

static void
a_page_over_its_budget_is_rejected_there_as_well(void)
{
    static char html[3 << 20];
    struct cleaner *cleaner;
    struct cleaned c;
    struct opts o;
    size_t n = 0;

    while (n < sizeof html - 20)
        n += (size_t)sprintf(html + n, "<p>word %zu", n);
    opts_init(&o);
    CHECK(opts_set(&o, "test", S("clean.memory_mib=1")) == ST_OK);
    CHECK(cleaner_open(&cleaner, &o) == ST_OK);
    CHECK(sandbox_open(&box) == ST_OK);
    clean(&c, box, cleaner, str_n(html, n));
    CHECK(c.d.reject == VERDICT_MEMORY);
    buf_free(&c.text);
    arena_free(c.arena);
    sandbox_close(box);
    cleaner_close(cleaner);
    opts_free(&o);
}

/* ---- the option ---- */

static bool
chosen(const char *sandbox, const char *pipe, enum status expected)
{
    struct opts o;
    bool use = true;

    opts_init(&o);
    CHECK(opts_set(&o, "test", str_c(sandbox)) == ST_OK);
    CHECK(opts_set(&o, "test", str_c(pipe)) == ST_OK);
    CHECK(sandbox_choose(&use, &o) == expected);
    opts_free(&o);
    return use;
}

static void
the_operator_decides(void)
{
    CHECK(chosen("clean.sandbox=auto", "clean.pipe=", ST_OK));
    CHECK(chosen("clean.sandbox=on", "clean.pipe=", ST_OK));
    CHECK(!chosen("clean.sandbox=off", "clean.pipe=", ST_OK));
    CHECK(!chosen("clean.sandbox=auto", "clean.pipe=cat", ST_OK));
    CHECK(!chosen("clean.sandbox=on", "clean.pipe=cat", ST_USAGE));
}

static void
other_threads_go_without(void)
{
    int fd = open("/etc/passwd", O_RDONLY);
    char byte;

    CHECK(fd >= 0 && read(fd, &byte, 1) == 1 && lseek(fd, 0, SEEK_SET) == 0);
    close(fd);
    CHECK((fd = socket(AF_INET, SOCK_STREAM, 0)) >= 0);
    close(fd);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(nothing_but_memory_is_had_in_the_sandbox),
        TEST(other_threads_go_without),
        TEST(pages_of_all_character_sets_are_cleaned_in_it_as_outside),
        TEST(a_page_over_its_budget_is_rejected_there_as_well),
        TEST(the_operator_decides),
        {0}};
    int failed;

    if (sandbox_open(&box) != ST_OK) {
        fprintf(stderr, "skipped: no seccomp filters here\n");
        return 77;
    }
    sandbox_close(box);
    file = open("tests/unit/test_sandbox.c", O_RDWR);
    failed = test_main(table, argc, argv);
    close(file);
    return failed;
}
