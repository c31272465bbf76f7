/* guard.c -- see guard.h.  The handler finds the file behind the address in
 * /proc/self/maps, and calls nothing that may not be called in a handler. */
#include "guard.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/exit_code.h"
#include "base/str.h"

struct mapped_line { /* of /proc/self/maps: from-to mode offset device inode
                        path */
    char text[4400];
    size_t n;
};

static void
say(const char *text)
{
    ssize_t n = write(STDERR_FILENO, text, strlen(text));

    (void)n; /* there is nobody else to tell */
}

static const char *
hex(const char *p, uint64_t *out)
{
    int digit;

    for (*out = 0; (digit = ascii_hex(*p)) >= 0; p++)
        *out = *out << 4 | (uint64_t)digit;
    return p;
}

static const char *
path_in(struct mapped_line *l, uint64_t address)
{
    uint64_t from, to;
    const char *p;

    l->text[l->n] = '\0';
    l->n = 0;
    p = hex(l->text, &from);
    if (*p != '-')
        return NULL;
    (void)hex(p + 1, &to);
    return address >= from && address < to ? strchr(l->text, '/') : NULL;
}

static const char *
find(struct mapped_line *l, uint64_t address)
{
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    const char *path = NULL;
    char part[1024];
    ssize_t n;

    while (fd >= 0 && path == NULL && (n = read(fd, part, sizeof part)) > 0)
        for (ssize_t i = 0; i < n && path == NULL; i++) {
            if (part[i] == '\n')
                path = path_in(l, address);
            else if (l->n < sizeof l->text - 1)
                l->text[l->n++] = part[i];
        }
    if (fd >= 0)
        close(fd);
    return path;
}

static void
on_bus(int number, siginfo_t *info, void *context)
{
    static struct mapped_line line;
    const char *path = find(&line, (uint64_t)(uintptr_t)info->si_addr);

    (void)context;
    if (path == NULL) {
        signal(number, SIG_DFL);
        return; /* it comes again, and ends the process */
    }
    say("winnow: ");
    say(path);
    say(" cannot be read any more: the disk failed, or the file was cut short "
        "while it was open.");
    if (strstr(path, "data.mdb") != NULL)
        say(strstr(path, "/dedup/") != NULL
                ? " `winnow dedup DIR --check --repair` writes what can be "
                  "read "
                  "into a new store."
                : " `winnow frontier DIR --check --repair` writes what can be "
                  "read into a new store.");
    say("\n");
    _exit(EXIT_FAILED);
}

void
pages_guard(void)
{
    struct sigaction a = {.sa_sigaction = on_bus,
                          .sa_flags = SA_SIGINFO | SA_NODEFER};

    sigaction(SIGBUS, &a, NULL);
}
