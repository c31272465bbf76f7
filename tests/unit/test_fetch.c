/* test_fetch.c -- aim: every answer a server can give ends in one transfer with
 * one fault, bounded in bytes and time.  Method: a thread that replies given
 * bytes verbatim on loopback; then 235 replies of curl's own tests and 36 ways
 * to encode a body. */
#include "crawler/fetch/fetch_inside.h"

#include <arpa/inet.h>
#include <json-c/json.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "test.h"
#include "winnow/clock.h"
#include "winnow/file.h"

/* ---- a server that says what it is told ---- */

static struct {
    int fd;
    struct sockaddr_storage address;
    pthread_t thread;
    pthread_mutex_t lock;       /* of these: */
    struct buf answer, request; /* of the one transfer under way */
    bool hold;                  /* keep the connection open after it */
} server = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* For the next transfer. */
static struct buf answer;
static bool hold;

static void
server_told(void)
{
    pthread_mutex_lock(&server.lock);
    buf_clear(&server.answer);
    buf_str(&server.answer, buf_view(&answer));
    server.hold = hold;
    pthread_mutex_unlock(&server.lock);
}

static void
answer_one(int fd)
{
    struct buf request = {0}, copy = {0};
    char part[4096];
    bool stay_open;
    struct str all;
    ssize_t n;

    while ((n = read(fd, part, sizeof part)) > 0) {
        buf_add(&request, part, (size_t)n);
        if (memmem(request.p, request.n, "\r\n\r\n", 4) != NULL)
            break;
    }
    pthread_mutex_lock(&server.lock);
    buf_clear(&server.request);
    buf_str(&server.request, buf_view(&request));
    buf_str(&copy, buf_view(&server.answer));
    stay_open = server.hold;
    pthread_mutex_unlock(&server.lock);
    all = n > 0 ? buf_view(&copy) : S("");
    while (all.n > 0 && (n = send(fd, all.p, all.n, MSG_NOSIGNAL)) > 0)
        all = str_sub(all, (size_t)n, all.n);
    buf_free(&request);
    buf_free(&copy);
    if (!stay_open)
        shutdown(fd, SHUT_WR);
    while (read(fd, part, sizeof part) > 0)
        ;
}

static void *
serve(void *unused)
{
    int fd;

    (void)unused;
    while ((fd = accept(server.fd, NULL, NULL)) >= 0) {
        answer_one(fd);
        close(fd);
    }
    return NULL;
}

static void
server_up(void)
{
    struct sockaddr_in *a = (struct sockaddr_in *)&server.address;
    socklen_t n = sizeof *a;

    a->sin_family = AF_INET;
    a->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    server.fd = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(bind(server.fd, (struct sockaddr *)a, n) == 0);
    CHECK(listen(server.fd, 16) == 0);
    getsockname(server.fd, (struct sockaddr *)a, &n);
    pthread_create(&server.thread, NULL, serve, NULL);
}

static void
server_down(void)
{
    shutdown(server.fd, SHUT_RDWR);
    pthread_join(server.thread, NULL);
    close(server.fd);
    buf_free(&server.answer);
    buf_free(&server.request);
    buf_free(&answer);
}

/* ---- one transfer ---- */

static int epoll_fd;

static void
watch(void *self, int fd, bool readable, bool writable)
{
    struct epoll_event e = {.events = (readable ? EPOLLIN : 0u) |
                                      (writable ? EPOLLOUT : 0u),
                            .data.fd = fd};

    (void)self;
    if (!readable && !writable)
        epoll_ctl(epoll_fd, EPOLL_CTL_DEL, fd, NULL);
    else if (epoll_ctl(epoll_fd, EPOLL_CTL_MOD, fd, &e) != 0)
        epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &e);
}

static void
set_flag(void *arg)
{
    *(bool *)arg = true;
}

static struct opts options;
static struct fetch *fetch;

static void
open_fetch(const char *ini)
{
    const struct fetch_io io = {NULL, watch};

    opts_init(&options);
    CHECK(opts_read_text(&options, "test", str_c(ini)) == ST_OK);
    epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    CHECK(fetch_open(&fetch, &options, &io) == ST_OK);
}

static void
close_fetch(void)
{
    fetch_close(fetch);
    close(epoll_fd);
    opts_free(&options);
}

