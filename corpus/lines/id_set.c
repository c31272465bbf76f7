/* id_set.c -- see id_set.h. */
#include "id_set.h"

#include "base/hash.h"
#include "base/log.h"
#include "clean/tools/text_lines.h"

struct id_slot {
    struct hash128 hash;
    int32_t count;
    uint16_t used, met;
};

static bool
used(const void *slot)
{
    return ((const struct id_slot *)slot)->used != 0;
}

static bool
equal(const void *of, const void *slot, const void *key)
{
    const struct hash128 *a = &((const struct id_slot *)slot)->hash, *b = key;

    (void)of;
    return a->low == b->low && a->high == b->high;
}

static uint64_t
hash(const void *of, const void *slot)
{
    (void)of;
    return ((const struct id_slot *)slot)->hash.high;
}

static const struct hashmap_kind kind = {
    .size = sizeof(struct id_slot),
    .used = used,
    .equal = equal,
    .hash = hash,
};

void
id_set_init(struct id_set *s)
{
    hashmap_init(&s->map, &kind, NULL, 64);
}

void
id_set_free(struct id_set *s)
{
    hashmap_free(&s->map);
}

int32_t
id_set_count(const struct id_set *s, struct str id)
{
    struct hash128 key;
    const struct id_slot *slot;

    if (s->map.n == 0) /* as it is mostly */
        return 0;
    key = hash128(id);
    slot = hashmap_find(&s->map, &kind, NULL, key.high, &key);
    return used(slot) ? slot->count : 0;
}

bool
id_set_has(const struct id_set *s, struct str id)
{
    return id_set_count(s, id) > 0;
}

static int32_t
change(struct id_set *s, struct str id, int32_t by)
{
    struct hash128 key = hash128(id);
    struct id_slot *slot = hashmap_put(&s->map, &kind, NULL, key.high, &key);

    slot->hash = key;
    slot->used = 1;
    return slot->count += by;
}

bool
id_set_add(struct id_set *s, struct str id)
{
    return change(s, id, 1) == 1;
}

size_t
id_set_n(const struct id_set *s)
{
    return s->map.n;
}

bool
id_set_meet(struct id_set *s, struct str id)
{
    struct hash128 key;
    struct id_slot *slot;

    if (s->map.n == 0)
        return false;
    key = hash128(id);
    slot = hashmap_find(&s->map, &kind, NULL, key.high, &key);
    if (!used(slot) || slot->count <= 0)
        return false;
    slot->met = 1;
    return true;
}

uint64_t
id_set_unmet(const struct id_set *s, uint64_t *of)
{
    const struct id_slot *slot = NULL;
    uint64_t n = 0;

    *of = 0;
    while ((slot = hashmap_next(&s->map, &kind, slot)) != NULL) {
        *of += slot->count > 0;
        n += slot->count > 0 && !slot->met;
    }
    return n;
}

/* ---- lists ---- */

/* *id: "", the line is empty.  ST_USAGE: it is no line of a list. */
static enum status
id_of_line(struct str line, struct str *id, int32_t *by)
{
    struct str kept, number;

    *id = line = number = str_trim(line);
    if (line.n == 0)
        return ST_OK;
    if (str_cut(&number, ' ', &line) && str_cut(&number, ' ', &kept)) {
        double resemblance;

        if (!str_real(number, &resemblance))
            return ST_USAGE;
    }
    if (line.n > ID_BYTES_MAX || memchr(line.p, ' ', line.n) != NULL ||
        memchr(line.p, '<', line.n) != NULL)
        return ST_USAGE;
    *by = line.p[0] == '!' ? -1 : 1;
    *id = str_sub(line, *by < 0, line.n);
    return ST_OK;
}

struct list {
    struct text_lines *lines;
    uint64_t line_n;
    struct str id;
    int32_t by;
};

/* The next id; ST_NONE: the end. */
static enum status
next_id(struct list *l)
{
    enum status st;
    struct str line;
    bool ended;

    do {
        if ((st = text_lines_next(l->lines, &line, &ended)) != ST_OK)
            return st;
        l->line_n++;
        st = id_of_line(line, &l->id, &l->by);
    } while (st == ST_OK && l->id.n == 0);
    return st;
}

enum status
id_set_read(struct id_set *s, const char *path)
{
    struct list l = {.line_n = 0};
    enum status st = text_lines_open(&l.lines, path);

    if (st != ST_OK)
        return st;
    while ((st = next_id(&l)) == ST_OK)
        change(s, l.id, l.by);
    if (st == ST_USAGE)
        log_error("ids", "file=%s line=%llu fault=\"no id of a document\"",
                  path, (unsigned long long)l.line_n);
    text_lines_close(l.lines);
    return st == ST_NONE ? ST_OK : st;
}

enum status
id_set_first_unmet(const struct id_set *s, const char *path, uint64_t *line_n,
                   struct buf *id)
{
    struct list l = {.line_n = 0};
    enum status st = text_lines_open(&l.lines, path);

    if (st != ST_OK)
        return st;
    while ((st = next_id(&l)) == ST_OK) {
        struct hash128 key = hash128(l.id);
        const struct id_slot *slot =
            hashmap_find(&s->map, &kind, NULL, key.high, &key);

        if (used(slot) && slot->count > 0 && !slot->met)
            break;
    }
    *line_n = l.line_n;
    if (st == ST_OK)
        buf_str(id, l.id);
    text_lines_close(l.lines);
    return st;
}
