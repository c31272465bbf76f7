/* Aim: calls over every transport are answered once each for the application,
 * whatever happens to the answering process.  Method: real sockets on loopback;
 * the killed server is this test binary, executed again (nng must not be used
 * after fork).  Ports come from the kernel. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "folder.h"
#include "proto/endpoint.h"
#include "proto/server.h"
#include "test.h"

/* The keys in tests/cases/tls: an authority, a certificate it signed for
 * localhost, and one that nobody signed. */
static const struct endpoint_options good = {
    .authority = STR("tests/cases/tls/authority.pem"),
    .own = STR("tests/cases/tls/peer.pem")};

static const struct endpoint_options anywhere = {.unprotected_tcp = true};

static void
echo(void *self, struct server_call *calls, size_t n)
{
    size_t *largest = self;

    if (n > *largest)
        *largest = n;
    for (size_t i = 0; i < n; i++) {
        buf_c(&calls[i].reply, "re:");
        buf_str(&calls[i].reply, calls[i].request);
    }
}

/* A port nobody listens on at this moment. */
static int
free_port(void)
{
    struct sockaddr_in a = {.sin_family = AF_INET};
    socklen_t size = sizeof a;
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    CHECK(bind(fd, (struct sockaddr *)&a, sizeof a) == 0);
    CHECK(getsockname(fd, (struct sockaddr *)&a, &size) == 0);
    close(fd);
    return ntohs(a.sin_port);
}

static const char *
url_of(const char *transport, const char *name)
{
    static char url[256];

    if (strcmp(transport, "tcp") == 0)
        snprintf(url, sizeof url, "tcp://127.0.0.1:%d", free_port());
    else if (strcmp(transport, "tls") == 0)
        snprintf(url, sizeof url, "tls+tcp://localhost:%d", free_port());
    else if (strcmp(transport, "ipc") == 0)
        snprintf(url, sizeof url, "ipc://%s/%s.sock", folder, name);
    else
        snprintf(url, sizeof url, "inproc://%s", name);
    return url;
}

static bool
says(struct endpoint *e, const char *request, const char *expected)
{
    struct buf reply = {0};
    bool same;

    same = endpoint_call(e, str_c(request), &reply, 10000) == ST_OK &&
           str_eq(buf_view(&reply), str_c(expected));
    buf_free(&reply);
    return same;
}

static void
a_request_is_echoed_over_every_transport(void)
{
    static const char *const transports[] = {"inproc", "ipc", "tcp"};

    for (size_t i = 0; i < 3; i++) {
        const char *url = url_of(transports[i], "echo");
        struct endpoint *e = NULL;
        struct server *v = NULL;
        size_t largest = 0;

        CHECK(server_start(&v, url, NULL, echo, &largest) == ST_OK);
        CHECK(endpoint_dial(&e, url, NULL) == ST_OK);
        CHECK(says(e, "hello", "re:hello"));
        CHECK(says(e, "", "re:"));
        endpoint_close(e);
        server_stop(v);
    }
}

static void
a_message_of_eight_megabytes_arrives_whole(void)
{
    const char *url = url_of("tcp", "big");
    struct buf request = {0}, reply = {0};
    struct endpoint *e = NULL;
    struct server *v = NULL;
    size_t largest = 0;

    for (uint32_t i = 0; i < 2u << 20; i++)
        buf_add(&request, &i, sizeof i);
    CHECK(server_start(&v, url, NULL, echo, &largest) == ST_OK);
    CHECK(endpoint_dial(&e, url, NULL) == ST_OK);
    CHECK(endpoint_call(e, buf_view(&request), &reply, 20000) == ST_OK);
    CHECK(reply.n == request.n + 3 &&
          memcmp(reply.p + 3, request.p, request.n) == 0);
    endpoint_close(e);
    server_stop(v);
    buf_free(&request);
    buf_free(&reply);
}

struct asking_thread {
    pthread_t thread;
    struct endpoint *e;
    int number, wrong;
};