static void
turn(void)
{
    uint64_t now = clock_steady_ms(), wait = fetch_wait_ms(fetch, now);
    struct epoll_event e[8];
    int n = epoll_wait(epoll_fd, e, 8, wait > 100 ? 100 : (int)wait);

    now = clock_steady_ms();
    for (int i = 0; i < n; i++)
        fetch_ready(fetch, e[i].data.fd, e[i].events & ~(unsigned)EPOLLOUT,
                    e[i].events & EPOLLOUT, now);
    fetch_tick(fetch, now);
}

static struct fetch_reply
get(const char *url, bool html_only, size_t body_max)
{
    struct fetch_request q = {.url = url,
                              .address = server.address,
                              .html_only = html_only,
                              .body_max = body_max};
    struct fetch_reply r = {0};
    bool done = false;
    uint64_t limit = clock_steady_ms() + 20000;

    server_told();
    fetch_start(fetch, &q, &r, clock_steady_ms(), set_flag, &done);
    while (!done && clock_steady_ms() < limit)
        turn();
    CHECK(done);
    return r;
}

static struct fetch_reply
ask(struct str text)
{
    buf_clear(&answer);
    buf_str(&answer, text);
    return get("http://some.test/path?x", true, 1 << 20);
}

#define ANSWER(z) ask((struct str)STR(z))
#define HTML "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"

static bool
requested(const char *z)
{
    bool found;

    pthread_mutex_lock(&server.lock);
    found = memmem(server.request.p, server.request.n, z, strlen(z)) != NULL;
    pthread_mutex_unlock(&server.lock);
    return found;
}

/* ---- tests ---- */

static void
a_page_comes_with_its_headers(void)
{
    struct fetch_reply r;

    open_fetch("[fetch]\nuser_agent = w/1 (+https://w.example/)\n");
    r = ANSWER(HTML "X-Robots-Tag: noindex\r\nx-robots-tag: a: nofollow\r\n"
                    "Content-Length: 5\r\n\r\nhallo");
    CHECK(r.fault == VERDICT_NONE && r.status == 200 && !r.truncated);
    CHECK(str_eq(buf_view(&r.body), S("hallo")));
    CHECK(str_eq(buf_view(&r.content_type), S("text/html")));
    CHECK(str_eq(buf_view(&r.x_robots_tag), S("noindex, a: nofollow")));
    CHECK(r.bytes > 50 && r.connected);
    CHECK(requested("GET /path?x HTTP/1.1\r\n"));
    CHECK(requested("\r\nHost: some.test\r\n"));
    CHECK(requested("\r\nUser-Agent: w/1 (+https://w.example/)\r\n"));
    fetch_reply_free(&r);
    close_fetch();
}

static void
dots_and_case_of_a_path_are_sent_as_they_are(void)
{
    struct fetch_reply r;

    open_fetch("");
    buf_clear(&answer);
    buf_c(&answer, HTML "\r\n");
    r = get("http://some.test/A/%2e%2e/b//c?d=%zz", true, 1000);
    CHECK(requested("GET /A/%2e%2e/b//c?d=%zz HTTP/1.1\r\n"));
    fetch_reply_free(&r);
    close_fetch();
}

static void
redirects_are_reported_and_not_followed(void)
{
    struct fetch_reply r;

    open_fetch("");
    r = ANSWER("HTTP/1.1 302 Found\r\nLocation:  /there \r\n"
               "Location: /other\r\nContent-Length: 0\r\n\r\n");
    CHECK(r.fault == VERDICT_NONE && r.status == 302 && r.has_location);
    CHECK(str_eq(buf_view(&r.location), S("/there")));
    fetch_reply_free(&r);
    close_fetch();
}

static void
other_types_end_at_the_headers(void)
{
    static const struct {
        const char *type;
        enum verdict fault;
    } rows[] = {
        {"text/html; charset=utf-8", VERDICT_NONE},
        {"TEXT/HTML", VERDICT_NONE},
        {"application/xhtml+xml", VERDICT_NONE},
        {"", VERDICT_NONE},
        {"*/*", VERDICT_NONE},
        {"application/pdf", VERDICT_NOT_HTML},
        {"text/plain", VERDICT_NOT_HTML},
        {"application/xml", VERDICT_NOT_HTML},
        {"image/png", VERDICT_NOT_HTML},
    };

    open_fetch("");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct buf b = {0};
        struct fetch_reply r;

        buf_printf(&b, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\nx",
                   rows[i].type);
        r = ask(buf_view(&b));
        CHECK(r.fault == rows[i].fault);
        fetch_reply_free(&r);
        buf_free(&b);
    }
    close_fetch();
}

