/* language_model.c -- see language_model.h: the file, read without trust. */
#include "language_model.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/checksum_line.h"
#include "base/file.h"
#include "base/log.h"

#define MAGIC "winnow-languages 1"
#define FILE_MAX ((size_t)64 << 20)

enum { BITS_MIN = 4, BITS_MAX = 22 };

/* "Latn 15 af az ...". */
static bool
read_head(struct language_model *m, struct language_group *g, struct str line,
          unsigned *bits)
{
    struct str word;
    uint64_t n;

    if (!str_cut(&line, ' ', &word) || word.n == 0)
        return false;
    g->script = arena_str(m->arena, word);
    if (!str_cut(&line, ' ', &word) || !str_u64(word, &n) || n < BITS_MIN ||
        n > BITS_MAX)
        return false;
    *bits = (unsigned)n;
    while (str_cut(&line, ' ', &word)) {
        if (word.n == 0 || word.n > 8 || g->languages_n == ROW)
            return false;
        g->languages[g->languages_n++] = arena_str(m->arena, word);
    }
    return g->languages_n > 0;
}

static void
read_rows(struct language_model *m, struct language_group *g, const char *p,
          size_t slots)
{
    size_t size = sizeof(struct language_row);
    char *raw = arena_alloc(m->arena, (slots + 1) * size);
    struct language_row *rows =
        (struct language_row *)(raw + (size - (uintptr_t)raw % size) % size);

    for (size_t i = 0; i < slots; i++)
        for (unsigned k = 0; k < g->languages_n; k++) {
            unsigned weight = (uint8_t)*p++ ^ WEIGHT_ZERO; /* plus 128 */

            rows[i].pairs[k / 2] |= (uint16_t)(weight << k % 2 * 8);
        }
    g->rows = rows;
}

static bool
read_group(struct language_model *m, struct str *rest)
{
    struct language_group *g = &m->groups[m->groups_n];
    unsigned bits;
    struct str line;
    size_t slots;

    if (m->groups_n == GROUPS_MAX || !str_cut(rest, '\n', &line) ||
        !read_head(m, g, line, &bits))
        return false;
    slots = (size_t)1 << bits;
    if (rest->n < slots * (2 + g->languages_n))
        return false;
    if (!tag_table_read(&g->ngrams, m->arena, rest->p, bits))
        return false;
    read_rows(m, g, rest->p + 2 * slots, slots);
    *rest = str_sub(*rest, slots * (2 + g->languages_n), rest->n);
    m->groups_n++;
    return true;
}

enum status
language_model_read(struct language_model **out, struct str bytes)
{
    struct arena *a = arena_new();
    struct language_model *m = ARENA_NEW(a, struct language_model);
    struct str line;
    bool good;

    *out = NULL;
    m->arena = a;
    if ((m->letters = letters_new()) == NULL) {
        arena_free(a);
        return ST_NOMEM;
    }
    good = str_cut(&bytes, '\n', &line) && str_eq(line, S(MAGIC));
    while (good && bytes.n > 0)
        good = read_group(m, &bytes);
    if (good && m->groups_n > 0) {
        *out = m;
        return ST_OK;
    }
    language_model_free(m);
    return ST_INVALID;
}

/* Of a file: without its last line, which it must have, as a model that ends
 * behind any of its groups is one. */
static enum status
read_whole(struct language_model **out, struct str bytes)
{
    return checksum_line_take(&bytes) == CHECKSUM_RIGHT
               ? language_model_read(out, bytes)
               : ST_INVALID;
}

enum status
language_model_open(struct language_model **out, const char *data)
{
    struct buf bytes = {0};
    char path[4096];
    enum status st;

    *out = NULL;
    snprintf(path, sizeof path, "%s/languages.model", data);
    if ((st = file_read(&bytes, path, FILE_MAX)) != ST_OK)
        log_error("language", "%s: %s", path, strerror(errno));
    else if ((st = read_whole(out, buf_view(&bytes))) != ST_OK)
        log_error("language", "%s: %s", path,
                  str_starts(buf_view(&bytes), S(MAGIC))
                      ? "is damaged or cut: bring back a copy"
                      : "is no model of languages");
    buf_free(&bytes);
    return st;
}

void
language_model_free(struct language_model *m)
{
    if (m == NULL)
        return;
    letters_free(m->letters);
    arena_free(m->arena);
}
