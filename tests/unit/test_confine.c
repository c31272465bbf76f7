/* test_confine.c -- what a converting process may not do, and what is
 * remembered of documents that failed. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/fd_io.h"
#include "base/hash.h"
#include "base/options/opt.h"
#include "clean/convert/confine.h"
#include "clean/convert/converter.h"
#include "clean/convert/poison.h"
#include "clean/convert/service.h"
#include "folder.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED true
#endif
#endif
#ifndef SANITIZED
#define SANITIZED false
#endif

static const struct confine_limits limits = {1, (size_t)256 << 20};

/* ---- readers ---- */

/* The exit code of a confined process. */
static int
confined(int (*body)(void))
{
    int status = -1;
    pid_t pid = fork();

    if (pid == 0)
        _exit(confine_reader(&limits) ? body() : 99);
    return pid > 0 && waitpid(pid, &status, 0) == pid ? status : -1;
}

static int
opens_things(void)
{
    int faults = 0;

    faults += open("/etc/passwd", O_RDONLY) >= 0;
    faults += open("/tmp/winnow-confined", O_WRONLY | O_CREAT, 0600) >= 0;
    faults += socket(AF_INET, SOCK_STREAM, 0) >= 0;
    faults += fork() >= 0;
    faults += kill(getppid(), 0) == 0;
    return faults;
}

