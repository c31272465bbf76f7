/* fuzz_seeds.c -- any bytes as a seed file: every line is a seed that is in
 * scope, or counted as bad, or empty. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/url/url.h"
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
    if (seeds_read(&seeds, a, &o, NULL, 0, scope) != ST_OK ||
        seeds.n + seeds.bad > lines)
        abort();
    check_seeds(&seeds, scope, a);
    scope_close(scope);
    opts_free(&o);
    arena_free(a);
    log_capture(NULL);
    buf_free(&said);
    close(fd);
    return 0;
}
