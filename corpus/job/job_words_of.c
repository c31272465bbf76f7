/* job_words_of.c -- see job_words_of.h. */
#include "job_words_of.h"

#include <errno.h>

#include "base/file.h"
#include "base/log.h"
#include "clean/chain/data_dir.h"

#define WORDS_FILE_MAX ((size_t)16 << 20)

#define LISTS_MAX                                                              \
    (sizeof((struct job_word_lists *)0)->list /                                \
     sizeof((struct job_word_lists *)0)->list[0])

void
job_data_dir(const struct job_run *r, struct buf *out)
{
    struct arena *a = arena_new();
    struct opts o;

    opts_init(&o);
    o.clean_data = job_data(r);
    buf_str(out, data_dir(a, &o));
    buf_char(out, '\0');
    opts_free(&o);
    arena_free(a);
}

bool
job_words_check(const char *path, struct buf *why)
{
    struct language_words *words;
    struct buf text = {0};
    unsigned line;
    bool good = file_read(&text, path, WORDS_FILE_MAX) == ST_OK;

    if (!good) {
        buf_printf(why, "%s", strerror(errno));
    } else if ((good = language_words_open(&words, S(""), NULL) == ST_OK)) {
        good = language_words_read(words, buf_view(&text), &line) == ST_OK;
        if (!good)
            buf_printf(why, "line %u: no line of a word list", line);
        language_words_free(words);
    }
    buf_free(&text);
    return good;
}

void
job_word_lists_open(struct job_word_lists *l, struct job_run *r)
{
    struct str path = job_option_text(r, "words");

    *l = (struct job_word_lists){.r = r};
    job_data_dir(r, &l->folder);
    if (path.n > 0 && file_read(&l->more, path.p, WORDS_FILE_MAX) != ST_OK) {
        log_error("job", "file=%.*s fault=\"%s\"", STRF(path), strerror(errno));
        job_fail(r);
    }
}

void
job_word_lists_close(struct job_word_lists *l)
{
    for (size_t i = 0; i < l->n; i++)
        language_words_free(l->list[i].words);
    buf_free(&l->folder);
    buf_free(&l->more);
}

static bool
add_more(struct job_word_lists *l, struct language_words *words)
{
    unsigned line;

    if (language_words_read(words, buf_view(&l->more), &line) == ST_OK)
        return true;
    log_error("job", "words=%.*s line=%u fault=\"no line of a word list\"",
              STRF(job_option_text(l->r, "words")), line);
    return false;
}

/* Letters of a language's name; other names are as good as none. */
static struct str
plain(struct str language)
{
    size_t n = 0;

    while (n < language.n && n < 15 && ascii_alpha(language.p[n]))
        n++;
    return str_sub(language, 0, n);
}

const struct language_words *
job_word_list(struct job_word_lists *l, struct str language)
{
    struct language_words *words;

    language = plain(language);
    for (size_t i = 0; i < l->n; i++)
        if (str_eq(language, str_c(l->list[i].language)))
            return l->list[i].words;
    if (l->n == LISTS_MAX) {
        language_words_free(l->list[--l->n].words);
    }
    if (language_words_open(&words, language, l->folder.p) != ST_OK) {
        job_fail(l->r);
        return NULL;
    }
    if (!add_more(l, words)) {
        language_words_free(words);
        job_fail(l->r);
        return NULL;
    }
    memset(l->list[l->n].language, 0, sizeof l->list[l->n].language);
    memcpy(l->list[l->n].language, language.p, language.n);
    l->list[l->n].words = words;
    return l->list[l->n++].words;
}
