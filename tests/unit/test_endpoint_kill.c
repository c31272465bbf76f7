/* Aim: a server that is killed loses no call, and its socket file is in
 * nobody's way.  Method: the killed server is this test binary, executed again
 * (nng must not be used after fork): --serve URL DIR. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "endpoint_case.h"

/* A request is a number; its file in `folder` is made before the reply, which
 * says how often the number was acted on (always 1: the file exists once). */
static void
remember(void *self, struct server_call *calls, size_t n)
{
    const char *dir = self;
    char path[512];

    for (size_t i = 0; i < n; i++) {
        int fd;

        snprintf(path, sizeof path, "%s/id-%.*s", dir, STRF(calls[i].request));
        fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_EXCL, 0600);
        if (fd >= 0) {
            if (write(fd, "x", 1) != 1)
                _exit(1);
            close(fd);
        }
        buf_c(&calls[i].reply, "1");
    }
}

static int
serve(const char *url, char *dir)
{
    struct server *v;

    if (server_start(&v, url, &good, remember, dir) != ST_OK)
        return 1;
    for (;;)
        pause();
}

static pid_t
start_child(const char *url)
{
    pid_t child = fork();

    if (child == 0) {
        execl("/proc/self/exe", "test_endpoint_kill", "--serve", url, folder,
              (char *)NULL);
        _exit(127);
    }
    return child;
}

static void
a_socket_in_use_is_refused_and_a_stale_one_replaced(void)
{
    const char *url = url_of("ipc", "stale");
    struct server *v = NULL, *w = NULL;
    struct endpoint *e = NULL;
    size_t largest = 0;
    pid_t child;

    CHECK(server_start(&v, url, NULL, echo, &largest) == ST_OK);
    CHECK(server_start(&w, url, NULL, echo, &largest) == ST_IO);
    CHECK(w == NULL);
    server_stop(v);

    child = start_child(url);
    CHECK(endpoint_dial(&e, url, NULL) == ST_OK);
    CHECK(says(e, "7", "1"));
    endpoint_close(e);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);

    CHECK(server_start(&v, url, NULL, echo, &largest) == ST_OK);
    CHECK(endpoint_dial(&e, url, NULL) == ST_OK);
    CHECK(says(e, "again", "re:again"));
    endpoint_close(e);
    server_stop(v);
}

struct numbers {
    pthread_t thread;
    struct endpoint *e;
    int from, wrong;
};

enum { NUMBERS_EACH = 600 };

static void *
ship_numbers(void *arg)
{
    struct numbers *s = arg;
    struct buf reply = {0};
    char request[16];

    for (int i = 0; i < NUMBERS_EACH; i++) {
        enum status st;

        snprintf(request, sizeof request, "%d", s->from + i);
        do
            st = endpoint_call(s->e, str_c(request), &reply, 1000);
        while (st == ST_TIMEOUT);
        if (st != ST_OK || !str_eq(buf_view(&reply), S("1")))
            s->wrong++;
    }
    buf_free(&reply);
    return NULL;
}

static void
a_killed_and_restarted_server_loses_no_call(void)
{
    static const char *const transports[] = {"ipc", "tcp", "tls"};

    for (int t = 0; t < (has_localhost() ? 3 : 2); t++) {
        const char *url = url_of(transports[t], "killed");
        struct numbers senders[4] = {0};
        struct endpoint *e = NULL;
        pid_t child = start_child(url);
        char path[512];

        CHECK(endpoint_dial(&e, url, &good) == ST_OK);
        for (int i = 0; i < 4; i++) {
            senders[i].e = e;
            senders[i].from = t * 100000 + i * NUMBERS_EACH;
            pthread_create(&senders[i].thread, NULL, ship_numbers, &senders[i]);
        }
        for (int k = 0; k < 6; k++) {
            clock_sleep_ms(100);
            kill(child, SIGKILL);
            waitpid(child, NULL, 0);
            child = start_child(url);
        }
        for (int i = 0; i < 4; i++) {
            pthread_join(senders[i].thread, NULL);
            CHECK(senders[i].wrong == 0);
        }
        for (int i = 0; i < 4 * NUMBERS_EACH; i++) {
            snprintf(path, sizeof path, "%s/id-%d", folder, t * 100000 + i);
            CHECK(unlink(path) == 0);
        }
        endpoint_close(e);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        snprintf(path, sizeof path, "%s/killed.sock", folder);
        unlink(path);
    }
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(a_socket_in_use_is_refused_and_a_stale_one_replaced),
        TEST(a_killed_and_restarted_server_loses_no_call),
        {0}};

    if (argc > 3 && strcmp(argv[1], "--serve") == 0)
        return serve(argv[2], argv[3]);
    log_threshold = LOG_ERROR;
    return folder_main(table, argc, argv);
}
