/* fann_file.c -- see fann_file.h.
 *
 * libfann reads and writes with the process's locale, in which a decimal may
 * have a comma: both are done in the C locale of this thread.  What it loaded
 * is looked through once more, since numbers that are no numbers, or so large
 * that sums overflow, can be spelled within the grammar. */
#include "fann_file.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fann_internal.h>

#include "base/file.h"
#include "base/log.h"
#include "fann_check.h"

#define WEIGHT_MAX 1e6f
#define STEEPNESS_MIN 1e-4f
#define STEEPNESS_MAX 1e4f
#define FLOAT_DIGITS 9 /* that name each float (IEEE 754, 5.12.2) */

static bool
in_range(const float *x, unsigned n, float limit)
{
    for (unsigned i = 0; i < n; i++)
        if (!(fabsf(x[i]) <= limit)) /* not if NaN */
            return false;
    return true;
}

static const char *
check_scaling(const struct fann *ann)
{
    unsigned in = ann->num_input, out = ann->num_output;

    if (ann->scale_mean_in == NULL)
        return NULL;
    for (unsigned i = 0; i < in; i++)
        if (!(ann->scale_deviation_in[i] > 1e-6f))
            return "a deviation is not positive";
    if (!in_range(ann->scale_deviation_in, in, WEIGHT_MAX) ||
        !in_range(ann->scale_mean_in, in, WEIGHT_MAX) ||
        !in_range(ann->scale_new_min_in, in, WEIGHT_MAX) ||
        !in_range(ann->scale_factor_in, in, WEIGHT_MAX) ||
        !in_range(ann->scale_deviation_out, out, WEIGHT_MAX) ||
        !in_range(ann->scale_mean_out, out, WEIGHT_MAX) ||
        !in_range(ann->scale_new_min_out, out, WEIGHT_MAX) ||
        !in_range(ann->scale_factor_out, out, WEIGHT_MAX))
        return "scaling out of range";
    return NULL;
}

static const char *
check_numbers(const struct fann *ann)
{
    const struct fann_neuron *first = ann->first_layer->first_neuron;

    for (const struct fann_neuron *n = first; n < first + ann->total_neurons;
         n++)
        if (n->last_con > n->first_con &&
            !(n->activation_steepness >= STEEPNESS_MIN &&
              n->activation_steepness <= STEEPNESS_MAX))
            return "a steepness out of range";
    if (!in_range(ann->weights, ann->total_connections, WEIGHT_MAX))
        return "a weight out of range";
    return check_scaling(ann);
}

/* libfann's loader on the text.  NULL: no memory. */
static struct fann *
read_text(struct str text)
{
    FILE *in = fmemopen((void *)(uintptr_t)text.p, text.n, "r");
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0), before;
    struct fann *ann = NULL;

    if (in != NULL && c != (locale_t)0) {
        fann_set_error_log(NULL, NULL); /* what follows is said here */
        before = uselocale(c);
        ann = fann_create_from_fd(in, "");
        uselocale(before);
    }
    if (c != (locale_t)0)
        freelocale(c);
    if (in != NULL)
        fclose(in);
    return ann;
}

enum status
fann_file_parse(struct fann **out, struct str text, const char **fault)
{
    struct buf sound = {0};
    enum status st = ST_INVALID;

    *out = NULL;
    if ((*fault = fann_check(text, &sound)) == NULL) {
        *out = read_text(buf_view(&sound));
        *fault = *out != NULL ? check_numbers(*out) : "out of memory";
        st = *fault == NULL ? ST_OK : *out != NULL ? ST_INVALID : ST_NOMEM;
    }
    buf_free(&sound);
    if (st != ST_OK && *out != NULL) {
        fann_destroy(*out);
        *out = NULL;
    }
    return st;
}

enum status
fann_file_load(struct fann **out, const char *path, const char *topic)
{
    const char *fault = "file too large";
    struct buf text = {0};
    enum status st = file_read(&text, path, FANN_FILE_BYTES);

    *out = NULL;
    if (st == ST_IO) {
        log_error(topic, "cannot read the network %s: %s", path,
                  strerror(errno));
    } else {
        st = st == ST_OK ? fann_file_parse(out, buf_view(&text), &fault)
                         : ST_INVALID;
        if (st != ST_OK)
            log_error(topic, "%s is no network of FANN: %s", path, fault);
    }
    buf_free(&text);
    return st;
}

/* The bytes of the number at the start of s, as "%.20e" spells it; 0: none. */
static size_t
long_real(struct str s)
{
    size_t n = 0;

    while (n < s.n && (ascii_digit(s.p[n]) || strchr("+-.e", s.p[n]) != NULL))
        n++;
    return n > FLOAT_DIGITS + 8 && n < 40 ? n : 0;
}

/* fann_save() spells weights with 21 digits, of which nine name the float: a
 * file with those only is the same to libfann, half as long, and read in half
 * the time. */
static void
shorten(struct str text, struct buf *out)
{
    char digits[40];

    for (size_t at = 0, n; at < text.n; at += n) {
        bool starts = at > 0 && strchr(" =", text.p[at - 1]) != NULL;

        n = starts ? long_real(str_sub(text, at, text.n)) : 0;
        if (n == 0) {
            buf_char(out, text.p[at]);
            n = 1;
            continue;
        }
        memcpy(digits, text.p + at, n);
        digits[n] = '\0';
        buf_printf(out, "%.*e", FLOAT_DIGITS - 1, (double)strtof(digits, NULL));
    }
}

/* fann_save() takes a path: that of a file in memory. */
static enum status
save_text(struct fann *ann, struct buf *text)
{
    int fd = memfd_create("network", MFD_CLOEXEC);
    char path[40];
    enum status st = ST_IO;

    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (fd >= 0 && fann_save(ann, path) == 0)
        st = file_read(text, path, FANN_FILE_BYTES);
    if (fd >= 0)
        close(fd);
    return st;
}

enum status
fann_file_save(struct fann *ann, const char *path, const char *topic)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0), before;
    struct buf text = {0}, shorter = {0};
    enum status st;

    if (c == (locale_t)0)
        return ST_NOMEM;
    before = uselocale(c);
    if ((st = save_text(ann, &text)) == ST_OK)
        shorten(buf_view(&text), &shorter);
    uselocale(before);
    freelocale(c);
    if (st == ST_OK)
        st = file_write(path, buf_view(&shorter));
    if (st != ST_OK)
        log_error(topic, "file=%s fault=\"%s\"", path, strerror(errno));
    buf_free(&text);
    buf_free(&shorter);
    return st;
}
