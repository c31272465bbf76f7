/* Aim: no peer can harm a server, whatever it sends and whenever it goes, and
 * who works is heard beside any number who only hold the line.  Method: bare
 * sockets on loopback play the peer: they hang up at every byte of a request,
 * at once, with a reset, without reading the reply, send noise, say nothing, or
 * announce what they never send; meanwhile a real endpoint has to be answered.
 */
#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/random.h"
#include "folder.h"
#include "proto/endpoint.h"
#include "proto/server.h"
#include "test.h"

/* A server at an address of its own. */
struct world {
    char url[256];
    struct sockaddr_storage address;
    socklen_t address_n;
    struct server *server;
};

static void
echo(void *self, struct server_call *calls, size_t n)
{
    (void)self;
    for (size_t i = 0; i < n; i++)
        buf_str(&calls[i].reply, calls[i].request);
}

static void
use_tcp(struct world *w)
{
    struct sockaddr_in *a = (struct sockaddr_in *)&w->address;
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    a->sin_family = AF_INET;
    a->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    w->address_n = sizeof *a;
    CHECK(bind(fd, (struct sockaddr *)a, sizeof *a) == 0);
    CHECK(getsockname(fd, (struct sockaddr *)a, &w->address_n) == 0);
    close(fd);
    snprintf(w->url, sizeof w->url, "tcp://127.0.0.1:%d", ntohs(a->sin_port));
}

static void
use_ipc(struct world *w)
{
    struct sockaddr_un *a = (struct sockaddr_un *)&w->address;

    a->sun_family = AF_UNIX;
    snprintf(a->sun_path, sizeof a->sun_path, "%s/socket", folder);
    w->address_n = sizeof *a;
    snprintf(w->url, sizeof w->url, "ipc://%s", a->sun_path);
}

static void
world_open(struct world *w, bool tcp)
{
    memset(w, 0, sizeof *w);
    if (tcp)
        use_tcp(w);
    else
        use_ipc(w);
    CHECK(server_start(&w->server, w->url, NULL, echo, NULL) == ST_OK);
}

/* Does the server hear one who comes now? */
static void
check_answers(const struct world *w)
{
    struct buf reply = {0};
    struct endpoint *e;

    CHECK(endpoint_dial(&e, w->url, NULL) == ST_OK);
    CHECK(endpoint_call(e, S("still there?"), &reply, 30000) == ST_OK);
    CHECK(str_eq(buf_view(&reply), S("still there?")));
    endpoint_close(e);
    buf_free(&reply);
}

/* A connection of a peer that has sent these bytes. */
static int
peer(const struct world *w, const void *bytes, size_t n)
{
    int fd = socket(w->address.ss_family, SOCK_STREAM, 0);

    CHECK(connect(fd, (const struct sockaddr *)&w->address, w->address_n) == 0);
    CHECK(send(fd, bytes, n, MSG_NOSIGNAL) == (ssize_t)n);
    return fd;
}

static void
hang_up(int fd, bool reset)
{
    const struct linger at_once = {1, 0};

    if (reset)
        setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close(fd);
}

/* A hello, and one request with the number 5. */
static const char hello[] = "wnw2\0\0\0\4\0\0\0\0\0\3\0\3";
static const char call[] = "wnw2\0\0\0\7\0\0\0\5who am I";
enum { HELLO_N = 16, CALL_N = 19, REQUEST_N = HELLO_N + CALL_N };
static char request[REQUEST_N];

static void
make_request(void)
{
    memcpy(request, hello, HELLO_N);
    memcpy(request + HELLO_N, call, CALL_N);
}

/* All that comes, until the server hangs up or there are n bytes. */
static size_t
read_some(int fd, char *to, size_t n)
{
    size_t have = 0;
    ssize_t more;

    while (have < n && (more = read(fd, to + have, n - have)) > 0)
        have += (size_t)more;
    return have;
}

