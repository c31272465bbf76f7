/* frontier_open.c -- a frontier is opened, module by module, and closed. */
#include <stdlib.h>

#include "base/file.h"
#include "base/log.h"
#include "base/options/opt.h"
#include "frontier/parts.h"
#include "frontier/schedule/timekeeper.h"
#include "frontier/store/row_keys.h"

#define LEARNT_LAG_MS 1000u

/* A walk goes by the links of the pages that it has met, and knows none of
 * those that were fetched without it. */
static bool
comes_too_late(const struct frontier *f)
{
    return scoring_scorer(f->sc)->next != NULL &&
           f->db->counters.totals.pages > 0;
}

/* What is next is the scorer's to say, and a host that is full would never let
 * it go on. */
static enum status
check_host_pages(const struct frontier *f, const struct opts *o)
{
    if (scoring_scorer(f->sc)->next == NULL || o->limits_host_pages == 0)
        return ST_OK;
    log_error("frontier",
              "limits.host_pages = %llu: not with scorer=%s, which chooses its "
              "way itself; set it to 0, or frontier.scorer to another one",
              (unsigned long long)o->limits_host_pages,
              frontier_scorer_name(f));
    return ST_USAGE;
}

/* URLs keep the priorities that another scorer gave them. */
static enum status
note_scorer(struct frontier *f)
{
    struct str was, now = str_c(frontier_scorer_name(f));
    enum status st = tables_get(f->db->tables, TABLE_META, S("scorer"), &was);

    if (st == ST_OK && !str_eq(was, now) && comes_too_late(f)) {
        log_error("frontier",
                  "scorer=%.*s was %.*s: it cannot go on from pages that "
                  "another scorer has chosen; give it another folder (--dir)",
                  STRF(now), STRF(was));
        return ST_USAGE;
    }
    if (st == ST_OK && !str_eq(was, now))
        log_warn("frontier",
                 "scorer=%.*s was %.*s: URLs queued so far keep their "
                 "priorities",
                 STRF(now), STRF(was));
    if (st == ST_OK && str_eq(was, now))
        return ST_OK;
    return st == ST_OK || st == ST_NONE
               ? tables_put(f->db->tables, TABLE_META, S("scorer"), now)
               : st;
}

/* A store keeps to the rule of keys with which it began. */
static enum status
note_keys(struct frontier *f)
{
    struct str value;
    enum status st = tables_get(f->db->tables, TABLE_META, S("scorer"), &value);

    return st == ST_NONE ? row_keys_write(f->db->tables, f->db->keys) : st;
}

/* A folder that --load has not filled yet is nobody else's. */
static enum status
refuse_half_loaded(struct frontier *f)
{
    struct str value;
    enum status st = tables_get(f->db->tables, TABLE_META, S("load"), &value);

    if (st != ST_OK || f->db->loading)
        return st == ST_NONE ? ST_OK : st;
    log_error("frontier",
              "%s is half loaded: start `winnow frontier %s --load FILE` again",
              f->db->dir, f->db->dir);
    return ST_USAGE;
}

static enum status
load(struct frontier *f, uint64_t now_ms)
{
    enum status st = tables_peek(f->db->tables);

    if (st != ST_OK)
        return st;
    if ((st = refuse_half_loaded(f)) == ST_OK &&
        (st = scoring_load(f->sc)) == ST_OK && !f->db->reader &&
        (st = url_store_read(f->db)) == ST_OK &&
        (st = schedule_load(f->sched, now_ms)) == ST_OK) {
        f->db->prefetch_pool = prefetch_pool_new(f->db->tables);
        st = intake_load(f->in);
    }
    tables_abort(f->db->tables);
    return st;
}

/* A reader tells which scorer the writer uses, not which its job names. */
static enum status
recall_scorer(struct frontier *f, const struct scorer **scorer)
{
    const struct scorer *known;
    struct str name;
    enum status st = tables_peek(f->db->tables);

    if (st != ST_OK)
        return st;
    st = tables_get(f->db->tables, TABLE_META, S("scorer"), &name);
    if (st == ST_OK && (known = scorer_find(name)) != NULL)
        *scorer = known;
    tables_abort(f->db->tables);
    return st == ST_NONE ? ST_OK : st;
}

/* What the intake asks of the scheduler goes through these. */
static enum status
open_others(struct frontier *f, const struct opts *o)
{
    struct intake_asks of_schedule = {.has_url_rules = schedule_has_url_rules,
                                      .is_deleted = schedule_is_deleted,
                                      .is_held = schedule_is_held,
                                      .listed = schedule_revisit_listed};
    enum status st = schedule_open(&f->sched, f->db, f->sc, &f->random, o);

    of_schedule.self = f->sched;
    if (st == ST_OK)
        st = intake_open(&f->in, f->db, f->sc, &of_schedule, o);
    return st;
}

