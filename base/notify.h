/* notify.h -- what a service tells systemd (sd_notify(3), Type=notify): that it
 * is ready, how far it is, that it lives, that it ends.  Without
 * $NOTIFY_SOCKET nothing is said, and what cannot be said is not missed. */
#ifndef BASE_NOTIFY_H
#define BASE_NOTIFY_H

#include <stdint.h>

/* It works from now on; it ends; and a line on how far it is. */
void notify_ready(void);
void notify_stopping(void);
void notify_status(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* With WatchdogSec=: milliseconds between two signs of life, half of what kills
 * a service that gives none; 0: nobody waits for any.  And such a sign. */
uint64_t notify_watchdog_every_ms(void);
void notify_watchdog(void);

#endif
