/* Aim: tls+tcp:// admits peers of one authority only, and what is wrong with
 * the own key is said at the start. */
#include "base/file.h"
#include "endpoint_case.h"

static void
tls_admits_only_peers_of_the_same_authority(void)
{
    const struct endpoint_options strange = {
        .authority = S("tests/cases/tls/authority.pem"),
        .own = S("tests/cases/tls/stranger.pem")};
    const struct endpoint_options missing = {
        .authority = S("tests/cases/tls/authority.pem"),
        .own = S("tests/cases/tls/none.pem")};
    struct buf reply = {0};
    struct endpoint *e = NULL;
    struct server *v = NULL;
    size_t largest = 0;
    char url[64], other[64];

    if (!has_localhost()) {
        printf("skipped: nothing resolves localhost here\n");
        return;
    }
    snprintf(url, sizeof url, "tls+tcp://localhost:%d", free_port());
    CHECK(server_start(&v, url, NULL, echo, &largest) == ST_USAGE);
    CHECK(server_start(&v, url, &missing, echo, &largest) == ST_USAGE);
    CHECK(server_start(&v, url, &good, echo, &largest) == ST_OK);
    CHECK(endpoint_dial(&e, url, NULL) == ST_USAGE);
    CHECK(endpoint_dial(&e, url, &good) == ST_OK);
    CHECK(says(e, "secret", "re:secret"));
    endpoint_close(e);
    CHECK(endpoint_dial(&e, url, &strange) == ST_OK);
    CHECK(endpoint_call(e, S("x"), &reply, 500) == ST_TIMEOUT);
    endpoint_close(e);
    snprintf(other, sizeof other, "tls+tcp://127.0.0.1:%s",
             strrchr(url, ':') + 1); /* not the name in the certificate */
    CHECK(endpoint_dial(&e, other, &good) == ST_OK);
    CHECK(endpoint_call(e, S("x"), &reply, 500) == ST_TIMEOUT);
    endpoint_close(e);
    CHECK(endpoint_dial(&e, url, &good) == ST_OK);
    CHECK(says(e, "again", "re:again"));
    endpoint_close(e);
    server_stop(v);
    buf_free(&reply);
}

static void
copy_key(const char *from, const char *to)
{
    struct buf bytes = {0};
    FILE *f = fopen(to, "we");

    CHECK(file_read(&bytes, from, 8192) == ST_OK);
    CHECK(fwrite(bytes.p, 1, bytes.n, f) == bytes.n && fclose(f) == 0);
    buf_free(&bytes);
}

/* Does somebody who connects now get an answer? */
static bool
admits(const char *url)
{
    struct buf reply = {0};
    struct endpoint *e;
    bool yes;

    CHECK(endpoint_dial(&e, url, &good) == ST_OK);
    yes = endpoint_call(e, S("x"), &reply, 1000) == ST_OK;
    endpoint_close(e);
    buf_free(&reply);
    return yes;
}

static void
a_certificate_that_was_renewed_counts_without_a_restart(void)
{
    struct endpoint_options renewed = good;
    struct endpoint *e = NULL;
    struct server *v = NULL;
    size_t largest = 0;
    char url[64], path[128];
    FILE *f;

    if (!has_localhost())
        return;
    snprintf(path, sizeof path, "%s/renewed.pem", folder);
    snprintf(url, sizeof url, "tls+tcp://localhost:%d", free_port());
    renewed.own = str_c(path);
    copy_key("tests/cases/tls/stranger.pem", path);
    CHECK(server_start(&v, url, &renewed, echo, &largest) == ST_OK);
    CHECK(!admits(url));
    copy_key("tests/cases/tls/peer.pem", path);
    CHECK(admits(url));
    CHECK(endpoint_dial(&e, url, &good) == ST_OK);
    CHECK(says(e, "before", "re:before"));
    copy_key("tests/cases/tls/stranger.pem", path);
    CHECK(!admits(url));
    CHECK(says(e, "still", "re:still")); /* it has begun with the other */
    copy_key("tests/cases/tls/peer.pem", path);
    CHECK(admits(url));
    f = fopen(path, "we");
    CHECK(fputs("half", f) >= 0 && fclose(f) == 0);
    CHECK(admits(url)); /* what was there before goes on */
    endpoint_close(e);
    server_stop(v);
}