static enum status
open_with(struct frontier **out, const char *dir, const struct opts *o,
          const struct tables_config *config, uint64_t now_ms, bool loading)
{
    struct frontier *f = calloc(1, sizeof *f);
    const struct scorer *scorer = scorer_find(o->frontier_scorer);
    enum status st = ST_NOMEM;

    *out = NULL;
    if (f == NULL)
        return ST_NOMEM;
    f->random = random_seed(o->frontier_random_seed);
    if (scorer == NULL) {
        log_error("frontier", "frontier.scorer = %.*s: there is no such scorer",
                  STRF(o->frontier_scorer));
        st = ST_USAGE;
    } else {
        st = url_store_open(&f->db, dir, config, loading);
    }
    if (st == ST_OK)
        f->db->now_ms = now_ms;
    if (st == ST_OK && (f->db->reader || f->db->loading))
        st = recall_scorer(f, &scorer);
    if (st == ST_OK &&
        (st = scoring_open(&f->sc, scorer, f->db, &f->random, o, now_ms)) ==
            ST_OK &&
        (st = open_others(f, o)) == ST_OK)
        st = load(f, now_ms);
    if (st != ST_OK) {
        frontier_close(f);
        return st;
    }
    *out = f;
    return ST_OK;
}

static enum status
open_at(struct frontier **out, const char *dir, const struct opts *o,
        size_t map_size, uint64_t now_ms, bool loading)
{
    const struct tables_config config = {
        .map_size = map_size,
        .sync = o->frontier_sync,
        .disk_free = o->output_disk_free_mib << 20,
    };
    enum status st = open_with(out, dir, o, &config, now_ms, loading);

    if (st != ST_OK)
        return st;
    st = frontier_begin(*out);
    if (st == ST_FULL) /* the callers will wait, as at any other time */
        return ST_OK;
    if (st == ST_OK && !loading && (st = check_host_pages(*out, o)) == ST_OK &&
        (st = note_keys(*out)) == ST_OK && (st = note_scorer(*out)) == ST_OK)
        st = schedule_addresses_tidy((*out)->sched, now_ms);
    if (st == ST_OK)
        st = frontier_commit(*out);
    if (st == ST_FULL) /* what there is no room for has been said */
        log_error(
            "frontier",
            "dir=%s cannot be opened without room: start again when there is",
            dir);
    if (st != ST_OK) {
        frontier_close(*out);
        *out = NULL;
    }
    return st;
}

enum status
frontier_open(struct frontier **out, const char *dir, const struct opts *o,
              uint64_t now_ms)
{
    enum status st =
        open_at(out, dir, o, (size_t)o->frontier_map_gib << 30, now_ms, false);

    if (st == ST_OK)
        (*out)->db->now_ms = now_ms;
    return st;
}

enum status
frontier_save_later(struct frontier *f, const struct opts *o)
{
    scoring_save_later(f->sc, LEARNT_LAG_MS);
    return tables_save_later(f->db->tables, o->frontier_lag_ms);
}

void
frontier_save_now(struct frontier *f)
{
    scoring_save_later(f->sc, 0);
    frontier_abort(f);
    if (frontier_begin(f) == ST_OK)
        frontier_commit(f);
    tables_save_now(f->db->tables);
}

void
frontier_save_soon(struct frontier *f)
{
    scoring_save_later(f->sc, LEARNT_LAG_MS);
    tables_save_soon(f->db->tables);
}

enum status
frontier_open_sized(struct frontier **out, const char *dir,
                    const struct opts *o, size_t map_size)
{
    return open_at(out, dir, o, map_size, timekeeper_peek(dir), false);
}

enum status
frontier_open_loading(struct frontier **out, const char *dir,
                      const struct opts *o)
{
    return open_at(out, dir, o, (size_t)o->frontier_map_gib << 30,
                   timekeeper_peek(dir), true);
}

enum status
frontier_open_reader(struct frontier **out, const char *dir,
                     const struct opts *o)
{
    const struct tables_config config = {.read_only = true};

    return open_with(out, dir, o, &config, timekeeper_peek(dir), false);
}

/* The way of a walk, beside the store's folder: texrex's .walk file. */
static void
write_walk(struct frontier *f)
{
    struct buf lines = {0}, path = {0};
    enum status st;

    if (f->in == NULL || !intake_is_loaded(f->in) || f->db->reader ||
        f->broken || scoring_scorer(f->sc)->print == NULL)
        return;
    frontier_abort(f);
    if ((st = tables_peek(f->db->tables)) == ST_OK)
        st = scoring_print(f->sc, &lines);
    tables_abort(f->db->tables);
    buf_printf(&path, "%s/../crawl.walk%c", f->db->dir, 0);
    if (st == ST_OK)
        st = file_write(path.p, buf_view(&lines));
    if (st != ST_OK)
        log_error("frontier", "%s cannot be written", path.p);
    buf_free(&lines);
    buf_free(&path);
}

void
frontier_close(struct frontier *f)
{
    if (f == NULL)
        return;
    write_walk(f);
    intake_close(f->in);
    scoring_close(f->sc);
    schedule_close(f->sched);
    url_store_close(f->db);
    free(f);
}