static void *
call_often(void *arg)
{
    struct asking_thread *c = arg;
    char request[32], expected[40];

    for (int i = 0; i < 50; i++) {
        snprintf(request, sizeof request, "%d.%d", c->number, i);
        snprintf(expected, sizeof expected, "re:%s", request);
        c->wrong += !says(c->e, request, expected);
    }
    return NULL;
}

static void
sixty_four_callers_get_their_own_replies(void)
{
    static const char *const transports[] = {"inproc", "ipc", "tcp"};

    for (size_t t = 0; t < 3; t++) {
        const char *url = url_of(transports[t], "many");
        struct asking_thread callers[64] = {0};
        struct endpoint *e = NULL;
        struct server *v = NULL;
        size_t largest = 0;

        CHECK(server_start(&v, url, NULL, echo, &largest) == ST_OK);
        CHECK(endpoint_dial(&e, url, NULL) == ST_OK);
        for (int i = 0; i < 64; i++) {
            callers[i] = (struct asking_thread){.e = e, .number = i};
            pthread_create(&callers[i].thread, NULL, call_often, &callers[i]);
        }
        for (int i = 0; i < 64; i++) {
            pthread_join(callers[i].thread, NULL);
            CHECK(callers[i].wrong == 0);
        }
        endpoint_close(e);
        server_stop(v);
        CHECK(largest > 1); /* calls were gathered */
    }
}

static void
one_thread_has_many_calls_under_way(void)
{
    static const char *const transports[] = {"inproc", "ipc", "tcp"};
    enum { N = 600 }; /* more than an endpoint sends at once */

    for (size_t t = 0; t < 3; t++) {
        const char *url = url_of(transports[t], "ahead");
        struct endpoint_call *calls[N];
        char requests[N][16], expected[24];
        struct buf reply = {0};
        struct endpoint *e = NULL;
        struct server *v = NULL;
        size_t largest = 0;

        CHECK(server_start(&v, url, NULL, echo, &largest) == ST_OK);
        CHECK(endpoint_dial(&e, url, NULL) == ST_OK);
        CHECK(says(e, "first", "re:first"));
        for (int i = 0; i < N; i++) {
            snprintf(requests[i], sizeof requests[i], "%d", i);
            calls[i] = endpoint_send(e, str_c(requests[i]), 20000, NULL);
            CHECK(calls[i] != NULL);
        }
        for (int i = N - 1; i >= 0; i--) { /* the last first */
            snprintf(expected, sizeof expected, "re:%d", i);
            CHECK(endpoint_receive(calls[i], &reply) == ST_OK);
            CHECK(str_eq(buf_view(&reply), str_c(expected)));
        }
        buf_free(&reply);
        endpoint_close(e);
        server_stop(v);
        CHECK(largest > 1);
    }
}

static void
an_absent_server_is_a_timeout_until_it_appears(void)
{
    static const char *const transports[] = {"inproc", "ipc", "tcp"};

    for (size_t t = 0; t < 3; t++) {
        const char *url = url_of(transports[t], "late");
        struct buf reply = {0};
        struct endpoint *e = NULL;
        struct server *v = NULL;
        size_t largest = 0;

        CHECK(endpoint_dial(&e, url, NULL) == ST_OK);
        for (int i = 0; i < 5; i++)
            CHECK(endpoint_call(e, S("x"), &reply, 50) == ST_TIMEOUT);
        CHECK(server_start(&v, url, NULL, echo, &largest) == ST_OK);
        CHECK(says(e, "now", "re:now"));
        endpoint_close(e);
        server_stop(v);
        buf_free(&reply);
    }
}

static void *
stop_soon(void *arg)
{
    clock_sleep_ms(200);
    *(atomic_bool *)arg = true;
    return NULL;
}

