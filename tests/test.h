/* test.h -- CHECK reports and goes on; test_main runs a table of tests.
 *
 * Own cases (TEST) need nothing but the repository.  Cases of an outside
 * conformance suite (SUITE_TEST) read a file of ../shared and are a run of
 * their own (argument --suites), so that a missing suite hides no case of ours.
 */
#ifndef TEST_H
#define TEST_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int test_failed;

#define CHECK(c)                                                               \
    do {                                                                       \
        if (!(c)) {                                                            \
            test_failed++;                                                     \
            fprintf(stderr, "%s:%d: CHECK(%s)\n", __FILE__, __LINE__, #c);     \
        }                                                                      \
    } while (0)

struct test {
    const char *name; /* a sentence, with underscores */
    void (*run)(void);
    const char *suite; /* a file of ../shared that it reads; NULL: none */
};

#define TEST(f)                                                                \
    {                                                                          \
#f, f, NULL                                                            \
    }
#define SUITE_TEST(f, file)                                                    \
    {                                                                          \
#f, f, file                                                            \
    }

/* The path of a file below ../shared, or NULL when it is not there. */
static inline const char *
test_shared(const char *sub)
{
    static char path[1024];
    const char *base = getenv("WINNOW_SHARED");
    FILE *f;

    snprintf(path, sizeof path, "%s/%s", base ? base : "../shared", sub);
    if ((f = fopen(path, "rb")) == NULL)
        return NULL;
    fclose(f);
    return path;
}

/* Is its file there?  Where suites are at hand, a missing one is a failure. */
static inline bool
test_suite_is_there(const struct test *t)
{
    if (test_shared(t->suite) != NULL)
        return true;
    printf("skipped %s: no ../shared/%s\n", t->name, t->suite);
    if (test_shared("data/README.md") != NULL)
        test_failed++;
    return false;
}

/* Run the own cases of `table` (ended by {0}); with argv[1] = --suites those of
 * outside suites, with a name that one.  77: suites were wanted, none is there.
 */
static inline int
test_main(const struct test *table, int argc, char **argv)
{
    const char *wanted = argc > 1 ? argv[1] : NULL;
    bool suites = wanted != NULL && strcmp(wanted, "--suites") == 0;
    int ran = 0, skipped = 0;

    for (; table->name != NULL; table++) {
        int before = test_failed;

        if (wanted == NULL || suites ? (table->suite != NULL) != suites
                                     : strcmp(wanted, table->name) != 0)
            continue;
        if (table->suite != NULL && !test_suite_is_there(table)) {
            skipped++;
            continue;
        }
        table->run();
        ran++;
        printf("%s %s\n", test_failed == before ? "ok  " : "FAIL", table->name);
    }
    if (ran + skipped == 0) {
        fprintf(stderr, "no such test\n");
        return 2;
    }
    if (test_failed != 0)
        return 1;
    return ran == 0 ? 77 : 0;
}

#endif