/* The answer to the hello, then that to the call. */
static void
check_answered(int fd)
{
    char got[512];
    size_t n;

    CHECK(read_some(fd, got, 12) == 12);
    CHECK(memcmp(got, hello, 4) == 0 && memcmp(got + 8, "\0\0\0\0", 4) == 0);
    n = (size_t)(unsigned char)got[7];
    CHECK(read_some(fd, got, n) == n);
    CHECK(memcmp(got, "\0\3\0\3", 4) == 0);
    CHECK(read_some(fd, got, CALL_N) == CALL_N);
    CHECK(memcmp(got, call, CALL_N) == 0);
}

static void
peers_that_hang_up_at_any_byte_leave_the_server_answering(void)
{
    for (int tcp = 0; tcp < 2; tcp++) {
        struct world w;

        world_open(&w, tcp);
        for (int i = 0; i < 320; i++) {
            hang_up(peer(&w, request, (size_t)i % (REQUEST_N + 1)),
                    i / 32 % 2 == 1);
            if (i % 64 == 0)
                check_answers(&w);
        }
        check_answers(&w);
        server_stop(w.server);
    }
}

static void
a_request_byte_by_byte_is_answered_whole(void)
{
    struct world w;
    int fd;

    world_open(&w, true);
    fd = peer(&w, request, 1);
    for (size_t i = 1; i < REQUEST_N; i++) {
        clock_sleep_ms(2);
        CHECK(send(fd, request + i, 1, MSG_NOSIGNAL) == 1);
    }
    check_answered(fd);
    close(fd);
    server_stop(w.server);
}

static void
many_requests_at_once_are_all_answered_by_number(void)
{
    enum { N = 500 };
    static char bytes[HELLO_N + N * CALL_N], got[N * CALL_N];
    bool seen[N] = {false};
    struct world w;
    size_t n;
    int fd;

    world_open(&w, false);
    memcpy(bytes, hello, HELLO_N);
    for (int i = 0; i < N; i++) {
        char *p = bytes + HELLO_N + i * CALL_N;

        memcpy(p, call, CALL_N);
        p[8] = 1; /* 0 is the hello's */
        p[10] = (char)(i >> 8);
        p[11] = (char)i;
    }
    fd = peer(&w, bytes, sizeof bytes);
    CHECK(read_some(fd, got, 12) == 12);
    n = (size_t)got[7];
    CHECK(read_some(fd, got, n) == n);
    CHECK(read_some(fd, got, sizeof got) == sizeof got);
    for (int i = 0; i < N; i++) {
        const unsigned char *p = (const unsigned char *)got + i * CALL_N;
        int k = p[10] << 8 | p[11];

        CHECK(k < N && !seen[k]);
        if (k < N)
            seen[k] = true;
        CHECK(memcmp(p + 12, "who am I", 7) == 0);
    }
    close(fd);
    server_stop(w.server);
}

static void
strangers_are_told_why_they_are_refused(void)
{
    static const struct {
        const char *sent;
        size_t n;
        const char *said; /* by the service */
    } strangers[] = {
        {"wnw1\0\0\0\4abcd", 12, "version 1"},
        {"GET / HTTP/1.1\r\n\r\n", 18, "does not speak"},
        {"\x16\x03\x01\x00\x20"
         "ghijklmn",
         13, "speaks TLS"},
        {"wnw2\0\0\0\4\0\0\0\0\0\4\0\7", 16, "versions 4 to 7"},
        {"wnw2\0\0\0\4\0\0\0\0\0\2\0\2", 16, "versions 2 to 2"},
        {"wnw2\0\0\0\4\0\0\0\1\0\3\0\3", 16, "hello"},
        {"wnw2\0\0\0\1\0\0\0\0x", 13, "hello"},
        {"wnw2\0\1\0\0\0\0\0\0x", 13, "too long"},
    };
    struct world w;
    char got[512];

    world_open(&w, true);
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++) {
        int fd = peer(&w, strangers[i].sent, strangers[i].n);
        size_t n = read_some(fd, got, sizeof got - 1);

        got[n] = '\0';
        CHECK(n > 16 && memcmp(got, hello, 4) == 0 &&
              memcmp(got + 12, "\0\0\0\0", 4) == 0);
        if (n > 16 && strstr(got + 16, strangers[i].said) == NULL) {
            printf("%zu: %s\n", i, got + 16);
            CHECK(false);
        }
        close(fd);
    }
    check_answers(&w);
    server_stop(w.server);
}