static int
takes_memory(void)
{
    return mmap(NULL, (size_t)512 << 20, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED
               ? 0
               : 1;
}

static int
runs_for_ever(void)
{
    volatile unsigned i = 0;

    while (i < 2)
        i = (i + 1) % 2;
    return 0;
}

static void
readers_may_do_nothing(void)
{
    unlink("/tmp/winnow-confined"); /* of a test that failed */
    CHECK(confined(opens_things) == 0);
    CHECK(access("/tmp/winnow-confined", F_OK) != 0);
    if (!SANITIZED)
        CHECK(confined(takes_memory) == 0);
    CHECK(WIFSIGNALED(confined(runs_for_ever)));
}

/* ---- programs ---- */

/* What a shell command writes, confined; its exit code. */
static int
program(bool bwrap, const char *command, char *out, size_t n)
{
    const char *argv[] = {"sh", "-c", command, NULL};
    int file = memfd_create("out", 0), in = memfd_create("in", 0), status = -1;
    pid_t pid;

    fd_write(in, "the document", 12);
    if ((pid = fork()) == 0) {
        confine_exec(&limits, bwrap, in, file, file, argv);
        _exit(99);
    }
    waitpid(pid, &status, 0);
    memset(out, 0, n);
    (void)!pread(file, out, n - 1, 0);
    close(file);
    close(in);
    return status;
}

static void
confines_programs(bool bwrap)
{
    char out[4096];

    unlink("/tmp/winnow-confined");
    CHECK(program(bwrap, "echo yes", out, sizeof out) == 0);
    CHECK(strcmp(out, "yes\n") == 0);
    CHECK(program(bwrap, "echo x > /tmp/winnow-confined", out, sizeof out) !=
          0);
    CHECK(access("/tmp/winnow-confined", F_OK) != 0);
    CHECK(program(bwrap, "/bin/true; /bin/true", out, sizeof out) != 0);
    CHECK(program(bwrap, "while :; do :; done", out, sizeof out) != 0);
    if (bwrap)
        CHECK(program(true, "read x < /etc/passwd", out, sizeof out) != 0);
}

static void
programs_write_no_files_and_start_no_others(void)
{
    confines_programs(false);
    if (confine_has_bwrap())
        confines_programs(true);
    else
        printf("skipped: bubblewrap does not work here\n");
}

/* ---- conversions ---- */

static uint32_t
converts(enum convert_kind k, struct str bytes, unsigned seconds,
         struct buf *html)
{
    struct convert_request q = {.kind = k,
                                .seconds = seconds,
                                .memory_mib = SANITIZED ? 1 << 20 : 512,
                                .sandbox = CONVERT_SECCOMP};
    int file = memfd_create("document", 0);
    struct convert_answer a;

    fd_write(file, bytes.p, bytes.n);
    lseek(file, 0, SEEK_SET);
    buf_clear(html);
    convert_one(&q, file, -1, &a, html);
    close(file);
    return a.end;
}

static void
conversions_end_as_they_should(void)
{
    struct buf html = {0};

    CHECK(converts(CONVERT_TXT, S("Some words.\n"), 10, &html) == CONVERT_DONE);
    CHECK(memmem(html.p, html.n, "Some words.", 11) != NULL);
    CHECK(converts(CONVERT_ODT, S("PK no archive"), 10, &html) ==
          CONVERT_CANNOT);
    CHECK(html.n == 0);
    if (convert_program_path(CONVERT_PDF) == NULL) {
        printf("skipped: pdftotext (poppler-utils) is not installed\n");
        CHECK(converts(CONVERT_PDF, S("%PDF-"), 10, &html) == CONVERT_LACKS);
    } else {
        CHECK(converts(CONVERT_PDF, S("%PDF-1.4 nothing"), 10, &html) ==
              CONVERT_CANNOT);
    }
    buf_free(&html);
}

/* What the machine lacks is no failure of the document, however often. */
static void
a_process_that_is_not_had_blames_no_document(void)
{
    struct convert_process *p;
    struct rlimit before;
    struct converted out;
    struct converter *c;
    struct buf html = {0};
    struct opts o;

    opts_init(&o);
    CHECK(opts_set(&o, "test", S("convert.types=txt")) == ST_OK);
    CHECK(converter_open(&c, &o, NULL) == ST_OK);
    p = convert_process_open(c, NULL);
    CHECK(getrlimit(RLIMIT_NOFILE, &before) == 0);
    CHECK(setrlimit(RLIMIT_NOFILE, &(struct rlimit){3, before.rlim_max}) == 0);
    for (unsigned i = 0; i <= POISON_TRIES; i++) {
        convert_document(p, CONVERT_TXT, S("Some words."), false, &html, &out);
        CHECK(out.reject == VERDICT_CONVERT_FAULT);
    }
    CHECK(setrlimit(RLIMIT_NOFILE, &before) == 0);
    convert_process_close(p);
    converter_close(c);
    opts_free(&o);
    buf_free(&html);
}

/* ---- poison ---- */

static void
failures_are_remembered(void)
{
    struct hash128 bad = hash128(S("bad")), good = hash128(S("good"));
    struct poison *p;
    char path[64];
    int fd;

    folder_open();
    snprintf(path, sizeof path, "%s/poison", folder);
    CHECK(poison_open(&p, path) == ST_OK);
    poison_failed(p, bad);
    CHECK(poison_failures(p, bad) == 1 && poison_failures(p, good) == 0);
    poison_close(p);
    fd = open(path, O_WRONLY | O_APPEND);
    CHECK(fd_write(fd, "0123", 4)); /* cut off by a crash */
    close(fd);
    CHECK(poison_open(&p, path) == ST_OK);
    CHECK(poison_failures(p, bad) == 1);
    poison_failed(p, bad);
    poison_close(p);
    CHECK(poison_open(&p, path) == ST_OK);
    CHECK(poison_failures(p, bad) == 2 && poison_failures(p, good) == 0);
    poison_close(p);
    CHECK(poison_open(&p, "/nonexistent/poison") == ST_IO);
    CHECK(poison_open(&p, NULL) == ST_OK);
    poison_failed(p, good);
    CHECK(poison_failures(p, good) == 1);
    poison_close(p);
    folder_close();
}

static const struct test tests[] = {
    TEST(readers_may_do_nothing),
    TEST(programs_write_no_files_and_start_no_others),
    TEST(conversions_end_as_they_should),
    TEST(a_process_that_is_not_had_blames_no_document),
    TEST(failures_are_remembered),
    {0},
};

int
main(int argc, char **argv)
{
    return test_main(tests, argc, argv);
}
