/* stream.c -- see stream.h. */
#include "stream.h"

#include <stdio.h>

#include "base/big_endian.h"

static const struct {
    const char *folder, *stem;
} groups[CORPUS_GROUPS_N] = {
    [CORPUS_KEPT] = {"corpus", "part"},
    [CORPUS_REJECTED] = {"rejected", "part"},
    [CORPUS_EXACT_DUPLICATE] = {"rejected", "exact_duplicate"},
    [CORPUS_NEAR_DUPLICATE] = {"rejected", "near_duplicate"},
    [CORPUS_VERDICTS] = {"verdicts", "part"},
    [CORPUS_REPLACED] = {"replaced", "part"},
};

struct path
stream_folder(const char *dir, enum corpus_group group)
{
    return path_printf("%s/%s", dir, groups[group].folder);
}

struct path
stream_part(const char *dir, const struct stream *s, uint64_t part)
{
    return path_printf("%s/%s/%s-%06llu.%s.gz", dir, groups[s->group].folder,
                       groups[s->group].stem, (unsigned long long)part,
                       s->suffix);
}

struct path
stream_tail(const char *dir, const struct stream *s,
            const struct stream_state *state)
{
    return path_printf("%s/%s/%s-%06llu.%s.tail-%06llu", dir,
                       groups[s->group].folder, groups[s->group].stem,
                       (unsigned long long)state->part, s->suffix,
                       (unsigned long long)state->tail);
}

void
stream_text(struct buf *out, enum corpus_group group, uint64_t part,
            struct str suffix)
{
    buf_printf(out, "%s/%s-%06llu.%.*s", groups[group].folder,
               groups[group].stem, (unsigned long long)part, STRF(suffix));
}

/* The number at the start of *s, which is moved behind it. */
static bool
take_number(struct str *s, uint64_t *out)
{
    size_t n = 0;

    while (n < s->n && ascii_digit(s->p[n]))
        n++;
    if (!str_u64(str_sub(*s, 0, n), out))
        return false;
    *s = str_sub(*s, n, s->n);
    return true;
}

static bool
take(struct str *s, struct str expected)
{
    if (!str_starts(*s, expected))
        return false;
    *s = str_sub(*s, expected.n, s->n);
    return true;
}

bool
stream_makes(const struct stream *s, struct str name, uint64_t *part,
             uint64_t *tail)
{
    *tail = 0;
    if (!take(&name, str_c(groups[s->group].stem)) || !take(&name, S("-")) ||
        !take_number(&name, part) || !take(&name, S(".")) ||
        !take(&name, str_c(s->suffix)))
        return false;
    if (str_eq(name, S(".gz")))
        return true;
    return take(&name, S(".tail-")) && take_number(&name, tail) &&
           name.n == 0 && *tail > 0;
}

bool
stream_of_file(struct stream *s, struct str name)
{
    uint64_t part;
    size_t n;

    if (!take(&name, str_c(groups[s->group].stem)) || !take(&name, S("-")) ||
        !take_number(&name, &part) || !take(&name, S(".")))
        return false;
    n = str_find(name, '.', 0);
    if (n == 0 || n > CORPUS_SUFFIX_MAX)
        return false;
    memset(s->suffix, 0, sizeof s->suffix);
    memcpy(s->suffix, name.p, n);
    return true;
}

bool
stream_of_kept(struct str name)
{
    uint64_t part;

    return take(&name, str_c(groups[CORPUS_KEPT].stem)) &&
           take(&name, S("-")) && take_number(&name, &part) &&
           str_starts(name, S("."));
}

void
stream_row(const struct stream *s, char name[STREAM_NAME_BYTES],
           unsigned char state[STREAM_STATE_BYTES])
{
    snprintf(name, STREAM_NAME_BYTES, "%s/%s.%s", groups[s->group].folder,
             groups[s->group].stem, s->suffix);
    be64_put(state, s->next.part);
    be64_put(state + 8, s->next.part_bytes);
    be64_put(state + 16, s->next.part_text);
    be64_put(state + 24, s->next.tail);
    be64_put(state + 32, s->next.tail_bytes);
}

bool
stream_row_name(struct str name, enum corpus_group *group, struct str *suffix)
{
    for (int g = 0; g < CORPUS_GROUPS_N; g++) {
        struct str rest = name;

        if (take(&rest, str_c(groups[g].folder)) && take(&rest, S("/")) &&
            take(&rest, str_c(groups[g].stem)) && take(&rest, S("."))) {
            *group = (enum corpus_group)g;
            *suffix = rest;
            return true;
        }
    }
    return false;
}

bool
stream_row_state(struct stream_state *out, struct str state)
{
    const char *p = state.p;

    if (state.n != STREAM_STATE_BYTES)
        return false;
    *out = (struct stream_state){be64_get(p), be64_get(p + 8), be64_get(p + 16),
                                 be64_get(p + 24), be64_get(p + 32)};
    return true;
}

bool
stream_of_text(struct str name, enum corpus_group *group, uint64_t *part,
               struct str *suffix)
{
    for (int g = 0; g < CORPUS_GROUPS_N; g++) {
        struct str rest = name;

        if (!take(&rest, str_c(groups[g].folder)) || !take(&rest, S("/")) ||
            !take(&rest, str_c(groups[g].stem)) || !take(&rest, S("-")) ||
            !take_number(&rest, part) || *part == 0 || !take(&rest, S(".")) ||
            rest.n == 0 || rest.n > CORPUS_SUFFIX_MAX)
            continue;
        for (size_t i = 0; i < rest.n; i++)
            if (!ascii_digit(rest.p[i]) &&
                !(rest.p[i] >= 'a' && rest.p[i] <= 'z'))
                return false;
        *group = (enum corpus_group)g;
        *suffix = rest;
        return true;
    }
    return false;
}
