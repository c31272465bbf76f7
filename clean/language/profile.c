/* profile.c -- reads and writes profiles and computes the published score. */
#include "profile.h"

#include <math.h>

#include "base/buf.h"

static bool
parse_type(struct profile_type *t, struct arena *a, struct str line)
{
    struct str text, mean, sd, limit;

    if (!str_cut(&line, '|', &text) || !str_cut(&line, '|', &mean) ||
        !str_cut(&line, '|', &sd))
        return false;
    limit = line;
    if (text.n == 0 || text.n > 256 || !str_real(str_trim(mean), &t->mean) ||
        !str_real(str_trim(sd), &t->sd) ||
        !str_real(str_trim(limit), &t->limit))
        return false;
    /* written so that NaN fails */
    if (!(t->mean >= -20 && t->mean <= 0 && t->sd >= 1e-6 && t->sd <= 20 &&
          t->limit >= 0 && t->limit <= 1000))
        return false;
    t->share = pow(10, t->mean);
    t->text = arena_str(a, text);
    t->hash = hash64(t->text);
    return true;
}

static bool
known(const struct profile *p, uint64_t hash)
{
    for (uint32_t i = 0; i < p->types_n; i++)
        if (p->types[i].hash == hash)
            return true;
    return false;
}

enum status
profile_parse(struct profile *out, struct arena *a, struct str text,
              struct str language, size_t *line_at)
{
    const struct str key = STR("# language="), count = STR("# lines=");
    uint64_t lines = 0, wanted = 0; /* 0: not said */
    struct str line;
    size_t line_n = 0;

    memset(out, 0, sizeof *out);
    out->language = arena_str(a, language);
    out->types = ARENA_ARRAY(a, struct profile_type, PROFILE_TYPES_MAX);
    while (str_cut(&text, '\n', &line)) {
        struct profile_type *t = &out->types[out->types_n];

        line_n++;
        *line_at = line_n;
        line = str_trim(line);
        if (str_starts(line, key))
            out->language = arena_str(a, str_sub(line, key.n, line.n));
        if (str_starts(line, count) &&
            !str_u64(str_sub(line, count.n, line.n), &wanted))
            return ST_INVALID;
        lines += line.n > 0 && line.p[0] != '#';
        if (order_is_line(line)) {
            if (order_parse_line(&out->order, a, line) != ST_OK)
                return ST_INVALID;
            continue;
        }
        if (confusable_is_line(line)) {
            if (confusable_parse_line(&out->confusable, a, line) != ST_OK)
                return ST_INVALID;
            continue;
        }
        if (line.n == 0 || line.p[0] == '#' || line.p[0] == '!')
            continue;
        if (out->types_n == PROFILE_TYPES_MAX || !parse_type(t, a, line) ||
            known(out, t->hash))
            return ST_INVALID;
        out->types_n++;
    }
    *line_at = 0;
    if (out->types_n == 0 || out->language.n == 0 ||
        (wanted > 0 && lines != wanted) ||
        (out->order != NULL && !order_complete(out->order)) ||
        !confusable_complete(out->confusable))
        return ST_INVALID;
    for (uint32_t i = 0; i < out->types_n; i++)
        out->worst += out->types[i].limit * PROFILE_SCALE / out->types_n;
    return ST_OK;
}

static void
print_lines(const struct profile *p, struct buf *out)
{
    for (uint32_t i = 0; i < p->types_n; i++) {
        buf_str(out, p->types[i].text);
        buf_char(out, '|');
        order_print_real(out, p->types[i].mean);
        buf_char(out, '|');
        order_print_real(out, p->types[i].sd);
        buf_char(out, '|');
        order_print_real(out, p->types[i].limit);
        buf_char(out, '\n');
    }
    if (p->order != NULL)
        order_print(p->order, out);
    confusable_print(p->confusable, out);
}

void
profile_print(const struct profile *p, struct buf *out)
{
    struct buf lines = {0};
    size_t n = 0;

    print_lines(p, &lines);
    for (size_t i = 0; i < lines.n; i++)
        n += lines.p[i] == '\n';
    buf_printf(out, "# language=%.*s\n# lines=%zu\n", STRF(p->language), n);
    buf_str(out, buf_view(&lines));
    buf_free(&lines);
}

double
profile_badness(const struct profile *p, const uint32_t *counts,
                uint32_t tokens_n)
{
    double sum = 0, most = 0;

    if (tokens_n == 0)
        return p->worst;
    for (uint32_t i = 0; i < p->types_n; i++) {
        const struct profile_type *t = &p->types[i];
        double expected = tokens_n * t->share;

        most += t->limit;
        if (counts[i] == 0)
            sum += t->limit;
        else if (counts[i] < expected)
            sum += fmin(t->limit, log10(expected / counts[i]) / t->sd);
    }
    return most > 0 ? p->worst * (sum / most) : 0; /* never above worst */
}
