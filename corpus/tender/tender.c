/* tender.c -- see tender.h: the stages in order, and what they share. */
#include "tender.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"
#include "corpus/lines/line_blocks.h"
#include "corpus/lines/replaced.h"
#include "tender_inside.h"

/* Lists of ours have a file of clusters beside them. */
static bool
is_own_list(const char *path)
{
    struct str name = str_c(path);
    struct buf beside = {0};
    bool gz = str_ends(name, S(".gz")), own = false;

    if (gz)
        name.n -= 3;
    if (str_ends(name, S(".03.blacklist"))) {
        buf_str(&beside, str_sub(name, 0, name.n - strlen("blacklist")));
        buf_c(&beside, gz ? "clusters.gz" : "clusters");
        buf_char(&beside, '\0');
        own = access(beside.p, F_OK) == 0;
        buf_free(&beside);
    }
    return own;
}

static enum status
read_lists(struct tender *t)
{
    const struct paths *p = &t->o->blacklists;
    enum status st = replaced_read(&t->listed, &t->o->inputs);

    for (size_t i = 0; i < p->n && st == ST_OK; i++)
        st = id_set_read(t->o->earlier_n == 0 && is_own_list(p->path[i])
                             ? &t->own
                             : &t->listed,
                         p->path[i]);
    return st;
}

static enum status
read_and_rank(struct tender *t)
{
    enum status st = tender_read(t);

    if (st == ST_OK && t->facts.form == SHINGLE_NONE &&
        t->counts.rejected_lines > 0) {
        log_error("tender", "fault=\"no line of the input is a hash or a "
                            "fingerprint: winnow clean --format shingles or "
                            "tender makes them\"");
        st = ST_INVALID;
    }
    return st == ST_OK ? tender_rank(t) : st;
}

static void
forget_spill(const struct tender *t, const char *name)
{
    char *path = tender_path(t, name);

    spill_remove(path);
    free(path);
}

static enum status
stages(struct tender *t)
{
    static enum status (*const run[])(struct tender * t) = {
        read_and_rank, tender_pairs, tender_scores};
    static const char *const used_up[] = {NULL, "keys", "pairs"};
    enum tender_stage done;
    enum status st = tender_state_open(t, &done);

    if (st == ST_OK && done > STAGE_NOTHING && t->near == 0 && t->limit == 0)
        done = STAGE_NOTHING; /* there was no line to decide by */
    for (unsigned i = (unsigned)done; st == ST_OK && i < STAGE_SCORES; i++) {
        st = run[i](t);
        if (st == ST_OK)
            st = tender_state_write(t, (enum tender_stage)(i + 1));
        if (st == ST_OK && used_up[i] != NULL)
            forget_spill(t, used_up[i]);
    }
    if (st == ST_OK)
        st = tender_choose(t);
    if (st == ST_OK)
        tender_folder_remove(t);
    if (t->lock >= 0)
        close(t->lock);
    return st;
}

enum status
tender_run(const struct tender_options *o, struct tender_counts *out)
{
    struct tender t = {.o = o, .near = o->near, .limit = o->limit, .lock = -1};
    struct buf folder = {0};
    enum status st;

    buf_printf(&folder, "%s.tender", o->prefix);
    buf_char(&folder, '\0');
    t.folder = folder.p;
    t.large = line_blocks_bytes(&o->inputs) > o->memory;
    id_set_init(&t.listed);
    id_set_init(&t.own);
    st = read_lists(&t);
    if (st == ST_OK)
        st = stages(&t);
    *out = t.counts;
    id_set_free(&t.listed);
    id_set_free(&t.own);
    buf_free(&folder);
    return st;
}
