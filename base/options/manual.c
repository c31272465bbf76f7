/* manual.c -- see manual.h.  Everything a reader of the page sees stands in the
 * tables already; here it only gets its macros. */
#include "manual.h"

#include "base/buf.h"

/* Text lines: \ is roff's escape, and so are . and ' at the start of a line. */
static void
text(FILE *to, const char *s)
{
    bool start = true;

    for (; *s; s++) {
        if (start && (*s == '.' || *s == '\''))
            fputs("\\&", to);
        if (*s == '\\')
            fputs("\\e", to);
        else if (*s == '-')
            fputs("\\-", to);
        else
            fputc(*s, to);
        start = *s == '\n';
    }
}

static void
lines(FILE *to, const char *s)
{
    if (s == NULL || s[0] == '\0')
        return;
    fputs(".PP\n.nf\n", to);
    text(to, s);
    if (!str_ends(str_c(s), S("\n")))
        fputc('\n', to);
    fputs(".fi\n", to);
}

static void
flags(FILE *to, const struct flag *f)
{
    for (; f != NULL && f->name != NULL; f++) {
        struct str names = str_c(f->name), one;

        fputs(".TP\n.B ", to);
        for (const char *sep = ""; str_cut(&names, ',', &one); sep = ", ")
            fprintf(to, "%s%s%.*s", sep, one.n > 1 ? "\\-\\-" : "\\-",
                    STRF(one));
        if (f->value)
            fprintf(to, " \\fI%s\\fR", f->value);
        fputc('\n', to);
        text(to, f->help);
        fputc('\n', to);
    }
}

static void
command(FILE *to, const struct command *c)
{
    fprintf(to, ".SS winnow %s\n", c->name);
    text(to, c->summary);
    fprintf(to, "\n.PP\n.B winnow %s\n", c->name);
    text(to, c->usage ? c->usage : "");
    fputc('\n', to);
    lines(to, c->help);
    flags(to, c->flags);
    if (c->job_first)
        flags(to, command_job_flags);
}

static void
options(FILE *to)
{
    struct buf range = {0};

    for (size_t i = 0; i < opt_table_n; i++) {
        const struct opt *row = &opt_table[i];

        if (i == 0 || strcmp(row->section, row[-1].section) != 0)
            fprintf(to, ".SS [%s]\n", row->section);
        fprintf(to, ".TP\n.B %s\n", row->key);
        text(to, row->help);
        buf_clear(&range);
        opt_range(row, &range);
        buf_char(&range, '\0');
        fprintf(to, "\n(%s", row->type);
        if (range.n > 1) {
            fputs(": ", to);
            text(to, range.p);
        }
        if (row->preset[0]) {
            fputs("; preset ", to);
            text(to, row->preset);
        }
        fputs(")\n", to);
    }
    buf_free(&range);
}

void
manual_write(const struct command *const *table, FILE *to)
{
    fprintf(to,
            ".TH WINNOW 1 \"\" \"winnow %s\" \"User Commands\"\n"
            ".SH NAME\nwinnow \\- build text corpora from the Web\n"
            ".SH SYNOPSIS\n.B winnow\n\\fICOMMAND\\fR [\\fIARGUMENT\\fR]...\n"
            ".SH COMMANDS\n",
            WINNOW_VERSION);
    for (; *table != NULL; table++)
        command(to, *table);
    fputs(".SS Flags of every command\n", to);
    flags(to, command_common_flags);
    fputs(".SH JOB FILES\nOptions of a job file, by section.  Flags win over "
          "the environment, that over the file.\n",
          to);
    options(to);
    fputs(".SH EXIT STATUS\n0 done, 1 failed, 2 wrong usage, 3 finished but "
          "some input was rejected, 130 interrupted.\n"
          ".SH ENVIRONMENT\n.TP\n.B WINNOW_SECTION_KEY\nan option.\n"
          ".TP\n.B WINNOW_DATA_DIR\nthe folder with networks and language "
          "profiles.\n",
          to);
}
