/* completion.c -- see completion.h.  bash takes `=` for a word of its own, so
 * that an option stands two words before the value that is completed. */
#include "completion.h"

static void
names(const struct command *const *table, FILE *to)
{
    for (; *table != NULL; table++)
        fprintf(to, " %s", (*table)->name);
}

static void
flags(const struct flag *f, FILE *to)
{
    for (; f != NULL && f->name != NULL; f++) {
        struct str rest = str_c(f->name), one;

        while (str_cut(&rest, ',', &one))
            if (one.n > 1)
                fprintf(to, " --%.*s", STRF(one));
    }
}

static void
flags_by_command(const struct command *const *table, FILE *to)
{
    for (; *table != NULL; table++) {
        fprintf(to, "        %s) words=\"", (*table)->name);
        flags((*table)->flags, to);
        if ((*table)->job_first)
            flags(command_job_flags, to);
        fputs("\" ;;\n", to);
    }
}

static void
options(FILE *to)
{
    for (size_t i = 0; i < opt_table_n; i++)
        fprintf(to, " %s.%s=", opt_table[i].section, opt_table[i].key);
}

/* Of the options that are one word of a few. */
static void
values_by_option(FILE *to)
{
    for (size_t i = 0; i < opt_table_n; i++) {
        const struct opt *row = &opt_table[i];
        struct str rest = str_c(row->unit), one;

        if (strcmp(row->type, "flag") == 0)
            rest = S("on|off");
        else if (str_find(rest, '|', 0) == rest.n)
            continue;
        fprintf(to, "    %s.%s) words=\"", row->section, row->key);
        while (str_cut(&rest, '|', &one))
            fprintf(to, " %.*s", STRF(one));
        fputs("\" ;;\n", to);
    }
}

void
completion_write(const struct command *const *table, FILE *to)
{
    fputs("# Completion of winnow for bash; made by `winnow help --bash`.\n"
          "_winnow()\n{\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} at=$((COMP_CWORD - 1))\n"
          "    local before words=\n"
          "    [[ $word = '=' ]] && word= at=$COMP_CWORD\n"
          "    before=${COMP_WORDS[at]}\n"
          "    [[ $before = '=' ]] && before=${COMP_WORDS[at - 1]}\n"
          "    case $before in\n"
          "    --set) words=\"",
          to);
    options(to);
    fputs("\"\n        compopt -o nospace 2>/dev/null ;;\n", to);
    values_by_option(to);
    fputs("    winnow|*/winnow|help) words=\"", to);
    names(table, to);
    fputs(" help\" ;;\n    esac\n"
          "    if [[ -z $words && $word = -* ]]; then\n"
          "        case ${COMP_WORDS[1]} in\n",
          to);
    flags_by_command(table, to);
    fputs("        esac\n        words+=\"", to);
    flags(command_common_flags, to);
    fputs("\"\n    fi\n"
          "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n}\n"
          "complete -o default -F _winnow winnow\n",
          to);
}
