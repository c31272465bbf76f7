/* How long one URL takes: bench_url [MILLIONS].
 *
 * Absolute and relative links as pages have them, an international name, and
 * the registered domain of each host.  One arena, reset every 1,000 links (a
 * page's worth), as in the crawler.  Prints nanoseconds per call. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/arena.h"
#include "base/url/host.h"
#include "base/url/url.h"
#include "seconds.h"

static const char *const absolute[] = {
    "https://www.example.org/",
    "https://www.example.org/nieuws/2024/05/17/artikel-over-het-weer.html",
    "http://blog.example.co.uk/?p=1234&utm_source=feed&utm_medium=rss#more",
    "https://shop.example.de/kategorie/schuhe/damen/?seite=3&sort=preis",
    "https://de.wikipedia.org/wiki/K%C3%B6ln_(Begriffskl%C3%A4rung)",
    "//cdn.example.net/images/../img/logo.png",
    "https://example.com:8080/a/b/./c/../d;jsessionid=0123456789abcdef",
    "https://www.example.fr/actualit\xc3\xa9s/\xc3\xa9t\xc3\xa9?mot=\xc3\xa9",
};
static const char *const relative[] = {
    "/",
    "/nieuws/2024/05/17/een-ander-artikel.html",
    "../2023/index.html",
    "artikel-2.html#reacties",
    "?pagina=2",
    "#top",
    "./a/b/../c?x=y&z=1",
    "/zoeken?q=twee+woorden&taal=nl",
};
static const char *const international[] = {
    "http://www.m\xc3\xbcnchen.de/",
    "http://www.gro\xc3\x9fhandel.example.de/a",
    "https://\xe4\xbe\x8b\xe3\x81\x88.jp/",
    "http://caf\xc3\xa9.fr/menu",
};

static void
parse_all(const char *what, const char *const *text, size_t n, size_t runs,
          const struct url *base)
{
    struct arena *a = arena_new();
    struct str input[8];
    size_t good = 0;
    double from;

    for (size_t i = 0; i < n; i++)
        input[i] = str_c(text[i]);
    from = seconds(CLOCK_MONOTONIC);
    for (size_t i = 0; i < runs; i++) {
        struct url u;

        if (i % 1000 == 0)
            arena_reset(a);
        good += url_parse(&u, a, input[i % n], base) == ST_OK;
    }
    printf("%-24s %8.0f ns, %zu of %zu parsed\n", what,
           (seconds(CLOCK_MONOTONIC) - from) / (double)runs * 1e9, good, runs);
    arena_free(a);
}

static void
domains_all(size_t runs)
{
    static const struct str host[] = {
        STR("www.example.org"),      STR("blog.example.co.uk"),
        STR("a.b.c.d.example.de"),   STR("me.github.io"),
        STR("www.city.kawasaki.jp"), STR("192.168.1.1"),
        STR("xn--mnchen-3ya.de"),    STR("example.unlisted"),
    };
    size_t bytes = 0;
    double from = seconds(CLOCK_MONOTONIC);

    for (size_t i = 0; i < runs; i++)
        bytes += host_registered_domain(host[i % 8]).n;
    printf("%-24s %8.0f ns (%zu)\n", "registered domain",
           (seconds(CLOCK_MONOTONIC) - from) / (double)runs * 1e9,
           bytes / runs);
}

int
main(int argc, char **argv)
{
    size_t runs = (size_t)(argc > 1 ? atof(argv[1]) * 1e6 : 1e6);
    struct arena *a = arena_new();
    struct url base;

    if (runs < 8 ||
        url_parse(&base, a, S("https://www.example.nl/nieuws/2024/index.html"),
                  NULL) != ST_OK) {
        fprintf(stderr, "usage: bench_url [MILLIONS]\n");
        return 2;
    }
    parse_all("absolute", absolute, 8, runs, &base);
    parse_all("relative", relative, 8, runs, &base);
    parse_all("international name", international, 4, runs / 8, NULL);
    domains_all(runs);
    arena_free(a);
    return 0;
}
