/* jobconf.c -- see jobconf.h. */
#include "jobconf.h"

#include <math.h>

enum how { SAME, FLAG, BITS, HASHES, NOTHING };

static const struct key {
    const char *name;
    enum how how;
    const char *argument;
} keys[] = {
#define JOBCONF(key, how, argument) {key, how, argument},
#include "jobconf.tbl.h"
#undef JOBCONF
};

/* ---- Bloom filters ---- */

double
bloom_error(double bits, double keys_n, unsigned hashes)
{
    return bits > 0 ? pow(1 - exp(-(double)hashes * keys_n / bits), hashes) : 1;
}

/* What the filter that the file asks for could hold. */
static void
remark_bloom(struct jobconf *c, uint64_t bits, uint64_t hashes)
{
    double m = (double)bits, n;

    if (bits == 0 || hashes == 0)
        return;
    n = floor(m * log(2) / (double)hashes);
    buf_printf(&c->remarks,
               "dedupBloomVectorSize, dedupBloomNbHash: %llu bits and %llu "
               "hashes are right for %.0f keys, of which %.4f would be "
               "dropped by mistake; duplicates are found exactly here\n",
               (unsigned long long)bits, (unsigned long long)hashes, n,
               bloom_error(m, n, (unsigned)hashes));
}

/* ---- the file ---- */

static const struct key *
find_key(struct str name)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (str_eq_nocase(name, str_c(keys[i].name)))
            return &keys[i];
    return NULL;
}

static bool
split(struct str line, struct str *name, struct str *value)
{
    size_t at = 0;

    while (at < line.n && !ascii_space(line.p[at]) && line.p[at] != '=' &&
           line.p[at] != ':')
        at++;
    *name = str_sub(line, 0, at);
    *value = str_trim(str_sub(line, at, line.n));
    if (value->n > 0 && (value->p[0] == '=' || value->p[0] == ':'))
        *value = str_trim(str_sub(*value, 1, value->n));
    return name->n > 0 && at < line.n;
}

static bool
flag_value(struct str value, const char **digit)
{
    bool yes = str_eq_nocase(value, S("true")) || str_eq(value, S("1"));

    *digit = yes ? "1" : "0";
    return yes || str_eq_nocase(value, S("false")) || str_eq(value, S("0"));
}

static bool
add(struct jobconf *c, struct arena *a, const struct key *k, struct str value)
{
    if (c->defines_n == JOBCONF_MAX)
        return false;
    c->define[c->defines_n++] =
        arena_printf(a, "%s=%.*s", k->argument, STRF(value));
    return true;
}

struct bloom_wish {
    uint64_t bits, hashes;
};

static bool
take(struct jobconf *c, struct arena *a, const struct key *k, struct str value,
     struct bloom_wish *wish)
{
    const char *digit;

    switch (k->how) {
    case SAME: return add(c, a, k, value);
    case FLAG: return flag_value(value, &digit) && add(c, a, k, str_c(digit));
    case BITS: return str_u64(value, &wish->bits);
    case HASHES: return str_u64(value, &wish->hashes) && wish->hashes <= 1000;
    case NOTHING:
        buf_printf(&c->remarks, "%s: no meaning here, %s\n", k->name,
                   k->argument);
    }
    return true;
}

bool
jobconf_read(struct jobconf *c, struct arena *a, struct str text,
             struct buf *why)
{
    struct bloom_wish wish = {0, 0};
    struct str line;

    for (unsigned i = 1; str_cut(&text, '\n', &line); i++) {
        struct str name, value;
        const struct key *k;

        line = str_trim(line);
        if (line.n == 0 || line.p[0] == '#')
            continue;
        if (!split(line, &name, &value) || (k = find_key(name)) == NULL) {
            buf_printf(why, "line %u: no key of jobconf.txt: %.*s", i,
                       STRF(name));
            return false;
        }
        if (!take(c, a, k, value, &wish)) {
            buf_printf(why, "line %u: %s cannot be %.*s", i, k->name,
                       STRF(value));
            return false;
        }
    }
    remark_bloom(c, wish.bits, wish.hashes);
    return true;
}

void
jobconf_free(struct jobconf *c)
{
    buf_free(&c->remarks);
}
