/* test_surt.c -- keys of an index are those that other tools look up by.
 * Method: a table of URLs with the keys that the Python library surt 0.3.1
 * gives them. */
#include "clean/archive/cdxj.h"
#include "clean/archive/surt.h"
#include "test.h"

static void
keys_are_those_of_other_tools(void)
{
    static const struct {
        const char *url, *key;
    } rows[] = {
        {"http://www.Example.com/", "com,example)/"},
        {"http://www2.example.com/A/B/", "com,example)/a/b"},
        {"http://wwwx.example.com/a", "com,example,wwwx)/a"},
        {"http://example.com:8080/x?b=2&a=1&a",
         "com,example:8080)/x?a&a=1&b=2"},
        {"https://example.com:443/", "com,example)/"},
        {"https://example.com/?", "com,example)/"},
        {"http://example.com", "com,example)/"},
        {"http://127.0.0.1/x", "1,0,0,127)/x"},
        {"http://[::1]:81/x", "::1:81)/x"},
        {"http://example.com/a//b/../c/./d/", "com,example)/a/c/d"},
        {"http://example.com/%7Euser/%41%2541", "com,example)/~user/aa"},
        {"http://example.com/a%20b%2Fc?x=%20y&X=A",
         "com,example)/a%20b/c?x=%20y&x=a"},
        {"http://example.com/caf%C3%A9?q=%C3%89",
         "com,example)/caf%c3%a9?q=%c3%89"},
        {"http://example.com/..%2f..%2fx", "com,example)/x"},
        {"http://example.com/a?jsessionid=0123456789abcdef0123456789ABCDEF&b=1",
         "com,example)/a?b=1"},
        {"http://example.com/a?b=1&phpsessid=0123456789abcdef0123456789abcdef",
         "com,example)/a?&b=1"},
        {"http://example.com/a?sid=0123456789abcdef0123456789abcdef",
         "com,example)/a"},
        {"http://example.com/a?sid=0123456789abcdef0123456789abcdefx",
         "com,example)/a?sid=0123456789abcdef0123456789abcdefx"},
        {"http://example.com/"
         "a?ASPSESSIONIDAAAABBBB=abcdefghijklmnopqrstuvwx&z=1",
         "com,example)/a?z=1"},
        {"http://example.com/a?a=1&cfid=12&cftoken=34&b=2",
         "com,example)/a?a=1&b=2"},
        {"http://example.com/(S(abcdefghijklmnopqrst0123))/default.aspx?x=1",
         "com,example)/default.aspx?x=1"},
        {"http://example.com/a/(abcdefghijklmnopqrst0123)/default.aspx",
         "com,example)/a/default.aspx"},
        {"http://example.com/a/(abcdefghijklmnopqrst0123)/default.html",
         "com,example)/a/(abcdefghijklmnopqrst0123)/default.html"},
        {"http://example.com/?a=b=c&a&a=&b", "com,example)/?a&a=&a=b=c&b"},
        {"http://example.com/a#frag", "com,example)/a"},
        {"http://example.com/a?&&b&", "com,example)/a?&&&b"},
        {"http://example.com/;x=Y", "com,example)/;x=y"},
        {"http://example.com/a?b=%26c%3Dd", "com,example)/a?b=&c=d"},
        {"http://xn--bcher-kva.example/", "example,xn--bcher-kva)/"},
        {"http://a..example.com/", "com,example,a)/"},
        {"http://example.com/a/..", "com,example)/"},
        {"http://example.com/a/../", "com,example)/"},
        {"http://example.com/%2e%2e/x/", "com,example)/../x"},
        {"http://example.com/a?x=%23y%25z", "com,example)/a?x=%23y%25z"},
        {"http://example.com/a?u=http://b.test/?c=d",
         "com,example)/a?u=http://b.test/?c=d"},
        {"http://example.com/"
         "index.php?PHPSESSID=0123456789abcdef0123456789abcdef&sid="
         "0123456789abcdef0123456789abcdef",
         "com,example)/index.php"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buf out = {0};

        surt_key(&out, str_c(rows[i].url));
        CHECK(str_eq(buf_view(&out), str_c(rows[i].key)));
        if (!str_eq(buf_view(&out), str_c(rows[i].key)))
            fprintf(stderr, "%s\n  %.*s\n  %s\n", rows[i].url, (int)out.n,
                    out.p, rows[i].key);
        buf_free(&out);
    }
}

static void
a_line_says_what_and_where(void)
{
    struct buf out = {0};
    const struct cdxj_entry e = {.url = S("http://www.a.example/\"x y"),
                                 .date_ms = 1700000000123,
                                 .mime = S("text/html"),
                                 .status = 200,
                                 .digest = S("sha1:ABC")};

    cdxj_begin(&out, &e);
    cdxj_end(&out, S("a.warc.gz"), 12, 34);
    CHECK(
        str_eq(buf_view(&out),
               S("example,a)/\"x%20y 20231114221320 {\"url\":"
                 "\"http://www.a.example/\\\"x y\",\"mime\":\"text/html\","
                 "\"status\":\"200\",\"digest\":\"sha1:ABC\",\"length\":\"34\","
                 "\"offset\":\"12\",\"filename\":\"a.warc.gz\"}\n")));
    buf_free(&out);
}

static void
lines_are_sorted_by_bytes(void)
{
    struct buf lines = {0};

    buf_c(&lines, "b 2\na)/ 3\na) 3\nB\nb 1\n\xc3 1\n");
    cdxj_sort(&lines);
    CHECK(str_eq(buf_view(&lines), S("B\na) 3\na)/ 3\nb 1\nb 2\n\xc3 1\n")));
    buf_free(&lines);
}

static void
the_type_is_that_of_the_header(void)
{
    CHECK(str_eq(cdxj_mime(S("HTTP/1.1 200\r\ncontent-type: a/b; c=d\r\n\r\n"
                             "Content-Type: x/y\r\n")),
                 S("a/b")));
    CHECK(str_eq(cdxj_mime(S("HTTP/1.1 200\r\n\r\n")), S("")));
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(keys_are_those_of_other_tools),
        TEST(a_line_says_what_and_where),
        TEST(lines_are_sorted_by_bytes),
        TEST(the_type_is_that_of_the_header),
        {0},
    };

    return test_main(table, argc, argv);
}