static void
a_stopped_call_gives_up_long_before_its_deadline(void)
{
    const char *url = url_of("tcp", "nobody");
    atomic_bool stop = false;
    struct buf reply = {0};
    struct endpoint *e = NULL;
    pthread_t stopper;
    uint64_t from_ms = clock_steady_ms();

    CHECK(endpoint_dial(&e, url, NULL) == ST_OK);
    pthread_create(&stopper, NULL, stop_soon, (void *)(uintptr_t)&stop);
    CHECK(endpoint_call_until(e, S("x"), &reply, 60000, &stop) == ST_STOPPED);
    CHECK(clock_steady_ms() - from_ms < 20000);
    pthread_join(stopper, NULL);
    endpoint_close(e);
    buf_free(&reply);
}

static void
sleepy(void *self, struct server_call *calls, size_t n)
{
    (void)self;
    for (size_t i = 0; i < n; i++) {
        if (str_eq(calls[i].request, S("slow")))
            clock_sleep_ms(300);
        buf_str(&calls[i].reply, calls[i].request);
    }
}

static void
a_late_reply_is_not_taken_for_the_next_one(void)
{
    static const char *const transports[] = {"inproc", "ipc", "tcp"};

    for (size_t t = 0; t < 3; t++) {
        const char *url = url_of(transports[t], "sleepy");
        struct buf reply = {0};
        struct endpoint *e = NULL;
        struct server *v = NULL;

        CHECK(server_start(&v, url, NULL, sleepy, NULL) == ST_OK);
        CHECK(endpoint_dial(&e, url, NULL) == ST_OK);
        CHECK(says(e, "quick", "quick"));
        for (int i = 0; i < 3; i++) {
            CHECK(endpoint_call(e, S("slow"), &reply, 60) == ST_TIMEOUT);
            CHECK(says(e, "quick", "quick"));
        }
        CHECK(endpoint_call(e, S("slow"), &reply, 60) == ST_TIMEOUT);
        endpoint_close(e);
        server_stop(v);
        buf_free(&reply);
    }
}

static void
a_name_in_use_is_refused_and_free_after_the_stop(void)
{
    const char *url = url_of("inproc", "taken");
    struct server *v = NULL, *w = NULL;
    size_t largest = 0;

    CHECK(server_start(&v, url, NULL, echo, &largest) == ST_OK);
    CHECK(server_start(&w, url, NULL, echo, &largest) == ST_IO);
    server_stop(v);
    CHECK(server_start(&w, url, NULL, echo, &largest) == ST_OK);
    server_stop(w);
}

static void
a_socket_in_use_is_refused_and_a_stale_one_replaced(void)
{
    const char *url = url_of("ipc", "stale");
    struct server *v = NULL, *w = NULL;
    struct endpoint *e = NULL;
    size_t largest = 0;
    pid_t child;

    CHECK(server_start(&v, url, NULL, echo, &largest) == ST_OK);
    CHECK(server_start(&w, url, NULL, echo, &largest) == ST_IO);
    CHECK(w == NULL);
    server_stop(v);

    if ((child = fork()) == 0) {
        execl("/proc/self/exe", "test_endpoint", "--serve", url, folder,
              (char *)NULL);
        _exit(127);
    }
    CHECK(endpoint_dial(&e, url, NULL) == ST_OK);
    CHECK(says(e, "7", "1"));
    endpoint_close(e);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);

    CHECK(server_start(&v, url, NULL, echo, &largest) == ST_OK);
    CHECK(endpoint_dial(&e, url, NULL) == ST_OK);
    CHECK(says(e, "again", "re:again"));
    endpoint_close(e);
    server_stop(v);
}

