/* texrex_value.c -- see texrex_value.h.  Ranges are those of our options; what
 * is no value at all is left to them to refuse. */
#include "texrex_value.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/path.h"

int
texrex_truth(struct str value)
{
    static const char *const words[2][4] = {{"0", "false", "no", "off"},
                                            {"1", "true", "yes", "on"}};

    for (int truth = 0; truth < 2; truth++)
        for (size_t i = 0; i < 4; i++)
            if (str_eq_nocase(value, str_c(words[truth][i])))
                return truth;
    return -1;
}

static struct str
absolute(const struct texrex_place *at, struct str path)
{
    char *here;

    if (path.n == 0 || path.p[0] == '/')
        return arena_str(at->arena, path);
    here = getcwd(NULL, 0);
    path = arena_printf(at->arena, "%s/%.*s", here ? here : ".", STRF(path));
    free(here);
    return path;
}

static bool
is_there(struct arena *a, struct str path)
{
    return access(arena_cstr(a, path), F_OK) == 0;
}

struct str
texrex_input(const struct texrex_place *at, struct str path, bool *there)
{
    const char *data = getenv("TEXREXDATA");
    struct arena *a = at->arena;
    struct str first = absolute(at, path), found[2];
    size_t n = 0;

    *there = true;
    if (path.n == 0 || is_there(a, first) || strpbrk(first.p, "*?[") != NULL)
        return first;
    if (path.p[0] != '/')
        found[n++] = arena_printf(a, "%.*s/%.*s", STRF(at->folder), STRF(path));
    if (data != NULL)
        found[n++] = arena_printf(a, "%s/%.*s", data, STRF(path_base(path)));
    for (size_t i = 0; i < n; i++)
        if (is_there(a, found[i]))
            return found[i];
    *there = false;
    return first;
}

/* A number brought into the row's range; text that is none stays. */
static struct str
within(struct arena *a, const struct opt *row, struct str value)
{
    double v;

    if (!str_real(value, &v) || row->low >= row->high)
        return value;
    if (v >= row->low && v <= row->high)
        return value;
    v = v < row->low ? row->low : row->high;
    return arena_printf(a, v < 1 ? "%g" : "%.0f", v);
}

static const char *
scaled(struct arena *a, const struct opt *row, struct str value,
       uint64_t factor, struct str *out)
{
    uint64_t v;

    if (!str_u64(value, &v) || v > UINT64_MAX / 1024 / 1024)
        return "not a whole number";
    *out = within(a, row, arena_printf(a, "%" PRIu64, v * factor));
    return NULL;
}

/* The first or second word of `words`. */
static const char *
choice(struct str words, struct str value, struct str *out)
{
    int truth = texrex_truth(value);

    if (truth < 0)
        return "neither 0 nor 1";
    str_word(&words, out);
    if (truth == 1)
        str_word(&words, out);
    return NULL;
}

static bool
has_item(struct str list, struct str item)
{
    struct str one;

    while (str_cut(&list, '|', &one))
        if (str_eq_nocase(str_trim(one), item))
            return true;
    return false;
}

/* Is it a name of [output] xml_doc_meta? */
static bool
is_fact(struct str name)
{
    struct str rest = str_c(opt_find(S("output"), S("xml_doc_meta"))->unit),
               one;

    while (str_cut(&rest, '|', &one))
        if (str_eq(one, name))
            return true;
    return false;
}

static bool
has_word(struct str list, struct str word)
{
    struct str one;

    while (str_word(&list, &one))
        if (str_eq(one, word))
            return true;
    return false;
}

/* One of texrex's names of metadata in our words.  Its date is that of the ARC
 * record. */
static struct str
fact(const struct texrex_place *at, struct str name)
{
    char *low = arena_cstr(at->arena, name);
    struct str lower = str_n(low, name.n);

    for (size_t i = 0; i < name.n; i++)
        low[i] = ascii_lower(low[i]);
    if (has_item(at->headers, name))
        return arena_printf(at->arena, "header-%.*s", STRF(lower));
    if (at->walks && str_eq(lower, S("date")))
        return S("header-date");
    if (is_fact(lower) && !has_word(at->unknown, lower))
        return str_eq(lower, S("date")) ? S("texrex-date") : lower;
    return arena_printf(at->arena, "unknown-%.*s", STRF(lower));
}

