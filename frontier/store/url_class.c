/* url_class.c -- see url_class.h.  Pure but for the arena. */
#include "url_class.h"

#include "base/hash.h"
#include "frontier/features/url_language.h"

#define FINE_CLASSES 12u   /* a host has so many before new ones are middle */
#define MIDDLE_CLASSES 24u /* ... and so many before they are coarse */
#define KEY_SIZE 256u      /* bytes of a kind before it is hashed */
#define DIRS_MAX 9u        /* more directories than this are all the same */
#define NAME_MAX_SIZE 24u  /* of a file name, extension or parameter */

struct key {
    char p[KEY_SIZE];
    size_t n;
};

static void
add_char(struct key *k, char c)
{
    if (k->n < sizeof k->p)
        k->p[k->n++] = c;
}

static void
add(struct key *k, struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        add_char(k, s.p[i]);
    add_char(k, '\n');
}

static void
add_without_digits(struct key *k, struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (!ascii_digit(s.p[i]))
            add_char(k, s.p[i]);
        else if (i == 0 || !ascii_digit(s.p[i - 1]))
            add_char(k, '0');
    }
    add_char(k, '\n');
}

struct url_parts { /* of a URL behind its authority */
    struct str dir[2];
    size_t dirs_n;
    struct key languages;
    struct str name, extension; /* of the last segment */
    struct str parameter;       /* name of the first one */
    bool query;
};

static void
read_dirs(struct url_parts *p, struct str path, size_t *last)
{
    size_t from = 1, to;

    while (from <= path.n && (to = str_find(path, '/', from)) < path.n) {
        struct str dir = str_sub(path, from, to);

        if (p->dirs_n < 2)
            p->dir[p->dirs_n] = dir;
        if (url_language_like(dir))
            add(&p->languages, dir);
        p->dirs_n++;
        from = to + 1;
    }
    *last = from;
}

static void
read_name(struct url_parts *p, struct str segment)
{
    size_t dot = segment.n, before;

    for (size_t i = 0; i < segment.n; i++)
        if (segment.p[i] == '.')
            dot = i;
    p->name = str_sub(segment, 0, dot);
    p->extension = str_sub(segment, dot, segment.n);
    if (dot == segment.n) { /* /docs/git-add/de */
        if (url_language_like(segment))
            add(&p->languages, segment);
        return;
    }
    for (before = dot; before > 0 && segment.p[before - 1] != '.'; before--)
        ;
    if (before > 0 && url_language_like(str_sub(segment, before, dot)))
        add(&p->languages, str_sub(segment, before, dot));
}

static void
read_query(struct url_parts *p, struct str query)
{
    size_t from = 0;

    p->query = true;
    p->parameter = str_sub(query, 0, str_find(query, '=', 0));
    while (from < query.n) {
        size_t to = str_find(query, '&', from);
        struct str one = str_sub(query, from, to);
        struct str value = str_sub(one, str_find(one, '=', 0) + 1, one.n);

        if (url_language_like(value))
            add(&p->languages, value);
        from = to + 1;
    }
}

static void
read_parts(struct url_parts *p, struct str rest)
{
    size_t end = 0, last, query;

    p->dirs_n = p->languages.n = 0;
    p->name = p->extension = p->parameter = S("");
    p->query = false;
    rest = str_sub(rest, 0, str_find(rest, '#', 0));
    query = str_find(rest, '?', 0);
    end = query;
    read_dirs(p, str_sub(rest, 0, end), &last);
    if (last < end)
        read_name(p, str_sub(rest, last, end));
    if (query < rest.n)
        read_query(p, str_sub(rest, query + 1, rest.n));
}

static void
add_fine(struct key *k, const struct url_parts *p)
{
    size_t digit = 0;

    for (size_t i = 0; i < 2 && i < p->dirs_n; i++)
        add_without_digits(k, p->dir[i]);
    add_char(k, (char)('0' + (p->dirs_n < DIRS_MAX ? p->dirs_n : DIRS_MAX)));
    while (digit < p->name.n && !ascii_digit(p->name.p[digit]))
        digit++;
    if (digit < p->name.n)
        add(k,
            str_sub(p->name, 0, digit < NAME_MAX_SIZE ? digit : NAME_MAX_SIZE));
    add_char(k, digit < p->name.n ? '0' : '*');
    add(k, str_sub(p->parameter, 0, NAME_MAX_SIZE));
}

static uint32_t
finish(struct key *k, const struct url_parts *p)
{
    uint32_t id;

    add(k, str_sub(p->extension, 0, NAME_MAX_SIZE));
    add_char(k, p->query ? '?' : ' ');
    add(k, str_n(p->languages.p, p->languages.n));
    id = (uint32_t)hash64(str_n(k->p, k->n));
    return id == URL_CLASS_REST ? 1 : id;
}

struct url_class_kinds
url_class_kinds(struct str rest)
{
    struct url_class_kinds kinds;
    struct url_parts p;
    struct key k;

    read_parts(&p, rest);
    for (size_t level = 0; level < URL_CLASS_LEVELS; level++) {
        k.n = 0;
        add_char(&k, (char)('0' + level));
        if (level == 0)
            add_fine(&k, &p);
        else if (level == 1 && p.dirs_n > 0)
            add_without_digits(&k, p.dir[0]);
        kinds.level[level] = finish(&k, &p);
    }
    return kinds;
}

static size_t
known(const struct url_classes *s, uint32_t kind)
{
    size_t i = 0;

    while (i < s->n && s->item[i].kind != kind)
        i++;
    return i;
}

static size_t
make(struct url_classes *s, uint32_t kind, struct arena *a)
{
    if (s->n == s->room) {
        struct url_class *old = s->item;

        s->room = s->room ? 2 * s->room : 1;
        s->item = arena_raw(a, s->room * sizeof *s->item);
        if (s->n > 0)
            memcpy(s->item, old, s->n * sizeof *old);
    }
    s->item[s->n] = (struct url_class){.kind = kind};
    return s->n++;
}

size_t
url_class_find(struct url_classes *s, const struct url_class_kinds *kinds,
               struct arena *a)
{
    static const size_t room[URL_CLASS_LEVELS] = {FINE_CLASSES, MIDDLE_CLASSES,
                                                  URL_CLASSES_MAX - 1};
    size_t i;

    for (size_t level = 0; kinds != NULL && level < URL_CLASS_LEVELS; level++) {
        if ((i = known(s, kinds->level[level])) < s->n)
            return i;
        if (s->n < room[level])
            return make(s, kinds->level[level], a);
    }
    if ((i = known(s, URL_CLASS_REST)) < s->n)
        return i;
    return make(s, URL_CLASS_REST, a); /* the last one, or of a robots.txt */
}