static void
what_is_no_socket_is_not_replaced_by_one(void)
{
    const char *url = url_of("ipc", "keep"), *path = url + strlen("ipc://");
    struct server *v = NULL;
    size_t largest = 0;
    struct stat before, after;

    for (int kind = 0; kind < 4; kind++) {
        CHECK(kind == 0   ? close(open(path, O_CREAT | O_WRONLY, 0600)) == 0
              : kind == 1 ? mkfifo(path, 0600) == 0
              : kind == 2 ? symlink("/etc/passwd", path) == 0
                          : symlink("nowhere", path) == 0);
        CHECK(lstat(path, &before) == 0);
        CHECK(server_start(&v, url, NULL, echo, &largest) == ST_USAGE);
        CHECK(v == NULL);
        CHECK(lstat(path, &after) == 0 && after.st_ino == before.st_ino);
        CHECK(unlink(path) == 0);
    }
}

/* With these words? */
static bool
refused(const char *url, const char *words)
{
    const struct endpoint_options o = {.key = "dedup.url"};
    struct buf log = {0};
    bool yes;

    log_capture(&log);
    yes = endpoint_check(url, &o) == ST_USAGE;
    log_capture(NULL);
    buf_char(&log, '\0');
    yes = yes && strstr(log.p, words) != NULL;
    buf_free(&log);
    return yes;
}

static void
bad_addresses_are_usage_errors(void)
{
    static const char *const bad[] = {"",
                                      "tcp",
                                      "tcp://",
                                      "http://127.0.0.1:80",
                                      "ipc://",
                                      "inproc://",
                                      "tcp://:::::",
                                      "ws://127.0.0.1:80/",
                                      "9460",
                                      "tcp:/127.0.0.1:1"};
    struct endpoint *e = NULL;
    struct server *v = NULL;
    size_t largest = 0;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK(endpoint_dial(&e, bad[i], NULL) == ST_USAGE);
        CHECK(e == NULL);
        CHECK(server_start(&v, bad[i], NULL, echo, &largest) == ST_USAGE);
        CHECK(v == NULL);
    }
    /* Where the address stands, and what is wrong with it. */
    CHECK(refused("", "dedup.url = (empty): not an address"));
    CHECK(refused("tcp://127.0.0.1", "tcp://127.0.0.1: its port is missing"));
    CHECK(refused("tcp://[::1]", "its port is missing"));
    CHECK(refused("tcp://localhost:", "its port is missing"));
    CHECK(refused("tls+tcp://localhost", "its port is missing"));
    CHECK(refused("tcp://127.0.0.1:0", "a number from 1 to 65535"));
    CHECK(refused("tcp://127.0.0.1:99999", "a number from 1 to 65535"));
    CHECK(refused("tcp://127.0.0.1:http", "a number from 1 to 65535"));
    CHECK(refused("tcp://192.0.2.1:7", "plain tcp beyond this machine"));
    CHECK(endpoint_check("tcp://[::1]:65535", NULL) == ST_OK);
    CHECK(server_start(&v, "ipc:///nowhere/at/all", NULL, echo, &largest) ==
          ST_IO);
    CHECK(server_start(&v, "tcp://192.0.2.1:7", &anywhere, echo, &largest) ==
          ST_USAGE);
}

static void
plain_tcp_beyond_loopback_is_refused_unless_it_is_allowed(void)
{
    static const char *const beyond[] = {"tcp://0.0.0.0:%d",
                                         "tcp://[::]:%d",
                                         "tcp://:%d",
                                         "tcp://*:%d",
                                         "tcp://192.0.2.1:%d",
                                         "tcp://example.org:%d",
                                         "tcp://[::ffff:192.0.2.1]:%d"};
    static const char *const inside[] = {
        "tcp://127.0.0.1:%d", "tcp://127.1.2.3:%d", "tcp://localhost:%d"};
    struct endpoint *e = NULL;
    struct server *v = NULL;
    size_t largest = 0;
    char url[64];

    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        snprintf(url, sizeof url, beyond[i], free_port());
        CHECK(server_start(&v, url, NULL, echo, &largest) == ST_USAGE);
        CHECK(server_start(&v, url, &good, echo, &largest) == ST_USAGE);
        CHECK(endpoint_dial(&e, url, &good) == ST_USAGE);
        CHECK(v == NULL && e == NULL);
    }
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++) {
        snprintf(url, sizeof url, inside[i], free_port());
        CHECK(endpoint_dial(&e, url, NULL) == ST_OK);
        endpoint_close(e);
    }
    snprintf(url, sizeof url, "tcp://0.0.0.0:%d", free_port());
    CHECK(server_start(&v, url, &anywhere, echo, &largest) == ST_OK);
    server_stop(v);
}

