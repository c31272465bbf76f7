/* id_set.c -- see id_set.h. */
#include "id_set.h"

#include "base/hash.h"
#include "base/log.h"
#include "clean/tools/text_lines.h"

struct id_slot {
    struct hash128 hash;
    int32_t count;
    uint32_t used;
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

static enum status
take_line(struct id_set *s, struct str line)
{
    struct str kept, number;

    line = str_trim(line);
    if (line.n == 0)
        return ST_OK;
    number = line;
    if (str_cut(&number, ' ', &line) && str_cut(&number, ' ', &kept)) {
        double resemblance;

        if (!str_real(number, &resemblance))
            return ST_INVALID;
    }
    if (line.n > ID_BYTES_MAX || memchr(line.p, ' ', line.n) != NULL ||
        memchr(line.p, '<', line.n) != NULL)
        return ST_INVALID;
    if (line.p[0] == '!')
        change(s, str_sub(line, 1, line.n), -1);
    else
        change(s, line, 1);
    return ST_OK;
}

enum status
id_set_read(struct id_set *s, const char *path)
{
    struct text_lines *lines;
    struct str line;
    enum status st = text_lines_open(&lines, path);
    uint64_t n = 0;
    bool ended;

    if (st != ST_OK)
        return st;
    while ((st = text_lines_next(lines, &line, &ended)) == ST_OK) {
        n++;
        st = take_line(s, line);
        if (st != ST_OK) {
            log_error("ids", "file=%s line=%llu fault=\"no id of a document\"",
                      path, (unsigned long long)n);
            break;
        }
    }
    text_lines_close(lines);
    return st == ST_NONE ? ST_OK : st;
}
