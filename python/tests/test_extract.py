"""One page: what a document says, and that pages raise nothing."""
import copy
import datetime
import json
import mmap
import pickle
import re
import uuid
import weakref

import pytest
import winnow

URL = "http://www.molen.nl/nieuws/a.html"


def test_text_and_verdict(article):
    page = winnow.extract(article, url=URL, language="nl")
    assert page.text.startswith("De molen draait weer\nDe molen aan de rand")
    assert page.verdict == "kept" and page.kept and page.reason == ""
    assert page.language == "nl" and 0 <= page.badness < 12
    assert page.url == URL and len(page.id) == 36
    assert page.metadata.title == page.title == "De molen draait weer"
    assert page.facts["charset"] == "UTF-8" and page.facts["chars"] == 713


def test_blocks_and_links(article):
    page = winnow.extract(article, url=URL)
    assert "".join(b.text + "\n" for b in page.blocks if b.kept) == page.text
    assert all(0 <= b.value <= 1 for b in page.blocks)
    assert {b.container for b in page.blocks} >= {"h1", "p", "li"}
    home = page.links[0]
    assert home.url == "http://www.molen.nl/" and home.relation == "same_host"
    assert "header" in home.within and page.blocks[home.block].value == home.value
    assert winnow.extract(article).links == []


def test_rows_of_a_table_are_lines_of_the_text():
    page = winnow.extract("<table><tr><td>molen<td>1750</table>", boilerplate_max=1)
    assert [b.text for b in page.blocks if b.kept] == ["molen", "1750"]
    assert page.text == "molen\t1750\n"


def test_metadata_with_sources():
    html = ('<title>De molen - Dorpsblad</title><meta property=og:title content="De molen">'
            '<meta name=author content="Jan Bakker"><script type="application/ld+json">'
            '{"@type":"NewsArticle","headline":"De molen","datePublished":"2024-03-17"}'
            "</script><h1>De molen</h1>" + "<p>De molen draait weer.</p>" * 20)
    meta = winnow.extract(html, url=URL).metadata
    assert meta.title == "De molen" and meta.page_type == "NewsArticle"
    assert any(c.field == "author" and c.value == "Jan Bakker" and c.sources == ("meta",)
               for c in meta.candidates)
    assert any(c.field == "date" and c.value == "2024-03-17" and "json-ld" in c.sources
               for c in meta.candidates)
    assert set(meta.sources["title"]) >= {"json-ld", "open-graph"}
    best = [c for c in meta.candidates if c.field == "title" and c.chosen]
    assert len(best) == 1 and 0 < best[0].confidence <= 1


def test_a_reason_has_its_value_and_limit(article):
    page = winnow.extract(article, language="nl", chars_min=1000)
    wrong = [c for c in page.checks if not c.met]
    assert page.verdict == "short" == wrong[0].verdict and page.reason
    assert (wrong[0].option, wrong[0].value, wrong[0].limit, wrong[0].least) == (
        "clean.chars_min", 713, 1000, True)
    assert page.detail.startswith("characters of text 713, at least 1000")
    assert winnow.extract(article, language="de").verdict == "language"


def test_text_is_what_it_is_not_what_its_meta_says():
    html = "<meta charset=shift_jis><title>Café</title><p>" + "één twee " * 30
    page = winnow.extract(html)
    assert page.title == "Café" and "één" in page.blocks[0].text
    assert winnow.extract("<p>\udc80 x").blocks[0].text.endswith("x")


@pytest.mark.parametrize("html", [
    b"", b"\0\xff\xfe<", b"<" * 100000, b"<div>" * 50000, b"&#x110000;" * 1000,
    b"<table><tr><td>" * 20000, "", "\0", bytearray(b"<p>x"), memoryview(b"<p>x")])
def test_pages_raise_nothing(html):
    page = winnow.extract(html, url=URL)
    assert page.verdict != "kept" and isinstance(page.text, str)
    assert isinstance(page.to_dict(), dict) and page.checks is not None


def test_a_page_past_the_limit_is_refused():
    with mmap.mmap(-1, 1 << 31) as page:  # never touched
        with pytest.raises(ValueError, match="2147483647 bytes"):
            winnow.extract(page)


def test_a_page_that_explodes_is_a_verdict():
    html = b"<p>" + b"woord <a href=x>y</a> " * 200000
    page = winnow.extract(html, url=URL, memory_mib=1)
    assert page.verdict == "memory" and page.text == "" and page.blocks == []
    assert page.checks == [] and page.to_dict()["reject"] == "memory"


