/* texrex_languages.c -- the profiles a job of texrex judges languages by, each
 * in a section that the job names as it likes. */
#include "base/buf.h"
#include "base/nearest.h"
#include "base/options/ini.h"
#include "base/path.h"
#include "texrex_impl.h"

/* What is read, and where from. */
struct language_reading {
    struct opt_translation *job;
    const struct texrex_place *at;
    struct str text;
    unsigned line; /* of Profiles */
};

static void
read_language(struct language_reading *r, struct str section,
              struct texrex_language *x)
{
    struct ini ini = {.rest = r->text};
    struct ini_entry e;

    while (ini_next(&ini, r->at->arena, &e)) {
        if (e.kind != INI_VALUE || !str_eq_nocase(e.section, section))
            continue;
        if (str_eq_nocase(e.key, S("ProfileFile"))) {
            x->file = e.value;
            x->line = e.line;
        } else if (str_eq_nocase(e.key, S("LanguageCode"))) {
            x->code = e.value;
        } else if (!str_eq_nocase(e.key, S("Threshold"))) {
            texrex_remark(
                r->job, r->at->arena, e.line, true,
                "[%.*s]: %.*s: ProfileFile, LanguageCode and Threshold are "
                "known here",
                STRF(str_sub(section, 0, NEAREST_SIZE_MAX)),
                STRF(str_sub(e.key, 0, NEAREST_SIZE_MAX)));
        }
    }
    if (x->file.n == 0)
        texrex_remark(r->job, r->at->arena, r->line, true,
                      "Profiles: there is no section [%.*s] with a ProfileFile",
                      STRF(str_sub(section, 0, NEAREST_SIZE_MAX)));
}

/* "nl" of "/x/nl.prof". */
static struct str
code_of(struct str file)
{
    file = path_base(file);
    return str_sub(file, 0, str_find(file, '.', 0));
}

void
texrex_profiles(struct opt_translation *job, const struct texrex_place *at,
                const struct texrex_language *x, size_t n)
{
    struct buf files = {0}, codes = {0};
    unsigned line = n > 0 ? x[0].line : 0;
    size_t there_n = 0;

    for (size_t i = 0; i < n; i++) {
        bool there = false;
        struct str path = texrex_input(at, x[i].file, &there);
        struct str code = x[i].code.n > 0 ? x[i].code : code_of(x[i].file);

        there_n += there;
        buf_c(&files, i ? " " : "");
        opt_list_item(
            arena_printf(at->arena, "%.*s=%.*s", STRF(code), STRF(path)),
            &files);
        buf_printf(&codes, "%s%.*s", i ? " " : "", STRF(code_of(x[i].file)));
    }
    if (n > 0 && there_n == n)
        texrex_set(job, at->arena, opt_find(S("clean"), S("profiles")),
                   arena_str(at->arena, buf_view(&files)), line);
    else if (n > 0) {
        texrex_remark(
            job, at->arena, line, false,
            "ProfileFile: not there; the profiles of clean.data are used "
            "for: %.*s",
            STRF(buf_view(&codes)));
        texrex_set(job, at->arena, opt_find(S("clean"), S("language")),
                   arena_str(at->arena, buf_view(&codes)), line);
    }
    buf_free(&files);
    buf_free(&codes);
}

void
texrex_languages(struct opt_translation *job, const struct texrex_place *at,
                 struct str text, unsigned line)
{
    struct language_reading r = {job, at, text, line};
    size_t n = job->sections.n;
    struct texrex_language *x =
        ARENA_ARRAY(at->arena, struct texrex_language, n);

    for (size_t i = 0; i < n; i++)
        read_language(&r, job->sections.item[i], &x[i]);
    texrex_profiles(job, at, x, n);
}
