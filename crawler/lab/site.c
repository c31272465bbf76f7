/* site.c -- see site.h.
 *
 * A URL is outside input: its path is decoded, brought to a form without dot
 * segments and refused when it would leave its host's folder or holds a NUL,
 * before any file is looked at.  Hosts are matched against the list read at the
 * start, never against the file system. */
#include "site.h"

#include "base/buf.h"
#include "base/log.h"
#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct site {
    struct arena *arena;
    struct str dir;
    struct str *host; /* sorted */
    size_t hosts_n;
};

/* ---- hosts ---- */

static int
by_name(const void *x, const void *y)
{
    return str_cmp(*(const struct str *)x, *(const struct str *)y);
}

static bool
is_folder(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static void
add_host(struct site *s, const char *name, size_t *cap)
{
    struct buf path = {0};

    buf_printf(&path, "%.*s/%s", STRF(s->dir), name);
    buf_char(&path, '\0');
    if (is_folder(path.p)) {
        if (s->hosts_n == *cap) {
            size_t more = *cap ? 2 * *cap : 64;

            s->host = arena_grow(s->arena, s->host, *cap * sizeof *s->host,
                                 more * sizeof *s->host);
            *cap = more;
        }
        s->host[s->hosts_n++] = arena_str(s->arena, str_c(name));
    }
    buf_free(&path);
}

enum status
site_open(struct site **out, const char *dir)
{
    struct site *s;
    struct dirent *e;
    size_t cap = 0;
    DIR *d = opendir(dir);

    *out = NULL;
    if (d == NULL) {
        log_error("lab", "--web %s: %s", dir, strerror(errno));
        return ST_USAGE;
    }
    s = memory_need(calloc(1, sizeof *s));
    s->arena = arena_new();
    s->dir = arena_str(s->arena, str_c(dir));
    while ((e = readdir(d)) != NULL)
        if (e->d_name[0] != '.')
            add_host(s, e->d_name, &cap);
    closedir(d);
    if (s->hosts_n == 0) {
        log_error("lab",
                  "--web %s: no sites in it; give a folder with one folder a "
                  "host (DIR/<host>/<path>) or a recorded web",
                  dir);
        site_close(s);
        return ST_USAGE;
    }
    qsort(s->host, s->hosts_n, sizeof *s->host, by_name);
    *out = s;
    return ST_OK;
}

void
site_close(struct site *s)
{
    if (s == NULL)
        return;
    arena_free(s->arena);
    free(s);
}

const struct str *
site_hosts(const struct site *s, size_t *n)
{
    *n = s->hosts_n;
    return s->host;
}

bool
site_has_host(const struct site *s, struct str host)
{
    return bsearch(&host, s->host, s->hosts_n, sizeof *s->host, by_name) !=
           NULL;
}

/* ---- paths ---- */

/* False: a NUL, or half of an escape. */
static bool
decode(struct buf *out, struct str path)
{
    for (size_t i = 0; i < path.n; i++) {
        char c = path.p[i];

        if (c == '%') {
            int byte = str_percent(path, i);

            if (byte < 0)
                return false;
            c = (char)byte;
            i += 2;
        }
        if (c == '\0')
            return false;
        buf_char(out, c);
    }
    return true;
}

/* Take "." and "..", and empty segments, out of a path that starts with '/'.
 * False: it leads above the root. */
static bool
flatten(struct buf *path)
{
    size_t to = 0, from = 0, n = path->n;

    while (from < n) {
        size_t end = from + 1;
        struct str part;

        while (end < n && path->p[end] != '/')
            end++;
        part = str_n(path->p + from + 1, end - from - 1);
        if (str_eq(part, S("..")) && to == 0)
            return false;
        if (str_eq(part, S(".."))) {
            while (path->p[--to] != '/')
                ;
            if (end == n)
                path->p[to++] = '/';
        } else if (end == n || (part.n > 0 && !str_eq(part, S(".")))) {
            size_t keep = str_eq(part, S(".")) ? 1 : end - from;

            memmove(path->p + to, path->p + from, keep);
            to += keep;
        }
        from = end;
    }
    path->n = to;
    return true;
}

/* ---- looking for the file ---- */

struct look {
    const struct site *site;
    struct str host, path; /* decoded, without dot segments */
    struct buf full;
};

enum path_kind { NOTHING, FILE_THERE, FOLDER };

static enum path_kind
there(struct look *l, const char *suffix, struct str more)
{
    struct stat st;

    buf_clear(&l->full);
    buf_printf(&l->full, "%.*s/%.*s", STRF(l->site->dir), STRF(l->host));
    buf_str(&l->full, l->path);
    buf_c(&l->full, suffix);
    buf_str(&l->full, more);
    if (more.n > 0)
        buf_c(&l->full, ".html");
    buf_char(&l->full, '\0');
    if (stat(l->full.p, &st) != 0)
        return NOTHING;
    if (S_ISREG(st.st_mode) && l->path.p[l->path.n - 1] == '/' &&
        suffix[0] == '\0' && more.n == 0)
        return NOTHING;
    return S_ISREG(st.st_mode)   ? FILE_THERE
           : S_ISDIR(st.st_mode) ? FOLDER
                                 : NOTHING;
}

static bool
first_file(struct look *l, const char *const *suffixes)
{
    for (; *suffixes != NULL; suffixes++)
        if (there(l, *suffixes, S("")) == FILE_THERE)
            return true;
    return false;
}

/* A query's characters stand in file names as they are; one with a slash or a
 * NUL names no file. */
static unsigned
find_query(struct look *l, struct str query)
{
    static const char *const plain[] = {"", ".html", "/index.html",
                                        "/index.htm", NULL};
    static const char *const in_folder[] = {"index.html", "index.htm", NULL};
    bool slash = l->path.p[l->path.n - 1] == '/';

    if (str_find(query, '/', 0) == query.n &&
        (there(l, "@", query) == FILE_THERE ||
         there(l, "index.html@", query) == FILE_THERE))
        return 200;
    return first_file(l, slash ? in_folder : plain) ? 200 : 404;
}

static unsigned
find(struct look *l)
{
    static const char *const early[] = {"", ".html", NULL};
    static const char *const late[] = {".htm", ".en.html", NULL};
    static const char *const index[] = {
        "index.html",  "index.htm", "Index.html",    "index.shtml",
        "index.xhtml", "home.html", "index.en.html", NULL};
    bool slash = l->path.p[l->path.n - 1] == '/';

    if (first_file(l, early))
        return 200;
    if (there(l, "", S("")) == FOLDER) {
        if (!slash)
            return 301;
        return first_file(l, index) ? 200 : 403;
    }
    return first_file(l, late) ? 200 : 404;
}

/* ---- the answer ---- */

static struct str
type_of(struct str file)
{
    static const struct {
        struct str type, endings;
    } types[] = {
        {STR("application/xhtml+xml"), STR("xhtml")},
        {STR("text/plain"), STR("txt md")},
        {STR("text/xml"), STR("xml")},
        {STR("application/rss+xml"), STR("rss")},
        {STR("application/atom+xml"), STR("atom")},
        {STR("application/pdf"), STR("pdf")},
        {STR("application/msword"), STR("doc")},
        {STR("application/rtf"), STR("rtf")},
        {STR("application/vnd.openxmlformats-officedocument.wordprocessingml."
             "document"),
         STR("docx")},
    };
    size_t dot = file.n;
    struct str ending;

    while (dot > 0 && file.p[dot - 1] != '.' && file.p[dot - 1] != '/')
        dot--;
    if (dot == 0 || file.p[dot - 1] == '/')
        return S("text/html");
    ending = str_sub(file, dot, file.n);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        struct str rest = types[i].endings, word;

        while (str_word(&rest, &word))
            if (str_eq_nocase(word, ending))
                return types[i].type;
    }
    return S("text/html");
}

