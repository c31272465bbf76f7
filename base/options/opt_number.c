/* opt_number.c -- see opt_number.h. */
#include "opt_number.h"

#include <inttypes.h>
#include <math.h>

struct unit {
    const char *name;
    double factor;
};

static const struct unit times[] = {
    {"", 1},       {"ms", 1},     {"s", 1000},        {"sec", 1000},
    {"min", 60e3}, {"h", 3600e3}, {"d", 24 * 3600e3}, {NULL, 0},
};

static const struct unit sizes[] = {
    {"", 1},
    {"b", 1},
    {"k", 1024},
    {"kib", 1024},
    {"m", 1048576},
    {"mib", 1048576},
    {"g", 1073741824},
    {"gib", 1073741824},
    {"t", 1099511627776},
    {"tib", 1099511627776},
    {NULL, 0},
};

/* To the next whole number of the smallest unit. */
static bool
read_scaled(struct str text, const struct unit *units, uint64_t *out)
{
    size_t n = 0;
    struct str name;
    double v;

    if (str_u64(text, out)) /* exact past 2^53 */
        return true;
    while (n < text.n && (ascii_digit(text.p[n]) || text.p[n] == '.'))
        n++;
    name = str_trim(str_sub(text, n, text.n));
    if (!str_real(str_sub(text, 0, n), &v))
        return false;
    while (units->name != NULL && !str_eq_nocase(name, str_c(units->name)))
        units++;
    if (units->name == NULL || !((v = floor(v * units->factor + 0.5)) < 9e18))
        return false;
    *out = (uint64_t)v;
    return true;
}

bool
opt_number_ms(struct str text, uint64_t *out)
{
    return read_scaled(text, times, out);
}

bool
opt_number_bytes(struct str text, uint64_t *out)
{
    return read_scaled(text, sizes, out);
}

void
opt_number_show_bytes(uint64_t bytes, struct buf *out)
{
    static const char *const names[] = {"", "KiB", "MiB", "GiB", "TiB"};
    size_t i = 0;

    while (bytes > 0 && bytes % 1024 == 0 &&
           i + 1 < sizeof names / sizeof *names) {
        bytes /= 1024;
        i++;
    }
    buf_printf(out, "%" PRIu64 "%s", bytes, names[i]);
}

void
opt_number_show_real(double value, struct buf *out)
{
    double again;
    size_t from = out->n;

    for (int digits = 6; digits <= 17; digits++) {
        out->n = from;
        buf_real(out, value, digits);
        if (str_real(str_n(out->p + from, out->n - from), &again) &&
            !(again < value) && !(again > value))
            break;
    }
}
