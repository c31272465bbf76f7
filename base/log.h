/* log.h -- log lines on stderr: time, level, topic, then key=value; for the
 * journal of systemd with its sign of the level and no time.
 *
 *     log_info("fetch", "host=%.*s status=%d ms=%u", STRF(host), code, ms);
 *
 * One line, no full stop, at most one per page at info.  Thread-safe; each
 * line is one write(2).  Page bytes are printed with control characters
 * replaced. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>
#include <stdint.h>

enum log_level { LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };

extern enum log_level log_threshold; /* set once at start; default LOG_INFO */

/* Called (if set) before and after a line so that a live status line on the
 * same terminal can be taken away and drawn again. */
void log_set_hooks(void (*before)(void), void (*after)(void));

/* From now on lines of this thread are appended to *to, without the time, for
 * a library's caller; NULL: to stderr again. */
struct buf;
void log_capture(struct buf *to);

/* Leave out what this thread says, until `on` is false: a try that is made over
 * and over says why it fails when a reminder.h is due. */
void log_mute(bool on);

/* A line of that level; nothing below the threshold.  Use the macros: */
void log_write(enum log_level level, const char *topic, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A line of level info whatever the threshold, for progress.h. */
void log_always(const char *topic, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* For lines that strangers can cause: at most `most` of a kind are written in a
 * minute; the next one that is written tells how many were not.  A static one
 * for each kind, LOG_LIMIT(most) at first; thread-safe. */
struct log_limit {
    unsigned most, said;
    uint64_t minute, left_out; /* since the start, of the steady clock */
};
#define LOG_LIMIT(n)                                                           \
    {                                                                          \
        .most = (n)                                                            \
    }
void log_rarely(struct log_limit *l, enum log_level level, const char *topic,
                const char *format, ...) __attribute__((format(printf, 4, 5)));

#define log_error(...) log_write(LOG_ERROR, __VA_ARGS__)
#define log_warn(...) log_write(LOG_WARN, __VA_ARGS__)
#define log_info(...)                                                          \
    do {                                                                       \
        if (log_threshold >= LOG_INFO)                                         \
            log_write(LOG_INFO, __VA_ARGS__);                                  \
    } while (0)
#define log_debug(...)                                                         \
    do {                                                                       \
        if (log_threshold >= LOG_DEBUG)                                        \
            log_write(LOG_DEBUG, __VA_ARGS__);                                 \
    } while (0)

#endif
