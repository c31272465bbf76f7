/* test_strip_ruby.c -- aim: how a word is read stands in parentheses behind it,
 * once, whatever of that the page has written. */
#include "test.h"

#include "strip_page.h"

static void
a_reading_gets_parentheses(void)
{
    page_gives("<p>in <ruby>Tokyo<rt>t<b>o</b>kyo</rt></ruby>.",
               "in Tokyo(tokyo).");
    page_gives("<p><ruby>a<rt>1<rt>2</ruby>b", "a(1)(2)b");
    page_gives("<p><ruby>a <rt> 1 </rt> b<rt>2</rt></ruby>", "a ( 1 ) b(2)");
    page_gives("<ruby>a<rtc><rt>1</rtc></ruby>b", "a(1)b");
}

static void
those_of_the_page_are_enough(void)
{
    page_gives("<p><ruby>a<rp>(</rp><rt>1</rt><rp>)</rp></ruby>b", "a(1)b");
    page_gives("<p><ruby>a<rp>(<rt>1<rp>)</ruby>b", "a(1)b");
    page_gives("<ruby>a<rp>\xef\xbc\x88</rp><rt>1</rt><rp>\xef\xbc\x89</rp>"
               "</ruby>",
               "a\xef\xbc\x88"
               "1\xef\xbc\x89");
}

static void
where_there_is_nothing_to_read_there_are_none(void)
{
    page_gives("<p><ruby>a<rt></rt>b<rt> </rt></ruby>c", "ab c");
    page_gives("<p>a<rt>1</rt>b", "a1b");
    page_gives("<p><ruby><rt>1</rt></ruby>b", "1b");
    page_gives("<p><ruby>a<rt><script>1</script></rt></ruby>b", "ab");
    page_gives("<p><ruby>a<rt>1<p>b</rt></ruby>c<p>d", "a(1|bc|d");
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(a_reading_gets_parentheses),
        TEST(those_of_the_page_are_enough),
        TEST(where_there_is_nothing_to_read_there_are_none),
        {0},
    };

    return test_main(table, argc, argv);
}
