/* Aim: a handler may work in slices: what it keeps comes again and is
 * overtaken by what comes later; and it can have itself called without any
 * call. */
#include <pthread.h>
#include <stdatomic.h>

#include "base/clock.h"
#include "proto/endpoint.h"
#include "proto/server.h"
#include "test.h"

enum { LONG = 8, PATIENCE_MS = 10000 };

static atomic_int rung, seen, begun;

/* A long call ends when a short one has been answered after it began. */
static void
slices(void *self, struct server_call *calls, size_t n)
{
    const int before = seen;

    (void)self;
    rung += n == 0;
    for (size_t i = 0; i < n; i++) {
        struct server_call *c = &calls[i];

        if (str_eq(c->request, S("short"))) {
            buf_c(&c->reply, "done");
            seen++;
        } else if (c->state == NULL || before == 0) {
            begun += c->state == NULL;
            c->state = &rung;
            buf_c(&c->reply, c->reply.n == 0 ? "." : "");
            c->kept = true;
        } else {
            buf_str(&c->reply, c->request);
        }
    }
    if (n > 0 && before == 0)
        clock_sleep_ms(1);
}

static void *
call_long(void *url)
{
    struct endpoint *e;
    struct buf reply = {0};

    CHECK(endpoint_dial(&e, url, NULL) == ST_OK);
    CHECK(endpoint_call(e, S("long"), &reply, PATIENCE_MS) == ST_OK);
    CHECK(str_eq(buf_view(&reply), S(".long")));
    buf_free(&reply);
    endpoint_close(e);
    return NULL;
}

static void
what_is_kept_is_overtaken_and_answered_later(void)
{
    char url[] = "inproc://slices";
    struct server *v;
    struct endpoint *e;
    struct buf reply = {0};
    pthread_t thread[LONG];

    seen = begun = 0;
    CHECK(server_start(&v, url, NULL, slices, NULL) == ST_OK);
    for (int i = 0; i < LONG; i++)
        CHECK(pthread_create(&thread[i], NULL, call_long, url) == 0);
    while (begun < LONG)
        clock_sleep_ms(1);
    CHECK(endpoint_dial(&e, url, NULL) == ST_OK);
    CHECK(endpoint_call(e, S("short"), &reply, PATIENCE_MS) == ST_OK);
    CHECK(str_eq(buf_view(&reply), S("done")));
    for (int i = 0; i < LONG; i++)
        pthread_join(thread[i], NULL);
    CHECK(begun == LONG);
    buf_free(&reply);
    endpoint_close(e);
    server_stop(v);
}

static void
the_alarm_rings_once_and_the_latest_wish_counts(void)
{
    struct server *v;

    rung = 0;
    CHECK(server_start(&v, "inproc://alarm", NULL, slices, NULL) == ST_OK);
    server_again(v, 1);
    while (rung == 0)
        clock_sleep_ms(1);
    clock_sleep_ms(50);
    CHECK(rung == 1);
    server_again(v, PATIENCE_MS);
    server_again(v, 1);
    while (rung == 1)
        clock_sleep_ms(1);
    server_again(v, 500);
    server_again(v, UINT64_MAX);
    clock_sleep_ms(600);
    CHECK(rung == 2);
    server_again(v, 1000); /* stopping does not wait for it */
    server_stop(v);
    CHECK(rung == 2);
}

static const struct test tests[] = {
    TEST(what_is_kept_is_overtaken_and_answered_later),
    TEST(the_alarm_rings_once_and_the_latest_wish_counts),
    {0},
};

int
main(int argc, char **argv)
{
    return test_main(tests, argc, argv);
}