static void
a_long_body_is_cut_and_marked(void)
{
    struct fetch_reply r;

    open_fetch("");
    buf_clear(&answer);
    buf_c(&answer, HTML "Content-Length: 100000\r\n\r\n");
    for (int i = 0; i < 100000; i++)
        buf_char(&answer, 'x');
    r = get("http://some.test/", true, 4000);
    CHECK(r.fault == VERDICT_NONE && r.truncated && r.body.n == 4000);
    fetch_reply_free(&r);
    r = get("http://some.test/", true, 100000);
    CHECK(r.fault == VERDICT_NONE && !r.truncated && r.body.n == 100000);
    fetch_reply_free(&r);
    close_fetch();
}

static void
too_many_header_bytes_are_refused(void)
{
    struct fetch_reply r;
    struct buf b = {0};

    open_fetch("[fetch]\nheader_max = 4096\n");
    buf_c(&b, HTML);
    for (int i = 0; i < 100; i++)
        buf_printf(&b, "X-%d: 0123456789012345678901234567890123456789\r\n", i);
    buf_c(&b, "\r\nx");
    r = ask(buf_view(&b));
    CHECK(r.fault == VERDICT_HEADER_SIZE);
    fetch_reply_free(&r);
    buf_free(&b);
    close_fetch();
}

static void
one_header_line_without_end_is_refused(void)
{
    struct fetch_reply r;

    open_fetch("");
    buf_clear(&answer);
    buf_c(&answer, HTML "X: ");
    for (int i = 0; i < 400000; i++)
        buf_char(&answer, 'x');
    r = get("http://some.test/", true, 4000);
    CHECK(r.fault == VERDICT_HEADER_SIZE);
    fetch_reply_free(&r);
    close_fetch();
}

/* Send `head`, then `n` times `part`; the server may be left before the end. */
static struct fetch_reply
get_endless(const char *head, const char *part, size_t n)
{
    struct fetch_reply r;

    buf_clear(&answer);
    buf_c(&answer, head);
    for (size_t i = 0; i < n; i++)
        buf_c(&answer, part);
    r = get("http://some.test/", true, 100000);
    return r;
}

/* What libcurl swallows without a word is bounded all the same: by body_max,
 * header_max, and what one look at the socket may find. */
static void
bytes_that_are_no_body_are_bounded(void)
{
    static const char *const heads[] = {
        HTML "Transfer-Encoding: chunked\r\n\r\n5;x=",
        HTML "Transfer-Encoding: chunked\r\n\r\n5\r\nhallo\r\n00000;",
        HTML "Content-Encoding: gzip\r\n\r\n\x1f\x8b\x08\x08????\x02\x03name",
    };
    char part[1025];

    memset(part, 'x', 1024);
    part[1024] = '\0';
    open_fetch("[fetch]\nheader_max = 4096\n");
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        struct fetch_reply r = get_endless(heads[i], part, 30 * 1024);

        CHECK(r.fault == VERDICT_TOO_MUCH);
        CHECK(verdict_kind(r.fault) == VERDICT_KIND_FAILED);
        CHECK(r.bytes > 100000 && r.bytes < 8 << 20);
        fetch_reply_free(&r);
    }
    close_fetch();
}

/* Every byte of an answer is counted, on connections used again as well. */
static void
received_bytes_are_those_that_were_sent(void)
{
    struct fetch_reply r;

    open_fetch("");
    for (int i = 0; i < 3; i++) {
        r = ANSWER(HTML "Transfer-Encoding: chunked\r\n\r\n"
                        "5;some=extension\r\nhallo\r\n0\r\nTrailer: x\r\n\r\n");
        CHECK(r.fault == VERDICT_NONE && str_eq(buf_view(&r.body), S("hallo")));
        /* A FIN counts as one: its own, and that of the connection before. */
        CHECK(r.bytes >= answer.n && r.bytes <= answer.n + 2);
        fetch_reply_free(&r);
    }
    close_fetch();
}

static void
interim_answers_are_passed_over(void)
{
    struct fetch_reply r;

    open_fetch("");
    r = ANSWER("HTTP/1.1 103 Hints\r\nContent-Type: image/png\r\n\r\n" HTML
               "\r\nx");
    CHECK(r.fault == VERDICT_NONE && r.status == 200);
    CHECK(str_eq(buf_view(&r.content_type), S("text/html")));
    fetch_reply_free(&r);
    close_fetch();
}

