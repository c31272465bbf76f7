"""Options, their faults, archives."""
import copy
import errno
import gzip
import os
import pickle
import subprocess
import sys

import pytest
import winnow


def test_options_in_three_ways(article):
    assert winnow.Cleaner({"clean.chars_min": 9}).config()["clean.chars_min"].value == "9"
    assert winnow.Cleaner(chars_min=9).config()["clean.chars_min"].value == "9"
    cleaner = winnow.Cleaner(language=["nl", "de"], noindex=False, cleanse=["emails", "uris"])
    values = {k: o.value for k, o in cleaner.config().items()}
    assert values["clean.language"] == "nl de" and values["clean.noindex"] == "off"
    assert values["clean.cleanse"] == "emails uris"
    twin = pickle.loads(pickle.dumps(cleaner))
    assert twin.config() == cleaner.config()
    assert twin.extract(article).text == cleaner.extract(article).text


def test_none_is_the_preset_and_any_words_are_a_list():
    preset = winnow.Cleaner().config()
    assert winnow.Cleaner({"clean.chars_min": None}, noindex=None, data=None).config() == preset
    words = winnow.Cleaner(cleanse=dict(emails=1, uris=2).keys(), chars_min=9.0)
    assert words.config()["clean.cleanse"].value == "emails uris"
    assert words.config()["clean.chars_min"].value == "9"


def test_a_cleaner_shows_what_was_set():
    assert repr(winnow.Cleaner()) == "<winnow.Cleaner>"
    assert repr(Dutch()) == "<winnow.Dutch clean.language=nl>"


@pytest.mark.parametrize("call, says", [
    (lambda: winnow.extract("", urll="x"), "urll: no such argument .*did you mean url"),
    (lambda: winnow.extract("", chars_mim=1), "did you mean chars_min"),
    (lambda: winnow.read("-", evry=True), "did you mean every"),
    (lambda: winnow.Cleaner(langage="nl"), "did you mean language"),
    (lambda: winnow.config(zzzzzz=1), "zzzzzz: no such argument and no option .*clean$"),
    (lambda: winnow.extract("", chars_min="x"), "chars_min = x: not a whole number"),
    (lambda: winnow.Cleaner({"chars_min": 1}), "as clean.chars_min is")])
def test_a_mistyped_keyword_is_answered_with_what_python_calls_it(call, says):
    with pytest.raises(winnow.OptionError, match=says):
        call()


def test_config_tells_every_option():
    options = winnow.config()
    assert len(options) > 50 and options["clean.chars_min"].preset == "500"
    assert all(o.help and o.type and o.key == key for key, o in options.items())
    assert winnow.config(language="nl")["clean.language"].value == "nl"


def test_config_tells_what_was_set():
    changed = {k: o.value for k, o in winnow.config(chars_min=9, page_max="4096").items()
               if o.value != o.preset and k != "clean.data"}  # the package's
    assert changed == {"clean.chars_min": "9", "clean.page_max": "4KiB"}
    options = winnow.config()
    assert options["clean.duplicates"].range == "off, text, bytes"
    assert options["clean.duplicates"].unit == "" == options["output.format"].unit
    assert options["clean.memory_mib"].unit == "MiB"


@pytest.mark.parametrize("options, says", [
    ({"clean.chars_mim": 1}, "did you mean"), ({"clean.chars_min": "many"}, "chars_min"),
    ({"clean.language": "qq"}, "no such profile"), ({"nothing": 1}, "nothing")])
def test_faults_of_options_say_what_is_wrong(options, says):
    with pytest.raises(winnow.OptionError, match=says):
        winnow.Cleaner(options)
    with pytest.raises(ValueError):
        winnow.Cleaner(options)


@pytest.mark.parametrize("language", [b"nl", 5, [None], ["nl", b"de"], float("nan")])
def test_languages_are_texts(language):
    with pytest.raises(TypeError, match="language is text"):
        winnow.Cleaner(language=language)


