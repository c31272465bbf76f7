/* Aim: an address that cannot serve, or that must not, is refused with the
 * reason, and what stands there is left alone. */
#include <fcntl.h>
#include <sys/stat.h>

#include "endpoint_case.h"

static const struct endpoint_options anywhere = {.unprotected_tcp = true};

static void
a_name_in_use_is_refused_and_free_after_the_stop(void)
{
    const char *url = url_of("inproc", "taken");
    struct server *v = NULL, *w = NULL;
    size_t largest = 0;

    CHECK(server_start(&v, url, NULL, echo, &largest) == ST_OK);
    CHECK(server_start(&w, url, NULL, echo, &largest) == ST_IO);
    server_stop(v);
    CHECK(server_start(&w, url, NULL, echo, &largest) == ST_OK);
    server_stop(w);
}

static void
what_is_no_socket_is_not_replaced_by_one(void)
{
    const char *url = url_of("ipc", "keep"), *path = url + strlen("ipc://");
    struct server *v = NULL;
    size_t largest = 0;
    struct stat before, after;

    for (int kind = 0; kind < 4; kind++) {
        CHECK(kind == 0   ? close(open(path, O_CREAT | O_WRONLY, 0600)) == 0
              : kind == 1 ? mkfifo(path, 0600) == 0
              : kind == 2 ? symlink("/etc/passwd", path) == 0
                          : symlink("nowhere", path) == 0);
        CHECK(lstat(path, &before) == 0);
        CHECK(server_start(&v, url, NULL, echo, &largest) == ST_USAGE);
        CHECK(v == NULL);
        CHECK(lstat(path, &after) == 0 && after.st_ino == before.st_ino);
        CHECK(unlink(path) == 0);
    }
}

/* With these words? */
static bool
refused(const char *url, const char *words)
{
    const struct endpoint_options o = {.key = "dedup.url"};
    struct buf log = {0};
    bool yes;

    log_capture(&log);
    yes = endpoint_check(url, &o) == ST_USAGE;
    log_capture(NULL);
    buf_char(&log, '\0');
    yes = yes && strstr(log.p, words) != NULL;
    buf_free(&log);
    return yes;
}

static void
bad_addresses_are_usage_errors(void)
{
    static const char *const bad[] = {"",
                                      "tcp",
                                      "tcp://",
                                      "http://127.0.0.1:80",
                                      "ipc://",
                                      "inproc://",
                                      "tcp://:::::",
                                      "ws://127.0.0.1:80/",
                                      "9460",
                                      "tcp:/127.0.0.1:1"};
    struct endpoint *e = NULL;
    struct server *v = NULL;
    size_t largest = 0;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK(endpoint_dial(&e, bad[i], NULL) == ST_USAGE);
        CHECK(e == NULL);
        CHECK(server_start(&v, bad[i], NULL, echo, &largest) == ST_USAGE);
        CHECK(v == NULL);
    }
    /* Where the address stands, and what is wrong with it. */
    CHECK(refused("", "dedup.url = (empty): not an address"));
    CHECK(refused("tcp://127.0.0.1", "tcp://127.0.0.1: its port is missing"));
    CHECK(refused("tcp://[::1]", "its port is missing"));
    CHECK(refused("tcp://localhost:", "its port is missing"));
    CHECK(refused("tls+tcp://localhost", "its port is missing"));
    CHECK(refused("tcp://127.0.0.1:0", "a number from 1 to 65535"));
    CHECK(refused("tcp://127.0.0.1:99999", "a number from 1 to 65535"));
    CHECK(refused("tcp://127.0.0.1:http", "a number from 1 to 65535"));
    CHECK(refused("tcp://192.0.2.1:7", "plain tcp beyond this machine"));
    CHECK(endpoint_check("tcp://[::1]:65535", NULL) == ST_OK);
    CHECK(server_start(&v, "ipc:///nowhere/at/all", NULL, echo, &largest) ==
          ST_IO);
    CHECK(server_start(&v, "tcp://192.0.2.1:7", &anywhere, echo, &largest) ==
          ST_USAGE);
}

