/* Tags, addresses and hashtags are found where people see them, and nothing
 * else is touched. */
#include "clean/cleaner/stages.h"
#include "clean/text/cleanse.h"
#include "test.h"
#include "wanted_stage.h"

static struct letters *letters;

#define BECOMES(call, wanted)                                                  \
    do {                                                                       \
        struct arena *a = arena_new();                                         \
                                                                               \
        CHECK(wanted_same(call, wanted));                                      \
        arena_free(a);                                                         \
    } while (0)
#define EMAIL(text, wanted)                                                    \
    BECOMES(cleanse_emails(letters, a, S(text), S("MAIL")), wanted)
#define URI(text, wanted)                                                      \
    BECOMES(cleanse_uris(letters, a, S(text), S("URI")), wanted)
#define HASH(text, wanted)                                                     \
    BECOMES(cleanse_hashtags(letters, a, S(text), S("HASH")), wanted)
#define TAGS(text, wanted) BECOMES(cleanse_tags(a, S(text)), wanted)

static void
tags_become_blanks(void)
{
    TAGS("a <b>bold</b> word", "a bold word");
    TAGS("line<br/>line", "line line");
    TAGS("x <!-- no --> y <?php echo ?> z", "x y z");
    TAGS("1 < 2 and 3 > 2", "1 < 2 and 3 > 2");
    TAGS("a <b that never ends", "a <b that never ends");
    TAGS("<p>", "");
    TAGS("> <", "> <");
    TAGS("", "");
}

static void
addresses_of_mail_are_replaced(void)
{
    EMAIL("mail me at a@b.de", "mail me at MAIL");
    EMAIL("mail me at a.b_c-d@mail.example.org.", "mail me at MAIL .");
    EMAIL("(jos\xc3\xa9@caf\xc3\xa9.example)", "( MAIL )");
    EMAIL("a@b and @c and d@", "a@b and @c and d@");
    EMAIL("a@b.c", "a@b.c");
    EMAIL("a@b.cd@e.fg", "MAIL @e.fg");
    EMAIL("a@b.de c@d.fr", "MAIL MAIL");
    EMAIL("to a.b+c%d@e.fr", "to MAIL");
    EMAIL("\u90ae\u7bb1a1@b.com\u8c22\u8c22", "\u90ae\u7bb1 MAIL \u8c22\u8c22");
    EMAIL("\u7528\u6237@\u4f8b\u5b50.\u5e7f\u544a", "MAIL");
    EMAIL("3 @ 4.55 euro", "3 @ 4.55 euro");
}

static void
addresses_of_pages_are_replaced(void)
{
    URI("see http://a.example/x?y=1&z=2#t, there", "see URI , there");
    URI("see www.a.example.", "see URI .");
    URI("ftp://x and WWW.Y.org", "URI and URI");
    URI("abhttp://x", "URI");
    URI("note: // is no address, nor is ://x",
        "note: // is no address, nor is ://x");
    URI("http:// nothing", "http:// nothing");
    URI("www. nothing", "www. nothing");
    URI("https://m\xc3\xbcnchen.example/", "URI");
}

static void
hashtags_have_a_letter(void)
{
    HASH("nice #sunset today", "nice HASH today");
    HASH("#1 in the charts, #2020vision", "#1 in the charts, HASH");
    HASH("# alone ##two", "# alone # HASH");
    HASH("#\xc3\xa9t\xc3\xa9", "HASH");
}

static void
an_empty_replacer_leaves_a_blank(void)
{
    BECOMES(cleanse_emails(letters, a, S("to a@b.de now"), S("")), "to now");
}

static void
the_stage_does_what_is_listed_and_is_off_otherwise(void)
{
    CHECK(wanted_becomes(&stage_cleanse, "clean.cleanse=",
                         "a@b.de <b> #x www.y.z", "a@b.de <b> #x www.y.z"));
    CHECK(wanted_becomes(&stage_cleanse, "clean.cleanse=emails",
                         "a@b.de <b> #x www.y.z", "emailblank <b> #x www.y.z"));
    CHECK(wanted_becomes(
        &stage_cleanse, "clean.cleanse=tags emails uris hashtags",
        "a@b.de <b> #x www.y.z", "emailblank hashtagblank uriblank"));
}

/* A text of nothing but beginnings is read once, not once for each. */
static void
long_texts_of_beginnings_are_left_alone(void)
{
    static const char pieces[] = "<@#w:.";
    const size_t n = 1 << 20;
    struct arena *a = arena_new();
    char *text = arena_raw(a, n);

    for (const char *c = pieces; *c != '\0'; c++) {
        struct str s = str_n(text, n);

        memset(text, *c, n);
        CHECK(cleanse_tags(a, s).p == text);
        CHECK(cleanse_emails(letters, a, s, S("M")).p == text);
        CHECK(cleanse_uris(letters, a, s, S("U")).p == text);
        CHECK(cleanse_hashtags(letters, a, s, S("H")).p == text);
    }
    for (size_t i = 0; i < n; i++)
        text[i] = "a@"[i & 1];
    CHECK(cleanse_emails(letters, a, str_n(text, n), S("M")).p == text);
    arena_free(a);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(tags_become_blanks),
        TEST(addresses_of_mail_are_replaced),
        TEST(addresses_of_pages_are_replaced),
        TEST(hashtags_have_a_letter),
        TEST(an_empty_replacer_leaves_a_blank),
        TEST(the_stage_does_what_is_listed_and_is_off_otherwise),
        TEST(long_texts_of_beginnings_are_left_alone),
        {0},
    };
    int code;

    letters = letters_new();
    code = test_main(table, argc, argv);
    letters_free(letters);
    return code;
}