static void
noise_ends_a_connection(void)
{
    unsigned char bytes[2 * REQUEST_N];
    struct random r = random_seed(7);
    struct world w;
    char got[512];
    int fd;

    world_open(&w, false);
    for (int i = 0; i < 20; i++) {
        for (size_t k = 0; k < sizeof bytes; k++)
            bytes[k] = (unsigned char)random_below(&r, 256);
        if (i % 2 == 1)
            memcpy(bytes, hello, HELLO_N);
        fd = peer(&w, bytes, sizeof bytes);
        CHECK(read_some(fd, got, sizeof got) < sizeof got); /* closed */
        close(fd);
    }
    check_answers(&w);
    server_stop(w.server);
}

static void
a_server_stops_though_its_peers_say_nothing(void)
{
    for (int tcp = 0; tcp < 2; tcp++) {
        struct world w;
        int fds[8];

        world_open(&w, tcp);
        for (size_t i = 0; i < 8; i++)
            fds[i] = peer(&w, request, i);
        check_answers(&w);
        server_stop(w.server);
        for (size_t i = 0; i < 8; i++)
            close(fds[i]);
    }
}

/* Is a connection still there?  What it has been sent is thrown away. */
static bool
is_there(int fd)
{
    char got[256];
    ssize_t n;

    while ((n = recv(fd, got, sizeof got, MSG_DONTWAIT)) > 0)
        ;
    return n < 0;
}

static void
strangers_make_room_for_who_has_called(void)
{
    const struct endpoint_options few = {.connections = 8};
    struct world w;
    int known, fds[40];

    memset(&w, 0, sizeof w);
    use_tcp(&w);
    CHECK(server_start(&w.server, w.url, &few, echo, NULL) == ST_OK);
    known = peer(&w, request, REQUEST_N);
    check_answered(known);
    for (size_t i = 0; i < 40; i++) {
        fds[i] = peer(&w, hello, i % 2 == 0 ? HELLO_N : 0);
        if (i % 8 == 7)
            check_answers(&w);
    }
    CHECK(is_there(known));
    CHECK(send(known, call, CALL_N, MSG_NOSIGNAL) == CALL_N);
    CHECK(read_some(known, (char[CALL_N]){0}, CALL_N) == CALL_N);
    for (size_t i = 0; i < 20; i++)
        CHECK(!is_there(fds[i])); /* the oldest had to go */
    close(known);
    for (size_t i = 0; i < 40; i++)
        close(fds[i]);
    server_stop(w.server);
}

/* From that address of this machine; has said hello and was answered. */
static int
peer_from(const char *source, const struct world *w)
{
    struct sockaddr_in from = {.sin_family = AF_INET};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    char got[12];

    inet_pton(AF_INET, source, &from.sin_addr);
    CHECK(bind(fd, (struct sockaddr *)&from, sizeof from) == 0);
    CHECK(connect(fd, (const struct sockaddr *)&w->address, w->address_n) == 0);
    CHECK(send(fd, hello, HELLO_N, MSG_NOSIGNAL) == HELLO_N);
    CHECK(read_some(fd, got, sizeof got) == sizeof got);
    return fd;
}

/* A server at [::] hears those of IPv4, too: each has its own address. */
static void
peers_of_ipv4_are_told_apart_by_a_server_of_ipv6(void)
{
    static const char *const source[] = {"127.0.0.1", "127.0.0.1", "127.0.0.2",
                                         "127.0.0.2", "127.0.0.3"};
    const struct endpoint_options two = {.connections_address = 2,
                                         .unprotected_tcp = true};
    int fd[5], six = socket(AF_INET6, SOCK_STREAM, 0);
    const struct sockaddr_in6 any = {.sin6_family = AF_INET6};
    bool none =
        six < 0 || bind(six, (const struct sockaddr *)&any, sizeof any) != 0;
    struct world w;

    close(six);
    if (none) {
        printf("left out: no IPv6 here\n");
        return;
    }
    memset(&w, 0, sizeof w);
    use_tcp(&w);
    snprintf(w.url, sizeof w.url, "tcp://[::]:%d",
             ntohs(((struct sockaddr_in *)&w.address)->sin_port));
    CHECK(server_start(&w.server, w.url, &two, echo, NULL) == ST_OK);
    for (size_t i = 0; i < 5; i++)
        fd[i] = peer_from(source[i], &w);
    for (size_t i = 0; i < 5; i++)
        CHECK(is_there(fd[i]));
    for (size_t i = 0; i < 5; i++)
        close(fd[i]);
    server_stop(w.server);
}

