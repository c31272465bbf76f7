/* fetch_case.h -- one transfer at a time from a thread on loopback that replies
 * given bytes verbatim. */
#ifndef FETCH_CASE_H
#define FETCH_CASE_H

#include "crawler/fetch/fetch_inside.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/clock.h"
#include "test.h"

static struct {
    int fd;
    struct sockaddr_storage address;
    pthread_t thread;
    pthread_mutex_t lock;       /* of these: */
    struct buf answer, request; /* of the one transfer under way */
    bool hold;                  /* keep the connection open after it */
} server = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* For the next transfer. */
static struct buf answer;
static bool hold;

static inline void
server_told(void)
{
    pthread_mutex_lock(&server.lock);
    buf_clear(&server.answer);
    buf_str(&server.answer, buf_view(&answer));
    server.hold = hold;
    pthread_mutex_unlock(&server.lock);
}

static inline void
answer_one(int fd)
{
    struct buf request = {0}, copy = {0};
    char part[4096];
    bool stay_open;
    struct str all;
    ssize_t n;

    while ((n = read(fd, part, sizeof part)) > 0) {
        buf_add(&request, part, (size_t)n);
        if (memmem(request.p, request.n, "\r\n\r\n", 4) != NULL)
            break;
    }
    pthread_mutex_lock(&server.lock);
    buf_clear(&server.request);
    buf_str(&server.request, buf_view(&request));
    buf_str(&copy, buf_view(&server.answer));
    stay_open = server.hold;
    pthread_mutex_unlock(&server.lock);
    all = n > 0 ? buf_view(&copy) : S("");
    while (all.n > 0 && (n = send(fd, all.p, all.n, MSG_NOSIGNAL)) > 0)
        all = str_sub(all, (size_t)n, all.n);
    buf_free(&request);
    buf_free(&copy);
    if (!stay_open)
        shutdown(fd, SHUT_WR);
    while (read(fd, part, sizeof part) > 0)
        ;
}

static inline void *
serve(void *unused)
{
    int fd;

    (void)unused;
    while ((fd = accept(server.fd, NULL, NULL)) >= 0) {
        answer_one(fd);
        close(fd);
    }
    return NULL;
}

static inline void
server_up(void)
{
    struct sockaddr_in *a = (struct sockaddr_in *)&server.address;
    socklen_t n = sizeof *a;

    a->sin_family = AF_INET;
    a->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    server.fd = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(bind(server.fd, (struct sockaddr *)a, n) == 0);
    CHECK(listen(server.fd, 16) == 0);
    getsockname(server.fd, (struct sockaddr *)a, &n);
    pthread_create(&server.thread, NULL, serve, NULL);
}

static inline void
server_down(void)
{
    shutdown(server.fd, SHUT_RDWR);
    pthread_join(server.thread, NULL);
    close(server.fd);
    buf_free(&server.answer);
    buf_free(&server.request);
    buf_free(&answer);
}

/* ---- one transfer ---- */

static int epoll_fd;

static inline void
watch(void *self, int fd, bool readable, bool writable)
{
    struct epoll_event e = {.events = (readable ? EPOLLIN : 0u) |
                                      (writable ? EPOLLOUT : 0u),
                            .data.fd = fd};

    (void)self;
    if (!readable && !writable)
        epoll_ctl(epoll_fd, EPOLL_CTL_DEL, fd, NULL);
    else if (epoll_ctl(epoll_fd, EPOLL_CTL_MOD, fd, &e) != 0)
        epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &e);
}

static inline void
set_flag(void *arg)
{
    *(bool *)arg = true;
}

static struct opts options;
static struct fetch *fetch;

static inline void
open_fetch(const char *ini)
{
    const struct fetch_io io = {NULL, watch};

    opts_init(&options);
    CHECK(opts_read_text(&options, "test", str_c(ini)) == ST_OK);
    epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    CHECK(fetch_open(&fetch, &options, &io) == ST_OK);
}

static inline void
close_fetch(void)
{
    fetch_close(fetch);
    close(epoll_fd);
    opts_free(&options);
}

static inline void
turn(void)
{
    uint64_t now = clock_steady_ms(), wait = fetch_wait_ms(fetch, now);
    struct epoll_event e[8];
    int n = epoll_wait(epoll_fd, e, 8, wait > 100 ? 100 : (int)wait);

    now = clock_steady_ms();
    for (int i = 0; i < n; i++)
        fetch_ready(fetch, e[i].data.fd, e[i].events & ~(unsigned)EPOLLOUT,
                    e[i].events & EPOLLOUT, now);
    fetch_tick(fetch, now);
}

static inline struct fetch_reply
get(const char *url, bool html_only, size_t body_max)
{
    struct fetch_request q = {.url = url,
                              .address = server.address,
                              .html_only = html_only,
                              .body_max = body_max};
    struct fetch_reply r = {0};
    bool done = false;
    uint64_t limit = clock_steady_ms() + 20000;

    server_told();
    fetch_start(fetch, &q, &r, clock_steady_ms(), set_flag, &done);
    while (!done && clock_steady_ms() < limit)
        turn();
    CHECK(done);
    return r;
}

static inline struct fetch_reply
ask(struct str text)
{
    buf_clear(&answer);
    buf_str(&answer, text);
    return get("http://some.test/path?x", true, 1 << 20);
}

#define ANSWER(z) ask((struct str)STR(z))
#define HTML "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"

static inline bool
requested(const char *z)
{
    bool found;

    pthread_mutex_lock(&server.lock);
    found = memmem(server.request.p, server.request.n, z, strlen(z)) != NULL;
    pthread_mutex_unlock(&server.lock);
    return found;
}

static inline int
fetch_case_main(const struct test *table, int argc, char **argv)
{
    int rc;

    server_up();
    rc = test_main(table, argc, argv);
    server_down();
    return rc;
}

#endif
