/* timekeeper.c -- see timekeeper.h.  DIR/clock is one line of text, replaced by
 * a rename; a garbled one is as good as none. */
#include "timekeeper.h"

#include "base/clock.h"
#include "base/disk_full.h"
#include "base/log.h"
#include "base/path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BOOT_ID "/proc/sys/kernel/random/boot_id"

static void
read_boot(char out[TIMEKEEPER_BOOT_SIZE])
{
    static char boot[TIMEKEEPER_BOOT_SIZE]; /* the same for ever */
    FILE *f = boot[0] == '\0' ? fopen(BOOT_ID, "re") : NULL;

    if (f != NULL) {
        if (fscanf(f, "%63s", boot) != 1)
            boot[0] = '\0';
        fclose(f);
    }
    memcpy(out, boot, sizeof boot);
}

void
timekeeper_look(struct timekeeper_clocks *out)
{
    out->wall_ms = clock_wall_ms();
    out->boot_ms = clock_boot_ms();
    read_boot(out->boot);
}

/* What DIR/clock adds to the boot clock of `boot`. */
static bool
read_offset(const char *dir, const char *boot, int64_t *offset_ms)
{
    char line[128], *end;
    size_t n = strlen(boot);
    long long ms;
    FILE *f;
    bool good;

    if (boot[0] == '\0' ||
        (f = fopen(path_printf("%s/clock", dir).z, "re")) == NULL)
        return false;
    good = fgets(line, sizeof line, f) != NULL;
    fclose(f);
    if (!good || strncmp(line, boot, n) != 0 || line[n] != ' ')
        return false;
    errno = 0;
    ms = strtoll(line + n + 1, &end, 10);
    if (errno != 0 || end == line + n + 1)
        return false;
    *offset_ms = ms;
    return true;
}

static int64_t
apart(const struct timekeeper_clocks *c)
{
    return (int64_t)c->wall_ms - (int64_t)c->boot_ms;
}

static void
say_jump(int64_t ms)
{
    log_warn(
        "frontier",
        "the wall clock was set %s by %lld s; the frontier's own time goes "
        "on",
        ms > 0 ? "forward" : "back", llabs((long long)ms) / 1000);
}

void
timekeeper_start(struct timekeeper *t, const char *dir,
                 const struct timekeeper_clocks *c, bool *unsure)
{
    t->offset_ms = t->wall_ms = apart(c);
    *unsure = !read_offset(dir, c->boot, &t->offset_ms);
    if (llabs((long long)(t->wall_ms - t->offset_ms)) > TIMEKEEPER_JUMP_MS)
        say_jump(t->wall_ms - t->offset_ms);
}

enum status
timekeeper_keep(const struct timekeeper *t, const char *dir,
                const struct timekeeper_clocks *c)
{
    const struct path path = path_printf("%s/clock", dir),
                      new = path_printf("%s/clock.new", dir);
    FILE *f;
    bool good;

    f = fopen(new.z, "we");
    good =
        f != NULL && fprintf(f, "%s %lld\n", c->boot[0] != '\0' ? c->boot : "-",
                             (long long)t->offset_ms) > 0;
    good = f != NULL && fclose(f) == 0 && good && rename(new.z, path.z) == 0;
    if (!good && disk_full(errno))
        return ST_FULL;
    if (!good)
        log_error("frontier", "cannot write %s: %s", path.z, strerror(errno));
    return good ? ST_OK : ST_IO;
}

uint64_t
timekeeper_now(struct timekeeper *t, const struct timekeeper_clocks *c)
{
    int64_t jump = apart(c) - t->wall_ms;

    if (llabs((long long)jump) > TIMEKEEPER_JUMP_MS)
        say_jump(jump);
    t->wall_ms += jump;
    return (uint64_t)((int64_t)c->boot_ms + t->offset_ms);
}

uint64_t
timekeeper_peek(const char *dir)
{
    struct timekeeper_clocks c;
    int64_t offset_ms;

    timekeeper_look(&c);
    return read_offset(dir, c.boot, &offset_ms)
               ? (uint64_t)((int64_t)c.boot_ms + offset_ms)
               : c.wall_ms;
}
