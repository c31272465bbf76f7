/* Aim: what a killed process was reading is known to the next one. */
#include "crawler/loop/working.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/hash.h"
#include "folder.h"
#include "test.h"

static void
a_killed_process_leaves_what_it_was_reading(void)
{
    const char *dir;
    uint64_t left[WORKING_MAX];
    struct working *w;
    pid_t child;
    int how;

    folder_open();
    dir = folder;
    fflush(NULL);
    if ((child = fork()) == 0) {
        if (working_open(&w, dir) != ST_OK)
            _exit(1);
        working_on(w, 0, S("http://a.nl/done"));
        working_off(w, 0);
        working_on(w, 1, S("http://a.nl/1"));
        working_on(w, WORKING_MAX - 1, S("http://a.nl/2"));
        working_on(w, WORKING_MAX, S("http://a.nl/no slot"));
        raise(SIGKILL);
    }
    CHECK(waitpid(child, &how, 0) == child && WIFSIGNALED(how));
    CHECK(working_open(&w, dir) == ST_OK);
    CHECK(working_left(w, left) == 2);
    CHECK(left[0] == hash64(S("http://a.nl/1")));
    CHECK(left[1] == hash64(S("http://a.nl/2")));
    working_close(w); /* before anybody was told */
    CHECK(working_open(&w, dir) == ST_OK && working_left(w, left) == 2);
    working_told(w);
    CHECK(working_left(w, left) == 0);
    working_close(w);
    folder_close();
}

static void
what_is_no_such_file_says_nothing(void)
{
    const char *dir;
    uint64_t left[WORKING_MAX];
    struct working *w;
    char path[200];
    FILE *f;

    folder_open();
    dir = folder;
    snprintf(path, sizeof path, "%s/working", dir);
    f = fopen(path, "w");
    fputs("short", f);
    fclose(f);
    CHECK(working_open(&w, dir) == ST_OK && working_left(w, left) == 0);
    working_close(w);
    folder_close();
    CHECK(working_open(&w, dir) == ST_OK && working_left(w, left) == 0);
    working_on(w, 0, S("x")); /* without a file it works */
    working_close(w);
    working_close(NULL);
    working_on(NULL, 0, S("x"));
}

static const struct test tests[] = {
    TEST(a_killed_process_leaves_what_it_was_reading),
    TEST(what_is_no_such_file_says_nothing),
    {0},
};

int
main(int argc, char **argv)
{
    return test_main(tests, argc, argv);
}
