/* texrex_found.c -- the growing lists of a struct opt_translation. */
#include <stdarg.h>
#include <stdio.h>

#include "texrex_impl.h"

void
texrex_set(struct opt_translation *job, struct arena *a, const struct opt *row,
           struct str value, unsigned line)
{
    if (job->settings_n == job->settings_room) {
        size_t room = job->settings_room ? 2 * job->settings_room : 64;

        job->setting =
            arena_grow(a, job->setting, job->settings_n * sizeof *job->setting,
                       room * sizeof *job->setting);
        job->settings_room = room;
    }
    job->setting[job->settings_n++] = (struct opt_translated){row, value, line};
}

void
texrex_remark(struct opt_translation *job, struct arena *a, unsigned line,
              bool fault, const char *format, ...)
{
    char text[512];
    va_list args;

    if (job->remarks_n == job->remarks_room) {
        size_t room = job->remarks_room ? 2 * job->remarks_room : 64;

        job->remark =
            arena_grow(a, job->remark, job->remarks_n * sizeof *job->remark,
                       room * sizeof *job->remark);
        job->remarks_room = room;
    }
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    job->remark[job->remarks_n++] =
        (struct opt_remark){line, fault, arena_str(a, str_c(text))};
}
