/* learner_prior.c -- names of the learner's features, and the weights that a
 * file gives them: what the learner believes at first. */
#include "learner_inside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/log.h"

#define WEIGHT_MOST 20.0
#define PRIOR_BYTES 65536u
#define PATH_BYTES 4096u

const char *const learner_names[F_N] = {
#define FEATURE(name, help) #name,
#include "learner.tbl.h"
#undef FEATURE
};

struct str
learner_renamed(struct str name, char room[LEARNER_NAME_ROOM])
{
    static const struct {
        const char *was, *is;
    } table[] = {{"SHELF", "URL_CLASS"}, {"MARK", "URL_LANGUAGE"}};

    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (str_starts(name, str_c(table[i].was))) {
            size_t was = strlen(table[i].was);

            snprintf(room, LEARNER_NAME_ROOM, "%s%.*s", table[i].is,
                     (int)(name.n - was), name.p + was);
            return str_c(room);
        }
    return name;
}

static bool
read_weight(float *weights, struct str line)
{
    struct str name;
    char text[32], room[LEARNER_NAME_ROOM], *end;
    double x;
    size_t i = 0;

    if (line.n == 0 || line.p[0] == '#')
        return true;
    if (!str_cut(&line, '\t', &name) || line.n == 0 || line.n >= sizeof text)
        return false;
    memcpy(text, line.p, line.n);
    text[line.n] = '\0';
    x = strtod(text, &end);
    name = learner_renamed(name, room);
    while (i < F_N && !str_eq(name, str_c(learner_names[i])))
        i++;
    if (i == F_N || *end != '\0' || !(fabs(x) <= WEIGHT_MOST))
        return false;
    weights[i] = (float)x;
    return true;
}

bool
learner_prior(float weights[LEARNER_NAMED_MAX], struct str text)
{
    struct str line;

    memset(weights, 0, F_N * sizeof *weights);
    while (str_cut(&text, '\n', &line))
        if (!read_weight(weights, line))
            return false;
    return true;
}

enum status
learner_read_prior(float *weights, struct str path)
{
    char name[PATH_BYTES];
    struct buf text = {0};
    enum status st = ST_IO;

    snprintf(name, sizeof name, "%.*s", STRF(path));
    if (path.n < sizeof name)
        st = file_read(&text, name, PRIOR_BYTES);

    if (st == ST_OK && !learner_prior(weights, buf_view(&text)))
        st = ST_USAGE;
    if (st != ST_OK)
        log_error("frontier", "frontier.prior=%s %s", name,
                  st == ST_USAGE ? "is no list of features and weights"
                                 : "cannot be read");
    buf_free(&text);
    return st == ST_OK ? ST_OK : ST_USAGE;
}