@pytest.mark.parametrize("fields, text, has", [
    ("winnow", "text", "badness_order"), ("fineweb", "text", "file_path"),
    ("dolma", "text", "created"), ("oscar", "content", "warc_headers")])
def test_to_dict_has_the_names_of_others(article, fields, text, has):
    page = winnow.extract(article, url=URL)
    row = page.to_dict(fields)
    assert row[text].strip() == page.text.strip() and has in row
    other = winnow.Cleaner({"output.fields": fields}).extract(article, url=URL)
    assert json.loads(other.record("jsonl")) == row


def test_markdown(article):
    page = winnow.extract(article, url=URL)
    assert page.markdown.startswith("# De molen draait weer\n\nDe molen aan de rand")
    assert page.markdown.endswith(".\n") and not page.markdown.endswith("\n\n")
    record = page.record("markdown")
    assert record.startswith('---\nurl: "')
    assert record.endswith("---\n\n" + page.markdown + "\n")
    bare = winnow.Cleaner({"output.markdown_facts": ""}).extract(article, URL)
    assert bare.markdown == page.markdown and bare.record("markdown") == page.markdown + "\n"


def test_markdown_is_the_text_and_nothing_else():
    html = "<title>--- x</title><p>---</p><p>De molen draait weer.</p><p>---</p>"
    page = winnow.extract(html, URL, boilerplate_max=1)
    assert page.markdown == "\\---\n\nDe molen draait weer.\n\n\\---\n"
    for nothing in b"", "<title>De molen</title>":
        assert winnow.extract(nothing, URL).markdown == ""


def test_records(article):
    page = winnow.extract(article, url=URL)
    assert page.record("xml").startswith('<doc url="http://www.molen.nl/')
    assert json.loads(page.record("page"))["verdict"] == "kept"


def test_unknown_formats_are_answered_with_those_there_are(article):
    page = winnow.extract(article, url=URL)
    for one in page, pickle.loads(pickle.dumps(page)):
        for name in "XML", "pdf", "":
            with pytest.raises(winnow.OptionError, match=f"'{name}'; allowed: .*xml.*jsonl"):
                one.record(name)
        for name in "hf", "":
            with pytest.raises(winnow.OptionError, match=f"'{name}'; allowed: winnow, .*dolma"):
                one.to_dict(name)


def test_the_date_of_the_fetch(article):
    when = datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)
    page = winnow.Cleaner().extract(article, URL, date=when)
    assert page.to_dict()["timestamp"] == "2026-01-02T03:04:05.000Z"
    assert "\r\nWARC-Date: 2026-01-02T03:04:05Z\r\n" in page.record("wet")


def test_a_page_without_a_date_has_none_but_in_wet_where_it_must(article):
    page = winnow.extract(article, URL)
    early = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
    date = re.search(r"WARC-Date: (\S+)Z", page.record("wet")).group(1)
    late = datetime.datetime.now(datetime.timezone.utc)
    assert early <= datetime.datetime.fromisoformat(date + "+00:00") <= late
    assert page.to_dict()["timestamp"] == ""


def test_extract_takes_what_a_cleaner_takes(article):
    when = datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)
    known = {"content_type": "text/html; charset=koi8-r", "x_robots_tag": "noindex",
             "date": when}
    page = winnow.extract(article, URL, "nl", **known)
    assert page.to_dict() == winnow.Cleaner(language="nl").extract(
        article, URL, **known).to_dict()
    assert page.verdict == "noindex" and page.facts["charset_from"] == "http"


@pytest.mark.parametrize("written", ["{}", "urn:uuid:{}", "<urn:uuid:{}>"])
def test_an_id_is_kept(article, written):
    own = uuid.UUID("01234567-89ab-4def-8123-456789abcdef")
    assert winnow.extract(article, id=written.format(own)).id == str(own)
    page = winnow.extract(article, id=own)
    assert page.id == page.to_dict()["id"] == str(own)
    assert winnow.extract(article).id not in (str(own), "")


@pytest.mark.parametrize("wrong, kind", [("7", ValueError), ("", ValueError), (7, TypeError),
                                         ("x" * 36, ValueError)])
def test_an_id_is_a_uuid(article, wrong, kind):
    with pytest.raises(kind, match="id is a UUID, not "):
        winnow.extract(article, id=wrong)


def test_attributes_are_what_records_have(cases):
    cleaner = winnow.Cleaner()
    for path in sorted((cases / "clean").glob("*.html")):
        page = cleaner.extract(path.read_bytes(), URL)
        row, meta = page.to_dict(), page.metadata
        for name in "id", "url", "title", "language", "badness":
            assert getattr(page, name) == row[name], (path, name)
        assert row["reject"] == ("" if page.kept else page.verdict)
        for name in meta._fields:
            if name in row and name not in ("authors", "date", "date_modified"):
                assert getattr(meta, name) == row[name], (path, name)
            assert not meta.date or row["date"].startswith(meta.date[:10])
        assert set(meta.sources) <= set(meta._fields) & set(row)
        assert page.facts["badness"] == page.badness