static void
plain_tcp_beyond_loopback_is_refused_unless_it_is_allowed(void)
{
    static const char *const beyond[] = {"tcp://0.0.0.0:%d",
                                         "tcp://[::]:%d",
                                         "tcp://:%d",
                                         "tcp://*:%d",
                                         "tcp://192.0.2.1:%d",
                                         "tcp://example.org:%d",
                                         "tcp://[::ffff:192.0.2.1]:%d"};
    static const char *const inside[] = {
        "tcp://127.0.0.1:%d", "tcp://127.1.2.3:%d", "tcp://localhost:%d"};
    struct endpoint *e = NULL;
    struct server *v = NULL;
    size_t largest = 0;
    char url[64];

    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        snprintf(url, sizeof url, beyond[i], free_port());
        CHECK(server_start(&v, url, NULL, echo, &largest) == ST_USAGE);
        CHECK(server_start(&v, url, &good, echo, &largest) == ST_USAGE);
        CHECK(endpoint_dial(&e, url, &good) == ST_USAGE);
        CHECK(v == NULL && e == NULL);
    }
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++) {
        snprintf(url, sizeof url, inside[i], free_port());
        CHECK(endpoint_dial(&e, url, NULL) == ST_OK);
        endpoint_close(e);
    }
    snprintf(url, sizeof url, "tcp://0.0.0.0:%d", free_port());
    CHECK(server_start(&v, url, &anywhere, echo, &largest) == ST_OK);
    server_stop(v);
}

static void
a_socket_file_is_its_owners_alone(void)
{
    const char *url = url_of("ipc", "mine");
    const mode_t before = umask(0);
    struct server *v = NULL;
    size_t largest = 0;
    struct stat s;

    CHECK(server_start(&v, url, NULL, echo, &largest) == ST_OK);
    CHECK(stat(url + strlen("ipc://"), &s) == 0);
    CHECK(S_ISSOCK(s.st_mode) && (s.st_mode & 07077) == 0);
    server_stop(v);
    umask(before);
}

static void
an_address_that_is_taken_is_told(void)
{
    struct server *v = NULL, *second = NULL;
    struct buf log = {0};
    size_t largest = 0;
    char url[64];

    snprintf(url, sizeof url, "tcp://127.0.0.1:%d", free_port());
    CHECK(server_start(&v, url, NULL, echo, &largest) == ST_OK);
    log_capture(&log);
    CHECK(server_start(&second, url, NULL, echo, &largest) == ST_IO);
    log_capture(NULL);
    buf_char(&log, '\0');
    CHECK(second == NULL && strstr(log.p, "another process listens") != NULL);
    server_stop(v);
    buf_free(&log);
}

/* Of a call that nobody answers. */
static bool
absent_says(const char *url, const char *words)
{
    struct buf reply = {0};
    struct endpoint *e = NULL;
    char why[200] = "";
    bool yes;

    CHECK(endpoint_dial(&e, url, NULL) == ST_OK);
    CHECK(endpoint_call(e, S("x"), &reply, 300) == ST_TIMEOUT);
    endpoint_why(e, why, sizeof why);
    yes = strstr(why, words) != NULL;
    if (!yes)
        printf("%s: %s\n", url, why);
    endpoint_close(e);
    buf_free(&reply);
    return yes;
}

static void
why_nobody_answers_is_known(void)
{
    char url[256];
    FILE *f;

    snprintf(url, sizeof url, "ipc://%s/plain", folder);
    CHECK(absent_says(url, "there is no socket /"));
    f = fopen(url + strlen("ipc://"), "we");
    CHECK(f != NULL && fclose(f) == 0);
    CHECK(absent_says(url, "/plain is no socket"));
    snprintf(url, sizeof url, "tcp://127.0.0.1:%d", free_port());
    CHECK(absent_says(url, "refused"));
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(a_name_in_use_is_refused_and_free_after_the_stop),
        TEST(an_address_that_is_taken_is_told),
        TEST(what_is_no_socket_is_not_replaced_by_one),
        TEST(bad_addresses_are_usage_errors),
        TEST(plain_tcp_beyond_loopback_is_refused_unless_it_is_allowed),
        TEST(a_socket_file_is_its_owners_alone),
        TEST(why_nobody_answers_is_known),
        {0}};

    log_threshold = LOG_ERROR;
    return folder_main(table, argc, argv);
}