static void
a_socket_file_is_its_owners_alone(void)
{
    const char *url = url_of("ipc", "mine");
    const mode_t before = umask(0);
    struct server *v = NULL;
    size_t largest = 0;
    struct stat s;

    CHECK(server_start(&v, url, NULL, echo, &largest) == ST_OK);
    CHECK(stat(url + strlen("ipc://"), &s) == 0);
    CHECK(S_ISSOCK(s.st_mode) && (s.st_mode & 07077) == 0);
    server_stop(v);
    umask(before);
}

static void
an_oversize_message_is_refused_at_both_ends(void)
{
    static const char huge[] = "wnw2\0\0\0\4\0\0\0\0\0\3\0\3" /* hello */
                               "wnw2\4\0\0\1\0\0\0\1much";
    const char *url = url_of("tcp", "oversize");
    struct sockaddr_in a = {.sin_family = AF_INET};
    struct buf request = {0}, reply = {0};
    struct endpoint *e = NULL;
    struct server *v = NULL;
    size_t largest = 0;
    char got[256];
    ssize_t n;
    int fd;

    CHECK(server_start(&v, url, NULL, echo, &largest) == ST_OK);
    CHECK(endpoint_dial(&e, url, NULL) == ST_OK);
    buf_reserve(&request, ENDPOINT_MESSAGE_MAX + 1);
    request.n = ENDPOINT_MESSAGE_MAX + 1;
    memset(request.p, 0, request.n);
    CHECK(endpoint_call(e, buf_view(&request), &reply, 1000) == ST_LIMIT);

    a.sin_port = htons((uint16_t)atoi(strrchr(url, ':') + 1));
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    fd = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(connect(fd, (struct sockaddr *)&a, sizeof a) == 0);
    CHECK(write(fd, huge, sizeof huge) == sizeof huge);
    while ((n = read(fd, got, sizeof got)) > 0)
        CHECK(n < 64); /* its hello */
    CHECK(n <= 0);     /* closed by the server */
    close(fd);
    CHECK(says(e, "still here", "re:still here"));
    endpoint_close(e);
    server_stop(v);
    buf_free(&request);
    buf_free(&reply);
}

/* A bare chroot has no /etc/hosts. */
static bool
has_localhost(void)
{
    struct addrinfo *found = NULL;
    bool yes = getaddrinfo("localhost", NULL, NULL, &found) == 0;

    freeaddrinfo(found);
    return yes;
}

static void
tls_admits_only_peers_of_the_same_authority(void)
{
    const struct endpoint_options strange = {
        .authority = S("tests/cases/tls/authority.pem"),
        .own = S("tests/cases/tls/stranger.pem")};
    const struct endpoint_options missing = {
        .authority = S("tests/cases/tls/authority.pem"),
        .own = S("tests/cases/tls/none.pem")};
    struct buf reply = {0};
    struct endpoint *e = NULL;
    struct server *v = NULL;
    size_t largest = 0;
    char url[64], other[64];

    if (!has_localhost()) {
        printf("skipped: nothing resolves localhost here\n");
        return;
    }
    snprintf(url, sizeof url, "tls+tcp://localhost:%d", free_port());
    CHECK(server_start(&v, url, NULL, echo, &largest) == ST_USAGE);
    CHECK(server_start(&v, url, &missing, echo, &largest) == ST_USAGE);
    CHECK(server_start(&v, url, &good, echo, &largest) == ST_OK);
    CHECK(endpoint_dial(&e, url, NULL) == ST_USAGE);
    CHECK(endpoint_dial(&e, url, &good) == ST_OK);
    CHECK(says(e, "secret", "re:secret"));
    endpoint_close(e);
    CHECK(endpoint_dial(&e, url, &strange) == ST_OK);
    CHECK(endpoint_call(e, S("x"), &reply, 500) == ST_TIMEOUT);
    endpoint_close(e);
    snprintf(other, sizeof other, "tls+tcp://127.0.0.1:%s",
             strrchr(url, ':') + 1); /* not the name in the certificate */
    CHECK(endpoint_dial(&e, other, &good) == ST_OK);
    CHECK(endpoint_call(e, S("x"), &reply, 500) == ST_TIMEOUT);
    endpoint_close(e);
    CHECK(endpoint_dial(&e, url, &good) == ST_OK);
    CHECK(says(e, "again", "re:again"));
    endpoint_close(e);
    server_stop(v);
    buf_free(&reply);
}

