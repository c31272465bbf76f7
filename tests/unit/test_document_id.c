/* Ids are functions of URL and capture and of nothing else, UUIDs in form, and
 * survive being packed; what is no UUID is not taken for one. */
#include "base/document_id.h"
#include "base/random.h"
#include "test.h"

static bool
reads(const char *text, const char *expected)
{
    struct document_id id = {"x"};
    bool good = document_id_read(str_c(text), &id);

    return good == (expected[0] != '\0') && strcmp(id.z, expected) == 0;
}

static bool
reads_urn(const char *text, const char *expected)
{
    struct document_id id = {"x"};
    bool good = document_id_read_urn(str_c(text), &id);

    return good == (expected[0] != '\0') && strcmp(id.z, expected) == 0;
}

/* Written down once: stores and corpora hold them. */
static void
an_id_is_the_same_for_ever(void)
{
    CHECK(strcmp(document_id_make(S("http://a.example/"), 0).z,
                 "209b69c9-30a5-8ea4-80c0-7465798be508") == 0);
    CHECK(strcmp(document_id_make(S("http://a.example/"), 1700000000123).z,
                 "a68e2cbd-094b-8f39-9d08-75f4b7990699") == 0);
    CHECK(strcmp(document_id_make(S(""), UINT64_MAX).z,
                 "e5c88791-2981-8738-9128-0c7a497bce99") == 0);
}

static void
it_is_a_uuid_of_version_8(void)
{
    for (uint64_t i = 0; i < 1000; i++) {
        struct document_id id = document_id_make(S("http://a.example/"), i);

        CHECK(strlen(id.z) == DOCUMENT_ID_CHARS);
        CHECK(reads(id.z, id.z));
        CHECK(id.z[14] == '8' && strchr("89ab", id.z[19]) != NULL);
    }
}

static int
by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void
captures_and_urls_have_ids_of_their_own(void)
{
    enum { URLS = 40, CAPTURES = 50, N = URLS * CAPTURES };
    static struct document_id id[N];

    for (int i = 0; i < N; i++) {
        char url[40];

        snprintf(url, sizeof url, "http://a.example/%d", i / CAPTURES);
        id[i] = document_id_make(str_c(url),
                                 1700000000000 + (uint64_t)(i % CAPTURES));
    }
    qsort(id, N, sizeof id[0], by_text);
    for (int i = 1; i < N; i++)
        CHECK(!document_id_equal(&id[i - 1], &id[i]));
}

static void
sixteen_bytes_are_all_of_it(void)
{
    struct random r = random_seed(5);

    for (int i = 0; i < 1000; i++) {
        unsigned char bytes[DOCUMENT_ID_BYTES], again[DOCUMENT_ID_BYTES];
        struct document_id id;

        for (size_t k = 0; k < sizeof bytes; k++)
            bytes[k] = (unsigned char)random_u64(&r);
        id = document_id_unpack(bytes);
        CHECK(reads(id.z, id.z));
        document_id_pack(&id, again);
        CHECK(memcmp(bytes, again, sizeof bytes) == 0);
    }
}

#define UUID "01890a5d-ac96-774b-bcce-b302099a8057"

static void
what_others_wrote_is_read_if_it_is_a_uuid(void)
{
    CHECK(reads(UUID, UUID));
    CHECK(reads("01890A5D-AC96-774B-BCCE-B302099A8057", UUID));
    CHECK(reads("", ""));
    CHECK(reads("01890a5dac96774bbcceb302099a8057", ""));
    CHECK(reads("01890a5d-ac96-774b-bcce-b302099a805", ""));
    CHECK(reads(UUID "0", ""));
    CHECK(reads("01890a5d-ac96-774b-bcce-b302099a805g", ""));
    CHECK(reads("01890a5dx-ac9-774b-bcce-b302099a8057", ""));
    CHECK(reads("01890a5d0ac96-774b-bcce-b302099a8057", ""));
    CHECK(reads_urn("<urn:uuid:" UUID ">", UUID));
    CHECK(reads_urn("urn:uuid:" UUID, UUID));
    CHECK(reads_urn("<URN:UUID:" UUID ">", UUID));
    CHECK(reads_urn("<urn:uuid:" UUID, ""));
    CHECK(reads_urn("<urn:sha1:" UUID ">", ""));
    CHECK(reads_urn(UUID, ""));
    CHECK(reads_urn("<>", ""));
    CHECK(reads_urn("", ""));
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(an_id_is_the_same_for_ever),
        TEST(it_is_a_uuid_of_version_8),
        TEST(captures_and_urls_have_ids_of_their_own),
        TEST(sixteen_bytes_are_all_of_it),
        TEST(what_others_wrote_is_read_if_it_is_a_uuid),
        {0}};

    return test_main(table, argc, argv);
}
