/* log.c -- see log.h.  A line is built on the stack and written with one
 * write(2), so lines of several threads never mix.
 *
 * Where stderr is systemd's journal (JOURNAL_STREAM, systemd.exec(5)) a line
 * begins with its level as that wants it (sd-daemon(3)) in place of the time,
 * which the journal has itself. */
#include "base/log.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"

#define LINE_SIZE 2048

enum log_level log_threshold = LOG_INFO;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void (*hook_before)(void);
static void (*hook_after)(void);
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool to_journal;
static _Thread_local struct buf *captured;
static _Thread_local bool muted;

void
log_set_hooks(void (*before)(void), void (*after)(void))
{
    pthread_mutex_lock(&lock);
    hook_before = before;
    hook_after = after;
    pthread_mutex_unlock(&lock);
}

void
log_capture(struct buf *to)
{
    captured = to;
}

void
log_mute(bool on)
{
    muted = on;
}

static void write_line(enum log_level level, const char *topic,
                       const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

void
log_write(enum log_level level, const char *topic, const char *format, ...)
{
    va_list args;

    if (level > log_threshold)
        return;
    va_start(args, format);
    write_line(level, topic, format, args);
    va_end(args);
}

void
log_always(const char *topic, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    write_line(LOG_INFO, topic, format, args);
    va_end(args);
}

/* May one more be written, and how many were not before it? */
static bool
admit(struct log_limit *l, uint64_t *left_out)
{
    uint64_t minute = clock_steady_ms() / 60000 + 1;
    bool yes;

    pthread_mutex_lock(&lock);
    if (l->minute != minute) {
        l->minute = minute;
        l->said = 0;
    }
    yes = l->said < l->most;
    *left_out = yes ? l->left_out : 0;
    l->left_out = yes ? 0 : l->left_out + 1;
    l->said += yes;
    pthread_mutex_unlock(&lock);
    return yes;
}

void
log_rarely(struct log_limit *l, enum log_level level, const char *topic,
           const char *format, ...)
{
    uint64_t left_out;
    va_list args;

    if (level > log_threshold || !admit(l, &left_out))
        return;
    va_start(args, format);
    write_line(level, topic, format, args);
    va_end(args);
    if (left_out > 0)
        log_write(level, topic, "and %llu more like that were not written",
                  (unsigned long long)left_out);
}

static void
find_journal(void)
{
    const char *stream = getenv("JOURNAL_STREAM");
    char own[64];
    struct stat sb;

    if (stream == NULL || fstat(STDERR_FILENO, &sb) != 0)
        return;
    snprintf(own, sizeof own, "%llu:%llu", (unsigned long long)sb.st_dev,
             (unsigned long long)sb.st_ino);
    to_journal = strcmp(stream, own) == 0;
}

/* What stands before the text: time or level, level, topic. */
static int
begin_line(char line[LINE_SIZE], enum log_level level, const char *topic)
{
    static const char *const names[] = {"error", "warn", "info", "debug"},
                             *const of_syslog[] = {"<3>", "<4>", "<6>", "<7>"};
    char now[21];

    if (captured)
        return 0;
    pthread_once(&once, find_journal);
    if (to_journal)
        return snprintf(line, LINE_SIZE, "%s%s %s: ", of_syslog[level],
                        names[level], topic);
    clock_iso(clock_wall_ms(), now);
    return snprintf(line, LINE_SIZE, "%s %s %s: ", now, names[level], topic);
}

static void
write_line(enum log_level level, const char *topic, const char *format,
           va_list args)
{
    char line[LINE_SIZE];
    int n, m;

    if (muted)
        return;
    n = begin_line(line, level, topic);
    m = vsnprintf(line + n, sizeof line - (size_t)n - 1, format, args);
    n = m < (int)sizeof line - n - 1 ? n + m : (int)sizeof line - 2;
    for (int i = 0; i < n; i++)
        if ((unsigned char)line[i] < 32 || line[i] == 127)
            line[i] = '?';
    line[n++] = '\n';
    if (captured) {
        buf_add(captured, line, (size_t)n);
        return;
    }
    pthread_mutex_lock(&lock);
    if (hook_before)
        hook_before();
    if (write(STDERR_FILENO, line, (size_t)n) < 0) {
        /* stderr is gone: there is nobody left to tell */
    }
    if (hook_after)
        hook_after();
    pthread_mutex_unlock(&lock);
}
