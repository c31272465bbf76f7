/* test_signer.c -- signatures and key ids are those of RFC 9421 (its key B.1.4
 * and its example B.2.6).  Whole requests are checked with the openssl program
 * by scenario/connections.py. */
#include "base/log.h"
#include "crawler/sign/signer.h"
#include "folder.h"

static const char key[] =
    "-----BEGIN PRIVATE KEY-----\n"
    "MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF\n"
    "-----END PRIVATE KEY-----\n";

static struct signer *
opened_for(struct str agent)
{
    struct signer *s = NULL;

    folder_put("key.pem", S(key));
    CHECK(signer_open(&s, in_folder("key.pem"), agent) == ST_OK);
    return s;
}

static struct signer *
opened(void)
{
    return opened_for(S("https://bot.test"));
}

static void
the_key_is_called_by_its_thumbprint(void)
{
    struct signer *s = opened();

    CHECK(strcmp(signer_keyid(s),
                 "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U") == 0);
    CHECK(strcmp(signer_public(s),
                 "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs") == 0);
    signer_free(s);
}

static void
signatures_are_those_of_the_standard(void)
{
    struct signer *s = opened();
    struct buf out = {0};

    CHECK(signer_bytes(
        s,
        S("\"date\": Tue, 20 Apr 2021 02:07:55 GMT\n\"@method\": POST\n"
          "\"@path\": /foo\n\"@authority\": example.com\n"
          "\"content-type\": application/json\n\"content-length\": 18\n"
          "\"@signature-params\": (\"date\" \"@method\" \"@path\" "
          "\"@authority\" \"content-type\" \"content-length\")"
          ";created=1618884473;keyid=\"test-key-ed25519\""),
        &out));
    CHECK(str_eq(buf_view(&out),
                 S("wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9ED"
                   "gwUPiu4A0w6vuQv5lIp5WPpBKRCw==")));
    buf_free(&out);
    signer_free(s);
}

static void
a_request_names_key_time_and_purpose(void)
{
    struct signer *s = opened();
    struct signer_fields f = {0};

    CHECK(signer_sign(s, S("a.test:8080"), 1700000000, S("n"), &f));
    CHECK(str_eq(buf_view(&f.agent), S("\"https://bot.test\"")));
    CHECK(str_eq(
        buf_view(&f.input),
        S("sig1=(\"@authority\" \"signature-agent\");created=1700000000;"
          "expires=1700000300;keyid=\"poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38"
          "r0U\";alg=\"ed25519\";nonce=\"n\";tag=\"web-bot-auth\"")));
    CHECK(str_starts(buf_view(&f.signature), S("sig1=:")) &&
          f.signature.n == 6 + 88 + 1);
    buf_free(&f.agent);
    buf_free(&f.input);
    buf_free(&f.signature);
    signer_free(s);
}

static void
without_an_agent_nothing_is_said_of_one(void)
{
    struct signer *s = opened_for(S(""));
    struct signer_fields f = {0};
    struct buf expected = {0};

    CHECK(signer_sign(s, S("a.test"), 1700000000, S(""), &f));
    CHECK(f.agent.n == 0);
    CHECK(str_starts(buf_view(&f.input),
                     S("sig1=(\"@authority\");created=1700000000;")));
    CHECK(signer_bytes(
        s,
        S("\"@authority\": a.test\n\"@signature-params\": "
          "(\"@authority\");created=1700000000;expires=1700000300;keyid=\""
          "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U\";alg=\"ed25519\";"
          "tag=\"web-bot-auth\""),
        &expected));
    CHECK(str_eq(str_sub(buf_view(&f.signature), 6, f.signature.n - 1),
                 buf_view(&expected)));
    buf_free(&expected);
    buf_free(&f.agent);
    buf_free(&f.input);
    buf_free(&f.signature);
    signer_free(s);
}

static void
keys_are_made_once_and_others_refused(void)
{
    struct signer *s;
    struct stat sb;

    CHECK(signer_make_key(in_folder("new.pem")) == ST_OK);
    CHECK(signer_make_key(in_folder("new.pem")) == ST_INVALID);
    CHECK(stat(in_folder("new.pem"), &sb) == 0 && (sb.st_mode & 077) == 0);
    CHECK(signer_open(&s, in_folder("new.pem"), S("x")) == ST_OK);
    signer_free(s);
    folder_put("bad.pem", S("no key"));
    CHECK(signer_open(&s, in_folder("bad.pem"), S("x")) == ST_INVALID);
    CHECK(signer_open(&s, in_folder("none.pem"), S("x")) == ST_IO);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(the_key_is_called_by_its_thumbprint),
        TEST(signatures_are_those_of_the_standard),
        TEST(a_request_names_key_time_and_purpose),
        TEST(without_an_agent_nothing_is_said_of_one),
        TEST(keys_are_made_once_and_others_refused),
        {0},
    };

    log_threshold = LOG_ERROR;
    return folder_main(table, argc, argv);
}
