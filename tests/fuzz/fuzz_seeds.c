/* fuzz_seeds.c -- any bytes as a seed file: every line is a seed that is in
 * scope, or counted as bad, or empty.  And as an opt-out list. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/url/url.h"
#include "clean/scope/host_names.h"
#include "crawler/admit/seeds.h"
#include "fuzz.h"

static void
check_seeds(const struct seeds *s, const struct scope *scope, struct arena *a)
{
    for (size_t i = 0; i < s->n; i++) {
        struct url u;

        if (url_parse(&u, a, s->link[i].url, NULL) != ST_OK ||
            !str_eq(u.href, s->link[i].url) ||
            !scope_admits(scope, u.href, u.host))
            abort();
    }
}

/* Other bytes are lines, whatever they are. */
static bool
is_packed(const uint8_t *data, size_t n)
{
    struct str s = str_n((const char *)data, n);

    return str_starts(s, S("\x1f\x8b")) ||
           str_starts(s, S("\x28\xb5\x2f\xfd")) ||
           (n > 3 && data[0] >> 4 == 5 && /* a frame of zstd's to be skipped */
            str_starts(str_sub(s, 1, n), S("\x2a\x4d\x18")));
}

static void
check_names(int fd)
{
    struct host_names *h = host_names_new();
    char path[32];

    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (host_names_read(h, path, "fuzz") == ST_OK && host_names_has(h, S("")))
        abort();
    host_names_free(h);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    int fd = memfd_create("seeds", 0);
    struct arena *a = arena_new();
    struct scope *scope;
    struct seeds seeds = {0};
    struct opts o;
    struct buf said = {0};
    char set[96];
    size_t lines = 1;
    enum status st;

    log_capture(&said);
    if (fd < 0 || write(fd, data, n) != (ssize_t)n)
        abort();
    for (size_t i = 0; i < n; i++)
        lines += data[i] == '\n';
    opts_init(&o);
    snprintf(set, sizeof set, "seeds.file=/proc/self/fd/%d", fd);
    if (opts_set(&o, "fuzz", str_c(set)) != ST_OK ||
        opts_set(&o, "fuzz", S("scope.tld=be test")) != ST_OK ||
        scope_open(&scope, &o) != ST_OK)
        abort();
    st = seeds_read(&seeds, a, &o, NULL, 0, scope);
    if (!is_packed(data, n) && (st != ST_OK || seeds.n + seeds.bad > lines))
        abort();
    check_seeds(&seeds, scope, a);
    check_names(fd);
    scope_close(scope);
    opts_free(&o);
    arena_free(a);
    log_capture(NULL);
    buf_free(&said);
    close(fd);
    return 0;
}
