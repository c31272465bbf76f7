/* notify.c -- see notify.h: one datagram each, through a socket of its own, as
 * they are seconds apart. */
#include "notify.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/str.h"

#define STATUS "STATUS="

static void
say(const char *text)
{
    const char *name = getenv("NOTIFY_SOCKET");
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    size_t n = name != NULL ? strlen(name) : 0;
    int fd;

    if (n == 0 || n >= sizeof to.sun_path || (name[0] != '/' && name[0] != '@'))
        return;
    memcpy(to.sun_path, name, n);
    if (name[0] == '@')
        to.sun_path[0] = '\0';
    if ((fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) < 0)
        return;
    (void)!sendto(fd, text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT,
                  (const struct sockaddr *)&to,
                  (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n));
    close(fd);
}

void
notify_ready(void)
{
    say("READY=1");
}

void
notify_stopping(void)
{
    say("STOPPING=1");
}

void
notify_watchdog(void)
{
    say("WATCHDOG=1");
}

void
notify_status(const char *format, ...)
{
    char text[512] = STATUS;
    size_t n = sizeof STATUS - 1;
    va_list args;

    if (getenv("NOTIFY_SOCKET") == NULL)
        return;
    va_start(args, format);
    vsnprintf(text + n, sizeof text - n, format, args);
    va_end(args);
    say(text);
}

/* The variables may be another process's, that we are a child of. */
uint64_t
notify_watchdog_every_ms(void)
{
    const char *us = getenv("WATCHDOG_USEC"), *pid = getenv("WATCHDOG_PID");
    uint64_t n, of;

    if (us == NULL || getenv("NOTIFY_SOCKET") == NULL ||
        !str_u64(str_c(us), &n))
        return 0;
    if (pid != NULL && (!str_u64(str_c(pid), &of) || of != (uint64_t)getpid()))
        return 0;
    n /= 2000;
    return n > 0 ? n : 1;
}
