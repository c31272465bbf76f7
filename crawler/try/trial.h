/* trial.h -- one page on trial: read or fetched, cleaned, its links scored.
 *
 * Strings live in the arenas, for as long as the trial. */
#ifndef TRY_TRIAL_H
#define TRY_TRIAL_H

#include "base/options/opt.h"
#include "base/options/scorer.tbl.h"
#include "clean/archive/source.h"
#include "clean/cleaner/cleaner.h"
#include "clean/scope/scope.h"
#include "crawler/admit/outlinks.h"

enum {
#define SCORER(name, way) TRIAL_SCORER_##name,
    FRONTIER_SCORERS(SCORER, SCORER)
#undef SCORER
        TRIAL_SCORERS_N
};

extern const char *const trial_scorer_name[TRIAL_SCORERS_N];

struct trial_link {                  /* a link that a crawl would follow */
    uint32_t link_i;                 /* of the document */
    float priority[TRIAL_SCORERS_N]; /* 0..1; below 0: not queued */
    struct str why[TRIAL_SCORERS_N]; /* lines of text, or "" */
    const char *trap;                /* what its URL looks like, or "" */
};

struct trial {
    struct opts *opts; /* clean.language is set when it was found out */
    struct arena *arena;
    struct arena *page_arena; /* what stands in the file, of one page */
    struct document doc;
    struct scope *scope;
    struct cleaner *cleaner; /* the document is no longer good without it */
    bool language_found;     /* no job and no flag named one */

    /* How it came, of pages that were fetched. */
    unsigned status, redirects;
    uint64_t received, ms;
    struct str address;

    enum link_words words; /* of its own URL */
    struct outlinks outlinks;
    struct trial_link *link; /* the best of the job's scorer first */
    size_t links_n;
};

/* The first page (or page `number`, from 1, of an archive, whose pages are
 * those of `winnow clean`) in `path`, "-": standard input.  `url` is where it
 * is from, in an archive only pages of that URL count; "": it is not said.
 * ST_IO, ST_INVALID: reported; ST_NONE: there is no such page (reported). */
enum status trial_read(struct trial *t, const char *path, const char *url,
                       uint64_t number);

/* The page at the URL `text`, fetched as a crawl would with its rules and
 * politeness; what stands in its way is reported.  An exit code of command.h.
 */
int trial_fetch(struct trial *t, const char *text);

/* It is this one; url: "" is its own.  Strings are not copied. */
void trial_take(struct trial *t, const struct source_page *p, struct str url);

/* Clean it; its language becomes that of the options if they name none.
 * ST_USAGE, ST_IO, ST_NOMEM: reported. */
enum status trial_clean(struct trial *t);

/* Ask every scorer for each link, in a frontier that has just fetched this
 * page, the first of its crawl.  ST_IO, ST_STORE: reported. */
enum status trial_score(struct trial *t);

/* For a terminal: in colours or not, lines of so many characters; so many
 * links, and so many of them with what their scorers say. */
struct trial_look {
    bool colours, whole; /* whole: blocks are not cut to a line */
    uint32_t columns;
    size_t links, explained;
};
void trial_text(const struct trial *t, const struct trial_look *look,
                struct buf *out);
void trial_json(const struct trial *t, struct buf *out);

#endif