static void
faults_are_told_apart(void)
{
    static const struct {
        struct str answer;
        enum verdict fault;
    } rows[] = {
        {STR(""), VERDICT_EMPTY_REPLY},
        {STR("\0\1\2 garbage, no HTTP\r\n\r\n"), VERDICT_GARBAGE},
        {STR(HTML "Content-Length: 10\r\n\r\nabc"), VERDICT_PARTIAL},
        {STR(HTML "Transfer-Encoding: chunked\r\n\r\n5\r\nabc"),
         VERDICT_PARTIAL},
        {STR(HTML "Content-Encoding: gzip\r\n\r\nplain text"),
         VERDICT_ENCODING},
        {STR(HTML "X: a"), VERDICT_BROKEN},
        {STR("HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n"), VERDICT_GARBAGE},
        {STR(HTML "Content-Length: -5\r\n\r\nabc"), VERDICT_GARBAGE},
    };

    open_fetch("");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct fetch_reply r = ask(rows[i].answer);

        if (r.fault != rows[i].fault)
            fprintf(stderr, "row %zu: %s\n", i, verdict_name(r.fault));
        CHECK(r.fault == rows[i].fault);
        fetch_reply_free(&r);
    }
    close_fetch();
}

static void
a_server_that_says_nothing_is_given_up(void)
{
    struct fetch_reply r;

    open_fetch("[fetch]\ntimeout_ms = 300\n");
    hold = true;
    r = ANSWER(HTML "Content-Length: 10\r\n\r\nabc");
    hold = false;
    CHECK(r.fault == VERDICT_TIMEOUT);
    CHECK(r.ms >= 250 && r.ms < 5000);
    fetch_reply_free(&r);
    close_fetch();
}

static void
a_transfer_that_brings_too_little_is_given_up(void)
{
    struct fetch_reply r;

    open_fetch("[fetch]\nfirst_byte_ms = 300\nlow_speed_seconds = 1\n");
    hold = true;
    r = ANSWER("HTTP/1.1 200 O"); /* a line that does not end */
    CHECK(r.fault == VERDICT_FIRST_BYTE);
    fetch_reply_free(&r);
    r = ANSWER(HTML "X: a");
    CHECK(r.fault == VERDICT_TOO_SLOW &&
          verdict_kind(r.fault) == VERDICT_KIND_RETRY);
    fetch_reply_free(&r);
    hold = false;
    close_fetch();
}

static void
cancelling_gives_everything_back(void)
{
    struct fetch_request q = {
        .url = "http://some.test/", .address = server.address, .body_max = 100};
    struct fetch_reply r = {0};
    bool done = false;

    open_fetch("");
    hold = true;
    buf_clear(&answer);
    server_told();
    fetch_start(fetch, &q, &r, clock_steady_ms(), set_flag, &done);
    for (int i = 0; i < 5; i++)
        turn();
    CHECK(!done && fetch_running(fetch) == 1);
    fetch_cancel(fetch);
    hold = false;
    CHECK(done && fetch_running(fetch) == 0 && r.fault == VERDICT_RETURNED);
    fetch_reply_free(&r);
    close_fetch();
}

static void
a_refused_connection_is_its_own_fault(void)
{
    struct sockaddr_in *a;
    struct fetch_request q = {.url = "http://some.test/", .body_max = 100};
    struct fetch_reply r = {0};
    socklen_t n = sizeof *a;
    bool done = false;
    int fd = socket(AF_INET, SOCK_STREAM, 0); /* bound, not listening */

    q.address.ss_family = AF_INET;
    a = (struct sockaddr_in *)&q.address;
    a->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    CHECK(bind(fd, (struct sockaddr *)a, n) == 0);
    getsockname(fd, (struct sockaddr *)a, &n);
    open_fetch("");
    fetch_start(fetch, &q, &r, clock_steady_ms(), set_flag, &done);
    while (!done)
        turn();
    CHECK(r.fault == VERDICT_CONNECT && !r.connected);
    fetch_reply_free(&r);
    close_fetch();
    close(fd);
}

