/* tagger_file.c -- models from their files, read without trust. */
#include <errno.h>
#include <stdio.h>

#include "base/checksum_line.h"
#include "base/file.h"
#include "base/log.h"
#include "tagger_model.h"

#define FILE_MAX ((size_t)64 << 20)

enum { BITS_MIN = 4, BITS_MAX = 20, LEMMA_BYTES = 10 };

/* "NAME N" within bounds. */
static bool
read_count(struct str *rest, struct str name, uint64_t most, uint64_t *n)
{
    struct str line, word;

    return str_cut(rest, '\n', &line) && str_cut(&line, ' ', &word) &&
           str_eq(word, name) && str_u64(line, n) && *n <= most;
}

static bool
read_weights(struct tag_weights_table *t, struct arena *a, struct str *rest,
             unsigned columns)
{
    uint64_t bits;
    size_t slots;
    int8_t(*rows)[TAG_ROW];

    if (!read_count(rest, S("weights"), BITS_MAX, &bits) || bits < BITS_MIN)
        return false;
    slots = (size_t)1 << bits;
    if (rest->n < slots * (2 + columns))
        return false;
    if (!tag_table_read(&t->features, a, rest->p, (unsigned)bits))
        return false;
    rows = arena_alloc(a, slots * sizeof *rows);
    for (size_t i = 0; i < slots; i++)
        memcpy(rows[i], rest->p + 2 * slots + i * columns, columns);
    t->rows = (const int8_t(*)[TAG_ROW])rows;
    *rest = str_sub(*rest, slots * (2 + columns), rest->n);
    return true;
}

static bool
read_language(struct tagger *t, struct str *rest)
{
    const struct str key = STR("language ");
    struct str line = key;

    if (str_starts(*rest, key) && !str_cut(rest, '\n', &line))
        return false;
    t->language = arena_str(t->arena, str_sub(line, key.n, line.n));
    return true;
}

/* The tags of the language's own, if the model has them. */
static bool
read_xpos(struct tagger *t, struct str *rest)
{
    uint64_t n, columns;

    if (!str_starts(*rest, S("xpos ")))
        return true;
    if (!read_count(rest, S("xpos"), UPOS_N * TAG_ROW, &n))
        return false;
    t->tags = ARENA_NEW(t->arena, struct xpos_set);
    for (; n > 0; n--) {
        struct str line, word;
        unsigned upos;

        if (!str_cut(rest, '\n', &line) || !str_cut(&line, ' ', &word) ||
            (upos = upos_find(word)) == UPOS_N || line.n == 0 ||
            t->tags->n[upos] == TAG_ROW)
            return false;
        t->tags->name[upos][t->tags->n[upos]++] = arena_str(t->arena, line);
    }
    if (!read_count(rest, S("columns"), TAG_ROW, &columns))
        return false;
    for (unsigned u = 0; u < UPOS_N; u++)
        if (t->tags->n[u] > columns && t->tags->n[u] > 1)
            return false;
    return read_weights(&t->xpos, t->arena, rest, (unsigned)columns);
}

static bool
read_rules(struct tagger *t, struct str *rest)
{
    uint64_t n, strip;

    if (!read_count(rest, S("rules"), RULES_MAX, &n))
        return false;
    t->rules = ARENA_ARRAY(t->arena, struct lemma_rule, n + 1);
    for (; t->rules_n < n; t->rules_n++) {
        struct lemma_rule *r = &t->rules[t->rules_n];
        struct str line, word;

        if (!str_cut(rest, '\n', &line) || !str_cut(&line, ' ', &word) ||
            word.n != 1)
            return false;
        r->small = word.p[0] == 'l';
        if (!str_cut(&line, ' ', &word) || !str_u64(word, &strip) ||
            strip > WORD_BYTES_MAX)
            return false;
        r->strip = (unsigned)strip;
        r->add = arena_str(t->arena, line);
    }
    return true;
}

static bool
read_lemmas(struct tagger *t, struct str *rest)
{
    uint64_t n;

    if (!read_count(rest, S("lemmas"), FILE_MAX, &n) ||
        rest->n != n * LEMMA_BYTES)
        return false;
    hashmap_init(&t->lemmas, &lemma_kind, t->arena, n + 1);
    for (size_t i = 0; i < n; i++) {
        const unsigned char *b =
            (const unsigned char *)rest->p + i * LEMMA_BYTES;
        struct lemma_slot *s;
        uint64_t hash = 0;

        for (int k = 7; k >= 0; k--)
            hash = hash << 8 | b[k];
        if (hash == 0 || (unsigned)(b[8] | b[9] << 8) >= t->rules_n)
            return false;
        s = hashmap_put(&t->lemmas, &lemma_kind, t, hash, &hash);
        *s = (struct lemma_slot){hash, (uint32_t)(b[8] | b[9] << 8)};
    }
    return true;
}

enum status
tagger_read(struct tagger **out, struct str bytes)
{
    struct arena *a = arena_new();
    struct tagger *t = ARENA_NEW(a, struct tagger);
    bool whole = checksum_line_take(&bytes) != CHECKSUM_WRONG;
    struct str line;

    *out = NULL;
    t->arena = a;
    if ((t->letters = letters_new()) == NULL) {
        arena_free(a);
        return ST_NOMEM;
    }
    if (whole && str_cut(&bytes, '\n', &line) &&
        str_eq(line, S(TAGGER_MAGIC TAGGER_VERSION)) &&
        read_language(t, &bytes) && read_xpos(t, &bytes) &&
        read_weights(&t->upos, t->arena, &bytes, UPOS_N) &&
        read_rules(t, &bytes) && read_lemmas(t, &bytes)) {
        *out = t;
        return ST_OK;
    }
    tagger_free(t);
    return ST_INVALID;
}

static const char *
why_not(struct str bytes)
{
    if (!str_starts(bytes, S(TAGGER_MAGIC)))
        return "is no model of a tagger";
    if (!str_starts(bytes, S(TAGGER_MAGIC TAGGER_VERSION "\n")))
        return "a model of another version: make it again with winnow train "
               "tagger";
    return "is damaged or cut: bring back a copy, or make it again with winnow "
           "train tagger";
}

/* One file in another's place. */
static enum status
refuse(struct tagger **t, const char *path)
{
    log_error("tagger", "%s: is a model of the language %.*s", path,
              STRF((*t)->language));
    tagger_free(*t);
    *t = NULL;
    return ST_INVALID;
}

enum status
tagger_open(struct tagger **out, struct str language, const char *data)
{
    struct buf bytes = {0};
    char path[4096];
    enum status st;

    *out = NULL;
    for (size_t i = 0; i < language.n; i++)
        if (!ascii_alpha(language.p[i]) && language.p[i] != '-')
            return ST_NONE;
    snprintf(path, sizeof path, "%s/taggers/%.*s.tagger", data, STRF(language));
    st = file_read(&bytes, path, FILE_MAX);
    if (st == ST_IO && errno == ENOENT)
        st = ST_NONE;
    else if (st != ST_OK)
        log_error("tagger", "%s: %s", path, strerror(errno));
    else if ((st = tagger_read(out, buf_view(&bytes))) != ST_OK)
        log_error("tagger", "%s: %s", path, why_not(buf_view(&bytes)));
    else if ((*out)->language.n > 0 && !str_eq((*out)->language, language))
        st = refuse(out, path);
    buf_free(&bytes);
    return st;
}

void
tagger_free(struct tagger *t)
{
    if (t == NULL)
        return;
    letters_free(t->letters);
    arena_free(t->arena);
}