def test_bytes_are_no_value_of_an_option():
    for value in b"x", ["x", b"y"], {"x": "y"}:
        with pytest.raises(TypeError, match="email_replacer is text"):
            winnow.Cleaner(email_replacer=value)


@pytest.mark.parametrize("options", [["clean.chars_min=9"], "clean.chars_min=9", {9: 9},
                                     {b"clean.chars_min": 9}])
def test_options_are_a_mapping_of_texts(options):
    with pytest.raises(TypeError, match="options is a mapping|name of an option is text"):
        winnow.Cleaner(options)


def test_half_a_surrogate_pair_is_no_option():
    with pytest.raises(winnow.OptionError, match="half a surrogate pair"):
        winnow.Cleaner(language="\ud800")


def test_models_in_a_folder_whose_name_is_no_utf_8(tmp_path):
    data = os.path.join(os.path.dirname(winnow.__file__), "data")
    folder = os.path.join(os.fsencode(tmp_path), b"\xff")
    os.symlink(os.fsencode(data), folder)
    assert winnow.Cleaner(data=os.fsdecode(folder), language="nl").config()


def test_a_nul_does_not_end_an_option():
    with pytest.raises(winnow.OptionError, match="language holds a NUL"):
        winnow.Cleaner(language="nl\0de")
    with pytest.raises(winnow.OptionError, match="email_replacer holds a NUL"):
        winnow.Cleaner(email_replacer="x\0y")


class Dutch(winnow.Cleaner):
    def __init__(self):
        super().__init__(language="nl")
        self.pages = 7


def test_a_subclass_is_pickled_as_such():
    twin = pickle.loads(pickle.dumps(Dutch()))
    assert type(twin) is Dutch and twin.pages == 7
    assert twin.config()["clean.language"].value == "nl"
    assert type(copy.copy(twin)) is Dutch


@pytest.mark.parametrize("memory, verdict", [
    ({"duplicates": "text"}, "exact_duplicate"),
    ({"known_sentences": "reject"}, "near_duplicate")])
def test_a_cleaner_remembers_pages_and_no_call_does(article, tmp_path, memory, verdict):
    cleaner = winnow.Cleaner(**memory)
    assert [cleaner.extract(article).verdict for _ in range(2)] == ["kept", verdict]
    assert [winnow.extract(article, **memory).verdict for _ in range(2)] == ["kept"] * 2
    path = tmp_path / "a.warc.gz"
    path.write_bytes(record(1, article) + record(2, article))
    for _ in range(2):
        assert [p.verdict for p in winnow.read(path, **memory)] == ["kept", verdict]


def test_models_that_cannot_be_read(tmp_path):
    with pytest.raises(winnow.ArchiveError, match=str(tmp_path)):
        winnow.Cleaner({"clean.data": tmp_path})


def record(n, body, head="HTTP/1.1 200 OK\r\nContent-Type: text/html"):
    block = head.encode() + b"\r\n\r\n" + body
    return gzip.compress(
        b"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/%d\r\n"
        b"WARC-Date: 2026-01-02T03:04:05Z\r\nContent-Type: application/http\r\n"
        b"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-%012d>\r\n"
        b"Content-Length: %d\r\n\r\n" % (n, n, len(block)) + block + b"\r\n\r\n")


def test_archives_are_read_page_by_page(article, tmp_path):
    path = tmp_path / "a.warc.gz"
    path.write_bytes(record(1, article) + record(2, b"gone", "HTTP/1.1 404 Gone") +
                     record(3, b"\x89PNG\r\n\x1a\n") + record(4, article))
    pages = winnow.read(path, language="nl")
    assert iter(pages) is pages
    first = next(pages)
    row = first.to_dict()
    assert first.verdict == "kept" and first.url == "http://a.example/1"
    assert first.id.endswith("000000000001")
    assert row["timestamp"] == "2026-01-02T03:04:05.000Z" and row["warc_length"] > 0
    assert row["warc_file"] == str(path)
    assert [p.url[-1] for p in pages] == ["4"]
    every = list(winnow.read(str(path), every=True))
    assert [p.url[-1] for p in every] == list("1234")
    assert [p.http_status for p in every] == [200, 404, 200, 200]
    assert pickle.loads(pickle.dumps(every[1])).http_status == 404
    assert winnow.extract(article).http_status == 0
    assert first.text.startswith("De molen")


