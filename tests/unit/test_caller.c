/* Aim: a call is made until it is answered, whatever holds it up, and ends when
 * it must: when read() or the caller says so, or when it is too long.  What
 * holds it up is said once, by whichever thread meets it, and so is its end.
 * Method: a server that answers from a script, over inproc:// and ipc://. */
#include <pthread.h>

#include "../../proto/caller.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/reminder.h"
#include "folder.h"
#include "proto/server.h"
#include "test.h"

/* Answers are letters; the last one is given for ever. */
static const char *script;
static atomic_uint asked_n;

static void
answer(void *self, struct server_call *calls, size_t n)
{
    (void)self;
    for (size_t i = 0; i < n; i++) {
        buf_char(&calls[i].reply, *script);
        buf_str(&calls[i].reply, calls[i].request);
        script += script[1] != '\0';
        asked_n++;
    }
}

static enum status
read_reply(void *self, struct str reply, struct str *detail)
{
    size_t *read_n = self;

    if (read_n != NULL)
        ++*read_n;
    *detail = str_sub(reply, 1, reply.n);
    switch (reply.p[0]) {
    case 'k': return ST_OK;
    case 'b': return ST_BUSY;
    case 'f': return ST_FULL;
    case 's': return ST_STORE;
    case 'i': return ST_IO;
    default: return ST_INVALID;
    }
}

static const struct caller_setup setup = {.topic = "test",
                                          .name = "the service",
                                          .timeout_ms = 5000,
                                          .read = read_reply};

struct world {
    struct server *server;
    struct caller *caller;
    char url[100];
};

static void
world_open(struct world *w, const char *scheme, const char *answers)
{
    folder_open();
    script = answers;
    asked_n = 0;
    snprintf(w->url, sizeof w->url, "%s%s/socket", scheme, folder);
    CHECK(server_start(&w->server, w->url, NULL, answer, NULL) == ST_OK);
    CHECK(caller_open(&w->caller, str_c(w->url), NULL, &setup) == ST_OK);
    CHECK(strcmp(caller_url(w->caller), w->url) == 0);
}

static void
world_close(struct world *w)
{
    caller_close(w->caller);
    server_stop(w->server);
    folder_close();
}

static enum status
call(struct world *w, const char *text, size_t *read_n, const atomic_bool *stop)
{
    struct asked q = {0};
    enum status st;

    buf_c(&q.request, text);
    caller_begin(w->caller, &q, read_n, stop);
    st = caller_finish(w->caller, &q, stop);
    if (st == ST_OK)
        CHECK(str_eq(str_sub(buf_view(&q.reply), 1, q.reply.n), str_c(text)));
    asked_free(&q);
    return st;
}

/* The lines of the log that have this in them. */
static size_t
lines(const struct buf *log, const char *what)
{
    size_t n = 0;
    const char *p = log->p, *end = log->p + log->n;

    while (p != NULL && p < end &&
           (p = memmem(p, (size_t)(end - p), what, strlen(what))) != NULL) {
        n++;
        p++;
    }
    return n;
}

static void
what_passes_is_asked_again(void)
{
    static const char *const schemes[] = {"inproc://", "ipc://"};

    for (size_t i = 0; i < 2; i++) {
        struct buf log = {0};
        struct world w;
        size_t read_n = 0;

        world_open(&w, schemes[i], "bbfsiffk");
        log_capture(&log);
        CHECK(call(&w, "x", &read_n, NULL) == ST_OK);
        CHECK(read_n == 8 && asked_n == 8);
        CHECK(call(&w, "y", &read_n, NULL) == ST_OK && read_n == 9);
        log_capture(NULL);
        CHECK(lines(&log, "is busy") == 1); /* twice, said once */
        CHECK(lines(&log, "the service is full: x; waiting\n") == 2);
        CHECK(lines(&log, "has a fault") == 1);
        CHECK(lines(&log, "answers what cannot be read") == 1);
        CHECK(lines(&log, "the service answers again") == 1);
        buf_free(&log);
        world_close(&w);
    }
}

static void
what_does_not_pass_ends_the_call(void)
{
    struct world w;
    struct asked q = {0};

    world_open(&w, "ipc://", "?k");
    CHECK(call(&w, "x", NULL, NULL) == ST_INVALID && asked_n == 1);
    buf_reserve(&q.request, ENDPOINT_MESSAGE_MAX + 1);
    memset(q.request.p, 'x', ENDPOINT_MESSAGE_MAX + 1);
    q.request.n = ENDPOINT_MESSAGE_MAX + 1;
    caller_begin(w.caller, &q, NULL, NULL);
    CHECK(caller_finish(w.caller, &q, NULL) == ST_LIMIT && asked_n == 1);
    asked_free(&q);
    CHECK(call(&w, "y", NULL, NULL) == ST_OK);
    world_close(&w);
}