/* In the log of a server that was given this key; it starts: with `st` ST_OK.
 */
static bool
key_says(struct str own, enum status st, const char *address, const char *words)
{
    const struct endpoint_options o = {
        .authority = S("tests/cases/tls/authority.pem"), .own = own};
    struct server *v = NULL;
    struct buf log = {0};
    size_t largest = 0;
    char url[64];
    bool yes;

    snprintf(url, sizeof url, "tls+tcp://%s:%d", address, free_port());
    log_capture(&log);
    log_threshold = LOG_WARN;
    yes = server_start(&v, url, &o, echo, &largest) == st;
    log_threshold = LOG_ERROR;
    log_capture(NULL);
    server_stop(v);
    buf_char(&log, '\0');
    yes = yes && (words == NULL ? log.n == 1 : strstr(log.p, words) != NULL);
    if (!yes)
        printf("%.*s: %s\n", STRF(own), log.p);
    buf_free(&log);
    return yes;
}

/* The certificate of one with the key of another. */
static void
write_mixed(const char *path)
{
    static const char begin[] = "-----BEGIN PRIVATE KEY";
    struct buf one = {0}, other = {0};
    FILE *f = fopen(path, "we");

    CHECK(file_read(&one, "tests/cases/tls/peer.pem", 4096) == ST_OK);
    CHECK(file_read(&other, "tests/cases/tls/stranger.pem", 4096) == ST_OK);
    buf_char(&one, '\0');
    buf_char(&other, '\0');
    *strstr(one.p, begin) = '\0';
    fprintf(f, "%s%s", one.p, strstr(other.p, begin));
    CHECK(fclose(f) == 0);
    buf_free(&one);
    buf_free(&other);
}

static void
what_is_wrong_with_ones_own_key_is_said_at_start(void)
{
    char path[128];

    snprintf(path, sizeof path, "%s/mixed.pem", folder);
    write_mixed(path);
    CHECK(key_says(str_c(path), ST_USAGE, "127.0.0.1",
                   "/mixed.pem: not used for tls+tcp://: its first certificate "
                   "and its key do not belong together"));
    CHECK(key_says(S("tests/cases/tls/none.pem"), ST_USAGE, "127.0.0.1",
                   "tls.key = tests/cases/tls/none.pem: not used for "
                   "tls+tcp://: No such file"));
    CHECK(key_says(str_c(folder), ST_USAGE, "127.0.0.1", "Is a directory"));
    CHECK(key_says(S("tests/cases/tls/expired.pem"), ST_OK, "127.0.0.1",
                   "peers will refuse this certificate: it has expired"));
    CHECK(key_says(S("tests/cases/tls/stranger.pem"), ST_OK, "127.0.0.1",
                   "it is not signed by tls.authority"));
    CHECK(key_says(good.own, ST_OK, "127.0.0.1",
                   "it does not bear the name 127.0.0.1"));
    CHECK(key_says(good.own, ST_OK, "0.0.0.0", NULL));
    if (has_localhost())
        CHECK(key_says(good.own, ST_OK, "localhost", NULL));
}

