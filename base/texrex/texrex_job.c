/* texrex_job.c -- see texrex_job.h.
 *
 * The file is read once into entries; then the rows of texrex.tbl.h are gone
 * through in their order, each with its entry, if there is one.  So what a job
 * means does not depend on the order of its lines.
 *
 * A row whose section is switched off (UseSimpleFilter=0) takes its "off"
 * value, one without an entry its "absent" value if the job has that section at
 * all.  Lists that several keys add to or take from are collected and set at
 * the end. */
#include "texrex_job.h"

#include "base/buf.h"
#include "base/nearest.h"
#include "base/options/ini.h"
#include "texrex_impl.h"

struct key_row {
    const char *section, *key;
    enum texrex_how how;
    const char *target, *argument, *absent, *off;
};

static const struct key_row rows[] = {
#define TEXREX(section, key, how, target, argument, absent, off)               \
    {section, key, TEXREX_##how, target, argument, absent, off},
#include "texrex.tbl.h"
#undef TEXREX
};

#define ROWS_N (sizeof rows / sizeof *rows)
#define LISTS_MAX 8u
#define WORDS_MAX 64u

struct job_entry {
    struct str value;
    unsigned line; /* 0: not there */
};

/* A list that keys add to and take from. */
struct word_list {
    const struct opt *row;
    struct str word[WORDS_MAX];
    size_t n;
    unsigned line;
};

struct job_reading {
    struct opt_translation *job;
    struct texrex_place at;
    struct str text;
    struct job_entry entry[ROWS_N];
    bool present[ROWS_N]; /* the row's section is in the file */
    struct word_list list[LISTS_MAX];
    size_t lists_n;
};

/* Sections by names of earlier versions. */
static struct str
section_today(struct str section)
{
    if (str_eq_nocase(section, S("TTrArcReaderPool")) ||
        str_eq_nocase(section, S("TTrWarcReaderPool")))
        return S("TTrReaderPool");
    if (str_eq_nocase(section, S("TTrMetaExatrctor"))) /* in the manual */
        return S("TTrMetaExtractor");
    return section;
}

static bool
is_texrex(struct str section)
{
    return str_starts_nocase(section, S("TTr"));
}

static const struct opt *
target_of(const struct key_row *row)
{
    struct str target = str_c(row->target);
    size_t dot = str_find(target, '.', 0);

    return opt_find(str_sub(target, 0, dot),
                    str_sub(target, dot + 1, target.n));
}

/* The row of a key, -1: none.  A walker has keys of workers and writers. */
static int
find_row(struct str section, struct str key)
{
    static const char *const also[] = {"TTrWorkerPool", "TTrWriterPool"};

    section = section_today(section);
    for (size_t i = 0; i < ROWS_N; i++)
        if (rows[i].key[0] != '\0' &&
            str_eq_nocase(section, str_c(rows[i].section)) &&
            str_eq_nocase(key, str_c(rows[i].key)))
            return (int)i;
    for (size_t k = 0; k < 2 && str_eq_nocase(section, S("TTrWalker")); k++) {
        int i = find_row(str_c(also[k]), key);

        if (i >= 0)
            return i;
    }
    return -1;
}

static bool
section_known(struct str section)
{
    section = section_today(section);
    for (size_t i = 0; i < ROWS_N; i++)
        if (str_eq_nocase(section, str_c(rows[i].section)))
            return true;
    return false;
}

static void
unknown_section(struct job_reading *r, unsigned line, struct str section)
{
    struct nearest near;

    nearest_init(&near, section);
    for (size_t i = 0; i < ROWS_N; i++)
        nearest_offer(&near, str_c(rows[i].section));
    section = str_sub(section, 0, NEAREST_SIZE_MAX);
    if (nearest_best(&near).n > 0)
        texrex_remark(r->job, r->at.arena, line, true,
                      "[%.*s]: no such section, did you mean [%.*s]?",
                      STRF(section), STRF(nearest_best(&near)));
    else
        texrex_remark(r->job, r->at.arena, line, true,
                      "[%.*s]: no such section of texrex", STRF(section));
}

static void
unknown_key(struct job_reading *r, const struct ini_entry *e)
{
    struct str section = section_today(e->section);
    struct str key = str_sub(e->key, 0, NEAREST_SIZE_MAX);
    struct nearest near;

    nearest_init(&near, e->key);
    for (size_t i = 0; i < ROWS_N; i++)
        if (str_eq_nocase(section, str_c(rows[i].section)))
            nearest_offer(&near, str_c(rows[i].key));
    if (nearest_best(&near).n > 0)
        texrex_remark(r->job, r->at.arena, e->line, true,
                      "%.*s.%.*s: no such option, did you mean %.*s?",
                      STRF(section), STRF(key), STRF(nearest_best(&near)));
    else
        texrex_remark(r->job, r->at.arena, e->line, true,
                      "%.*s.%.*s: no such option of texrex", STRF(section),
                      STRF(key));
}

static void
take_entry(struct job_reading *r, const struct ini_entry *e)
{
    int i = find_row(e->section, e->key);

    if (i < 0)
        unknown_key(r, e);
    else if (r->entry[i].line > 0)
        texrex_remark(r->job, r->at.arena, e->line, true,
                      "%s.%s is given twice, first in line %u", rows[i].section,
                      rows[i].key, r->entry[i].line);
    else
        r->entry[i] = (struct job_entry){e->value, e->line};
}

static void
mark_present(struct job_reading *r, struct str section)
{
    bool walker = str_eq_nocase(section, S("TTrWalker"));

    section = section_today(section);
    for (size_t i = 0; i < ROWS_N; i++)
        if (str_eq_nocase(section, str_c(rows[i].section)) ||
            (walker && rows[i].how == TEXREX_USE))
            r->present[i] = true;
}

/* Whether there is a section of texrex at all. */
static bool
read_entries(struct job_reading *r)
{
    struct ini ini = {.rest = r->text};
    struct ini_entry e;
    bool found = false;

    while (ini_next(&ini, r->at.arena, &e)) {
        if (e.kind == INI_FAULT || !is_texrex(e.section))
            continue; /* faults are the caller's to report */
        found = true;
        mark_present(r, e.section);
        if (e.kind == INI_SECTION && !section_known(e.section))
            unknown_section(r, e.line, e.section);
        else if (e.kind == INI_VALUE && section_known(e.section))
            take_entry(r, &e);
    }
    return found;
}

static const struct job_entry *
entry_of(const struct job_reading *r, const char *section, const char *key)
{
    return &r->entry[find_row(str_c(section), str_c(key))];
}

/* Switched off by a row that says whether the section is used. */
static bool
is_off(const struct job_reading *r, const char *section)
{
    for (size_t i = 0; i < ROWS_N; i++)
        if (rows[i].how == TEXREX_USE &&
            strcmp(rows[i].argument, section) == 0) {
            if (r->entry[i].line > 0)
                return texrex_truth(r->entry[i].value) != 1;
            return r->present[i];
        }
    return false;
}

/* In training mode nothing is judged, and nothing filtered by it. */
static bool
is_training(const struct job_reading *r)
{
    return texrex_truth(
               entry_of(r, "TTrDeboilerplater", "TrainingMode")->value) == 1;
}

static struct word_list *
list_of(struct job_reading *r, const struct opt *row)
{
    struct str rest = str_c(row->preset);
    struct word_list *list = &r->list[0];

    while (list < r->list + r->lists_n && list->row != row)
        list++;
    if (list < r->list + r->lists_n)
        return list;
    *list = (struct word_list){.row = row};
    r->lists_n++;
    if (strcmp(row->key, "format") == 0)
        rest = S("xml"); /* texrex always writes it */
    while (list->n < WORDS_MAX && str_word(&rest, &list->word[list->n]))
        list->n++;
    return list;
}

static void
add_word(struct job_reading *r, const struct key_row *row, struct str word,
         unsigned line)
{
    struct word_list *list = list_of(r, target_of(row));

    list->line = line;
    if (list->n < WORDS_MAX)
        list->word[list->n++] = word;
}

/* tokens=512 */
static void
add_item(struct job_reading *r, const struct key_row *row, struct str value,
         unsigned line)
{
    uint64_t n;

    if (!str_u64(value, &n))
        texrex_remark(r->job, r->at.arena, line, true,
                      "%s.%s = %.*s: not a whole number", row->section,
                      row->key, STRF(str_sub(value, 0, 60)));
    else if (n > 0)
        add_word(
            r, row,
            arena_printf(r->at.arena, "%s%.*s", row->argument, STRF(value)),
            line);
}

static void
change_list(struct job_reading *r, const struct key_row *row, struct str value,
            unsigned line)
{
    int truth = texrex_truth(value);
    struct word_list *list;
    struct str words = str_c(row->argument), word;

    if (truth < 0) {
        texrex_remark(r->job, r->at.arena, line, true, "%s.%s: neither 0 nor 1",
                      row->section, row->key);
        return;
    }
    if (truth != (row->how == TEXREX_WITH))
        return;
    if (row->how == TEXREX_WITH) {
        add_word(r, row, words, line);
        return;
    }
    list = list_of(r, target_of(row));
    list->line = line;
    while (str_word(&words, &word)) {
        size_t n = 0;

        for (size_t i = 0; i < list->n; i++)
            if (!str_eq(list->word[i], word))
                list->word[n++] = list->word[i];
        list->n = n;
    }
}

static void
set_lists(struct job_reading *r)
{
    for (size_t i = 0; i < r->lists_n; i++) {
        const struct word_list *list = &r->list[i];
        struct buf words = {0};

        for (size_t k = 0; k < list->n; k++) {
            if (k > 0)
                buf_char(&words, ' ');
            buf_str(&words, list->word[k]);
        }
        texrex_set(r->job, r->at.arena, list->row,
                   arena_str(r->at.arena, buf_view(&words)), list->line);
        buf_free(&words);
    }
}

/* What texrex brings along and a job can do without: its networks, its list of
 * replacements. */
static bool
may_be_missing(const struct key_row *row, struct str value)
{
    return row->how == TEXREX_NETWORK || str_eq(value, S("utf8.norm")) ||
           str_ends(value, S("/utf8.norm"));
}

static void
convert(struct job_reading *r, const struct key_row *row, struct str value,
        unsigned line)
{
    const struct opt *target = target_of(row);
    const char *fault;
    struct str ours;

    fault = texrex_value(row->how, target, str_c(row->argument), value, &r->at,
                         &ours);
    if (fault == NULL) {
        texrex_set(r->job, r->at.arena, target, ours, line);
        if (row->how == TEXREX_NETWORK)
            texrex_set(r->job, r->at.arena, opt_find(S("clean"), S("features")),
                       S("texrex"), line);
    } else
        texrex_remark(
            r->job, r->at.arena, line, !may_be_missing(row, value),
            "%s.%s = %.*s: %s%s", row->section, row->key,
            STRF(str_sub(value, 0, 60)), fault,
            row->how == TEXREX_NETWORK ? "; Winnow's own network is used" : "");
}

/* NOTHING: the key is named, with the reason. */
static void
say_why_not(struct job_reading *r, const struct key_row *row, unsigned line)
{
    if (line > 0)
        texrex_remark(r->job, r->at.arena, line, false,
                      "%s.%s has no meaning here: %s", row->section, row->key,
                      row->argument);
}

/* A switch that takes the place of the target's value when it is off. */
static void
unless(struct job_reading *r, const struct key_row *row, struct str value,
       unsigned line)
{
    int truth = texrex_truth(value);

    if (truth < 0)
        texrex_remark(r->job, r->at.arena, line, true, "%s.%s: neither 0 nor 1",
                      row->section, row->key);
    else if (truth == 0)
        texrex_set(r->job, r->at.arena, target_of(row), str_c(row->argument),
                   line);
}

/* Neither jump nor back: the walk ends. */
static void
dead_end(struct job_reading *r, const struct key_row *row, struct str value,
         unsigned line)
{
    struct str jump = entry_of(r, row->section, "JumpOnDeadEnd")->value;
    int truth = texrex_truth(value);

    if (truth < 0)
        texrex_remark(r->job, r->at.arena, line, true, "%s.%s: neither 0 nor 1",
                      row->section, row->key);
    else if (truth == 0 && texrex_truth(jump) == 0)
        texrex_set(r->job, r->at.arena, target_of(row), S("stop"), line);
}

/* Is the geolocator used? */
static bool
locates(const struct job_reading *r)
{
    return texrex_truth(entry_of(r, "TTrWorkerPool", "UseGeolocator")->value) ==
           1;
}

static void
apply(struct job_reading *r, size_t i)
{
    const struct key_row *row = &rows[i];
    bool off =
        is_off(r, row->section) ||
        (strcmp(row->section, "TTrDeboilerplater") == 0 && is_training(r));
    struct str value = r->entry[i].value;
    unsigned line = r->entry[i].line;

    if (row->how == TEXREX_USE) {
        if (line > 0 && texrex_truth(value) < 0)
            texrex_remark(r->job, r->at.arena, line, true,
                          "%s.%s: neither 0 nor 1", row->section, row->key);
        return;
    }
    if (row->how == TEXREX_OTHER || row->how == TEXREX_META ||
        (row->how == TEXREX_GEO && !locates(r)))
        return;
    if (row->how == TEXREX_NOTHING) {
        say_why_not(r, row, off ? 0 : line);
        return;
    }
    if (off || line == 0) {
        value = str_c(off ? row->off : row->absent);
        line = 0;
        if (value.n == 0 || (!off && row->section[0] && !r->present[i]))
            return;
    }
    if (row->how == TEXREX_WITH || row->how == TEXREX_WITHOUT)
        change_list(r, row, value, line);
    else if (row->how == TEXREX_ITEM)
        add_item(r, row, value, line);
    else if (row->how == TEXREX_DEAD_END)
        dead_end(r, row, value, line);
    else if (row->how == TEXREX_UNLESS)
        unless(r, row, value, line);
    else
        convert(r, row, value, line);
}

/* The facts that the job does not let be found out. */
static void
find_unknown(struct job_reading *r)
{
    struct buf names = {0};

    for (size_t i = 0; i < ROWS_N; i++) {
        const struct key_row *row = &rows[i];
        bool given = r->entry[i].line > 0;
        struct str value = is_off(r, row->section) ? str_c(row->off)
                           : given                 ? r->entry[i].value
                                                   : str_c(row->absent);

        if (row->how != TEXREX_META || (!given && !r->present[i]))
            continue;
        if (texrex_truth(value) < 0)
            texrex_remark(r->job, r->at.arena, r->entry[i].line, true,
                          "%s.%s: neither 0 nor 1", row->section, row->key);
        else if (texrex_truth(value) == 0)
            buf_printf(&names, "%s ", row->argument);
    }
    if (texrex_truth(entry_of(r, "TTrWriterPool", "WriteTarc")->value) != 1)
        buf_c(&names, "tarcfile tarcheaderoffset tarcheaderlength "
                      "tarcbodyoffset tarcbodylength ");
    if (str_eq_nocase(entry_of(r, "TTrReaderPool", "ReaderClass")->value,
                      S("TTrWarcReader")))
        buf_c(&names, "date"); /* WARC has no such column */
    r->at.unknown = arena_str(r->at.arena, buf_view(&names));
    buf_free(&names);
}

static void
find_languages(struct job_reading *r)
{
    struct str rest = entry_of(r, "TTrTextAssessmentMulti", "Profiles")->value;
    struct opt_list *list = &r->job->sections;
    size_t n = 1;
    struct str one;

    for (size_t i = 0; i < rest.n; i++)
        n += rest.p[i] == '|';
    list->item = ARENA_ARRAY(r->at.arena, struct str, n);
    while (str_cut(&rest, '|', &one))
        if (str_trim(one).n > 0)
            list->item[list->n++] = str_trim(one);
}

static void
take_profiles(struct job_reading *r)
{
    const struct job_entry *file =
        entry_of(r, "TTrTextAssessment", "ProfileFile");
    const struct job_entry *list =
        entry_of(r, "TTrTextAssessmentMulti", "Profiles");

    if (list->line > 0 && !is_off(r, "TTrTextAssessmentMulti")) {
        texrex_languages(r->job, &r->at, r->text, list->line);
    } else if (file->line > 0 && !is_off(r, "TTrTextAssessment")) {
        struct texrex_language one = {
            file->value,
            entry_of(r, "TTrTextAssessment", "LanguageCode")->value,
            file->line};

        texrex_profiles(r->job, &r->at, &one, 1);
    }
}

static void
sort_remarks(struct opt_translation *job)
{
    for (size_t i = 1; i < job->remarks_n; i++) {
        struct opt_remark x = job->remark[i];
        size_t k = i;

        for (; k > 0 && job->remark[k - 1].line > x.line; k--)
            job->remark[k] = job->remark[k - 1];
        job->remark[k] = x;
    }
}

static bool
translate(struct opt_translation *job, struct arena *a, struct str text,
          struct str folder)
{
    struct job_reading *r = ARENA_NEW(a, struct job_reading);

    *job = (struct opt_translation){0};
    r->job = job;
    r->text = text;
    r->at = (struct texrex_place){.arena = a, .folder = folder};
    if (!read_entries(r))
        return false;
    r->at.headers = entry_of(r, "TTrReaderPool", "CrawlHeaderExtract")->value;
    r->at.hosts = entry_of(r, "TTrWalker", "HostScopeRegex")->value;
    r->at.walks = entry_of(r, "TTrWalker", "SeedsFile")->line > 0;
    find_unknown(r);
    find_languages(r);
    for (size_t i = 0; i < ROWS_N; i++)
        apply(r, i);
    set_lists(r);
    take_profiles(r);
    sort_remarks(job);
    return true;
}

static bool
owns(const struct opt_translation *job, struct str section)
{
    for (size_t i = 0; i < job->sections.n; i++)
        if (str_eq_nocase(job->sections.item[i], section))
            return true;
    return is_texrex(section);
}

void
texrex_register(void)
{
    static const struct opt_translator texrex = {translate, owns};

    opt_translator_register(&texrex);
}
