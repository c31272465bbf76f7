/* service.c -- see service.h.
 *
 *   document -> [program -> pipe ->] reader -> pipe -> this process -> socket
 *
 * This process reads nothing of a document: it moves bytes and keeps time.  The
 * program (if the kind has one) and the reader are children, made for the
 * document and killed when its time is over.  So what a crash takes with it is
 * one conversion. */
#include "service.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "awake_deadline.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/exit_code.h"
#include "base/fd_io.h"
#include "clean/convert/reader.h"
#include "confine.h"

#define PATH_SIZE 64
#define INPUT_MAX ((size_t)256 << 20) /* of a reader */

/* What a reader writes before the page. */
struct verdict_of_reader {
    uint32_t good;
    char why[CONVERT_WHY_MAX];
};

struct child {
    pid_t pid; /* 0: none */
    int status;
    uint64_t cpu_us;
};

struct conversion {
    const struct convert_request *q;
    struct confine_limits limits;
    const char *path; /* of the program, "": none */
    int document, errors, abandon;
    struct awake_deadline deadline;
    struct child program, reader;
    struct convert_answer *answer;
    struct buf *html;
};

static void
ends(struct convert_answer *a, enum convert_end end, const char *why)
{
    a->end = end;
    snprintf(a->why, sizeof a->why, "%.*s", (int)sizeof a->why - 1, why);
}

/* ---- children ---- */

static const char *const *
program_words(enum convert_kind k, const char *path)
{
    static const char *const pdf[] = {"pdftotext", "-q", "-bbox-layout",
                                      "@",         "-",  NULL};
    static const char *const antiword[] = {"antiword", "-m", "UTF-8.txt", "-w",
                                           "0",        "@",  NULL};
    static const char *const catdoc[] = {"catdoc", "-w", "-d",
                                         "utf-8",  "@",  NULL};

    if (k == CONVERT_PDF)
        return pdf;
    return strstr(path, "antiword") != NULL ? antiword : catdoc;
}

/* The first program of a kind that is there, behind `after` of them; NULL:
 * none.
 */
static const char *
find_program(enum convert_kind k, unsigned after, char path[PATH_SIZE])
{
    static const char *const folders[] = {"/usr/bin", "/usr/local/bin"};
    struct str rest = str_c(convert_kind_program(k)), name;

    if (rest.n == 0)
        return "";
    while (str_cut(&rest, '|', &name))
        for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
            snprintf(path, PATH_SIZE, "%s/%.*s", folders[i], STRF(name));
            if (access(path, X_OK) == 0 && after-- == 0)
                return path;
        }
    return NULL;
}

const char *
convert_program_path(enum convert_kind k)
{
    static char path[CONVERT_KINDS_N][PATH_SIZE];

    return find_program(k, 0, path[k]);
}

static _Noreturn void
be_program(const struct conversion *c, int out)
{
    enum convert_kind k = (enum convert_kind)c->q->kind;

    setpgid(0, 0);
    confine_exec(&c->limits, c->q->sandbox == CONVERT_BWRAP, c->document, out,
                 c->errors, program_words(k, c->path));
    _exit(127);
}

static bool
read_all(int fd, struct buf *in)
{
    ptrdiff_t n;

    do {
        buf_reserve(in, 1 << 16);
        n = fd_read(fd, in->p + in->n, 1 << 16);
        if (n > 0)
            in->n += (size_t)n;
    } while (n > 0 && in->n <= INPUT_MAX);
    return n == 0;
}

static void
load_data(void)
{
    struct buf html = {0};
    const char *why;

    /* What libraries load when they are first used, they load here. */
    (void)convert_read_txt(S("Gr\xfc\xdf"
                             "e aus K\xf6ln\n"),
                           &html, &why);
    buf_free(&html);
}

static _Noreturn void
be_reader(const struct conversion *c, int in, int out)
{
    struct verdict_of_reader v = {0};
    struct buf bytes = {0}, html = {0};
    const char *why = NULL;

    setpgid(0, 0);
    if (dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
        close_range(3, ~0u, 0) != 0)
        _exit(126);
    if (!confine_reader(&c->limits) || !read_all(STDIN_FILENO, &bytes))
        _exit(125);
    v.good = convert_read((enum convert_kind)c->q->kind, buf_view(&bytes),
                          &html, &why) == ST_OK;
    snprintf(v.why, sizeof v.why, "%s", why != NULL ? why : "");
    if (!fd_write(STDOUT_FILENO, &v, sizeof v) ||
        (v.good && !fd_write(STDOUT_FILENO, html.p, html.n)))
        _exit(124);
    _exit(0);
}

/* The ends of a pipe, closed in what is executed. */
static bool
make_pipe(int ends_of[2])
{
    return pipe2(ends_of, O_CLOEXEC) == 0;
}

static void
close_both(const int pipe_ends[2])
{
    close(pipe_ends[0]);
    close(pipe_ends[1]);
}

