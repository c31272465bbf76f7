/* tls_keys.c -- see tls_keys.h.  Whether a file has changed its inode, size and
 * time say, which are looked at once a connection; the set of keys before is
 * kept until the last connection that began with it has ended. */
#include "tls_keys.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/date.h"
#include "base/log.h"
#include "key_set.h"

#define DAY_S 86400
#define SOON_DAYS 14 /* a certificate that runs out sooner is warned of */

struct file_stamp {
    dev_t device;
    ino_t inode;
    off_t size;
    struct timespec changed;
};

struct set_users { /* how many connections began with a set */
    struct set_users *next;
    struct key_set *set;
    size_t users_n;
};

struct tls_keys {
    pthread_mutex_t lock;   /* of all that follows */
    struct set_users *sets; /* the present one first */
    struct file_stamp stamp[2];
    uint64_t said_day;
    /* for good */
    char *authority, *own, *name; /* name: NULL: none */
    bool server;
};

static struct key_files
files_of(const struct tls_keys *k)
{
    return (struct key_files){str_c(k->authority), str_c(k->own)};
}

/* ---- what is to be said of our own ---- */

static void
say_soon(const struct tls_keys *k, int64_t now_s)
{
    int64_t ends_s = key_set_ends_s(k->sets->set);
    char when[DATE_ISO_N];

    if (ends_s > now_s + SOON_DAYS * DAY_S)
        return;
    date_iso(ends_s * 1000, when);
    log_warn("endpoint",
             "tls.key = %s: this certificate runs out at %s: put a new one in "
             "its place, which is read without a restart",
             k->own, when);
}

static void
check_own(struct tls_keys *k)
{
    struct certificate_check check = {.name = k->name, .of_service = k->server};
    uint64_t now_s = clock_wall_ms() / 1000;
    char what[100];

    if (k->said_day == now_s / DAY_S)
        return;
    k->said_day = now_s / DAY_S;
    if (key_set_check(k->sets->set, &check)) {
        say_soon(k, (int64_t)now_s);
        return;
    }
    certificate_say(&check, what, sizeof what);
    log_warn("endpoint", "tls.key = %s: peers will refuse this certificate: %s",
             k->own, what);
}

/* ---- reading ---- */

static bool
stamp_changed(struct file_stamp *stamp, const char *path)
{
    struct file_stamp now = {0};
    struct stat st;
    bool same;

    if (stat(path, &st) == 0) {
        now.device = st.st_dev;
        now.inode = st.st_ino;
        now.size = st.st_size;
        now.changed = st.st_mtim;
    }
    same = now.device == stamp->device && now.inode == stamp->inode &&
           now.size == stamp->size &&
           now.changed.tv_sec == stamp->changed.tv_sec &&
           now.changed.tv_nsec == stamp->changed.tv_nsec;
    *stamp = now;
    return !same;
}

/* Both stamps are taken before the files are read: what comes later counts
 * later. */
static bool
files_changed(struct tls_keys *k)
{
    bool authority = stamp_changed(&k->stamp[0], k->authority);

    return stamp_changed(&k->stamp[1], k->own) || authority;
}

static enum status
read_set(struct tls_keys *k)
{
    struct set_users *fresh = calloc(1, sizeof *fresh);
    const struct key_files files = files_of(k);
    enum status st = ST_NOMEM;

    if (fresh == NULL ||
        (st = key_set_open(&fresh->set, &files, k->server)) != ST_OK) {
        free(fresh);
        return st;
    }
    fresh->next = k->sets;
    k->sets = fresh;
    k->said_day = 0;
    check_own(k);
    return ST_OK;
}

/* Nobody begins with them any more, and nobody has them. */
static void
drop_unused(struct tls_keys *k)
{
    struct set_users *at = k->sets, *old;

    while (at != NULL && (old = at->next) != NULL) {
        if (old->users_n > 0) {
            at = old;
            continue;
        }
        at->next = old->next;
        key_set_close(old->set);
        free(old);
    }
}

static void
read_anew(struct tls_keys *k)
{
    if (read_set(k) != ST_OK) {
        log_warn("endpoint", "tls.key = %s: what was read before is used on",
                 k->own);
        return;
    }
    log_info("endpoint", "tls.key = %s: read anew", k->own);
    drop_unused(k);
}

/* ---- the whole ---- */

static bool
copy_names(struct tls_keys *k, const struct endpoint_options *o,
           const char *name)
{
    k->authority = strndup(o->authority.p, o->authority.n);
    k->own = strndup(o->own.p, o->own.n);
    k->name = name != NULL ? strdup(name) : NULL;
    return k->authority != NULL && k->own != NULL &&
           (name == NULL || k->name != NULL);
}

enum status
tls_keys_open(struct tls_keys **out, const struct endpoint_options *o,
              bool server, const char *name)
{
    struct tls_keys *k = calloc(1, sizeof *k);
    enum status st = ST_NOMEM;

    *out = NULL;
    if (k == NULL)
        return ST_NOMEM;
    pthread_mutex_init(&k->lock, NULL);
    k->server = server;
    if (copy_names(k, o, name)) {
        (void)files_changed(k);
        st = read_set(k);
    }
    if (st == ST_OK)
        *out = k;
    else
        tls_keys_close(k);
    return st;
}

void
tls_keys_close(struct tls_keys *k)
{
    struct set_users *next;

    if (k == NULL)
        return;
    for (struct set_users *s = k->sets; s != NULL; s = next) {
        next = s->next;
        key_set_close(s->set);
        free(s);
    }
    pthread_mutex_destroy(&k->lock);
    free(k->authority);
    free(k->own);
    free(k->name);
    free(k);
}

bool
tls_keys_of_server(const struct tls_keys *k)
{
    return k->server;
}

struct key_set *
tls_keys_take(struct tls_keys *k)
{
    struct key_set *taken;

    pthread_mutex_lock(&k->lock);
    if (files_changed(k))
        read_anew(k);
    else
        check_own(k);
    k->sets->users_n++;
    taken = k->sets->set;
    pthread_mutex_unlock(&k->lock);
    return taken;
}

void
tls_keys_give_back(struct tls_keys *k, struct key_set *taken)
{
    pthread_mutex_lock(&k->lock);
    for (struct set_users *s = k->sets; s != NULL; s = s->next)
        if (s->set == taken)
            s->users_n--;
    drop_unused(k);
    pthread_mutex_unlock(&k->lock);
}