static void
another_service_is_named_and_sent_nothing(void)
{
    const struct endpoint_options is = {.service = "frontier service"};
    const struct endpoint_options wants = {.service = "dedup service",
                                           .key = "dedup.url"};
    const char *url = url_of("ipc", "other");
    struct buf log = {0}, reply = {0};
    struct endpoint *e = NULL;
    struct server *v = NULL;
    size_t largest = 0;

    CHECK(endpoint_dial(&e, url, &wants) == ST_OK);
    CHECK(server_start(&v, url, &is, echo, &largest) == ST_OK);
    log_capture(&log);
    for (int i = 0; i < 2; i++)
        CHECK(endpoint_call(e, S("x"), &reply, 60000) == ST_USAGE);
    server_stop(v);
    log_capture(NULL);
    buf_char(&log, '\0');
    CHECK(strstr(log.p, "a frontier service answers at ipc://") != NULL);
    CHECK(strstr(log.p, "not a dedup service (dedup.url)") != NULL);
    CHECK(largest == 0);

    /* The right one comes, and an older one, which does not say. */
    for (int older = 0; older < 2; older++) {
        CHECK(server_start(&v, url, older ? NULL : &wants, echo, &largest) ==
              ST_OK);
        while (endpoint_call(e, S("x"), &reply, 60000) == ST_USAGE)
            clock_sleep_ms(10);
        CHECK(says(e, "y", "re:y"));
        server_stop(v);
    }
    endpoint_close(e);
    buf_free(&reply);
    buf_free(&log);
}

static void
a_server_answers_at_a_second_address(void)
{
    char first[256];
    const char *second;
    struct endpoint *e = NULL;
    struct server *v = NULL;
    size_t largest = 0;

    snprintf(first, sizeof first, "%s", url_of("inproc", "first"));
    second = url_of("ipc", "second");
    CHECK(server_start(&v, first, NULL, echo, &largest) == ST_OK);
    CHECK(server_also(v, second) == ST_OK);
    CHECK(server_also(v, "nonsense") == ST_USAGE);
    CHECK(endpoint_dial(&e, second, NULL) == ST_OK);
    CHECK(says(e, "here", "re:here"));
    endpoint_close(e);
    CHECK(endpoint_dial(&e, first, NULL) == ST_OK);
    CHECK(says(e, "there", "re:there"));
    endpoint_close(e);
    server_stop(v);
}

static void
opening_and_closing_many_times_never_hangs(void)
{
    const char *url = url_of("inproc", "often");

    for (int i = 0; i < 60; i++) {
        struct endpoint *e = NULL;
        struct server *v = NULL;
        size_t largest = 0;

        CHECK(endpoint_dial(&e, url, NULL) == ST_OK);
        CHECK(server_start(&v, url, NULL, echo, &largest) == ST_OK);
        if (i % 2 == 0)
            CHECK(says(e, "x", "re:x"));
        if (i % 3 == 0) {
            server_stop(v);
            endpoint_close(e);
        } else {
            endpoint_close(e);
            server_stop(v);
        }
    }
}

/* ---- the server that is killed: counts distinct ids, durably ---- */

/* A request is a number; its file in `folder` is made before the reply, which
 * says how often the number was acted on (always 1: the file exists once). */
static void
remember(void *self, struct server_call *calls, size_t n)
{
    const char *dir = self;
    char path[512];

    for (size_t i = 0; i < n; i++) {
        int fd;

        snprintf(path, sizeof path, "%s/id-%.*s", dir, STRF(calls[i].request));
        fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_EXCL, 0600);
        if (fd >= 0) {
            if (write(fd, "x", 1) != 1)
                _exit(1);
            close(fd);
        }
        buf_c(&calls[i].reply, "1");
    }
}

static int
serve(const char *url, char *dir)
{
    struct server *v;

    if (server_start(&v, url, &good, remember, dir) != ST_OK)
        return 1;
    for (;;)
        pause();
}