/* A message of 60 MiB is announced, `n` bytes of it come. */
static int
unfinished(const struct world *w, size_t n)
{
    static const char announced[] = "wnw2\3\300\0\0\0\0\0\1";
    static char bytes[1 << 20];
    int fd = peer(w, hello, HELLO_N);

    (void)send(fd, announced, 12, MSG_NOSIGNAL);
    for (; n > 0; n -= n < sizeof bytes ? n : sizeof bytes)
        if (send(fd, bytes, n < sizeof bytes ? n : sizeof bytes,
                 MSG_NOSIGNAL) <= 0)
            break; /* let go */
    return fd;
}

static void
messages_that_never_end_share_one_budget(void)
{
    const struct endpoint_options little = {.memory = 4 << 20};
    struct world w;
    uint64_t until = clock_steady_ms() + 20000;
    size_t left = 16;
    int fds[16];

    memset(&w, 0, sizeof w);
    use_tcp(&w);
    CHECK(server_start(&w.server, w.url, &little, echo, NULL) == ST_OK);
    for (size_t i = 0; i < 16; i++)
        fds[i] = unfinished(&w, 1 << 20);
    check_answers(&w);
    while (left > 4 && clock_steady_ms() < until) { /* 1 MiB of each is held */
        left = 0;
        for (size_t i = 0; i < 16; i++)
            left += is_there(fds[i]);
        clock_sleep_ms(10);
    }
    CHECK(left > 0 && left <= 4);
    for (size_t i = 0; i < 16; i++)
        close(fds[i]);
    server_stop(w.server);
}

/* They are not read from for a while, or have to come again. */
static void
a_budget_that_is_too_small_for_all_loses_no_call(void)
{
    enum { N = 12, BYTES = 1 << 20 };
    const struct endpoint_options little = {.memory = 3 << 20};
    struct endpoint *e[N];
    struct endpoint_call *calls[N];
    struct buf reply = {0};
    struct world w;
    char *bytes = calloc(1, BYTES);

    memset(&w, 0, sizeof w);
    use_tcp(&w);
    CHECK(server_start(&w.server, w.url, &little, echo, NULL) == ST_OK);
    for (size_t i = 0; i < N; i++) {
        CHECK(endpoint_dial(&e[i], w.url, NULL) == ST_OK);
        CHECK(endpoint_call(e[i], S("known"), &reply, 30000) == ST_OK);
    }
    for (int round = 0; round < 4; round++) {
        for (size_t i = 0; i < N; i++)
            calls[i] = endpoint_send(e[i], str_n(bytes, BYTES), 60000, NULL);
        for (size_t i = 0; i < N; i++) {
            CHECK(endpoint_receive(calls[i], &reply) == ST_OK);
            CHECK(str_eq(buf_view(&reply), str_n(bytes, BYTES)));
        }
    }
    for (size_t i = 0; i < N; i++)
        endpoint_close(e[i]);
    buf_free(&reply);
    free(bytes);
    server_stop(w.server);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(peers_that_hang_up_at_any_byte_leave_the_server_answering),
        TEST(a_request_byte_by_byte_is_answered_whole),
        TEST(many_requests_at_once_are_all_answered_by_number),
        TEST(strangers_are_told_why_they_are_refused),
        TEST(noise_ends_a_connection),
        TEST(strangers_make_room_for_who_has_called),
        TEST(peers_of_ipv4_are_told_apart_by_a_server_of_ipv6),
        TEST(messages_that_never_end_share_one_budget),
        TEST(a_budget_that_is_too_small_for_all_loses_no_call),
        TEST(a_server_stops_though_its_peers_say_nothing),
        {0}};

    make_request();
    log_threshold = LOG_ERROR;
    return folder_main(table, argc, argv);
}
