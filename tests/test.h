/* test.h -- CHECK reports and goes on; test_main runs a table of tests. */
#ifndef TEST_H
#define TEST_H

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
};

#define TEST(f)                                                                \
    {                                                                          \
#f, f                                                                  \
    }

/* Run all tests of `table` (ended by {0}), or the one named by argv[1]. */
static inline int
test_main(const struct test *table, int argc, char **argv)
{
    int ran = 0;

    for (; table->name != NULL; table++) {
        int before = test_failed;

        if (argc > 1 && strcmp(argv[1], table->name) != 0)
            continue;
        table->run();
        ran++;
        printf("%s %s\n", test_failed == before ? "ok  " : "FAIL", table->name);
    }
    if (ran == 0) {
        fprintf(stderr, "no such test\n");
        return 2;
    }
    return test_failed != 0;
}

/* The folder of a conformance suite outside the repository, or NULL when it is
 * not there: then say what is skipped and return 77 from main(). */
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

#endif