def test_what_is_broken_is_skipped_and_said(article, tmp_path):
    path = tmp_path / "broken.warc"
    good = gzip.decompress(record(1, article))
    path.write_bytes(good + b"WARC/1.1\r\nContent-Length: none\r\n\r\n\r\n\r\n" + good)
    with pytest.warns(winnow.ArchiveWarning, match="1 broken record was skipped or cut: file="):
        assert len(list(winnow.read(path))) == 2


def test_texts_of_pages_are_no_pages(tmp_path):
    path = tmp_path / "texts.warc.wet"
    path.write_bytes(b"WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://a.example/\r\n"
                     b"Content-Length: 5\r\n\r\nText.\r\n\r\n")
    with pytest.warns(winnow.ArchiveWarning, match="no page in it: conversion records .WET."):
        assert not list(winnow.read(path))


def test_standard_input_is_read(article):
    code = "import winnow; page, = winnow.read('-', 'nl'); print(page.verdict)"
    done = subprocess.run([sys.executable, "-c", code], input=article, check=True,
                          stdout=subprocess.PIPE)
    assert done.stdout == b"kept\n"


def test_a_nul_does_not_end_a_path(cases):
    with pytest.raises(ValueError, match="path holds a NUL"):
        winnow.read(str(cases / "clean/nl-article.html") + "\0x")


@pytest.mark.parametrize("size", [4096, "4096", "4KiB", "4k"])
def test_pages_are_cut_at_page_max(tmp_path, size):
    path = tmp_path / "long.html"
    path.write_bytes(b"<p>De molen draait weer.</p>" * 1000)
    for page, in (winnow.read(path, page_max=size), winnow.Cleaner(page_max=size).read(path),
                  winnow.Cleaner(page_max="1MiB").read(path, page_max=size)):
        assert page.to_dict()["cut"] and 0 < page.facts["chars_all"] < 4096
    page, = winnow.read(path)
    assert not page.to_dict()["cut"]


@pytest.mark.parametrize("size", [0, -1, "much", 4095, "2GiB", 1.5])
def test_page_max_is_an_option(cases, size):
    with pytest.raises(winnow.OptionError, match="page_max"):
        winnow.read(cases / "clean/nl-article.html", page_max=size)
    with pytest.raises(winnow.OptionError, match="page_max"):
        winnow.Cleaner().read(cases / "clean/nl-article.html", page_max=size)


def test_a_file_is_a_page(cases):
    page, = winnow.read(cases / "clean/nl-article.html")
    assert page.kept and page.to_dict()["warc_file"] == ""


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(winnow.ArchiveError, match="none"):
        winnow.read(tmp_path / "none.warc")
    with pytest.raises(FileNotFoundError) as found:
        winnow.read(tmp_path / "none.warc")
    for e in found.value, pickle.loads(pickle.dumps(found.value)):
        assert isinstance(e, winnow.ArchiveNotFoundError) and "none.warc" in str(e)
        assert e.errno == errno.ENOENT and e.filename == tmp_path / "none.warc"


def test_what_the_system_says_of_a_file_is_its_errno(tmp_path):
    with pytest.raises(winnow.ArchiveError) as found:
        list(winnow.read(tmp_path))
    assert found.value.errno == errno.EISDIR and found.value.filename == tmp_path
    with pytest.raises(FileNotFoundError):
        winnow.read(tmp_path / "Is a directory, No such device or address")
    path = tmp_path / "a.warc.xz"
    path.write_bytes(b"\xfd7zXZ\0" * 4)
    with pytest.raises(winnow.ArchiveError, match="unpack it first") as found:
        list(winnow.read(str(path)))
    assert found.value.errno is None and found.value.filename == str(path)
    with pytest.raises(FileNotFoundError):
        winnow.Cleaner({"clean.data": tmp_path / "none"})