def test_headers_count(article):
    cleaner = winnow.Cleaner(language="nl")
    assert cleaner.extract(article, x_robots_tag="noindex").verdict == "noindex"
    latin = "<p>é è".encode("latin-1")
    page = cleaner.extract(latin, content_type="text/html; charset=iso-8859-1")
    assert page.blocks[0].text == "é è"


def test_the_type_of_a_text_counts_but_for_its_charset():
    cleaner = winnow.Cleaner(content_types="text/html")
    html = "<p>é è"
    assert cleaner.extract(html, content_type="application/pdf").verdict == "content_type"
    page = cleaner.extract(html, content_type="text/html; charset=iso-8859-1")
    assert page.blocks[0].text == "é è" and page.verdict == "short"


@pytest.mark.parametrize("name", ["url", "content_type", "x_robots_tag", "date"])
def test_arguments_of_another_type_are_named(article, name):
    for value in b"http://a.example/", float("nan"), 3:
        with pytest.raises(TypeError, match=f"{name} is .*not "):
            winnow.Cleaner().extract(article, **{name: value})


@pytest.mark.parametrize("name", ["url", "content_type", "x_robots_tag"])
def test_a_nul_does_not_end_an_argument(article, name):
    with pytest.raises(ValueError, match=f"{name} holds a NUL"):
        winnow.Cleaner().extract(article, **{name: "http://a.example/\0b"})


def test_a_nul_does_not_end_a_format(article):
    page = winnow.extract(article)
    with pytest.raises(ValueError, match="format holds a NUL"):
        page.record("xml\0y")
    with pytest.raises(ValueError, match="fields holds a NUL"):
        page.to_dict("dolma\0y")
    with pytest.raises(TypeError, match="format is text"):
        page.record(None)


def test_detached_and_pickled_documents_are_the_same(article):
    page = winnow.extract(article, url=URL)
    twin = pickle.loads(pickle.dumps(winnow.extract(article, url=URL)))
    assert twin.text == page.text and twin.blocks == page.blocks
    assert twin.markdown == page.markdown
    assert twin.links == page.links and twin.checks == page.checks
    assert twin.verdict == page.verdict and twin.badness == page.badness
    assert twin.language == page.language and twin.metadata == page.metadata
    for fields in "winnow", "fineweb", "dolma", "oscar":
        assert twin.to_dict(fields) == page.to_dict(fields)
    assert pickle.loads(pickle.dumps(twin)).text == page.text
    with pytest.raises(ValueError, match="detached: .* xml, only jsonl, markdown, page, text"):
        page.detach().record("xml")
    assert "kept" in repr(twin) and URL in repr(twin)


@pytest.mark.parametrize("copied", [
    lambda page: pickle.loads(pickle.dumps(page)), copy.copy, copy.deepcopy])
def test_a_copy_leaves_the_document_as_it_is(article, copied):
    page = winnow.extract(article, url=URL)
    twin = copied(page)
    assert page.record("xml").startswith("<doc")
    page.detach()
    assert twin.text == page.text and twin.blocks == page.blocks


@pytest.mark.parametrize("fields", ["winnow", "dolma"])
def test_a_detached_document_has_the_records_of_what_it_holds(article, fields):
    cleaner = winnow.Cleaner({"output.fields": fields, "output.metadata_sources": "all"})
    page = cleaner.extract(article, URL)
    before = {name: page.record(name) for name in ("page", "text", "markdown", "jsonl")}
    twin = pickle.loads(pickle.dumps(page.detach()))
    for name, record in before.items():
        assert page.record(name) == twin.record(name) == record


def test_documents_outlive_their_cleaner(article):
    page = winnow.Cleaner(language="nl").extract(article, url=URL)
    assert page.record("xml") and page.blocks


@pytest.mark.parametrize("html", [None, 5, ["<p>"], memoryview(b"<p>x")[::2]])
def test_what_is_no_page_is_named(html):
    with pytest.raises(TypeError, match="html is text or bytes in one piece, not "):
        winnow.extract(html)


def test_documents_are_not_made_by_hand_and_may_be_referred_to_weakly(article):
    with pytest.raises(TypeError, match="made by extract"):
        winnow.Document()
    page = winnow.extract(article)
    assert weakref.ref(page)() is page
