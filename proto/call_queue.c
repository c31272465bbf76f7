/* call_queue.c -- see call_queue.h.
 *
 *     OUT --call_queue_post--> WAITING --call_queue_take--> TAKEN
 * --call_queue_answer--> ANSWERED
 *
 * A caller that gives up takes its call out of the queue while it waits; once
 * it is taken the call is abandoned, and freed when it is answered.
 *
 * The names are those of this process: a list under a lock of its own, with a
 * count of the users of every queue, so that none is freed under a caller. */
#include "call_queue.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/thread.h"
#include "spare.h"

struct call_queue {
    pthread_mutex_t lock;
    pthread_cond_t arrived;
    struct call *first, **end;
    uint64_t alarm_ms; /* of clock_steady_ms(); or DEADLINE_NEVER */
    bool closed;
    char *name;               /* NULL: not published */
    size_t users_n;           /* under names_lock */
    struct call_queue *after; /* in names */
};

static pthread_mutex_t names_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t names_once = PTHREAD_ONCE_INIT;
static pthread_cond_t names_changed;
static struct call_queue *names;

struct call *
call_new(void)
{
    struct call *c = calloc(1, sizeof *c);

    if (c != NULL)
        thread_condition(&c->changed);
    return c;
}

void
call_free(struct call *c)
{
    if (c == NULL)
        return;
    spare_leave(&c->request);
    buf_free(&c->reply);
    pthread_cond_destroy(&c->changed);
    free(c);
}

enum status
call_queue_open(struct call_queue **out)
{
    struct call_queue *q = calloc(1, sizeof *q);

    *out = q;
    if (q == NULL)
        return ST_NOMEM;
    pthread_mutex_init(&q->lock, NULL);
    thread_condition(&q->arrived);
    q->end = &q->first;
    q->alarm_ms = DEADLINE_NEVER;
    return ST_OK;
}

static void
take_out(struct call_queue *q, struct call *c)
{
    struct call **at = &q->first;

    while (*at != c)
        at = &(*at)->next;
    if ((*at = c->next) == NULL)
        q->end = at;
    c->state = CALL_OUT;
}

enum status
call_queue_post(struct call_queue *q, struct call *c)
{
    enum status st = ST_OK;

    pthread_mutex_lock(&q->lock);
    if (q->closed) {
        st = ST_IO;
    } else {
        c->state = CALL_WAITING;
        c->next = NULL;
        if (q->first == NULL)
            pthread_cond_signal(&q->arrived);
        *q->end = c;
        q->end = &c->next;
    }
    pthread_mutex_unlock(&q->lock);
    return st;
}

enum status
call_queue_wait(struct call_queue *q, struct call **c, const struct deadline *d)
{
    struct call *mine = *c;
    enum status st = ST_OK;

    pthread_mutex_lock(&q->lock);
    while (mine->state != CALL_ANSWERED && st == ST_OK)
        st = deadline_wait(d, &mine->changed, &q->lock);
    if (mine->state == CALL_ANSWERED) {
        st = ST_OK;
    } else if (mine->state == CALL_WAITING) {
        take_out(q, mine);
    } else {
        mine->abandoned = true;
        *c = NULL;
    }
    pthread_mutex_unlock(&q->lock);
    return st;
}

bool
call_queue_take(struct call_queue *q, struct call **calls, size_t room,
                bool wait, size_t *taken)
{
    bool more;

    *taken = 0;
    pthread_mutex_lock(&q->lock);
    while (wait && q->first == NULL && !q->closed) {
        const struct deadline d = {q->alarm_ms, NULL, 0};

        if (clock_steady_ms() >= q->alarm_ms)
            wait = false;
        else
            (void)deadline_wait(&d, &q->arrived, &q->lock);
    }
    if (!wait)
        q->alarm_ms = DEADLINE_NEVER;
    while (q->first != NULL && *taken < room) {
        struct call *c = q->first;

        take_out(q, c);
        c->state = CALL_TAKEN;
        buf_clear(&c->reply);
        calls[(*taken)++] = c;
    }
    more = *taken > 0 || !q->closed;
    pthread_mutex_unlock(&q->lock);
    return more;
}

void
call_queue_alarm(struct call_queue *q, uint64_t at_ms)
{
    pthread_mutex_lock(&q->lock);
    q->alarm_ms = at_ms;
    pthread_cond_signal(&q->arrived);
    pthread_mutex_unlock(&q->lock);
}

void
call_queue_answer(struct call_queue *q, struct call *c)
{
    bool abandoned;

    if (c->answered != NULL) {
        c->state = CALL_ANSWERED;
        c->answered(c);
        return;
    }
    pthread_mutex_lock(&q->lock);
    c->state = CALL_ANSWERED;
    abandoned = c->abandoned;
    if (!abandoned)
        pthread_cond_signal(&c->changed);
    pthread_mutex_unlock(&q->lock);
    if (abandoned)
        call_free(c);
}

void
call_queue_close(struct call_queue *q)
{
    struct call_queue **at = &names;

    pthread_mutex_lock(&names_lock);
    while (*at != NULL && *at != q)
        at = &(*at)->after;
    if (*at != NULL)
        *at = q->after;
    pthread_mutex_unlock(&names_lock);

    pthread_mutex_lock(&q->lock);
    q->closed = true;
    pthread_cond_signal(&q->arrived);
    pthread_mutex_unlock(&q->lock);
}

/* ---- names ---- */

static void
names_init(void)
{
    thread_condition(&names_changed);
}

static struct call_queue *
named(const char *name)
{
    struct call_queue *q = names;

    while (q != NULL && strcmp(q->name, name) != 0)
        q = q->after;
    return q;
}

enum status
call_queue_publish(struct call_queue *q, const char *name)
{
    enum status st = ST_OK;

    pthread_once(&names_once, names_init);
    pthread_mutex_lock(&names_lock);
    if (named(name) != NULL) {
        st = ST_BUSY;
    } else if ((q->name = strdup(name)) == NULL) {
        st = ST_NOMEM;
    } else {
        q->after = names;
        names = q;
        pthread_cond_broadcast(&names_changed);
    }
    pthread_mutex_unlock(&names_lock);
    return st;
}

enum status
call_queue_find(struct call_queue **out, const char *name,
                const struct deadline *d)
{
    enum status st = ST_OK;

    pthread_once(&names_once, names_init);
    pthread_mutex_lock(&names_lock);
    while ((*out = named(name)) == NULL && st == ST_OK)
        st = deadline_wait(d, &names_changed, &names_lock);
    if (*out != NULL) {
        (*out)->users_n++;
        st = ST_OK;
    }
    pthread_mutex_unlock(&names_lock);
    return st;
}

void
call_queue_leave(struct call_queue *q)
{
    pthread_mutex_lock(&names_lock);
    q->users_n--;
    pthread_cond_broadcast(&names_changed);
    pthread_mutex_unlock(&names_lock);
}

void
call_queue_free(struct call_queue *q)
{
    if (q == NULL)
        return;
    pthread_once(&names_once, names_init);
    pthread_mutex_lock(&names_lock);
    while (q->users_n > 0)
        pthread_cond_wait(&names_changed, &names_lock);
    pthread_mutex_unlock(&names_lock);
    pthread_cond_destroy(&q->arrived);
    pthread_mutex_destroy(&q->lock);
    free(q->name);
    free(q);
}
