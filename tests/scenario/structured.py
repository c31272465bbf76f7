#!/usr/bin/env python3
"""structured.py WINNOW -- formats markdown and tei over whole pages.

TEI is valid by tests/cases/formats/tei.rng (xmllint), for a page with every
kind of block and for a hundred random ones; links are written when asked for;
nothing of the text is lost on the way to Markdown.  Exit 77: no xmllint.
"""
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

WINNOW = os.path.abspath(sys.argv[1])
SCHEMA = "tests/cases/formats/tei.rng"
TEI = "{http://www.tei-c.org/ns/1.0}"
failed = 0


def check(ok, what):
    global failed
    if not ok:
        print("FAILED:", what)
        failed += 1


def clean(page, form, *flags):
    return subprocess.run(
        [WINNOW, "clean", "--all", "--format", form, "--set",
         "clean.network=none", *flags, page],
        check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        text=True).stdout


def valid(path):
    run = subprocess.run(["xmllint", "--noout", "--relaxng", SCHEMA, path],
                         stderr=subprocess.PIPE, text=True, check=False)
    if run.returncode != 0:
        print(run.stderr[-500:])
    return run.returncode == 0


PAGE = """<!DOCTYPE html><html lang=en_US><head><title>T & <i></title>
<meta name=author content="A. Person"><base href="http://a.example/"></head><body>
<h1>Top</h1><p>First, with <a href="/x?a=1&amp;b=2">two words</a> and *stars*.</p>
<h2>Under</h2><ul><li>one<ul><li>deep</ul><li><p>two<p>more</ul><ol><li>1st<li>2nd</ol>
<dl><dt>term<dd>meaning<dd>another<dt>lonely</dl>
<h3>Lower</h3><blockquote><p>said<p>twice</blockquote>
<figure><figcaption>below</figcaption></figure>
<h2>Next</h2>
<p>What only browsers take, <a href="/50%|[a]?q=%d&amp;{b}#c[d]">one more</a>.</p>
<table><caption>numbers</caption><tr><th>a<th>b | c<tr><td>1<td>2<tr><td>3</table>
<pre class=lang-c>
 if (a &lt; b)
     ``` x;

 end</pre><p>- no item</p><p>1. no number</p></body></html>"""


def publisher(folder):
    """A page without a URL has one: the name of its site, or that it is unknown."""
    for meta, want in (("", "unknown"), ("<meta property=og:site_name content='A & B'>", "A & B")):
        run = subprocess.run([WINNOW, "clean", "--all", "-f", "tei", "-o", "-", "-"],
                             input=meta + PAGE, check=True, capture_output=True, text=True)
        found = [p.text for p in ET.fromstring(run.stdout).iter(TEI + "publisher")]
        check(found == [want], "publisher of standard input: %s" % found)


def one_page(folder):
    page = os.path.join(folder, "page.html")
    with open(page, "w", encoding="utf-8") as f:
        f.write(PAGE)
    text = clean(page, "tei", "--set", "output.links=on")
    out = os.path.join(folder, "page.tei")
    with open(out, "w", encoding="utf-8") as f:
        f.write(text)
    check(valid(out), "the page is valid TEI")
    body = next(ET.fromstring(text).iter(TEI + "body"))
    check([h.text for h in body.iter(TEI + "head")] ==
          ["Top", "Under", "Lower", "Next"], "headings")
    check(len(list(body.find(TEI + "div"))) == 4, "sections are nested")
    check([r.get("target") for r in body.iter(TEI + "ref")] ==
          ["http://a.example/x?a=1&b=2",
           "http://a.example/50%25%7C%5Ba%5D?q=%25d&%7Bb%7D"],
          "links %s" % [r.get("target") for r in body.iter(TEI + "ref")])
    rows = [[c.text for c in r] for r in body.iter(TEI + "row")]
    check(rows == [["a", "b | c"], ["1", "2"], ["3", None]], "rows %s" % rows)
    check([a.text for a in body.iter(TEI + "ab")] ==
          [" if (a < b)\n     ``` x;\n\n end"], "lines of code")
    text = clean(page, "markdown", "--set", "output.links=on")
    for want in ("# Top\n", "### Lower\n", "author: \"A. Person\"\n",
                 "with [two words](<http://a.example/x?a=1&b=2>) and \\*stars",
                 "- one\n    - deep\n- two\n\n    more\n", "1. 1st\n2. 2nd\n",
                 "**term**\n\n: meaning\n", "\n\n> said\n>\n> twice\n\n",
                 "*below*\n",
                 "| a | b \\| c |\n| --- | --- |\n| 1 | 2 |\n| 3 |  |\n",
                 "````c\n if (a < b)\n     ``` x;\n\n end\n````\n",
                 "\\- no item\n", "1\\. no number\n"):
        check(want in text, "Markdown has %r" % want)
    check("](<" not in clean(page, "markdown"), "no links unless asked for")


