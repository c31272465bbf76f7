/* seeds.c -- one seed a line of the file, each looked at by itself. */
#include "seeds.h"

#include "base/log.h"
#include "base/url/url.h"
#include "clean/scope/list_file.h"
#include "outlinks.h"

#define REPORTS_MAX 20 /* bad lines that are shown one by one */

struct seed_reader {
    struct seeds *out;
    struct arena *a;
    const struct scope *scope;
    uint64_t url_size_max;
    size_t cap;
};

/* A second column, a file with other ends of lines or packed: of a tab or a
 * carriage return a URL would be parsed without it. */
static bool
has_control(struct str text)
{
    for (size_t i = 0; i < text.n; i++)
        if ((unsigned char)text.p[i] < ' ')
            return true;
    return false;
}

static const char *
check(struct seed_reader *r, struct str text, struct url *u)
{
    if (r->out->n == SEEDS_MAX)
        return "too many seeds";
    if (has_control(text))
        return "a tab or another control character (one URL a line, as text)";
    if (url_parse_plain(u, r->a, text, NULL) != ST_OK)
        return "not an absolute http or https URL (https://www.site.example/)";
    if (u->href.n > r->url_size_max)
        return "longer than frontier.url_size_max";
    if (!scope_admits(r->scope, u->href, u->host))
        return "not in scope (see [scope] in the job)";
    return NULL;
}

/* For the log: nothing that may be user:password@. */
static struct str
shown(struct str text)
{
    size_t at = text.n;

    while (at > 0 && text.p[at - 1] != '@')
        at--;
    return str_sub(str_sub(text, at, text.n), 0, 200);
}

static void
take(struct seed_reader *r, const char *where, size_t line, struct str text)
{
    struct url u;
    const char *fault = check(r, text, &u);

    if (fault != NULL) {
        if (r->out->bad++ < REPORTS_MAX)
            log_warn("seeds", "%s:%zu: %s: %.*s", where, line, fault,
                     STRF(shown(text)));
        return;
    }
    if (r->out->n == r->cap) {
        size_t more = r->cap == 0 ? 64 : r->cap * 2;

        r->out->link =
            arena_grow(r->a, r->out->link, r->cap * sizeof *r->out->link,
                       more * sizeof *r->out->link);
        r->cap = more;
    }
    r->out->link[r->out->n] = (struct frontier_link){0};
    outlink_fill(&r->out->link[r->out->n++], u.href);
}

/* ---- of a file ---- */

struct seed_file {
    struct seed_reader *to;
    const char *path;
};

static void
take_line(void *self, size_t line, struct str text)
{
    const struct seed_file *f = self;

    take(f->to, f->path, line, text);
}

static enum status
read_file(struct seed_reader *r, const char *path, const char *from)
{
    struct seed_file f = {r, path};

    return list_file_read("seeds", path, from, take_line, &f);
}

static struct seed_reader
reader(struct seeds *out, struct arena *a, const struct opts *o,
       const struct scope *s)
{
    *out = (struct seeds){0};
    return (struct seed_reader){.out = out,
                                .a = a,
                                .scope = s,
                                .url_size_max = o->frontier_url_size_max};
}

static void
say_bad(const struct seeds *s)
{
    if (s->bad > 0)
        log_warn("seeds", "skipped=%zu used=%zu", s->bad, s->n);
}

enum status
seeds_read_file(struct seeds *out, struct arena *a, const struct opts *o,
                const char *path, const char *from, const struct scope *s)
{
    struct seed_reader r = reader(out, a, o, s);
    enum status st = read_file(&r, path, from);

    say_bad(out);
    return st;
}

enum status
seeds_read(struct seeds *out, struct arena *a, const struct opts *o,
           const char *const *flags, size_t flags_n, const struct scope *s)
{
    struct seed_reader r = reader(out, a, o, s);
    enum status st = ST_OK;

    if (o->seeds_file.n > 0)
        st = read_file(&r, arena_cstr(a, o->seeds_file), "seeds.file");
    for (size_t i = 0; i < o->seeds_url.n; i++)
        take(&r, "seeds.url", i + 1, o->seeds_url.item[i]);
    for (size_t i = 0; i < flags_n; i++)
        take(&r, "--seed", i + 1, str_c(flags[i]));
    say_bad(out);
    return st;
}

void
seeds_read_words(struct seeds *s, const struct link_words_model *words)
{
    for (size_t i = 0; i < s->n; i++)
        s->link[i].words = link_words_of(words, S(""), s->link[i].url);
}
