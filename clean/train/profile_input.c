/* profile_input.c -- see profile_input.h.  A file is read line by line; one
 * document at a time is in memory. */
#include "profile_input.h"

#include <stdio.h>

#include "base/buf.h"
#include "clean/charset/utf8.h"
#include "clean/tools/text_lines.h"

#define TYPES_MAX (1u << 20) /* of one document in a token file */

struct profile_text {
    struct profiler *profiler;
    const char *path;
    uint64_t line_n;

    uint64_t words_n, words; /* text: wanted, in `text` so far */
    struct buf text;

    bool tokens; /* a token file */
    struct arena *arena;
    struct token_type *types;
    uint32_t types_n, types_room, tokens_n;
};

static enum status
fault(const struct profile_text *x, const char *what)
{
    fprintf(stderr, "winnow profile: %s:%llu: %s\n", x->path,
            (unsigned long long)x->line_n, what);
    return ST_INVALID;
}

static bool
column(struct str *rest, struct str *out)
{
    return str_cut(rest, '\t', out) && out->n > 0;
}

/* "# ID <TAB> types <TAB> tokens" */
static bool
is_heading(struct str line, uint32_t *tokens_n)
{
    struct str id, types, tokens;
    uint64_t n;

    if (!str_starts(line, S("# ")) || !column(&line, &id) ||
        !column(&line, &types) || !column(&line, &tokens) || line.n > 0 ||
        !str_u64(types, &n) || !str_u64(tokens, &n) || n > UINT32_MAX)
        return false;
    *tokens_n = (uint32_t)n;
    return true;
}

static void
end_list(struct profile_text *x)
{
    profiler_add_types(x->profiler, x->types, x->types_n, x->tokens_n);
    arena_reset(x->arena);
    x->types = NULL;
    x->types_n = x->types_room = 0;
}

static enum status
take_type(struct profile_text *x, struct str line)
{
    struct str word, number;
    uint64_t count;

    if (!column(&line, &word) || !column(&line, &number) ||
        !str_u64(number, &count) || count > UINT32_MAX)
        return fault(x, "neither TYPE<TAB>count nor # ID<TAB>types<TAB>tokens");
    if (x->types_n == TYPES_MAX)
        return fault(x, "more than a million types in one document");
    if (x->types_n == x->types_room) {
        uint32_t room = x->types_room ? x->types_room * 2 : 256;

        x->types =
            arena_grow(x->arena, x->types, x->types_room * sizeof *x->types,
                       room * sizeof *x->types);
        x->types_room = room;
    }
    x->types[x->types_n++] = (struct token_type){
        .text = arena_str(x->arena, word), .count = (uint32_t)count};
    return ST_OK;
}

static void
end_text(struct profile_text *x)
{
    profiler_add(x->profiler, buf_view(&x->text));
    buf_clear(&x->text);
    x->words = 0;
}

static void
take_text(struct profile_text *x, struct str line, bool ended)
{
    struct str rest = line, word;

    buf_str(&x->text, line);
    if (ended)
        buf_char(&x->text, '\n');
    while (str_word(&rest, &word))
        x->words++;
    if (x->words_n > 0 && x->words >= x->words_n && ended)
        end_text(x);
}

static enum status
take_line(struct profile_text *x, struct str line, bool ended)
{
    uint32_t tokens_n;

    x->line_n++;
    if (!utf8_valid(line))
        return fault(x, "not UTF-8");
    if (x->line_n == 1)
        x->tokens = is_heading(line, &tokens_n);
    if (!x->tokens) {
        take_text(x, line, ended);
        return ST_OK;
    }
    if (is_heading(line, &tokens_n)) {
        end_list(x);
        x->tokens_n = tokens_n;
        return ST_OK;
    }
    return take_type(x, line);
}

enum status
profile_input(struct profiler *p, const char *path, uint64_t words_n)
{
    struct profile_text x = {.profiler = p, .path = path, .words_n = words_n};
    struct text_lines *lines;
    struct str line;
    bool ended;
    enum status st;

    if ((st = text_lines_open(&lines, path)) != ST_OK)
        return st;
    x.arena = arena_new();
    while ((st = text_lines_next(lines, &line, &ended)) == ST_OK &&
           (st = take_line(&x, line, ended)) == ST_OK)
        ;
    if (st == ST_NONE) {
        st = ST_OK;
        if (x.tokens)
            end_list(&x);
        else if (x.words * 2 >= words_n) /* a short rest would only be noise */
            end_text(&x);
    }
    buf_free(&x.text);
    arena_free(x.arena);
    text_lines_close(lines);
    return st;
}
