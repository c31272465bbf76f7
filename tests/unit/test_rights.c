/* test_rights.c -- signals about the use of texts, as their drafts write them,
 * come to the same few words.  Method: a table of lines with what they say;
 * whole pages through the chain are in test_metadata.c. */
#include "clean/metadata/rights.h"
#include "test.h"

static void
each_signal_says_what_its_draft_means(void)
{
    static const struct {
        const char *name, *value;
        bool is_signal;
        const char *says; /* all, tdm, train, ai-input, search */
    } rows[] = {
        {"TDM-Reservation", "1", true, "-n---"},
        {"tdm-reservation", "0", true, "-y---"},
        {"tdm-reservation", "maybe", true, "-----"},
        {"tdm-reservation", "", false, "-----"},
        {"tdm-policy", "https://a.test/p.json", true, "-----"},
        {"Content-Usage", "train-ai=n", true, "--n--"},
        {"Content-Usage", "train-ai=y;x=1, search=n", true, "--y-n"},
        {"Content-Usage", "bots=n, tdm=y", true, "ny---"},
        {"Content-Usage", "/a/ train-ai=n", true, "--n--"},
        {"Content-Usage", "/b/ train-ai=n", false, "-----"},
        {"Content-Usage", "train-ai=n, train-ai=y", true, "--n--"},
        {"Content-Usage", "train-ai", true, "-----"},
        {"Content-Signal", "search=yes, ai-input=no, ai-train=no", true,
         "--nny"},
        {"robots", "index, NoAI, noimageai", true, "--nn-"},
        {"robots", "noimageai", true, "-----"},
        {"robots", "noindex, nofollow", false, "-----"},
        {"x-robots-tag", "otherbot: noai", false, "-----"},
        {"x-robots-tag", "winnow: noml, otherbot: noai", true, "--n--"},
        {"x-robots-tag", "*: noml", true, "--n--"},
        {"robots", "max-image-preview:large, noai", true, "--nn-"},
        {"robots", "max-snippet: -1, max-video-preview: -1, noml", true,
         "--n--"},
        {"x-robots-tag",
         "unavailable_after: Fri, 25 Jun 2010 15:00:00 PST, "
         "noai",
         true, "--nn-"},
        {"x-robots-tag", "otherbot: max-snippet: 20, noai", false, "-----"},
        {"winnow", "notrain", true, "--n--"},
        {"otherbot", "noai", false, "-----"},
        {"description", "noai", false, "-----"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rights r = {{0}};
        char said[RIGHTS_USES_N + 1] = "";
        bool found =
            rights_signal(&r, str_c(rows[i].name), str_c(rows[i].value),
                          S("/a/page"), S("winnow"));

        for (int u = 0; u < RIGHTS_USES_N; u++)
            said[u] = r.use[u] ? r.use[u] : '-';
        CHECK(found == rows[i].is_signal && strcmp(said, rows[i].says) == 0);
        if (strcmp(said, rows[i].says) != 0)
            fprintf(stderr, "row %zu: %s\n", i, said);
    }
}

static void
a_purpose_asks_for_some_uses(void)
{
    static const struct {
        const char *purpose, *reserved_when; /* of all, tdm, train, ... */
    } rows[] = {{"record", "-----"},
                {"research", "n----"},
                {"training", "nnn--"},
                {"none-reserved", "nnnnn"}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int u = 0; u < RIGHTS_USES_N; u++) {
            struct rights no = {{0}}, yes = {{0}};

            no.use[u] = 'n';
            yes.use[u] = 'y';
            CHECK(rights_reserved(&no, str_c(rows[i].purpose)) ==
                  (rows[i].reserved_when[u] == 'n'));
            CHECK(!rights_reserved(&yes, str_c(rows[i].purpose)));
        }
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(each_signal_says_what_its_draft_means),
        TEST(a_purpose_asks_for_some_uses),
        {0},
    };

    return test_main(table, argc, argv);
}
