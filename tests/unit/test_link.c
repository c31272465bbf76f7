/* Aim: no peer can harm a server, whatever it sends and whenever it goes.
 * Method: bare sockets on loopback play the peer: they hang up at every byte of
 * a request, at once, with a reset, without reading the reply, or send noise;
 * meanwhile a real endpoint has to be answered. */
#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "test.h"
#include "winnow/clock.h"
#include "winnow/endpoint.h"
#include "winnow/log.h"
#include "winnow/random.h"

static char folder[] = "/tmp/winnow-link-XXXXXX";

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

static const unsigned char request[] = {'w', 'n', 'w', '1', 0,   0,   0,  7,
                                        'w', 'h', 'o', ' ', 'a', 'm', 'I'};

static void
peers_that_hang_up_at_any_byte_leave_the_server_answering(void)
{
    for (int tcp = 0; tcp < 2; tcp++) {
        struct world w;

        world_open(&w, tcp);
        for (int i = 0; i < 320; i++) {
            hang_up(peer(&w, request, (size_t)i % (sizeof request + 1)),
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
    char got[sizeof request];
    size_t n = 0;
    int fd;

    world_open(&w, true);
    fd = peer(&w, request, 1);
    for (size_t i = 1; i < sizeof request; i++) {
        clock_sleep_ms(2);
        CHECK(send(fd, request + i, 1, MSG_NOSIGNAL) == 1);
    }
    while (n < sizeof got) {
        ssize_t more = read(fd, got + n, sizeof got - n);

        CHECK(more > 0);
        n += (size_t)more;
    }
    CHECK(memcmp(got, request, sizeof request) == 0);
    close(fd);
    server_stop(w.server);
}

static void
noise_and_a_second_request_before_the_answer_end_a_connection(void)
{
    unsigned char bytes[2 * sizeof request];
    struct random r = random_seed(7);
    struct world w;
    char got[64];
    int fd;

    world_open(&w, false);
    for (int i = 0; i < 100; i++) {
        for (size_t k = 0; k < sizeof bytes; k++)
            bytes[k] = (unsigned char)random_below(&r, 256);
        fd = peer(&w, bytes, sizeof bytes);
        CHECK(read(fd, got, sizeof got) <= 0); /* closed */
        close(fd);
    }
    memcpy(bytes, request, sizeof request);
    memcpy(bytes + sizeof request, request, sizeof request);
    fd = peer(&w, bytes, sizeof bytes);
    CHECK(read(fd, got, sizeof got) <= 0);
    close(fd);
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

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(peers_that_hang_up_at_any_byte_leave_the_server_answering),
        TEST(a_request_byte_by_byte_is_answered_whole),
        TEST(noise_and_a_second_request_before_the_answer_end_a_connection),
        TEST(a_server_stops_though_its_peers_say_nothing),
        {0}};
    int failed;

    log_threshold = LOG_ERROR;
    if (mkdtemp(folder) == NULL)
        return 1;
    failed = test_main(table, argc, argv);
    if (rmdir(folder) != 0)
        fprintf(stderr, "%s: something was left\n", folder);
    return failed;
}