/* In the log of a server that was given this key; it starts: with `st` ST_OK.
 */
static bool
key_of_says(struct str authority, struct str own, enum status st,
            const char *address, const char *words)
{
    const struct endpoint_options o = {.authority = authority, .own = own};
    struct server *v = NULL;
    struct buf log = {0};
    size_t largest = 0;
    char url[64];
    bool yes;

    snprintf(url, sizeof url, "tls+tcp://%s:%d", address, free_port());
    log_capture(&log);
    log_threshold = LOG_WARN;
    yes = server_start(&v, url, &o, echo, &largest) == st;
    log_threshold = LOG_ERROR;
    log_capture(NULL);
    server_stop(v);
    buf_char(&log, '\0');
    yes = yes && (words == NULL ? log.n == 1 : strstr(log.p, words) != NULL);
    if (!yes)
        printf("%.*s: %s\n", STRF(own), log.p);
    buf_free(&log);
    return yes;
}

static bool
key_says(struct str own, enum status st, const char *address, const char *words)
{
    return key_of_says(good.authority, own, st, address, words);
}

/* The certificate of one with the key of another. */
static void
write_mixed(const char *path)
{
    static const char begin[] = "-----BEGIN PRIVATE KEY";
    struct buf one = {0}, other = {0};
    FILE *f = fopen(path, "we");

    CHECK(file_read(&one, "tests/cases/tls/peer.pem", 4096) == ST_OK);
    CHECK(file_read(&other, "tests/cases/tls/stranger.pem", 4096) == ST_OK);
    buf_char(&one, '\0');
    buf_char(&other, '\0');
    *strstr(one.p, begin) = '\0';
    fprintf(f, "%s%s", one.p, strstr(other.p, begin));
    CHECK(fclose(f) == 0);
    buf_free(&one);
    buf_free(&other);
}

static void
what_is_wrong_with_ones_own_key_is_said_at_start(void)
{
    char path[128];

    snprintf(path, sizeof path, "%s/mixed.pem", folder);
    write_mixed(path);
    CHECK(key_says(str_c(path), ST_USAGE, "127.0.0.1",
                   "/mixed.pem: not used for tls+tcp://: its first certificate "
                   "and its key do not belong together"));
    CHECK(key_says(S("tests/cases/tls/none.pem"), ST_USAGE, "127.0.0.1",
                   "tls.key = tests/cases/tls/none.pem: not used for "
                   "tls+tcp://: No such file"));
    CHECK(key_says(str_c(folder), ST_USAGE, "127.0.0.1", "Is a directory"));
    CHECK(key_says(S("tests/cases/tls/expired.pem"), ST_OK, "127.0.0.1",
                   "peers will refuse this certificate: it has expired"));
    CHECK(key_says(S("tests/cases/tls/stranger.pem"), ST_OK, "127.0.0.1",
                   "it is not signed by tls.authority"));
    CHECK(key_says(good.own, ST_OK, "127.0.0.1",
                   "it does not bear the name 127.0.0.1"));
    CHECK(key_says(good.own, ST_OK, "0.0.0.0", NULL));
    if (has_localhost())
        CHECK(key_says(good.own, ST_OK, "localhost", NULL));
}

/* A file of one's own with what `from` has between `begin` and the end of the
 * line that begins with `end`. */
static struct str
write_part(const char *from, const char *begin, const char *end)
{
    static char path[128];
    struct buf text = {0};
    FILE *f;
    char *a, *b;

    snprintf(path, sizeof path, "%s/part.pem", folder);
    CHECK(file_read(&text, from, 4096) == ST_OK);
    buf_char(&text, '\0');
    a = strstr(text.p, begin);
    b = strchr(strstr(a, end), '\n') + 1;
    f = fopen(path, "we");
    fwrite(a, 1, (size_t)(b - a), f);
    CHECK(fclose(f) == 0);
    buf_free(&text);
    return str_c(path);
}

