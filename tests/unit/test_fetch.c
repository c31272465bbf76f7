/* test_fetch.c -- aim: every answer a server can give ends in one transfer with
 * one fault, bounded in bytes and time. */
#include <time.h>

#include "base/hash.h"
#include "fetch_case.h"

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
    CHECK(str_eq(buf_view(&r.x_robots_tag), S("noindex\na: nofollow")));
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
        {"application/xml", VERDICT_NONE}, /* its bytes decide */
        {"application/rss+xml", VERDICT_NOT_HTML},
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
a_line_of_blanks_does_not_end_the_headers(void)
{
    struct fetch_reply r;

    open_fetch("");
    r = ANSWER("HTTP/1.1 200 OK\r\nX-A: 1\r\n \r\nContent-Type: "
               "text/plain\r\nContent-Length: 1\r\n\r\nx");
    CHECK(r.fault == VERDICT_NOT_HTML);
    CHECK(str_eq(buf_view(&r.content_type), S("text/plain")));
    fetch_reply_free(&r);
    close_fetch();
}

static void
xml_ends_where_it_shows_that_it_is_no_page(void)
{
    static const struct {
        const char *type, *root;
        bool whole;
    } rows[] = {
        {"text/xml", "<rss version='2.0'>", false},
        {"application/xml", "<urlset>", false},
        {"text/xml", "<html xmlns='http://www.w3.org/1999/xhtml'>", true},
        {"text/html", "<urlset>", true},
    };

    open_fetch("");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fetch_reply r;

        buf_clear(&answer);
        buf_printf(&answer, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\n%s",
                   rows[i].type, rows[i].root);
        for (int k = 0; k < 500000; k++)
            buf_char(&answer, 'x');
        r = get("http://some.test/", true, 1 << 20);
        CHECK(r.fault == (rows[i].whole ? VERDICT_NONE : VERDICT_NOT_HTML));
        CHECK((r.body.n >= 500000) == rows[i].whole);
        fetch_reply_free(&r);
        r = get("http://some.test/", false, 1 << 20);
        CHECK(r.fault == VERDICT_NONE && r.body.n >= 500000);
        fetch_reply_free(&r);
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

/* What a server says of its length is a hint: it is bounded, and may be wrong.
 */
static void
room_for_a_body_is_what_its_server_says_within_bounds(void)
{
    static const struct {
        struct str answer;
        size_t least, most; /* of the room */
    } rows[] = {
        {STR(HTML "Content-Length: 3\r\n\r\nabc"), 3, 1000},
        {STR(HTML "Content-Length: 50000\r\n\r\nabc"), 50000, 50000},
        {STR(HTML "Content-Length: 99999999999\r\n\r\nabc"), 1 << 20, 1 << 20},
        {STR(HTML "\r\nabc"), 3, 1 << 16},
    };

    open_fetch("");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fetch_reply r = ask(rows[i].answer);

        CHECK(str_eq(buf_view(&r.body), S("abc")));
        CHECK(r.body.cap >= rows[i].least && r.body.cap <= rows[i].most);
        fetch_reply_free(&r);
    }
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
    CHECK(r.ms >= 300); /* its host is left alone for as long, and longer */
    fetch_reply_free(&r);
    r = ANSWER(HTML "X: a");
    CHECK(r.fault == VERDICT_TOO_SLOW &&
          verdict_kind(r.fault) == VERDICT_KIND_RETRY);
    CHECK(r.ms >= 1000);
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
    CHECK(fetch->open_n == 0);
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
    CHECK(fetch_retry_after_ms(S("99999999999999999999"), now) == 86400000);
    CHECK(fetch_retry_after_ms(S("99999999999"), now) == 86400000);
    CHECK(fetch_retry_after_ms(S("Thu, 20 Nov 2025 23:07:40 GMT"), now) ==
          60000);
    CHECK(fetch_retry_after_ms(S("Thu, 20 Nov 2025 23:00:00 GMT"), now) == 0);
    CHECK(fetch_retry_after_ms(S("Wed, 20 Nov 2030 23:00:00 GMT"), now) ==
          86400000);
    CHECK(fetch_retry_after_ms(S("Sat, 01 Jan 1960 00:00:00 GMT"), now) == 0);
    CHECK(fetch_retry_after_ms(S("-5"), now) == 0);
    CHECK(fetch_retry_after_ms(S("soon"), now) == 0);
    CHECK(fetch_retry_after_ms(S(""), now) == 0);
}