LOOKS_LIKE_MARKUP = """<title>T</title><base href="http://a.example/">
<p>In (_one_), __init__, a__b, R&D &amp;lt; ~~two~~, H~2~O, /~me/, /~, ~.</p>
<p>Look!<a href="/y">here</a></p><h2>Three ##</h2><h2>C#</h2>
<ul><ul><li>deep<li>as deep<ul><li>deeper</ul></ul></ul>
<p>Four</p><ul><li>up<ul><li>down<pre>x</pre><li>again</ul></ul>
<p>Five</p><ul><li>out<ul><ul><li>in</ul></ul></ul>"""


def markdown_as_text(folder):
    """What looks like markup is text, and items without an outer one are items."""
    page = os.path.join(folder, "looks.html")
    with open(page, "w", encoding="utf-8") as f:
        f.write(LOOKS_LIKE_MARKUP)
    text = clean(page, "markdown", "--set", "output.links=on")
    for want in ("In (\\_one\\_), \\_\\_init\\_\\_, a__b, R&D ",
                 "~\\~two\\~\\~, H\\~2\\~O, /~me/, /\\~, ~.\n",
                 "Look\\![here](<http://a.example/y>)\n",
                 "## Three #\\#\n\n## C#\n",
                 "\n\n- deep\n- as deep\n    - deeper\n\n",
                 "\n\n- up\n    - down\n\n        ```\n        x\n        ```\n"
                 "    - again\n\n",
                 "\n\n- out\n    - in\n"):
        check(want in text, "Markdown has %r:\n%s" % (want, text))
    many = "<ol>%s<li>x<ul><li>y</ul></ol>" % ("<li>w" * 99)
    with open(page, "w", encoding="utf-8") as f:
        f.write(many)
    check("\n100. x\n     - y\n" in clean(page, "markdown"),
          "a list under an item with a long number")
    starts = ["1. a", "1) a", "1.", "- a", "+ a", "-", "----", "#a", "> a", "=== a"]
    none = ["1.1 a", "12.5", "-5 a", "+32 a", "1.a", "2024", "1 a"]
    with open(page, "w", encoding="utf-8") as f:
        f.writelines("<p>%s</p>" % s.replace(">", "&gt;") for s in starts + none)
    lines = clean(page, "markdown").split("\n")
    for s in starts:
        check(s not in lines and s in [l.replace("\\", "") for l in lines], "markup: " + s)
    for s in none:
        check(s in lines, "no markup: " + s)


LISTS = """<title>T</title>
<ol start=5><li>five<pre>a

 b</pre>after<li value=9>nine</ol><ol><li>other</ol><ol reversed><li>c<li>b</ol>
<p>P<ul><li>one<ol start=3><li>three</ol><li>two<blockquote><p>said<pre>x</pre>
<ul><li>in</ul></blockquote><h2>Head</h2>rest<li>last</ul><ul><li>new</ul>
<blockquote>A</blockquote><blockquote>B</blockquote>
<ul><li><pre>y
 z</pre><li><ul><li>alone</ul></ul><ol><li><ul><li>w</ul></ol>
<p>Q<ul><li>up</li><ul><li>down</ul><li>up again</ul>"""
LISTS_MARKDOWN = """5. five

    ```
    a

     b
    ```

    after

9) nine

1. other

2) c

1. b

P

- one

    3. three
- two

    > said
    >
    > ```
    > x
    > ```
    >
    > - in

## Head

rest

- last

* new

> A

> B

-   ```
    y
     z
    ```

* alone

1.  - w

Q

- up
    - down
- up again

"""


def lists_and_quotes(folder):
    """Items have their numbers and all that stands in them, as quotes have;
    lists beside each other are two."""
    page = os.path.join(folder, "lists.html")
    with open(page, "w", encoding="utf-8") as f:
        f.write(LISTS)
    text = clean(page, "markdown", "--set", "output.markdown_facts=")
    check(text == LISTS_MARKDOWN, "lists in Markdown:\n" + text)
    text = clean(page, "tei")
    out = os.path.join(folder, "lists.tei")
    with open(out, "w", encoding="utf-8") as f:
        f.write(text)
    check(valid(out), "lists are valid TEI")
    body = next(ET.fromstring(text).iter(TEI + "body"))
    check([(i.text.strip(), i.get("n")) for i in body.iter(TEI + "item")] ==
          [("five", "5"), ("nine", "9"), ("other", None), ("c", "2"),
           ("b", "1"), ("one", None), ("three", "3"), ("two", None),
           ("in", None), ("last", None), ("new", None), ("", None),
           ("alone", None), ("", None), ("w", None), ("up", None),
           ("down", None), ("up again", None)], "items in TEI: " + text)
    check(["".join(q.itertext()).split() for q in body.iter(TEI + "quote")] ==
          [["said", "x", "in"], ["A"], ["B"]], "quotes in TEI")