static void
what_a_key_file_lacks_is_said(void)
{
    const char *peer = "tests/cases/tls/peer.pem";

    CHECK(key_says(write_part(peer, "-----BEGIN CERT", "-----END CERT"),
                   ST_USAGE, "127.0.0.1",
                   "/part.pem: not used for tls+tcp://: "
                   "it holds no key in PEM"));
    CHECK(key_says(write_part(peer, "-----BEGIN PRIV", "-----END PRIV"),
                   ST_USAGE, "127.0.0.1", "it holds no certificate in PEM"));
    CHECK(key_says(S("/dev/null"), ST_USAGE, "127.0.0.1",
                   "it holds no certificate in PEM"));
    CHECK(key_says(S("tests/cases/tls/locked.pem"), ST_USAGE, "127.0.0.1",
                   "its key is locked with a password"));
}

static void
whose_fault_a_certificate_has_is_said(void)
{
    const struct str other = S("tests/cases/tls/other_authority.pem"),
                     over = S("tests/cases/tls/expired_authority.pem"),
                     address = S("tests/cases/tls/address.pem"),
                     asker = S("tests/cases/tls/asker.pem");

    CHECK(key_of_says(other, address, ST_OK, "127.0.0.1", NULL));
    CHECK(key_of_says(other, address, ST_OK, "[::1]", NULL));
    CHECK(key_of_says(other, address, ST_OK, "127.0.0.2",
                      "it does not bear the name 127.0.0.2"));
    CHECK(key_of_says(over, address, ST_OK, "127.0.0.1",
                      "the certificate that signed it (tls.authority) has "
                      "expired"));
    CHECK(key_of_says(other, asker, ST_OK, "127.0.0.1",
                      "it is not for services (extended key usage "
                      "serverAuth)"));
}

static void
an_address_in_a_certificate_is_a_name(void)
{
    const struct endpoint_options o = {
        .authority = S("tests/cases/tls/other_authority.pem"),
        .own = S("tests/cases/tls/address.pem")};
    struct endpoint *e = NULL;
    struct server *v = NULL;
    size_t largest = 0;
    char url[64];

    snprintf(url, sizeof url, "tls+tcp://127.0.0.1:%d", free_port());
    CHECK(server_start(&v, url, &o, echo, &largest) == ST_OK);
    CHECK(endpoint_dial(&e, url, &o) == ST_OK);
    CHECK(says(e, "secret", "re:secret"));
    endpoint_close(e);
    server_stop(v);
}

/* At the start, by its own log; a service says the same of a peer. */
static void
who_may_not_ask_is_told_so(void)
{
    const struct endpoint_options o = {
        .authority = S("tests/cases/tls/other_authority.pem"),
        .own = S("tests/cases/tls/address.pem")};
    const struct endpoint_options not_asker = {
        .authority = S("tests/cases/tls/other_authority.pem"),
        .own = S("tests/cases/tls/service.pem")};
    struct buf log = {0};
    struct endpoint *e = NULL;

    log_capture(&log);
    log_threshold = LOG_WARN;
    CHECK(endpoint_dial(&e, "tls+tcp://127.0.0.1:9", &o) == ST_OK);
    endpoint_close(e);
    CHECK(log.n == 0);
    CHECK(endpoint_dial(&e, "tls+tcp://127.0.0.1:9", &not_asker) == ST_OK);
    log_threshold = LOG_ERROR;
    log_capture(NULL);
    endpoint_close(e);
    buf_char(&log, '\0');
    CHECK(strstr(log.p, "it is not for who asks services (extended key usage "
                        "clientAuth)") != NULL);
    buf_free(&log);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(tls_admits_only_peers_of_the_same_authority),
        TEST(a_certificate_that_was_renewed_counts_without_a_restart),
        TEST(what_is_wrong_with_ones_own_key_is_said_at_start),
        TEST(what_a_key_file_lacks_is_said),
        TEST(whose_fault_a_certificate_has_is_said),
        TEST(an_address_in_a_certificate_is_a_name),
        TEST(who_may_not_ask_is_told_so),
        {0}};

    log_threshold = LOG_ERROR;
    return folder_main(table, argc, argv);
}