static void
retry_after_is_seconds_or_a_date(void)
{
    const uint64_t now = 1763680000000; /* 2025-11-20 23:06:40 */

    CHECK(fetch_retry_after_ms(S("120"), now) == 120000);
    CHECK(fetch_retry_after_ms(S(" 7 "), now) == 7000);
    CHECK(fetch_retry_after_ms(S("99999999999999999999"), now) == 0);
    CHECK(fetch_retry_after_ms(S("99999999999"), now) == 86400000);
    CHECK(fetch_retry_after_ms(S("Thu, 20 Nov 2025 23:07:40 GMT"), now) ==
          60000);
    CHECK(fetch_retry_after_ms(S("Thu, 20 Nov 2025 23:00:00 GMT"), now) == 0);
    CHECK(fetch_retry_after_ms(S("Wed, 20 Nov 2030 23:00:00 GMT"), now) ==
          86400000);
    CHECK(fetch_retry_after_ms(S("-5"), now) == 0);
    CHECK(fetch_retry_after_ms(S("soon"), now) == 0);
    CHECK(fetch_retry_after_ms(S(""), now) == 0);
}

/* ---- suites ---- */

static void
latin1(struct str utf8, struct buf *out)
{
    for (size_t i = 0; i < utf8.n; i++) {
        unsigned char c = (unsigned char)utf8.p[i];

        if (c >= 0xc2 && c <= 0xc3 && i + 1 < utf8.n)
            buf_char(out, (char)((c & 3) << 6 | (utf8.p[++i] & 63)));
        else
            buf_char(out, (char)c);
    }
}

/* Faults of the protocol that no option of curl's command line explains. */
static bool
must_fail(int64_t exit)
{
    return exit == 8 || exit == 18 || exit == 52 || exit == 56 || exit == 61;
}

static void
replies_of_curls_own_tests_end_as_there(void)
{
    const char *path =
        test_shared("data/suites/http-oddities/curl_cases.jsonl");
    FILE *f = path ? fopen(path, "r") : NULL;
    char *line = NULL;
    size_t cap = 0;
    int ran = 0, faulty = 0, macros = 0, wrong = 0;

    CHECK(f != NULL);
    if (f == NULL)
        return;
    open_fetch("[fetch]\ntimeout_ms = 2000\n");
    while (getline(&line, &cap, f) > 0) {
        json_object *row = json_tokener_parse(line), *v;
        struct fetch_reply r;
        int64_t exit;

        buf_clear(&answer);
        json_object_object_get_ex(row, "reply_latin1", &v);
        latin1(str_n(json_object_get_string(v),
                     (size_t)json_object_get_string_len(v)),
               &answer);
        json_object_object_get_ex(row, "curl_exit", &v);
        exit = json_object_get_int64(v);
        if (memchr(answer.p ? answer.p : "", '%', answer.n) != NULL) {
            macros++;
        } else {
            r = get("http://some.test/", false, 1 << 20);
            ran++;
            faulty += r.fault != VERDICT_NONE;
            if (must_fail(exit) && r.fault == VERDICT_NONE) {
                wrong++;
                fprintf(stderr, "accepted: %.300s\n", line);
            }
            fetch_reply_free(&r);
        }
        json_object_put(row);
    }
    printf("     curl_cases: %d ran, %d with a fault, %d with macros left out, "
           "%d accepted wrongly\n",
           ran, faulty, macros, wrong);
    CHECK(ran > 100);
    CHECK(wrong == 0);
    free(line);
    fclose(f);
    close_fetch();
}

/* How `want` judges what came; see the suite's README. */
static bool
as_wanted(const char *want, const struct fetch_reply *r, struct str plain)
{
    bool whole = str_eq(buf_view(&r->body), plain), error = r->fault != 0;

    if (strcmp(want, "ok") == 0)
        return whole;
    if (strcmp(want, "error") == 0)
        return error;
    if (strcmp(want, "lenient") == 0)
        return whole || error;
    if (strcmp(want, "prefix") == 0)
        return error || str_starts(plain, buf_view(&r->body));
    if (strcmp(want, "empty") == 0)
        return r->body.n == 0;
    if (strcmp(want, "abort") == 0)
        return r->fault == VERDICT_BOMB ||
               (r->truncated && r->body.n <= 1 << 20);
    return true; /* identity, once ...: whatever came is bounded */
}

