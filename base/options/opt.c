/* opt.c -- see opt.h.  The rows of opt.tbl.h as data, and the four places
 * values come from: presets, an INI file, the environment, flags.  Types are
 * in opt_value.c, INI syntax in ini.c.
 *
 * Every fault is reported, up to FAULTS_MAX for each source; a value at fault
 * leaves the option as it was. */
#include "base/options/opt.h"
#include "base/memory.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/nearest.h"
#include "ini.h"
#include "opt_alias.h"
#include "opt_translator.h"
#include "opt_value.h"

#define FAULTS_MAX 50
#define FILE_SIZE_MAX (1 << 20)

extern char **environ;

const struct opt opt_table[] = {
#define OPT(sec, name, kind, when, def, lo, hi, measure, text)                 \
    {.section = #sec,                                                          \
     .key = #name,                                                             \
     .type = #kind,                                                            \
     .change = OPT_##when,                                                     \
     .preset = def,                                                            \
     .low = lo,                                                                \
     .high = hi,                                                               \
     .unit = measure,                                                          \
     .help = text,                                                             \
     .offset = offsetof(struct opts, sec##_##name)},
#include "base/options/opt.tbl.h"
#undef OPT
};
const size_t opt_table_n = sizeof opt_table / sizeof *opt_table;

static const struct opt_translator *translator; /* NULL: none */

struct opts_memory {
    struct arena *arena;
    bool *given; /* by row: set by something other than its preset */
};

/* One source being read. */
struct opt_source {
    struct opts *o;
    struct str folder; /* relative paths start here */
    unsigned faults;
    bool mark; /* faults stand among remarks and say what they are */
};

static void fault(struct opt_source *s, struct str where, unsigned line,
                  const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void
fault(struct opt_source *s, struct str where, unsigned line, const char *format,
      ...)
{
    FILE *to = s->o->faults ? s->o->faults : stderr;
    va_list args;

    if (s->faults++ >= FAULTS_MAX)
        return;
    fprintf(to, "%.*s:", STRF(where));
    if (line > 0)
        fprintf(to, "%u:", line);
    fputs(s->mark ? " fatal: " : " ", to);
    va_start(args, format);
    vfprintf(to, format, args);
    va_end(args);
    fputc('\n', to);
    if (s->faults == FAULTS_MAX)
        fprintf(to, "%.*s: more faults are not shown\n", STRF(where));
}

static struct str
working_folder(struct arena *a)
{
    char *path = getcwd(NULL, 0);
    struct memory_held held;
    struct str s;

    memory_hold(&held, free, path);
    s = arena_str(a, str_c(path ? path : "."));
    memory_let_go(&held);
    free(path);
    return s;
}

/* The absolute folder of the file at `path`. */
static struct str
folder_of(struct arena *a, struct str path)
{
    size_t n = path.n;

    while (n > 0 && path.p[n - 1] != '/')
        n--;
    if (n == 0)
        return working_folder(a);
    if (n > 1)
        n--; /* the folder / keeps its slash: //x is /x */
    if (path.p[0] == '/')
        return arena_str(a, str_sub(path, 0, n));
    return arena_printf(a, "%.*s/%.*s", STRF(working_folder(a)),
                        STRF(str_sub(path, 0, n)));
}

void
opts_init(struct opts *o)
{
    struct buf why = {0};

    *o = (struct opts){0};
    o->memory = memory_need(memory_zero(1, sizeof *o->memory));
    o->memory->arena = arena_new();
    o->memory->given = ARENA_ARRAY(o->memory->arena, bool, opt_table_n);
    for (size_t i = 0; i < opt_table_n; i++) {
        const struct setting s = {.row = &opt_table[i],
                                  .field = (char *)o + opt_table[i].offset,
                                  .text = str_c(opt_table[i].preset),
                                  .arena = o->memory->arena,
                                  .why = &why};
        bool good = opt_value_set(&s);

        assert(good); /* a preset outside of its own row's range */
        (void)good;
    }
    buf_free(&why);
}

void
opts_free(struct opts *o)
{
    if (o->memory) {
        arena_free(o->memory->arena);
        memory_free(o->memory);
    }
    *o = (struct opts){0};
}

const struct opt *
opt_find(struct str section, struct str key)
{
    key = opt_alias_key(section, key);
    for (size_t i = 0; i < opt_table_n; i++)
        if (str_eq(section, str_c(opt_table[i].section)) &&
            str_eq(key, str_c(opt_table[i].key)))
            return &opt_table[i];
    return NULL;
}

bool
opts_given(const struct opts *o, const char *section, const char *key)
{
    const struct opt *row = opt_find(str_c(section), str_c(key));

    return o->memory->given[row - opt_table];
}

static bool
section_known(struct str section)
{
    for (size_t i = 0; i < opt_table_n; i++)
        if (str_eq(section, str_c(opt_table[i].section)))
            return true;
    return false;
}

static struct str
section_near(struct str section)
{
    struct nearest near;

    nearest_init(&near, section);
    for (size_t i = 0; i < opt_table_n; i++)
        nearest_offer(&near, str_c(opt_table[i].section));
    return nearest_best(&near);
}

/* The option that may have been meant: of the same section if one is near,
 * else the key of another section. */
static const struct opt *
option_near(struct str section, struct str key)
{
    const struct opt *found = NULL;
    struct nearest near;

    for (int here = 1; here >= 0 && found == NULL; here--) {
        nearest_init(&near, key);
        for (size_t i = 0; i < opt_table_n; i++) {
            size_t before = near.distance;

            if (str_eq(section, str_c(opt_table[i].section)) != here)
                continue;
            nearest_offer(&near, str_c(opt_table[i].key));
            if (near.distance < before)
                found = &opt_table[i];
        }
    }
    return found;
}

static void
unknown_option(struct opt_source *s, struct str where, unsigned line,
               struct str section, struct str key)
{
    const struct opt *near = option_near(section, key);
    struct str other = section_near(section);
    struct buf name = {0};

    opt_value_quote(section, &name);
    buf_char(&name, '.');
    opt_value_quote(key, &name);
    if (near)
        fault(s, where, line, "%.*s: no such option, did you mean %s.%s?",
              STRF(buf_view(&name)), near->section, near->key);
    else if (!section_known(section) && other.n > 0)
        fault(s, where, line, "%.*s: no such section, did you mean %.*s?",
              STRF(buf_view(&name)), STRF(other));
    else
        fault(s, where, line,
              "%.*s: no such option (winnow config list shows all)",
              STRF(buf_view(&name)));
    buf_free(&name);
}

static void
assign(struct opt_source *s, struct str where, unsigned line,
       const struct opt *row, struct str text)
{
    struct buf why = {0}, shown = {0}, range = {0};
    const struct setting set = {.row = row,
                                .field = (char *)s->o + row->offset,
                                .text = text,
                                .folder = s->folder,
                                .arena = s->o->memory->arena,
                                .why = &why};

    s->o->memory->given[row - opt_table] = true;
    if (!opt_value_set(&set)) {
        opt_value_quote(text, &shown);
        opt_range(row, &range);
        fault(s, where, line, "%s.%s = %.*s: %.*s%s%.*s", row->section,
              row->key, STRF(buf_view(&shown)), STRF(buf_view(&why)),
              range.n ? "; allowed: " : "", STRF(buf_view(&range)));
    }
    buf_free(&why);
    buf_free(&shown);
    buf_free(&range);
}

void
opt_translator_register(const struct opt_translator *t)
{
    translator = t;
}

/* What a job of another program says in its own sections. */
static void
apply_translation(struct opt_source *s, struct str where,
                  const struct opt_translation *job)
{
    FILE *to = s->o->faults ? s->o->faults : stderr;

    for (size_t i = 0; i < job->remarks_n; i++)
        if (!job->remark[i].fault)
            fprintf(to, "%.*s:%u: %.*s\n", STRF(where), job->remark[i].line,
                    STRF(job->remark[i].text));
    s->mark = true; /* what stops the job comes last */
    for (size_t i = 0; i < job->settings_n; i++)
        assign(s, where, job->setting[i].line, job->setting[i].row,
               job->setting[i].value);
    for (size_t i = 0; i < job->remarks_n; i++)
        if (job->remark[i].fault)
            fault(s, where, job->remark[i].line, "%.*s",
                  STRF(job->remark[i].text));
}

enum status
opts_read_text(struct opts *o, const char *name, struct str text)
{
    struct arena *a = arena_new();
    unsigned *line_of = ARENA_ARRAY(a, unsigned, opt_table_n);
    struct str where = str_c(name);
    struct opt_source s = {.o = o, .folder = folder_of(a, where)};
    struct ini ini = {.rest = text};
    struct opt_translation job = {0};
    bool translated =
        translator != NULL && translator->translate(&job, a, text, s.folder);
    struct ini_entry e;

    if (translated)
        apply_translation(&s, where, &job);
    while (s.faults < FAULTS_MAX && ini_next(&ini, a, &e)) {
        const struct opt *row = opt_find(e.section, e.key);

        if (e.kind == INI_FAULT) {
            fault(&s, where, e.line, "%s", e.fault);
        } else if (translated && translator->owns(&job, e.section)) {
            continue;
        } else if (e.kind == INI_SECTION) {
            struct str near = section_near(e.section);

            if (section_known(e.section))
                continue;
            fault(&s, where, e.line, "[%.*s]: no such section%s%.*s%s",
                  STRF(str_sub(e.section, 0, NEAREST_SIZE_MAX)),
                  near.n ? ", did you mean [" : "", STRF(near),
                  near.n ? "]?" : "");
        } else if (row == NULL) {
            if (section_known(e.section)) /* else it was reported above */
                unknown_option(&s, where, e.line, e.section, e.key);
        } else if (line_of[row - opt_table] > 0) {
            fault(&s, where, e.line, "%s.%s is given twice, first in line %u",
                  row->section, row->key, line_of[row - opt_table]);
        } else {
            line_of[row - opt_table] = e.line;
            assign(&s, where, e.line, row, e.value);
        }
    }
    arena_free(a);
    return s.faults ? ST_USAGE : ST_OK;
}

static enum status
unreadable(struct opts *o, const char *path, const char *why)
{
    fprintf(o->faults ? o->faults : stderr, "%s: %s\n", path, why);
    return ST_IO;
}

enum status
opts_read_file(struct opts *o, const char *path)
{
    struct buf text = {0};
    struct stat sb;
    enum status st = stat(path, &sb) == 0 && S_ISDIR(sb.st_mode)
                         ? ST_INVALID
                         : file_read(&text, path, FILE_SIZE_MAX);

    if (st == ST_INVALID)
        st = unreadable(o, path, "is a folder, not a job file");
    else if (st == ST_LIMIT)
        st = unreadable(o, path, "larger than 1 MiB: not a job file");
    else if (st != ST_OK)
        st = unreadable(o, path, strerror(errno));
    else if (text.n > 0 && memchr(text.p, 0, text.n))
        st = unreadable(o, path, "a binary file, not a job file");
    else
        st = opts_read_text(o, path, buf_view(&text));
    buf_free(&text);
    return st;
}

/* WINNOW_FETCH_PARALLEL to "fetch" and "parallel"; sections hold no _. */
static bool
environment_name(struct arena *a, struct str name, struct str *section,
                 struct str *key)
{
    char *low;
    size_t at;

    if (!str_starts(name, S("WINNOW_")))
        return false;
    name = str_sub(name, 7, name.n);
    low = arena_cstr(a, name);
    for (size_t i = 0; i < name.n; i++)
        low[i] = ascii_lower(low[i]);
    name.p = low;
    at = str_find(name, '_', 0);
    *section = str_sub(name, 0, at);
    *key = str_sub(name, at + 1, name.n);
    return section_known(*section); /* others are not options */
}

enum status
opts_read_env(struct opts *o)
{
    struct arena *a = arena_new();
    struct opt_source s = {.o = o, .folder = working_folder(a)};

    for (char **e = environ; *e; e++) {
        struct str value = str_c(*e), name = S(""), section, key;
        const struct opt *row;

        str_cut(&value, '=', &name);
        if (!environment_name(a, name, &section, &key))
            continue;
        if ((row = opt_find(section, key)) != NULL)
            assign(&s, name, 0, row, str_trim(value));
        else
            unknown_option(&s, name, 0, section, key);
    }
    arena_free(a);
    return s.faults ? ST_USAGE : ST_OK;
}

enum status
opts_set(struct opts *o, const char *where, struct str assignment)
{
    struct arena *a = arena_new();
    struct opt_source s = {.o = o, .folder = working_folder(a)};
    size_t equals = str_find(assignment, '=', 0);
    struct str name = str_trim(str_sub(assignment, 0, equals));
    struct str value = str_trim(str_sub(assignment, equals + 1, assignment.n));
    size_t dot = str_find(name, '.', 0);
    const struct opt *row;

    if (equals == assignment.n || dot == name.n) {
        struct buf shown = {0};

        opt_value_quote(assignment, &shown);
        fault(&s, str_c(where), 0, "%.*s: not section.key=value",
              STRF(buf_view(&shown)));
        buf_free(&shown);
    } else if ((row = opt_find(str_sub(name, 0, dot),
                               str_sub(name, dot + 1, name.n))) != NULL) {
        assign(&s, str_c(where), 0, row, value);
    } else {
        unknown_option(&s, str_c(where), 0, str_sub(name, 0, dot),
                       str_sub(name, dot + 1, name.n));
    }
    arena_free(a);
    return s.faults ? ST_USAGE : ST_OK;
}

enum status
opts_assign(struct opts *o, const char *where, const struct opt *row,
            struct str value)
{
    struct opt_source s = {.o = o, .folder = S("/")};

    assign(&s, str_c(where), 0, row, value);
    return s.faults ? ST_USAGE : ST_OK;
}

void
opts_copy(struct opts *to, const struct opts *from, const struct opt *row)
{
    struct buf text = {0}, why = {0};
    struct setting set = {.row = row,
                          .field = (char *)to + row->offset,
                          .folder = S("/"),
                          .arena = to->memory->arena,
                          .why = &why};
    bool good;

    opt_value_show(row, (const char *)from + row->offset, &text);
    set.text = buf_view(&text);
    good = opt_value_set(&set);
    assert(good); /* it was a value */
    (void)good;
    buf_free(&text);
    buf_free(&why);
}

void
opts_show(const struct opts *o, const struct opt *row, struct buf *out)
{
    struct buf text = {0};

    opt_value_show(row, (const char *)o + row->offset, &text);
    ini_show(buf_view(&text), out);
    buf_free(&text);
}

bool
opt_list_has(const struct opt_list *list, struct str word)
{
    for (size_t i = 0; i < list->n; i++)
        if (str_eq(list->item[i], word))
            return true;
    return false;
}

bool
opt_is_fact(const struct opt *row)
{
    return row->change == OPT_CORPUS && strcmp(row->type, "path") != 0 &&
           strcmp(row->type, "paths") != 0 && strcmp(row->type, "data") != 0;
}

void
opts_show_assignment(const struct opts *o, const struct opt *row,
                     struct buf *out)
{
    buf_printf(out, "%s.%s=", row->section, row->key);
    opt_value_show(row, (const char *)o + row->offset, out);
}

void
opts_show_line(const struct opts *o, const struct opt *row, struct buf *out)
{
    buf_printf(out, "%s.%s = ", row->section, row->key);
    opts_show(o, row, out);
    buf_char(out, '\n');
}

bool
opts_same(const struct opts *a, const struct opts *b, const struct opt *row)
{
    struct buf x = {0}, y = {0};
    bool same;

    opts_show(a, row, &x);
    opts_show(b, row, &y);
    same = str_eq(buf_view(&x), buf_view(&y));
    buf_free(&x);
    buf_free(&y);
    return same;
}

bool
opts_equal(const struct opts *a, const struct opts *b)
{
    bool equal = true;

    for (size_t i = 0; i < opt_table_n && equal; i++)
        equal = opts_same(a, b, &opt_table[i]);
    return equal;
}