def facts_as_yaml(folder):
    """What YAML does not allow, a file's name for instance, is escaped."""
    page = os.path.join(folder, 'a"\x7f\u0085\u2028\ufffe\\.html')
    with open(page, "w", encoding="utf-8") as f:
        f.write("<title>T</title><p>text")
    text = clean(page, "markdown")
    check('a\\"\\u007F\\u0085\\u2028\\uFFFE\\\\.html"\ntitle: "T"\n' in text,
          "facts are YAML: %r" % text)


def comments(folder):
    """clean.comments = mark says which blocks are readers', in each format."""
    page = os.path.join(folder, "comments.html")
    with open(page, "w", encoding="utf-8") as f:
        f.write("<h1>Top</h1><p>The text.</p><div id=comments><h2>Two</h2>"
                "<p>I differ.</p><pre>a\nb</pre></div><p>The end.</p>")
    mark = "--set", "clean.comments=mark"
    check(json.loads(clean(page, "jsonl", *mark))["comments"] == "2 3 4 5",
          "lines of comments in JSONL")
    check(json.loads(clean(page, "jsonl"))["comments"] == "",
          "no lines of comments unless asked for")
    check(re.findall(r'<div [^>]*comment="1">\n(.*)', clean(
        page, "xml", *mark)) == ["Two", "I differ.", "a"],
        "an attribute in XML")
    check(len(re.findall(' comment="1"', clean(
        page, "xml", *mark, "--set", "output.xml_block_attributes=comment")))
        == 3, "it stands there once")
    check("<!-- comments -->\n\n## Two\n\nI differ.\n\n```\na\nb\n```\n\n"
          "<!-- /comments -->\n\nThe end." in clean(page, "markdown", *mark),
          "comments in Markdown")
    check(re.findall('<p bp="[^"]*" comment="(.)">', clean(
        page, "vertical", *mark)) == list("001110"), "an attribute of <p>")
    check(not re.search("comment=|<!--", clean(page, "vertical") +
                        clean(page, "markdown")),
          "no marks unless asked for")
    text = clean(page, "tei", *mark)
    out = os.path.join(folder, "comments.tei")
    with open(out, "w", encoding="utf-8") as f:
        f.write(text)
    check(valid(out), "comments are valid TEI")
    check(["".join(d.itertext()).split() for d in ET.fromstring(text).iter(
        TEI + "div") if d.get("type") == "comments"] ==
        [["Two", "I", "differ.", "a", "b"]], "a section of comments in TEI")


def random_page(r):
    tags = ("p h1 h2 h3 ul ol li dl dt dd blockquote pre table tr td th "
            "figcaption caption div a").split()
    out, n = [], r.randrange(5, 60)
    for k in range(n):
        tag = r.choice(tags)
        out.append(r.choice(("<%s>", "<%s>", "</%s>", "<%s colspan=3>",
                             "<%s href='/y>x'>")) % tag)
        if r.random() < 0.7:
            out.append(r.choice(("w%d x", "w%d <b>&lt;i&gt;</b>", "\n w%d\n",
                                 "# w%d | *")) % k)
    return "<title>x</title>" + "".join(out)


def random_pages(folder, n):
    r = random.Random(7)
    pages = os.path.join(folder, "pages")
    os.mkdir(pages)
    for k in range(n):
        with open(os.path.join(pages, "%03d.html" % k), "w",
                  encoding="utf-8") as f:
            f.write(random_page(r))
    return pages


def many_pages(folder):
    pages = random_pages(folder, 100)
    flags = "--set", "output.links=on"
    out = os.path.join(folder, "many.tei")
    with open(out, "w", encoding="utf-8") as f:
        f.write(clean(pages, "tei", *flags))
    check(valid(out), "random pages are valid TEI")
    words = re.compile(r"w\d+")
    check(words.findall(clean(pages, "text")) ==
          words.findall(clean(pages, "markdown", *flags)),
          "Markdown has the words of the text")
    body = " ".join(" ".join(b.itertext())
                    for b in ET.parse(out).getroot().iter(TEI + "body"))
    check(words.findall(clean(pages, "text")) == words.findall(body),
          "TEI has the words of the text")


def main():
    if shutil.which("xmllint") is None:
        print("skipped: no xmllint")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        publisher(folder)
        one_page(folder)
        markdown_as_text(folder)
        lists_and_quotes(folder)
        facts_as_yaml(folder)
        comments(folder)
        many_pages(folder)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