/* The server's clock counts, not ours, in whichever order the headers come. */
static void
a_date_to_retry_after_counts_from_the_date_of_the_answer(void)
{
    const struct str date = S("Thu, 20 Nov 2025 23:06:40 GMT"),
                     until = S("Thu, 20 Nov 2025 23:07:40 GMT");
    const uint64_t now = 1763680000000, day = 86400000;
    struct fetch_reply r = {0};

    for (int i = 0; i < 6; i++) {
        uint64_t wall_ms = now + (uint64_t)(i / 2) * day - day;

        fetch_reply_begins(&r);
        CHECK(r.retry_after_ms == 0);
        fetch_reply_header(&r, i % 2 ? S("Date") : S("Retry-After"),
                           i % 2 ? date : until, wall_ms);
        fetch_reply_header(&r, i % 2 ? S("Retry-After") : S("Date"),
                           i % 2 ? until : date, wall_ms);
        CHECK(r.retry_after_ms == 60000);
    }
    fetch_reply_begins(&r);
    fetch_reply_header(&r, S("Date"), S("yesterday"), now);
    fetch_reply_header(&r, S("Retry-After"), until, now);
    CHECK(r.retry_after_ms == 60000);
    fetch_reply_free(&r);
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

static void
a_full_pool_closes_what_comes_and_keeps_what_it_has(void)
{
    struct fetch_reply r;

    open_fetch("");
    hold = true;
    for (size_t idle = 0; idle < 2; idle++) {
        fetch_limit(fetch, 8, idle);
        r = ANSWER(HTML "Content-Length: 1\r\n\r\nx");
        CHECK(r.fault == VERDICT_NONE && fetch->open_n == idle);
        fetch_reply_free(&r);
    }
    hold = false;
    close_fetch();
}

/* What is one host's stands in one pool, and few pools are in use at once. */
static void
hosts_that_are_met_together_share_a_pool(void)
{
    enum { HOSTS = 10000, TOGETHER = 20 };
    static unsigned pool[HOSTS];
    struct fetch_pools *p = fetch_pools_new();
    size_t other = 0, moved = 0;

    for (uint64_t i = 0; i < HOSTS; i++) {
        pool[i] = fetch_pool_of(p, hash_mix(i + 1));
        other += i > 0 && pool[i] != pool[i - 1];
        CHECK(i < TOGETHER || pool[i] != pool[i - TOGETHER]);
    }
    CHECK(other == HOSTS / TOGETHER);
    for (uint64_t i = 0; i < HOSTS; i++)
        moved += fetch_pool_of(p, hash_mix(i + 1)) != pool[i];
    CHECK(moved == 0);
    for (uint64_t i = 0; i < 100 * HOSTS; i++) /* more than the table has */
        CHECK(fetch_pool_of(p, hash_mix(i + HOSTS)) < 1024);
    fetch_pools_free(p);
}

/* Start a transfer, wait for its socket, and end it. */
static int
socket_of(const char *url)
{
    struct fetch_request q = {.url = url, .address = server.address};
    struct fetch_reply r = {0};
    bool done = false;
    struct transfer *t =
        fetch_start(fetch, &q, &r, clock_steady_ms(), set_flag, &done);
    int fd;

    while (t->fd < 0 && !done)
        turn();
    fd = t->fd;
    if (!done)
        fetch_end(t, VERDICT_RETURNED);
    fetch_reply_free(&r);
    return fd;
}

static void
an_idle_connection_serves_its_host_and_no_other(void)
{
    struct fetch_reply r;

    open_fetch("");
    hold = true;
    r = ANSWER(HTML "Content-Length: 1\r\n\r\nx");
    CHECK(r.fault == VERDICT_NONE && fetch->open_n == 1);
    fetch_reply_free(&r);
    CHECK(socket_of("http://other.test/") >= 0 && fetch->open_n == 1);
    CHECK(socket_of("http://some.test/") >= 0 && fetch->open_n == 0);
    hold = false;
    close_fetch();
}

static void
idle_connections_are_closed_when_files_run_out_or_they_are_old(void)
{
    struct fetch_reply r;

    open_fetch("");
    hold = true;
    for (int old = 0; old < 2; old++) {
        r = ANSWER(HTML "Content-Length: 1\r\n\r\nx");
        CHECK(r.fault == VERDICT_NONE && fetch->open_n == 1);
        fetch_reply_free(&r);
        fetch_tick(fetch, fetch->now_ms + 2000);
        CHECK(fetch->open_n == 1);
        if (old)
            fetch_tick(fetch, fetch->now_ms + 100000);
        else
            fetch_give_up_idle(fetch);
        CHECK(fetch->open_n == 0);
        fetch_limit(fetch, 8, 4);
    }
    hold = false;
    close_fetch();
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(a_page_comes_with_its_headers),
        TEST(dots_and_case_of_a_path_are_sent_as_they_are),
        TEST(redirects_are_reported_and_not_followed),
        TEST(other_types_end_at_the_headers),
        TEST(a_line_of_blanks_does_not_end_the_headers),
        TEST(xml_ends_where_it_shows_that_it_is_no_page),
        TEST(a_long_body_is_cut_and_marked),
        TEST(room_for_a_body_is_what_its_server_says_within_bounds),
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
        TEST(a_full_pool_closes_what_comes_and_keeps_what_it_has),
        TEST(hosts_that_are_met_together_share_a_pool),
        TEST(an_idle_connection_serves_its_host_and_no_other),
        TEST(idle_connections_are_closed_when_files_run_out_or_they_are_old),
        TEST(retry_after_is_seconds_or_a_date),
        TEST(a_date_to_retry_after_counts_from_the_date_of_the_answer),
        {0},
    };

    return fetch_case_main(table, argc, argv);
}