static bool
start_program(struct conversion *c, const int words[2])
{
    c->program.pid = fork();
    if (c->program.pid == 0)
        be_program(c, words[1]);
    return c->program.pid > 0;
}

static bool
start_reader(struct conversion *c, int in, const int page[2])
{
    c->reader.pid = fork();
    if (c->reader.pid == 0)
        be_reader(c, in, page[1]);
    return c->reader.pid > 0;
}

/* *page: where the page comes from.  False: no processes or files to be had. */
static bool
start(struct conversion *c, int *page)
{
    bool program = *c->path != '\0';
    int words[2] = {-1, -1}, html[2];
    bool ok = true;

    if (!make_pipe(html))
        return false;
    if (program && !make_pipe(words)) {
        close_both(html);
        return false;
    }
    if (program)
        ok = start_program(c, words);
    ok = ok && start_reader(c, program ? words[0] : c->document, html);
    if (program)
        close_both(words);
    close(html[1]);
    *page = html[0];
    return ok;
}

static void
stop(struct child *c)
{
    if (c->pid <= 0)
        return;
    kill(-c->pid, SIGKILL);
    kill(c->pid, SIGKILL);
}

static void
reap(struct child *c)
{
    struct rusage used;

    if (c->pid <= 0)
        return;
    while (wait4(c->pid, &c->status, 0, &used) < 0 && errno == EINTR)
        ;
    c->cpu_us =
        (uint64_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000 +
        (uint64_t)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    kill(-c->pid, SIGKILL); /* what it left behind */
}

/* Until the program has ended, or its time has. */
static bool
wait_for(struct conversion *c, const struct child *child)
{
    int fd = child->pid > 0 ? (int)syscall(SYS_pidfd_open, child->pid, 0) : -1;
    struct pollfd p = {.fd = fd, .events = POLLIN};
    int rc, ms;

    if (fd < 0)
        return true;
    do {
        ms = awake_deadline_wait(&c->deadline, clock_steady_ms());
        rc = poll(&p, 1, ms);
    } while (rc <= 0 && ms > 0);
    close(fd);
    return rc > 0;
}

/* ---- the page ---- */

/* NULL: all of it came. */
static const char *
take_page(struct conversion *c, int page, struct buf *all)
{
    for (;;) {
        struct pollfd p[2] = {{.fd = page, .events = POLLIN},
                              {.fd = c->abandon, .events = POLLRDHUP}};
        int ms = awake_deadline_wait(&c->deadline, clock_steady_ms());
        ptrdiff_t n;

        if (ms == 0)
            return "over convert.seconds";
        if (poll(p, 2, ms) <= 0)
            continue;
        if ((p[1].revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0)
            return "nobody waits for it";
        if (p[0].revents == 0)
            continue;
        buf_reserve(all, 1 << 16);
        if ((n = fd_read(page, all->p + all->n, 1 << 16)) <= 0)
            return n == 0 ? NULL : "broken pipe";
        all->n += (size_t)n;
        if (all->n > CONVERT_HTML_MAX)
            return "too much text";
    }
}

/* The first line that the program complained. */
static void
complaint(const struct conversion *c, char out[CONVERT_WHY_MAX])
{
    ptrdiff_t n = pread(c->errors, out, CONVERT_WHY_MAX - 1, 0);

    out[n > 0 ? n : 0] = '\0';
    out[strcspn(out, "\r\n")] = '\0';
}

/* Ended by a signal?  bubblewrap and shells say so as 128 and its number. */
static int
signal_of(int status)
{
    if (WIFSIGNALED(status))
        return WTERMSIG(status);
    return WIFEXITED(status) && WEXITSTATUS(status) > 128
               ? WEXITSTATUS(status) - 128
               : 0;
}

static bool
died(struct conversion *c, const struct child *child, const char *name)
{
    int sig = signal_of(child->status);
    char why[CONVERT_WHY_MAX];

    if (child->pid <= 0 || sig == 0 || sig == SIGPIPE)
        return false;
    if (sig == SIGXCPU || sig == SIGKILL)
        snprintf(why, sizeof why, "%s: over convert.seconds of CPU time", name);
    else
        snprintf(why, sizeof why, "%s: signal %d", name, sig);
    ends(c->answer, CONVERT_FAILED, why);
    return true;
}

/* A program that ended with an error has had a reason. */
static bool
refused(struct conversion *c, const char *name)
{
    int code = WEXITSTATUS(c->program.status);
    char said[CONVERT_WHY_MAX], why[2 * CONVERT_WHY_MAX];

    if (c->program.pid <= 0 || !WIFEXITED(c->program.status) || code == 0)
        return false;
    complaint(c, said);
    snprintf(why, sizeof why, "%s: exit %d%s%s", name, code,
             said[0] != '\0' ? ", " : "", said);
    ends(c->answer,
         strstr(said, "ut of memory") != NULL || code >= 126 ? CONVERT_FAILED
                                                             : CONVERT_CANNOT,
         why);
    return true;
}

static void
conclude(struct conversion *c, const char *fault, const struct buf *all)
{
    const char *name = convert_kind_name((enum convert_kind)c->q->kind);
    struct verdict_of_reader v;

    if (fault != NULL)
        ends(c->answer, CONVERT_FAILED, fault);
    if (fault != NULL || died(c, &c->program, "program") ||
        died(c, &c->reader, "reader") || refused(c, name))
        return;
    if (c->reader.status != 0 || all->n < sizeof v) {
        ends(c->answer, CONVERT_FAILED,
             WEXITSTATUS(c->reader.status) == EXIT_FAILED
                 ? "over convert.memory_mib"
                 : "the reader has failed");
        return;
    }
    memcpy(&v, all->p, sizeof v);
    v.why[sizeof v.why - 1] = '\0';
    ends(c->answer, v.good ? CONVERT_DONE : CONVERT_CANNOT, v.why);
    if (v.good)
        buf_add(c->html, all->p + sizeof v, all->n - sizeof v);
}

static void
run(struct conversion *c)
{
    struct buf all = {0};
    const char *fault = NULL;
    bool starved = false;
    int page = -1;

    if (!start(c, &page))
        starved = true;
    else if ((fault = take_page(c, page, &all)) == NULL &&
             !wait_for(c, &c->program))
        fault = "over convert.seconds";
    if (starved || fault != NULL) {
        stop(&c->program);
        stop(&c->reader);
    }
    if (page >= 0)
        close(page);
    reap(&c->reader);
    reap(&c->program);
    c->answer->cpu_us += c->program.cpu_us + c->reader.cpu_us;
    if (starved)
        ends(c->answer, CONVERT_STARVED, "no process to be had");
    else
        conclude(c, fault, &all);
    buf_free(&all);
}

void
convert_one(const struct convert_request *q, int document, int abandon,
            struct convert_answer *a, struct buf *html)
{
    enum convert_kind k = (enum convert_kind)q->kind;
    char path[PATH_SIZE];
    struct conversion c = {.q = q,
                           .limits = {q->seconds, (size_t)q->memory_mib << 20},
                           .document = document,
                           .errors = memfd_create("errors", MFD_CLOEXEC),
                           .abandon = abandon,
                           .deadline = awake_deadline_of(
                               (uint64_t)q->seconds * 1000, clock_steady_ms()),
                           .answer = a,
                           .html = html};

    *a = (struct convert_answer){.magic = CONVERT_MAGIC};
    c.path = find_program(k, 0, path);
    if (c.path == NULL)
        ends(a, CONVERT_LACKS, convert_kind_package(k));
    else if (c.errors < 0)
        ends(a, CONVERT_STARVED, "no file to be had");
    else
        run(&c);
    if (a->end == CONVERT_FAILED && c.path != NULL && *c.path != '\0' &&
        (c.path = find_program(k, 1, path)) != NULL) {
        c.program = c.reader = (struct child){0};
        run(&c); /* antiword crashes where catdoc reads; in the time left */
    }
    if (c.errors >= 0)
        close(c.errors);
    a->html_n = html->n;
}

/* ---- the socket ---- */

static bool
take(int fd, void *p, size_t n)
{
    char *at = p;

    while (n > 0) {
        ptrdiff_t got = fd_read(fd, at, n);

        if (got <= 0)
            return false;
        at += got;
        n -= (size_t)got;
    }
    return true;
}

/* -1: the other side has gone, or there is no memory. */
static int
take_document(int fd, uint64_t n)
{
    int file = memfd_create("document", MFD_CLOEXEC);
    char piece[1 << 16];

    for (; file >= 0 && n > 0;) {
        size_t part = n < sizeof piece ? (size_t)n : sizeof piece;

        if (!take(fd, piece, part) || !fd_write(file, piece, part)) {
            close(file);
            return -1;
        }
        n -= part;
    }
    if (file >= 0 && lseek(file, 0, SEEK_SET) != 0) {
        close(file);
        return -1;
    }
    return file;
}

int
convert_serve(int fd)
{
    struct convert_request q;
    struct convert_answer a;
    struct buf html = {0};
    bool ok = true;

    signal(SIGPIPE, SIG_IGN);
    load_data();
    while (ok && take(fd, &q, sizeof q) && q.magic == CONVERT_MAGIC &&
           q.kind > CONVERT_NONE && q.kind < CONVERT_KINDS_N) {
        int document = take_document(fd, q.document_n);

        if (document < 0)
            break;
        buf_clear(&html);
        convert_one(&q, document, fd, &a, &html);
        close(document);
        ok = fd_write(fd, &a, sizeof a) && fd_write(fd, html.p, html.n);
    }
    buf_free(&html);
    return EXIT_DONE;
}