static void
encodings_are_decoded_or_refused(void)
{
    const char *path =
        test_shared("data/suites/http-oddities/encodings/cases.json");
    char folder[1024], file[2048];
    json_object *suite = path ? json_object_from_file(path) : NULL, *cases, *v;
    struct buf plain = {0};
    size_t n;
    int agree = 0, unknown = 0;

    CHECK(suite != NULL);
    if (suite == NULL)
        return;
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path),
             path);
    snprintf(file, sizeof file, "%s/plain.html", folder);
    CHECK(file_read(&plain, file, SIZE_MAX) == ST_OK);
    open_fetch("");
    json_object_object_get_ex(suite, "cases", &cases);
    n = json_object_array_length(cases);
    for (size_t i = 0; i < n; i++) {
        json_object *row = json_object_array_get_idx(cases, i);
        const char *coding, *want;
        struct buf body = {0};
        struct fetch_reply r;

        json_object_object_get_ex(row, "file", &v);
        snprintf(file, sizeof file, "%s/%s", folder, json_object_get_string(v));
        CHECK(file_read(&body, file, SIZE_MAX) == ST_OK);
        json_object_object_get_ex(row, "content_encoding", &v);
        coding = json_object_get_string(v);
        json_object_object_get_ex(row, "want", &v);
        want = json_object_get_string(v);
        buf_clear(&answer);
        buf_printf(&answer,
                   HTML "Content-Encoding: %s\r\nContent-Length: %zu\r\n\r\n",
                   coding ? coding : "identity", body.n);
        buf_str(&answer, buf_view(&body));
        r = get("http://some.test/", true, 1 << 20);
        CHECK(r.body.n <= 1 << 20);
        if (as_wanted(want, &r, buf_view(&plain))) {
            agree++;
        } else {
            fprintf(stderr, "%s: wanted %s, got %s and %zu bytes\n",
                    strrchr(file, '/') + 1, want,
                    r.fault ? verdict_name(r.fault) : "no fault", r.body.n);
            unknown++;
        }
        fetch_reply_free(&r);
        buf_free(&body);
    }
    printf("     encodings: %d of %zu as wanted\n", agree, n);
    CHECK(unknown <= 4); /* codings that are not asked for, and see libcurl */
    buf_free(&plain);
    json_object_put(suite);
    close_fetch();
}

/* Whatever libcurl has resolved or was told by a redirect. */
static void
nothing_is_connected_to_but_the_address_that_was_checked(void)
{
    struct transfer t = {0};
    struct curl_sockaddr a = {.family = AF_INET, .socktype = SOCK_STREAM};
    struct sockaddr_in other = {.sin_family = AF_INET, .sin_port = htons(80)};

    memcpy(&t.address, &other, sizeof other);
    CHECK(inet_pton(AF_INET, "127.0.0.2", &other.sin_addr) == 1);
    memcpy(&a.addr, &other, sizeof other);
    CHECK(fetch_on_socket(&t, CURLSOCKTYPE_IPCXN, &a) == CURL_SOCKET_BAD);
    other.sin_addr.s_addr = 0; /* the address, another port */
    other.sin_port = htons(81);
    memcpy(&a.addr, &other, sizeof other);
    CHECK(fetch_on_socket(&t, CURLSOCKTYPE_IPCXN, &a) == CURL_SOCKET_BAD);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(a_page_comes_with_its_headers),
        TEST(dots_and_case_of_a_path_are_sent_as_they_are),
        TEST(redirects_are_reported_and_not_followed),
        TEST(other_types_end_at_the_headers),
        TEST(a_long_body_is_cut_and_marked),
        TEST(too_many_header_bytes_are_refused),
        TEST(one_header_line_without_end_is_refused),
        TEST(bytes_that_are_no_body_are_bounded),
        TEST(received_bytes_are_those_that_were_sent),
        TEST(nothing_is_connected_to_but_the_address_that_was_checked),
        TEST(interim_answers_are_passed_over),
        TEST(faults_are_told_apart),
        TEST(a_server_that_says_nothing_is_given_up),
        TEST(a_transfer_that_brings_too_little_is_given_up),
        TEST(cancelling_gives_everything_back),
        TEST(a_refused_connection_is_its_own_fault),
        TEST(retry_after_is_seconds_or_a_date),
        SUITE_TEST(replies_of_curls_own_tests_end_as_there,
                   "data/suites/http-oddities/curl_cases.jsonl"),
        SUITE_TEST(encodings_are_decoded_or_refused,
                   "data/suites/http-oddities/encodings/cases.json"),
        {0},
    };
    int rc;

    server_up();
    rc = test_main(table, argc, argv);
    server_down();
    return rc;
}
