/* hosts_file.c -- read once, sorted by name, looked up by bisection. */
#include "hosts_file.h"

#include "base/arena.h"
#include "base/log.h"
#include "base/url/host.h"
#include "base/url/url.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>

struct hosts_entry {
    struct str name;
    struct sockaddr_storage address;
    size_t line;
};

struct hosts_file {
    struct arena *arena;
    struct hosts_entry *entry; /* by name, one each */
    size_t n;
};

bool
hosts_file_address(struct str text, struct sockaddr_storage *out)
{
    struct sockaddr_in *v4 = (struct sockaddr_in *)out;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)out;
    size_t colon = text.n;
    uint64_t port;

    while (colon > 0 && text.p[colon - 1] != ':')
        colon--;
    if (colon < 2 || !str_u64(str_sub(text, colon, text.n), &port) ||
        port < 1 || port > 65535 ||
        !host_address(out, str_sub(text, 0, colon - 1)))
        return false;
    if (out->ss_family == AF_INET)
        v4->sin_port = htons((uint16_t)port);
    else
        v6->sin6_port = htons((uint16_t)port);
    return true;
}

/* One line into *e; a message on fault. */
static const char *
parse_line(struct arena *a, struct str line, struct hosts_entry *e)
{
    struct str name, address, more;

    if (!str_word(&line, &name) || !str_word(&line, &address) ||
        str_word(&line, &more))
        return "a line is `name address:port`";
    if (url_host_ascii(&e->name, a, name) != ST_OK)
        return "not a host name";
    e->name = url_without_dot(e->name);
    if (!hosts_file_address(address, &e->address))
        return "not address:port (127.0.0.1:8080 or [::1]:8080)";
    if (host_address_range((struct sockaddr *)&e->address) != HOST_LOOPBACK)
        return "only loopback addresses are accepted in a hosts_file";
    return NULL;
}

static int
by_name(const void *a, const void *b)
{
    const struct hosts_entry *x = a, *y = b;
    int c = str_cmp(x->name, y->name);

    return c != 0 ? c : (x->line > y->line) - (x->line < y->line);
}

static void
sort_and_merge(struct hosts_file *h)
{
    size_t n = 0;

    if (h->n > 1)
        qsort(h->entry, h->n, sizeof *h->entry, by_name);
    for (size_t i = 0; i < h->n; i++) {
        if (n > 0 && str_eq(h->entry[n - 1].name, h->entry[i].name))
            n--;
        h->entry[n++] = h->entry[i];
    }
    h->n = n;
}

static enum status
cannot_read(const char *path)
{
    log_error("hosts_file", "%s: %s", path, strerror(errno));
    return ST_IO;
}

static enum status
read_lines(struct hosts_file *h, const char *path, FILE *f)
{
    enum status st = ST_OK;
    size_t cap = 0, text_cap = 0, line_n = 0;
    char *text = NULL;
    ssize_t n;

    while ((n = getline(&text, &text_cap, f)) >= 0) {
        struct str line = str_n(text, (size_t)n);
        struct hosts_entry e = {.line = ++line_n};
        const char *fault;

        line = str_trim(str_sub(line, 0, str_find(line, '#', 0)));
        if (line.n == 0)
            continue;
        fault = line_n > HOSTS_FILE_MAX ? "too many lines"
                                        : parse_line(h->arena, line, &e);
        if (fault != NULL) {
            log_error("hosts_file", "%s:%zu: %s: %.*s", path, line_n, fault,
                      STRF(line));
            st = ST_USAGE;
            if (line_n > HOSTS_FILE_MAX)
                break;
            continue;
        }
        if (h->n == cap) {
            size_t more = cap == 0 ? 64 : cap * 2;

            h->entry =
                arena_grow(h->arena, h->entry, cap * sizeof e, more * sizeof e);
            cap = more;
        }
        h->entry[h->n++] = e;
    }
    free(text);
    return ferror(f) ? cannot_read(path) : st;
}

enum status
hosts_file_open(struct hosts_file **out, struct str path)
{
    struct hosts_file *h = calloc(1, sizeof *h);
    enum status st = ST_OK;
    FILE *f;

    if (h == NULL)
        return ST_NOMEM;
    h->arena = arena_new();
    if (path.n > 0) {
        char *name = arena_cstr(h->arena, path);

        if ((f = fopen(name, "r")) == NULL) {
            st = cannot_read(name);
        } else {
            st = read_lines(h, name, f);
            fclose(f);
        }
    }
    if (st != ST_OK) {
        hosts_file_close(h);
        return st;
    }
    sort_and_merge(h);
    *out = h;
    return ST_OK;
}

void
hosts_file_close(struct hosts_file *h)
{
    if (h == NULL)
        return;
    arena_free(h->arena);
    free(h);
}

size_t
hosts_file_n(const struct hosts_file *h)
{
    return h->n;
}

const struct sockaddr_storage *
hosts_file_find(const struct hosts_file *h, struct str host)
{
    size_t low = 0, high = h->n;

    while (low < high) {
        size_t mid = low + (high - low) / 2;
        int c = str_cmp(h->entry[mid].name, host);

        if (c == 0)
            return &h->entry[mid].address;
        if (c < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}
