/* line.c -- see line.h.
 *
 *     OUT --line_post--> WAITING --line_take--> TAKEN --line_answer--> ANSWERED
 *
 * A caller that gives up takes its call out of the line while it waits; once
 * it is taken the call is abandoned, and freed when it is answered.
 *
 * The names are those of this process: a list under a lock of its own, with a
 * count of the users of every line, so that none is freed under a caller. */
#include "line.h"

#include <stdlib.h>

#include "winnow/clock.h"

struct line {
    pthread_mutex_t lock;
    pthread_cond_t arrived;
    struct call *first, **end;
    uint64_t alarm_ms; /* of clock_steady_ms(); or PATIENCE_ENDLESS */
    bool closed;
    char *name;         /* NULL: not published */
    size_t users_n;     /* under names_lock */
    struct line *after; /* in names */
};

static pthread_mutex_t names_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t names_once = PTHREAD_ONCE_INIT;
static pthread_cond_t names_changed;
static struct line *names;

struct call *
call_new(void)
{
    struct call *c = calloc(1, sizeof *c);

    if (c != NULL)
        patience_cond_init(&c->changed);
    return c;
}

void
call_free(struct call *c)
{
    if (c == NULL)
        return;
    buf_free(&c->request);
    buf_free(&c->reply);
    pthread_cond_destroy(&c->changed);
    free(c);
}

enum status
line_open(struct line **out)
{
    struct line *n = calloc(1, sizeof *n);

    *out = n;
    if (n == NULL)
        return ST_NOMEM;
    pthread_mutex_init(&n->lock, NULL);
    patience_cond_init(&n->arrived);
    n->end = &n->first;
    n->alarm_ms = PATIENCE_ENDLESS;
    return ST_OK;
}

static void
take_out(struct line *n, struct call *c)
{
    struct call **at = &n->first;

    while (*at != c)
        at = &(*at)->next;
    if ((*at = c->next) == NULL)
        n->end = at;
    c->state = CALL_OUT;
}

enum status
line_post(struct line *n, struct call *c)
{
    enum status st = ST_OK;

    pthread_mutex_lock(&n->lock);
    if (n->closed) {
        st = ST_IO;
    } else {
        c->state = CALL_WAITING;
        c->next = NULL;
        if (n->first == NULL)
            pthread_cond_signal(&n->arrived);
        *n->end = c;
        n->end = &c->next;
    }
    pthread_mutex_unlock(&n->lock);
    return st;
}

enum status
line_wait(struct line *n, struct call **c, const struct patience *p)
{
    struct call *mine = *c;
    enum status st = ST_OK;

    pthread_mutex_lock(&n->lock);
    while (mine->state != CALL_ANSWERED && st == ST_OK)
        st = patience_wait(p, &mine->changed, &n->lock);
    if (mine->state == CALL_ANSWERED) {
        st = ST_OK;
    } else if (mine->state == CALL_WAITING) {
        take_out(n, mine);
    } else {
        mine->abandoned = true;
        *c = NULL;
    }
    pthread_mutex_unlock(&n->lock);
    return st;
}

bool
line_take(struct line *n, struct call **calls, size_t room, bool wait,
          size_t *taken)
{
    bool more;

    *taken = 0;
    pthread_mutex_lock(&n->lock);
    while (wait && n->first == NULL && !n->closed) {
        const struct patience p = {n->alarm_ms, NULL, 0};

        if (clock_steady_ms() >= n->alarm_ms)
            wait = false;
        else
            (void)patience_wait(&p, &n->arrived, &n->lock);
    }
    if (!wait)
        n->alarm_ms = PATIENCE_ENDLESS;
    while (n->first != NULL && *taken < room) {
        struct call *c = n->first;

        take_out(n, c);
        c->state = CALL_TAKEN;
        buf_clear(&c->reply);
        calls[(*taken)++] = c;
    }
    more = *taken > 0 || !n->closed;
    pthread_mutex_unlock(&n->lock);
    return more;
}

void
line_alarm(struct line *n, uint64_t at_ms)
{
    pthread_mutex_lock(&n->lock);
    n->alarm_ms = at_ms;
    pthread_cond_signal(&n->arrived);
    pthread_mutex_unlock(&n->lock);
}

void
line_answer(struct line *n, struct call *c)
{
    bool abandoned;

    if (c->answered != NULL) {
        c->state = CALL_ANSWERED;
        c->answered(c);
        return;
    }
    pthread_mutex_lock(&n->lock);
    c->state = CALL_ANSWERED;
    abandoned = c->abandoned;
    if (!abandoned)
        pthread_cond_signal(&c->changed);
    pthread_mutex_unlock(&n->lock);
    if (abandoned)
        call_free(c);
}

void
line_close(struct line *n)
{
    struct line **at = &names;

    pthread_mutex_lock(&names_lock);
    while (*at != NULL && *at != n)
        at = &(*at)->after;
    if (*at != NULL)
        *at = n->after;
    pthread_mutex_unlock(&names_lock);

    pthread_mutex_lock(&n->lock);
    n->closed = true;
    pthread_cond_signal(&n->arrived);
    pthread_mutex_unlock(&n->lock);
}

/* ---- names ---- */

static void
names_init(void)
{
    patience_cond_init(&names_changed);
}

static struct line *
named(const char *name)
{
    struct line *n = names;

    while (n != NULL && strcmp(n->name, name) != 0)
        n = n->after;
    return n;
}

enum status
line_publish(struct line *n, const char *name)
{
    enum status st = ST_OK;

    pthread_once(&names_once, names_init);
    pthread_mutex_lock(&names_lock);
    if (named(name) != NULL) {
        st = ST_BUSY;
    } else if ((n->name = strdup(name)) == NULL) {
        st = ST_NOMEM;
    } else {
        n->after = names;
        names = n;
        pthread_cond_broadcast(&names_changed);
    }
    pthread_mutex_unlock(&names_lock);
    return st;
}

enum status
line_find(struct line **out, const char *name, const struct patience *p)
{
    enum status st = ST_OK;

    pthread_once(&names_once, names_init);
    pthread_mutex_lock(&names_lock);
    while ((*out = named(name)) == NULL && st == ST_OK)
        st = patience_wait(p, &names_changed, &names_lock);
    if (*out != NULL) {
        (*out)->users_n++;
        st = ST_OK;
    }
    pthread_mutex_unlock(&names_lock);
    return st;
}

void
line_leave(struct line *n)
{
    pthread_mutex_lock(&names_lock);
    n->users_n--;
    pthread_cond_broadcast(&names_changed);
    pthread_mutex_unlock(&names_lock);
}

void
line_free(struct line *n)
{
    if (n == NULL)
        return;
    pthread_once(&names_once, names_init);
    pthread_mutex_lock(&names_lock);
    while (n->users_n > 0)
        pthread_cond_wait(&names_changed, &names_lock);
    pthread_mutex_unlock(&names_lock);
    pthread_cond_destroy(&n->arrived);
    pthread_mutex_destroy(&n->lock);
    free(n->name);
    free(n);
}
