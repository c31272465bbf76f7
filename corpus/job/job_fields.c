/* job_fields.c -- see job_fields.h.
 *
 * A text's TABs and line ends become blanks, as columns have none; of more
 * columns than names the last name takes the rest. */
#include "job_fields.h"

#include <inttypes.h>
#include <math.h>

#include "base/json.h"
#include "base/json_reader.h"
#include "base/memory.h"

enum { DEPTH_MAX = 64, NAME_MAX_BYTES = 100 };

static void
add_value(struct job_fields *f, struct str name)
{
    char key[NAME_MAX_BYTES + 1];
    struct str value;
    uint64_t n;
    double real;

    name = str_sub(name, 0, NAME_MAX_BYTES);
    memcpy(key, name.p, name.n);
    key[name.n] = '\0';
    value = json_reader_str(f->json, key);
    for (size_t i = 0; i < value.n; i++)
        buf_char(&f->line, ascii_space(value.p[i]) ? ' ' : value.p[i]);
    if (value.n > 0)
        return;
    if (json_reader_u64(&n, f->json, key))
        buf_printf(&f->line, "%" PRIu64, n);
    else if (!isnan(real = json_reader_real(f->json, key)))
        buf_printf(&f->line, "%.17g", real);
}

static enum status
next_line(void *self, struct str *line)
{
    struct job_fields *f = self;
    enum status st;

    while ((st = f->inner->line(f->inner->self, line)) == ST_OK) {
        struct str names = f->in, name;
        bool first = true;

        if (f->in.n == 0)
            return ST_OK;
        if (!json_reader_read(f->json, *line)) {
            f->rejected++;
            continue;
        }
        buf_clear(&f->line);
        while (str_cut(&names, ',', &name)) {
            if (!first)
                buf_char(&f->line, '\t');
            first = false;
            add_value(f, name);
        }
        *line = buf_view(&f->line);
        return ST_OK;
    }
    return st;
}

static enum status
next_file(void *self, const char **path)
{
    struct job_fields *f = self;

    return f->inner->file(f->inner->self, path);
}

static enum status
put(void *self, struct str line)
{
    struct job_fields *f = self;
    struct json j = {.out = &f->object};
    struct str names = f->out, name;
    size_t at = 0;

    if (f->out.n == 0)
        return f->inner->put(f->inner->self, line);
    buf_clear(&f->object);
    json_object(&j);
    while (str_cut(&names, ',', &name)) {
        size_t end = names.n > 0 ? str_find(line, '\t', at) : line.n;
        char key[NAME_MAX_BYTES + 1];
        struct str value = str_sub(line, at, end);
        uint64_t n;

        name = str_sub(name, 0, NAME_MAX_BYTES);
        memcpy(key, name.p, name.n);
        key[name.n] = '\0';
        if (str_eq(name, S("count")) && str_u64(value, &n))
            json_ku64(&j, key, n);
        else
            json_kstr(&j, key, value);
        at = end + 1;
    }
    json_object_end(&j);
    return f->inner->put(f->inner->self, buf_view(&f->object));
}

void
job_fields_open(struct job_fields *f, struct job_io *io,
                const struct job_io *inner, struct str names)
{
    size_t colon = str_find(names, ':', 0);

    *f = (struct job_fields){.inner = inner,
                             .in = str_sub(names, 0, colon),
                             .out = str_sub(names, colon + 1, names.n),
                             .json = memory_need(json_reader_new(DEPTH_MAX))};
    *io = (struct job_io){f, next_line, next_file, put, NULL};
}

void
job_fields_close(struct job_fields *f)
{
    json_reader_free(f->json);
    buf_free(&f->line);
    buf_free(&f->object);
}
