/* Aim: what is noted is synced once for many notes, in order, later, at the end
 * at the latest; nobody who notes waits for it, and a failure is heard of. */
#include "frontier/store/sync_later.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include "test.h"

enum { NEVER_MS = 3600 * 1000, A = 1001, B, C, D, E };

/* The disk: what was synced, in order. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int synced[16];
    size_t n;
    bool holds, fails;
} disk = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .changed = PTHREAD_COND_INITIALIZER};

/* Instead of libc's. */
int
fdatasync(int fd)
{
    bool fails;

    pthread_mutex_lock(&disk.lock);
    CHECK(disk.n < 16);
    disk.synced[disk.n++] = fd;
    pthread_cond_broadcast(&disk.changed);
    while (disk.holds)
        pthread_cond_wait(&disk.changed, &disk.lock);
    fails = disk.fails;
    pthread_mutex_unlock(&disk.lock);
    errno = EIO;
    return fails ? -1 : 0;
}

static void
disk_is_new(bool holds, bool fails)
{
    pthread_mutex_lock(&disk.lock);
    disk.n = 0;
    disk.holds = holds;
    disk.fails = fails;
    pthread_cond_broadcast(&disk.changed);
    pthread_mutex_unlock(&disk.lock);
}

/* Until so many syncs have begun. */
static void
await_syncs(size_t n)
{
    pthread_mutex_lock(&disk.lock);
    while (disk.n < n)
        pthread_cond_wait(&disk.changed, &disk.lock);
    pthread_mutex_unlock(&disk.lock);
}

static size_t
syncs(void)
{
    size_t n;

    pthread_mutex_lock(&disk.lock);
    n = disk.n;
    pthread_mutex_unlock(&disk.lock);
    return n;
}

static void
many_notes_are_one_sync_at_the_end(void)
{
    struct sync_later *s = sync_later_new(NEVER_MS);
    const struct timespec moment = {0, 1000000};

    disk_is_new(false, false);
    for (int i = 0; i < 20; i++) {
        CHECK(sync_later_note(s, A));
        nanosleep(&moment, NULL);
    }
    CHECK(syncs() == 0);
    sync_later_free(s);
    CHECK(disk.n == 1 && disk.synced[0] == A);
}

static void
files_are_synced_in_the_order_of_their_first_note(void)
{
    struct sync_later *s = sync_later_new(NEVER_MS);

    disk_is_new(false, false);
    CHECK(sync_later_note(s, C) && sync_later_note(s, A));
    CHECK(sync_later_note(s, B) && sync_later_note(s, C));
    sync_later_free(s);
    CHECK(disk.n == 3 && disk.synced[0] == C && disk.synced[1] == A &&
          disk.synced[2] == B);
}

static void
nobody_has_to_close_or_to_note_again(void)
{
    struct sync_later *s = sync_later_new(1);

    disk_is_new(false, false);
    CHECK(sync_later_note(s, A));
    await_syncs(1);
    CHECK(sync_later_note(s, B));
    await_syncs(2);
    sync_later_free(s);
    CHECK(disk.n == 2 && disk.synced[0] == A && disk.synced[1] == B);
}

/* A sync takes what was written before it began; a note waits for none. */
static void
what_is_noted_during_a_sync_is_synced_again(void)
{
    struct sync_later *s = sync_later_new(1);

    disk_is_new(true, false);
    CHECK(sync_later_note(s, A));
    await_syncs(1);
    CHECK(sync_later_note(s, A) && sync_later_note(s, B));
    CHECK(syncs() == 1);
    disk_is_new(false, false);
    sync_later_free(s);
    CHECK(disk.n == 2 && disk.synced[0] == A && disk.synced[1] == B);
}

static void
a_failure_is_told_to_every_later_note(void)
{
    struct sync_later *s = sync_later_new(1);
    const struct timespec moment = {0, 1000000};

    disk_is_new(false, true);
    CHECK(sync_later_note(s, A));
    while (sync_later_note(s, A))
        nanosleep(&moment, NULL);
    disk_is_new(false, false);
    CHECK(!sync_later_note(s, B) && !sync_later_note(s, A));
    CHECK(sync_later_failed(s));
    sync_later_free(s);
    CHECK(disk.n > 0); /* what can be done is done all the same */
}

static void
a_file_too_many_is_refused_alone(void)
{
    struct sync_later *s = sync_later_new(NEVER_MS);

    disk_is_new(false, false);
    CHECK(sync_later_note(s, A) && sync_later_note(s, B));
    CHECK(sync_later_note(s, C) && sync_later_note(s, D));
    CHECK(!sync_later_note(s, E) && sync_later_note(s, A));
    sync_later_free(s);
    CHECK(disk.n == 4 && disk.synced[3] == D);
    disk_is_new(false, false);
    s = sync_later_new(NEVER_MS);
    sync_later_free(s);
    sync_later_free(NULL);
    CHECK(disk.n == 0);
}

int
main(int argc, char **argv)
{
    static const struct test tests[] = {
        TEST(many_notes_are_one_sync_at_the_end),
        TEST(files_are_synced_in_the_order_of_their_first_note),
        TEST(nobody_has_to_close_or_to_note_again),
        TEST(what_is_noted_during_a_sync_is_synced_again),
        TEST(a_failure_is_told_to_every_later_note),
        TEST(a_file_too_many_is_refused_alone),
        {0},
    };

    return test_main(tests, argc, argv);
}