/* The same of divisions. */
static struct str
block_fact(const struct texrex_place *at, struct str name)
{
    struct str rest =
        str_c(opt_find(S("output"), S("xml_block_attributes"))->unit);

    if (has_item(rest, name) && str_find(name, '*', 0) == name.n)
        return name;
    return arena_printf(at->arena, "unknown-%.*s", STRF(name));
}

static struct str
bar_list(const struct texrex_place *at, enum texrex_how how, struct str value)
{
    struct buf list = {0};
    struct str one, done;

    while (str_cut(&value, '|', &one)) {
        one = str_trim(one);
        if (how == TEXREX_FACTS && one.n > 0)
            one = fact(at, one);
        if (how == TEXREX_OF_BLOCKS && one.n > 0)
            one = block_fact(at, one);
        if (one.n == 0 || has_word(buf_view(&list), one))
            continue;
        if (list.n > 0)
            buf_char(&list, ' ');
        buf_str(&list, one);
    }
    done = arena_str(at->arena, buf_view(&list));
    buf_free(&list);
    return done;
}

static const char *
path_value(enum texrex_how how, struct str value, const struct texrex_place *at,
           struct str *out)
{
    bool there;

    if (how == TEXREX_OUTPUT) {
        *out = absolute(at, value);
    } else {
        *out = texrex_input(at, value, &there);
        if (!there)
            return "no such file, neither here nor in the job's folder nor in "
                   "TEXREXDATA";
    }
    return NULL;
}

/* URLs of the hosts that a regular expression matches whole. */
static struct str
scope_of(struct arena *a, struct str hosts)
{
    return arena_printf(a, "^https?://(?:%.*s)(?::[0-9]+)?/", STRF(hosts));
}

static const char *
reader(struct str value, struct str *out)
{
    if (str_eq_nocase(value, S("TTrArcReader")))
        *out = S("arc");
    else if (str_eq_nocase(value, S("TTrWarcReader")))
        *out = S("warc");
    else
        return "there are TTrArcReader and TTrWarcReader";
    return NULL;
}

const char *
texrex_value(enum texrex_how how, const struct opt *row, struct str argument,
             struct str value, const struct texrex_place *at, struct str *out)
{
    struct arena *a = at->arena;

    *out = value;
    switch (how) {
    case TEXREX_NUMBER: *out = within(a, row, value); break;
    case TEXREX_KIB: return scaled(a, row, value, 1024, out);
    case TEXREX_SECONDS: return scaled(a, row, value, 1000, out);
    case TEXREX_FLAG: return choice(S("off on"), value, out);
    case TEXREX_CHOICE: return choice(argument, value, out);
    case TEXREX_WALKER:
        if (!str_eq_nocase(value, S("TTrWalker")))
            return "there is no walker but TTrWalker";
        *out = S("walk");
        break;
    case TEXREX_LIST:
    case TEXREX_FACTS:
    case TEXREX_OF_BLOCKS: *out = bar_list(at, how, value); break;
    case TEXREX_READER: return reader(value, out);
    case TEXREX_STATS:
        *out = absolute(at, arena_printf(a, "%.*s.log", STRF(value)));
        break;
    case TEXREX_INPUT:
    case TEXREX_NETWORK:
    case TEXREX_GEO:
    case TEXREX_OUTPUT: return path_value(how, value, at, out);
    case TEXREX_STARTING:
        if (value.n > 0)
            *out = arena_printf(a, "\\A(?:%.*s)", STRF(value));
        break;
    case TEXREX_HOSTS:
        if (value.n > 0)
            *out = scope_of(a, value);
        break;
    case TEXREX_BLOCKED:
        *out = scope_of(a, at->hosts.n > 0 ? at->hosts : S(".*"));
        if (value.n > 0)
            *out = arena_printf(a, "%.*s%s(?:%.*s)(?:[?#]|$))", STRF(*out),
                                "(?!(?:[^/?#]*/)*(?=[^/?#]*(?:[?#]|$))",
                                STRF(value));
        break;
    default: break;
    }
    return NULL;
}