static pid_t
start_child(const char *url)
{
    pid_t child = fork();

    if (child == 0) {
        execl("/proc/self/exe", "test_endpoint", "--serve", url, folder,
              (char *)NULL);
        _exit(127);
    }
    return child;
}

struct numbers {
    pthread_t thread;
    struct endpoint *e;
    int from, wrong;
};

enum { NUMBERS_EACH = 600 };

static void *
ship_numbers(void *arg)
{
    struct numbers *s = arg;
    struct buf reply = {0};
    char request[16];

    for (int i = 0; i < NUMBERS_EACH; i++) {
        enum status st;

        snprintf(request, sizeof request, "%d", s->from + i);
        do
            st = endpoint_call(s->e, str_c(request), &reply, 1000);
        while (st == ST_TIMEOUT);
        if (st != ST_OK || !str_eq(buf_view(&reply), S("1")))
            s->wrong++;
    }
    buf_free(&reply);
    return NULL;
}

static void
a_killed_and_restarted_server_loses_no_call(void)
{
    static const char *const transports[] = {"ipc", "tcp", "tls"};

    for (int t = 0; t < (has_localhost() ? 3 : 2); t++) {
        const char *url = url_of(transports[t], "killed");
        struct numbers senders[4] = {0};
        struct endpoint *e = NULL;
        pid_t child = start_child(url);
        char path[512];

        CHECK(endpoint_dial(&e, url, &good) == ST_OK);
        for (int i = 0; i < 4; i++) {
            senders[i].e = e;
            senders[i].from = t * 100000 + i * NUMBERS_EACH;
            pthread_create(&senders[i].thread, NULL, ship_numbers, &senders[i]);
        }
        for (int k = 0; k < 6; k++) {
            clock_sleep_ms(100);
            kill(child, SIGKILL);
            waitpid(child, NULL, 0);
            child = start_child(url);
        }
        for (int i = 0; i < 4; i++) {
            pthread_join(senders[i].thread, NULL);
            CHECK(senders[i].wrong == 0);
        }
        for (int i = 0; i < 4 * NUMBERS_EACH; i++) {
            snprintf(path, sizeof path, "%s/id-%d", folder, t * 100000 + i);
            CHECK(unlink(path) == 0);
        }
        endpoint_close(e);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        snprintf(path, sizeof path, "%s/killed.sock", folder);
        unlink(path);
    }
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(a_request_is_echoed_over_every_transport),
        TEST(a_message_of_eight_megabytes_arrives_whole),
        TEST(sixty_four_callers_get_their_own_replies),
        TEST(one_thread_has_many_calls_under_way),
        TEST(an_absent_server_is_a_timeout_until_it_appears),
        TEST(a_stopped_call_gives_up_long_before_its_deadline),
        TEST(a_late_reply_is_not_taken_for_the_next_one),
        TEST(a_name_in_use_is_refused_and_free_after_the_stop),
        TEST(a_socket_in_use_is_refused_and_a_stale_one_replaced),
        TEST(what_is_no_socket_is_not_replaced_by_one),
        TEST(bad_addresses_are_usage_errors),
        TEST(plain_tcp_beyond_loopback_is_refused_unless_it_is_allowed),
        TEST(a_socket_file_is_its_owners_alone),
        TEST(an_oversize_message_is_refused_at_both_ends),
        TEST(tls_admits_only_peers_of_the_same_authority),
        TEST(what_is_wrong_with_ones_own_key_is_said_at_start),
        TEST(another_service_is_named_and_sent_nothing),
        TEST(a_server_answers_at_a_second_address),
        TEST(opening_and_closing_many_times_never_hangs),
        TEST(a_killed_and_restarted_server_loses_no_call),
        {0}};

    if (argc > 3 && strcmp(argv[1], "--serve") == 0)
        return serve(argv[2], argv[3]);
    log_threshold = LOG_ERROR;
    return folder_main(table, argc, argv);
}
