/* reminder.c -- see reminder.h. */
#include "reminder.h"

#include <stddef.h>

#include "base/clock.h"

enum { EVERY_MS = 60000 };

bool
reminder_due(struct reminder *r, const char *what)
{
    uint64_t now = clock_steady_ms();
    bool due;

    pthread_mutex_lock(&r->lock);
    due = r->what != what || now >= r->said_ms + EVERY_MS;
    if (due) {
        r->what = what;
        r->said_ms = now;
    }
    pthread_mutex_unlock(&r->lock);
    return due;
}

bool
reminder_over(struct reminder *r)
{
    bool was;

    pthread_mutex_lock(&r->lock);
    was = r->what != NULL;
    r->what = NULL;
    pthread_mutex_unlock(&r->lock);
    return was;
}
