/* outputs_spare.c -- what is there already: inputs that a result must not write
 * over, and results of an earlier run. */
#include "outputs.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/hash.h"
#include "base/hashmap.h"

struct file_number { /* ino 0: none */
    dev_t device;
    ino_t ino;
};

static bool
number_used(const void *slot)
{
    return ((const struct file_number *)slot)->ino != 0;
}

static bool
number_is(const void *of, const void *slot, const void *key)
{
    const struct file_number *x = slot, *y = key;

    (void)of;
    return x->ino == y->ino && x->device == y->device;
}

static uint64_t
number_hash(const void *of, const void *slot)
{
    const struct file_number *x = slot;

    (void)of;
    return hash_mix((uint64_t)x->ino ^ hash_mix((uint64_t)x->device));
}

static const struct hashmap_kind numbers_kind = {
    sizeof(struct file_number), number_used, number_is, number_hash, NULL};

/* False: not there, or no file (a pipe, /dev/null). */
static bool
number_of(const char *path, struct file_number *out)
{
    struct stat sb;

    if (stat(path, &sb) != 0 || !S_ISREG(sb.st_mode))
        return false;
    *out = (struct file_number){sb.st_dev, sb.st_ino};
    return true;
}

/* There, and a pipe or a device: anybody may write to it. */
static bool
is_no_file(const char *path)
{
    struct stat sb;

    return stat(path, &sb) == 0 && !S_ISREG(sb.st_mode);
}

static void
note_inputs(struct hashmap *numbers, const struct inputs *inputs)
{
    hashmap_init(numbers, &numbers_kind, NULL, inputs->n);
    for (size_t i = 0; i < inputs->n; i++) {
        struct file_number n, *slot;

        if (!number_of(inputs->item[i].in, &n))
            continue;
        slot = hashmap_put(numbers, &numbers_kind, NULL, number_hash(NULL, &n),
                           &n);
        *slot = n;
    }
}

static enum status
spare(const struct hashmap *numbers, const char *path)
{
    struct file_number n;

    if (!number_of(path, &n) ||
        !number_used(hashmap_find(numbers, &numbers_kind, NULL,
                                  number_hash(NULL, &n), &n)))
        return ST_OK;
    fprintf(stderr,
            "winnow clean: %s is one of the inputs, and a result would stand "
            "in its place: write to another folder or name (-o)\n",
            path);
    return ST_USAGE;
}

static enum status
spare_each_other(const struct outputs *o, const char *base, struct arena *a)
{
    const char *path[OUTPUTS_MAX];

    for (size_t i = 0; i < o->n; i++) {
        path[i] = outputs_path(o, &o->item[i], base, a);
        for (size_t k = 0; k < i && path[i] != NULL; k++) {
            if (path[k] == NULL || strcmp(path[i], path[k]) != 0 ||
                is_no_file(path[i]))
                continue;
            fprintf(stderr,
                    "winnow clean: %s and %s would both be written to "
                    "%s: give them names of their own\n",
                    o->item[k].writer->name, o->item[i].writer->name, path[i]);
            return ST_USAGE;
        }
    }
    return ST_OK;
}

enum status
outputs_spare_inputs(const struct outputs *o, const struct inputs *inputs)
{
    struct hashmap numbers = {0};
    struct arena *a = arena_new();
    enum status st = ST_OK;

    note_inputs(&numbers, inputs);
    for (size_t i = 0; i < inputs->n && st == ST_OK; i++) {
        const char *base = inputs->item[i].out;

        arena_reset(a);
        st = spare_each_other(o, base, a);
        for (size_t k = 0; k < o->n && st == ST_OK; k++) {
            const char *path = outputs_path(o, &o->item[k], base, a);

            if (path != NULL && (i == 0 || o->item[k].joined == NULL))
                st = spare(&numbers, path);
        }
    }
    hashmap_free(&numbers);
    arena_free(a);
    return st;
}

/* The file of its own that an input's records go to, if there is one. */
static bool
result_of(const struct outputs *o, const struct output *x, const char *base,
          struct arena *a, struct stat *sb)
{
    const char *path =
        x->joined == NULL && base != NULL ? outputs_path(o, x, base, a) : NULL;

    return path != NULL && stat(path, sb) == 0 && S_ISREG(sb->st_mode);
}

bool
outputs_are_there(const struct outputs *o, const struct input *x,
                  struct arena *a)
{
    struct stat sb;

    for (size_t i = 0; i < o->n; i++)
        if (result_of(o, &o->item[i], x->out, a, &sb))
            return true;
    return false;
}

static bool
is_older(const struct stat *x, const struct stat *than)
{
    return x->st_mtim.tv_sec < than->st_mtim.tv_sec ||
           (x->st_mtim.tv_sec == than->st_mtim.tv_sec &&
            x->st_mtim.tv_nsec < than->st_mtim.tv_nsec);
}

bool
outputs_are_whole(const struct outputs *o, const struct input *x,
                  struct arena *a)
{
    struct stat sb, input;

    if (stat(x->in, &input) != 0)
        return false;
    for (size_t i = 0; i < o->n; i++)
        if (!result_of(o, &o->item[i], x->out, a, &sb) || is_older(&sb, &input))
            return false;
    return o->n > 0;
}
