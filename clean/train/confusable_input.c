/* confusable_input.c -- see confusable_input.h. */
#include "confusable_input.h"

#include "clean/chain/codepoint.h"
#include "clean/charset/utf8.h"
#include "clean/tools/text_lines.h"
#include "clean/tools/unigrams.h"

/* One word as in running text: nothing but letters with their marks. */
static bool
is_word(const struct letters *l, struct str text)
{
    for (size_t at = 0; at < text.n;) {
        enum letter_class class = letters_class(l, codepoint_next(text, &at));

        if (class != LETTER_WORD && class != LETTER_MARK)
            return false;
    }
    return text.n > 0;
}

static void
take(struct confusable_learner *l, const struct letters *letters,
     struct str line, enum confusable_source source, struct buf *folded)
{
    struct str number;
    uint64_t count;

    if (!utf8_valid(line) || !str_cut(&line, '\t', &number) ||
        !str_u64(str_trim(number), &count))
        return;
    line = str_trim(line);
    if (!is_word(letters, line))
        return;
    word_fold(letters, line, folded);
    confusable_learner_add(l, buf_view(folded), count, source);
}

static enum status
read_list(struct confusable_learner *l, const struct letters *letters,
          const char *path, enum confusable_source source)
{
    struct text_lines *in;
    enum status st = text_lines_open(&in, path);
    struct buf folded = {0};
    struct str line;
    bool ended;

    if (st != ST_OK)
        return st;
    while ((st = text_lines_next(in, &line, &ended)) == ST_OK)
        take(l, letters, line, source, &folded);
    buf_free(&folded);
    text_lines_close(in);
    return st == ST_NONE ? ST_OK : st;
}

enum status
confusable_input(struct confusable_learner **out, const char *path,
                 const char *confusable_path)
{
    struct confusable_learner *l = confusable_learner_new();
    struct letters *letters = letters_new();
    enum status st = l == NULL || letters == NULL ? ST_NOMEM : ST_OK;

    if (st == ST_OK)
        st = read_list(l, letters, path, CONFUSABLE_LANGUAGE);
    if (st == ST_OK)
        st = read_list(l, letters, confusable_path, CONFUSABLE_OTHER);
    letters_free(letters);
    if (st != ST_OK) {
        confusable_learner_free(l);
        l = NULL;
    }
    *out = l;
    return st;
}