static enum status
read_body(struct look *l, struct arena *a, size_t max, struct str *out)
{
    struct stat st;
    int fd = open(l->full.p, O_RDONLY | O_CLOEXEC);
    char *p = NULL;
    size_t n = 0, want = 0;
    ssize_t got = 0;

    if (fd >= 0 && fstat(fd, &st) == 0) {
        want = (size_t)st.st_size < max ? (size_t)st.st_size : max;
        p = arena_raw(a, want + 1);
        while (n < want && (got = read(fd, p + n, want - n)) > 0)
            n += (size_t)got;
    }
    if (fd >= 0)
        close(fd);
    if (p == NULL || got < 0) {
        log_error("lab", "%s: %s", l->full.p, strerror(errno));
        return ST_IO;
    }
    *out = str_n(p, n);
    return ST_OK;
}

/* The path with a slash more, escaped so that a URL parser reads it back. */
static struct str
folder_location(struct arena *a, struct str path)
{
    struct buf b = {0};
    struct str out;

    for (size_t i = 0; i < path.n; i++) {
        unsigned char c = (unsigned char)path.p[i];

        if (c <= ' ' || c >= 127 || strchr("%?#\"<>\\^`{|}", c) != NULL)
            buf_printf(&b, "%%%02X", c);
        else
            buf_char(&b, (char)c);
    }
    buf_char(&b, '/');
    out = arena_str(a, buf_view(&b));
    buf_free(&b);
    return out;
}

enum status
site_get(const struct site *s, struct arena *a, const struct url *url,
         size_t body_max, struct site_answer *out)
{
    struct look l = {.site = s, .host = url->host};
    struct buf path = {0};
    enum status st = ST_OK;

    *out = (struct site_answer){.status = 421};
    if (!site_has_host(s, url->host))
        return ST_OK;
    out->status = 404;
    if (decode(&path, url->path) && flatten(&path) && path.n > 0) {
        l.path = buf_view(&path);
        out->status = url->query.n > 0 ? find_query(&l, url->query) : find(&l);
    }
    if (out->status == 301) {
        out->location = folder_location(a, l.path);
    } else if (out->status == 200) {
        out->file = arena_str(
            a, str_sub(str_n(l.full.p, l.full.n - 1), s->dir.n + 1, l.full.n));
        out->content_type = type_of(out->file);
        st = read_body(&l, a, body_max, &out->body);
    }
    buf_free(&path);
    buf_free(&l.full);
    return st;
}