static void
what_holds_it_up_needs_no_detail(void)
{
    struct buf log = {0};
    struct world w;

    world_open(&w, "inproc://", "bk");
    log_capture(&log);
    CHECK(call(&w, "", NULL, NULL) == ST_OK);
    log_capture(NULL);
    CHECK(lines(&log, "the service is busy; waiting\n") == 1);
    buf_free(&log);
    world_close(&w);
}

static void
one_try_is_one(void)
{
    struct world w;
    struct asked q = {.timeout_ms = 60000};
    struct buf log = {0};

    world_open(&w, "ipc://", "bk");
    log_capture(&log);
    buf_c(&q.request, "x");
    caller_begin(w.caller, &q, NULL, NULL);
    CHECK(caller_try(w.caller, &q, NULL) == ST_BUSY && asked_n == 1);
    server_stop(w.server);
    w.server = NULL;
    q.timeout_ms = 100;
    CHECK(caller_try(w.caller, &q, NULL) == ST_TIMEOUT);
    CHECK(lines(&log, "the service") == 0);
    caller_say_unanswered(w.caller);
    log_capture(NULL);
    CHECK(lines(&log, "the service does not answer: ") == 1);
    asked_free(&q);
    buf_free(&log);
    world_close(&w);
}

static atomic_bool stop;

static void *
stop_later(void *arg)
{
    clock_sleep_ms(100);
    stop = true;
    return arg;
}

static void
the_caller_may_stop_it(void)
{
    pthread_t thread;
    struct world w;

    for (int absent = 0; absent < 2; absent++) {
        world_open(&w, "ipc://", "b");
        if (absent) {
            server_stop(w.server);
            w.server = NULL;
        }
        stop = false;
        pthread_create(&thread, NULL, stop_later, NULL);
        CHECK(call(&w, "x", NULL, &stop) == ST_STOPPED);
        pthread_join(thread, NULL);
        world_close(&w);
    }
}

static void
many_calls_are_under_way(void)
{
    enum { N = 100 };
    struct asked q[N] = {0};
    struct world w;
    char text[16];

    world_open(&w, "ipc://", "bbbbbbbbbbk");
    for (int i = 0; i < N; i++) {
        buf_printf(&q[i].request, "call %d", i);
        q[i].timeout_ms = 60000; /* from now, and the first ends last */
        caller_begin(w.caller, &q[i], NULL, NULL);
    }
    for (int i = N; i-- > 0;) {
        CHECK(caller_finish(w.caller, &q[i], NULL) == ST_OK);
        snprintf(text, sizeof text, "kcall %d", i);
        CHECK(str_eq(buf_view(&q[i].reply), str_c(text)));
        asked_free(&q[i]);
    }
    CHECK(asked_n == N + 10);
    world_close(&w);
}

static struct reminder shared = REMINDER_INITIALIZER;
static const char *const trouble = "trouble";
static atomic_uint due, over;

static void *
meet_it(void *arg)
{
    for (int i = 0; i < 1000; i++)
        due += reminder_due(&shared, trouble);
    return arg;
}

static void *
end_it(void *arg)
{
    over += reminder_over(&shared);
    return arg;
}

/* Twice: met by eight threads, ended by eight. */
static void
many_threads_meet_it_and_one_says_it(void)
{
    pthread_t thread[8];

    for (unsigned round = 1; round <= 2; round++) {
        for (int i = 0; i < 8; i++)
            pthread_create(&thread[i], NULL, meet_it, NULL);
        for (int i = 0; i < 8; i++)
            pthread_join(thread[i], NULL);
        CHECK(due == round);
        for (int i = 0; i < 8; i++)
            pthread_create(&thread[i], NULL, end_it, NULL);
        for (int i = 0; i < 8; i++)
            pthread_join(thread[i], NULL);
        CHECK(over == round);
    }
    CHECK(reminder_due(&shared, "something else"));
}

int
main(int argc, char **argv)
{
    static const struct test tests[] = {
        TEST(what_passes_is_asked_again),
        TEST(what_does_not_pass_ends_the_call),
        TEST(what_holds_it_up_needs_no_detail),
        TEST(one_try_is_one),
        TEST(the_caller_may_stop_it),
        TEST(many_calls_are_under_way),
        TEST(many_threads_meet_it_and_one_says_it),
        {0}};

    return test_main(tests, argc, argv);
}
