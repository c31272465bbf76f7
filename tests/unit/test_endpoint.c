/* Aim: calls over every transport are answered once each, with the reply that
 * is theirs, in time or not at all.  Method: real sockets on loopback; ports
 * come from the kernel.  See also test_endpoint_address.c, test_endpoint_kill.c
 * and test_endpoint_tls.c. */
#include <pthread.h>

#include "base/clock.h"
#include "endpoint_case.h"

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
        TEST(an_oversize_message_is_refused_at_both_ends),
        TEST(another_service_is_named_and_sent_nothing),
        TEST(a_server_answers_at_a_second_address),
        TEST(opening_and_closing_many_times_never_hangs),
        {0}};

    log_threshold = LOG_ERROR;
    return folder_main(table, argc, argv);
}
