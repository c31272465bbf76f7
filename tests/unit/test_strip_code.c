/* test_strip_code.c -- aim: a piece of code is one block with the lines that
 * the page shows, however its highlighter wrote them, and no numbers. */
#include "test.h"

#include "strip_page.h"

static void
each_line_may_be_an_element(void)
{
    page_gives("<pre><code><div class=l>def f():<br></div><div class=l>    "
               "a = 1<br></div><div class=l><br></div><div class=l>    b"
               "<br></div></code></pre>c",
               "def f():\n    a = 1\n\n    b|c");
    page_gives("<pre><div>a</div><div>b</div>c</pre>", "a\nb\nc");
    page_gives("<pre><ol class=linenums><li>a<li>  b</ol></pre>", "a\n  b");
    page_gives("<pre>a<br><br>b</pre>", "a\n\nb");
}

static void
the_block_ends_with_the_code(void)
{
    page_gives("<div><pre>a<div>b</div></pre>c</div>", "a\nb|c");
    page_gives("<div><pre>a<div>b</div></div>c", "a\nb|c");
    page_gives("<pre>a<div>b<pre>c</pre>d</div>", "a\nb|c|d");
    page_gives("<pre>a<div>b<pre>c</div>d", "a\nb|c|d");
    page_gives("<pre>a<p>b</pre>", "a|b");
}

static void
elements_with_its_looks_are_code(void)
{
    struct page p;

    page_read(&p,
              S("<div class=fragment><div class=line>if (a) {</div>\n"
                "<div class=line><span class=lineno>  2</span>&#160;   b();"
                "</div>\n<div class=line>}</div></div><p>c"),
              NULL);
    CHECK(strcmp(page_text(&p), "if (a) {\n    b();\n}|c") == 0);
    CHECK(p.d.blocks[0].form.form == FORM_CODE);
    CHECK(p.d.blocks[1].form.form == FORM_PARAGRAPH);
    page_end(&p);
    page_gives("<div class='ltx_listing'><div class=ltx_listingline><span "
               "class='ltx_tag ltx_tag_listingline'>1</span>a</div><div "
               "class=ltx_listingline>b</div></div>",
               "a\nb");
    page_gives("<div class=fragment><div>a</div>\n<div>b</div></div>", "a|b");
}

static void
buttons_are_none_of_it(void)
{
    page_gives("<pre><code>a</code><button>Copy</button></pre>b", "a|b");
    page_gives("<pre>a\n<button title=Run><i>Run</i></button>b</pre>", "a\nb");
    page_gives("<pre>a<button>Copy</pre>b", "a|b");
    page_gives("<button>Copy</button><pre>a</pre>", "Copy|a");
}

static void
numbers_of_lines_are_none_of_it(void)
{
    page_gives("<table><tr><td class=linenos><pre>1\n2</pre><td class=code>"
               "<pre>a\nb</pre></table>",
               "a\nb");
    page_gives("<table><tr><td class='gutter gl'><pre class=x>1</pre><td>"
               "<pre>a</pre></table>",
               "a");
    page_gives("<pre><span class=ln>1</span>a\n<span class=ln>2</span>b</pre>",
               "a\nb");
    page_gives("<pre><span style='color:red;-webkit-user-select:none;"
               "user-select: none'> 1\n</span>a</pre><p style='user-select:"
               "none'>b",
               "a|b");
    page_gives("<pre><span class=source-line-no>001</span><span id=line-1>a"
               "</span>\n<span class=sourceLineNo>002</span><a id=line.2>  b",
               "a\n  b");
    page_gives("<pre><a href='#1' id=1>1</a>a\n<a href='#2' id=2> 2</a>  b",
               "a\n  b");
    page_gives("<div class='line-numbers'><pre class='line-numbers'>a</pre>"
               "</div><p>the <span class=ln>b</span>",
               "a|the b");
}

static void
numbers_that_are_code_stay(void)
{
    page_gives("<pre>a <a href='#1'>1</a>\n<a href='#x'>f2</a></pre>",
               "a 1\nf2");
    page_gives("<pre><a href='/x'>1</a>a</pre>", "1a");
    page_gives("<table><tr><td><pre>1\n2</pre></table>", "1\n2");
}

/* The language of the first part of the page. */
static void
is_in(const char *html, const char *language)
{
    struct page p;

    page_read(&p, str_c(html), NULL);
    CHECK(p.d.parts_n > 0 && str_eq(p.d.parts[1].language, str_c(language)));
    page_end(&p);
}

static void
the_page_names_the_language(void)
{
    is_in("<pre><code class='hljs language-c++'>a</code></pre>", "c++");
    is_in("<div class='highlight-python notranslate'><div class=highlight>"
          "<pre><span></span>a",
          "python");
    is_in("<pre class='sourceCode bash'><code class='sourceCode bash'>a",
          "bash");
    is_in("<pre class='brush: js; gutter: false'>a", "js");
    is_in("<div class='highlight highlight-source-shell'><pre>a", "shell");
    is_in("<pre class='lang-text'>a", "");
    is_in("<pre>a <code class=language-c>b", "");
    is_in("<body class=lang-en><div><div><div><pre>a", "");
    is_in("<pre class='language-Ã©'>a", "");
}

static void
a_label_that_names_it_is_left_out(void)
{
    page_gives("<p>a<div class=language-sh><button></button><span class=lang>"
               "sh</span><pre>b",
               "a|b");
    page_gives("<p>Bash</p><pre><code class=language-bash>b", "b");
    page_gives("<p>bash</p><pre><code class=language-c>b", "bash|b");
    page_gives("<h2>Bash</h2><pre><code class=language-bash>b", "Bash|b");
    page_gives("<p><a href=/>c</a></p><pre class=language-c>b", "c|b");
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(each_line_may_be_an_element),
        TEST(the_block_ends_with_the_code),
        TEST(elements_with_its_looks_are_code),
        TEST(buttons_are_none_of_it),
        TEST(numbers_of_lines_are_none_of_it),
        TEST(numbers_that_are_code_stay),
        TEST(the_page_names_the_language),
        TEST(a_label_that_names_it_is_left_out),
        {0},
    };

    return test_main(table, argc, argv);
}
