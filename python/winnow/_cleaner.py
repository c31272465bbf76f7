"""Cleaners, archives and options."""

from __future__ import annotations

import datetime
import functools
import json
import os
import warnings
from typing import (Any, Dict, Iterable, Iterator, List, Mapping, NamedTuple,
                    Optional, Tuple, Union)

from ._document import Document
from ._errors import ArchiveWarning, OptionError, Path, c_text, fail
from ._winnow import ffi, lib

Html = Union[str, bytes, bytearray, memoryview]
Language = Union[str, Iterable[str], None]

_DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
_ERROR_SIZE = 4096


def version() -> str:
    """The version of libwinnow."""
    return str(ffi.string(lib.winnow_version()).decode())


def _as_text(key: str, value: object) -> str:
    """An option's value as a job file has it."""
    if isinstance(value, (bytes, bytearray)):
        raise TypeError(f"{key} is text, not {value!r}")
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, (list, tuple, set, frozenset)):
        return " ".join(_as_text(key, v) for v in value)
    return str(value)


def _as_bytes(assignment: str) -> bytes:
    """For C: names of files are the bytes they were before Python read them."""
    try:
        return assignment.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise OptionError(f"{assignment!r} holds half a surrogate pair") from None


def _assignments(options: Optional[Mapping[str, object]], language: Language,
                 more: Mapping[str, object]) -> Tuple[str, ...]:
    """("clean.language=nl", ...), in an order of their own."""
    found: Dict[str, str] = {}
    if "WINNOW_DATA_DIR" not in os.environ:
        found["clean.data"] = _DATA
    if not isinstance(options, (Mapping, type(None))):
        raise TypeError(f"options is a mapping, not {options!r}")
    for key, value in (options or {}).items():
        if not isinstance(key, str):
            raise TypeError(f"the name of an option is text, not {key!r}")
        found[key] = _as_text(key, value)
    for key, value in more.items():
        found["clean." + key] = _as_text(key, value)
    if language is not None:
        found["clean.language"] = _languages(language)
    for key, text in found.items():
        if "\0" in text:
            raise OptionError(f"{key} holds a NUL character: {text!r}")
    return tuple(f"{k}={v}" for k, v in found.items())


def _languages(language: object) -> str:
    if isinstance(language, str):
        return language
    names = list(language) if isinstance(language, Iterable) else [language]
    texts = [name for name in names if isinstance(name, str)]
    if len(texts) < len(names):
        raise TypeError(f"language is text or a list of texts, not {language!r}")
    return " ".join(texts)


class Cleaner:
    """Loaded models with options; any number of threads may share one.

    options: {"clean.badness_max": 20, ...}, as config() lists them.  language:
    the target language or languages ("nl", ["nl", "de"]); without it a page is
    in the one that fits best.  Keywords are options of section clean:
    Cleaner(language="nl", chars_min=200).

    With clean.duplicates or clean.known_sentences a cleaner remembers the pages it
    was given, and rejects what it knows; else no page changes it.

    Opening takes some 10 ms and 10 MB.  While a page is cleaned, the GIL is
    free.  Options that are wrong raise OptionError with what is wrong.
    """

    def __init__(self, options: Optional[Mapping[str, object]] = None, *,
                 language: Language = None, **clean: object) -> None:
        self._open(_assignments(options, language, clean))

    def _open(self, assignments: Tuple[str, ...]) -> None:
        self._assignments = assignments
        texts = [ffi.new("char[]", _as_bytes(a)) for a in assignments]
        error = ffi.new("char[]", _ERROR_SIZE)
        out = ffi.new("struct winnow_cleaner **")
        status = lib.winnow_cleaner_open(
            out, ffi.new("const char *[]", texts + [ffi.NULL]), error,
            _ERROR_SIZE)
        if status != lib.WINNOW_OK:
            fail(status, ffi.string(error).decode("utf-8", "replace"))
        self._cleaner = ffi.gc(out[0], lib.winnow_cleaner_close)

    def extract(self, html: Html, url: Optional[str] = None, *,
                content_type: Optional[str] = None,
                x_robots_tag: Optional[str] = None,
                date: Optional[datetime.datetime] = None) -> Document:
        """Clean a page.

        html: its bytes in any character set, or text, whose charset is known
        whatever content_type says.  url: where it is from; without it there are
        no links.  content_type, x_robots_tag: those HTTP headers.  date: when it
        was fetched.

        Whatever the page is, there is a document; one that takes more than
        clean.memory_mib has the verdict "memory" and no text.  ValueError: it
        has more than 2^31 - 1 bytes.
        """
        known = {name: b"" if value is None else c_text(name, value)
                 for name, value in (("url", url), ("content_type", content_type),
                                     ("x_robots_tag", x_robots_tag))}
        if not isinstance(date, (datetime.datetime, type(None))):
            raise TypeError(f"date is a datetime, not {date!r}")
        if isinstance(html, str):
            html = html.encode("utf-8", "replace")
            type_ = known["content_type"].partition(b";")[0] or b"text/html"
            known["content_type"] = type_ + b"; charset=utf-8"
        body = ffi.from_buffer(html)
        texts = {name: ffi.new("char[]", text) for name, text in known.items()}
        capture = ffi.new("struct winnow_capture *", {
            "size": ffi.sizeof("struct winnow_capture"), "body": body,
            "body_n": len(body), **texts,
            "date_ms": 0 if date is None else max(0, int(date.timestamp() * 1000))})
        out = ffi.new("struct winnow_page **")
        return self._document(
            lib.winnow_clean_capture(self._cleaner, capture, out), out)

    def read(self, path: Path, *, every: bool = False,
             page_max: Union[int, str, None] = None) -> Iterator[Document]:
        """The pages of a WARC, ARC or WACZ file, compressed or not, cleaned one
        by one; of another file, the file.  path "-": standard input.

        Answers other than 2xx and what is no HTML are left out, unless `every`.
        page_max: bytes of a page that are read (4096, "4KiB"), in place of
        clean.page_max.  Broken records are skipped; at the end an ArchiveWarning
        says how many there were, or that an archive has the texts of pages (WET),
        and none that could be cleaned.  ArchiveError: the file cannot be read.
        """
        name = os.fsencode(path)
        if b"\0" in name:
            raise ValueError(f"path holds a NUL character: {path!r}")
        options = self.config() if page_max is None else config(page_max=page_max)
        error = ffi.new("char[]", _ERROR_SIZE)
        out = ffi.new("struct winnow_reader **")
        status = lib.winnow_reader_open(
            out, name, _bytes(options["clean.page_max"].value), error, _ERROR_SIZE)
        if status != lib.WINNOW_OK:
            fail(status, ffi.string(error).decode("utf-8", "replace"), path)
        return self._pages(ffi.gc(out[0], lib.winnow_reader_close), path, every)

    def config(self) -> Dict[str, "Option"]:
        """Every option with the value it has here."""
        rows: List[Dict[str, str]] = json.loads(
            ffi.string(lib.winnow_cleaner_options(self._cleaner)))
        return {row["key"]: Option(**row) for row in rows}

    def _pages(self, reader: Any, path: Path, every: bool) -> Iterator[Document]:
        capture = ffi.new("const struct winnow_capture **")
        page = ffi.new("struct winnow_page **")
        while True:
            status = lib.winnow_reader_next(reader, capture)
            if status != lib.WINNOW_OK:
                break
            x = capture[0]
            archived = x.file[0] != b"\0"
            good = x.is_html and (x.status == 0 or 200 <= x.status < 300)
            if every or good or not archived:
                yield self._document(
                    lib.winnow_clean_capture(self._cleaner, x, page), page)
        said = ffi.new("const char **")
        faults = lib.winnow_reader_faults(reader, said)
        text = ffi.string(said[0]).decode("utf-8", "replace").strip()
        if status != lib.WINNOW_END:
            fail(status, text, path)
        if faults > 0:
            records = "record was" if faults == 1 else "records were"
            warnings.warn(f"{faults} broken {records} skipped or cut: {text}",
                          ArchiveWarning, stacklevel=2)
        elif text:
            warnings.warn(text, ArchiveWarning, stacklevel=2)

    def _document(self, status: int, out: Any) -> Document:
        if status != lib.WINNOW_OK:
            fail(status)
        return Document(ffi.gc(out[0], lib.winnow_page_free), self)

    def __getstate__(self) -> Dict[str, Any]:
        return {k: v for k, v in self.__dict__.items() if k != "_cleaner"}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._open(self._assignments)


def _reopen(assignments: Tuple[str, ...]) -> Cleaner:
    cleaner = Cleaner.__new__(Cleaner)
    cleaner._open(assignments)
    return cleaner


def _bytes(value: str) -> int:
    """Of a size as config() writes it: "64MiB"."""
    for i, unit in enumerate(("KiB", "MiB", "GiB")):
        if value.endswith(unit):
            return int(value[:-len(unit)]) << 10 * (i + 1)
    return int(value)


class Option(NamedTuple):
    """An option of a cleaner."""
    key: str  #: "clean.chars_min"
    type: str
    value: str
    preset: str  #: written as values are: they differ where the option was set
    range: str  #: what it takes, as a phrase: "off, text, bytes"
    unit: str  #: of numbers, else ""
    help: str


@functools.lru_cache(maxsize=8)
def _kept(assignments: Tuple[str, ...]) -> Optional[Cleaner]:
    """A cleaner for all calls with these options; None: each needs its own, as
    it remembers pages."""
    cleaner = _reopen(assignments)
    options = cleaner.config()
    remembers = any(options["clean." + name].value != "off"
                    for name in ("duplicates", "known_sentences"))
    return None if remembers else cleaner


def _cleaner_for(options: Optional[Mapping[str, object]], language: Language,
                 more: Mapping[str, object]) -> Cleaner:
    assignments = _assignments(options, language, more)
    return _kept(assignments) or _reopen(assignments)


def extract(html: Html, url: Optional[str] = None, language: Language = None,
            *, content_type: Optional[str] = None,
            x_robots_tag: Optional[str] = None,
            date: Optional[datetime.datetime] = None,
            options: Optional[Mapping[str, object]] = None,
            **clean: object) -> Document:
    """Clean a page: Cleaner(options, language=language, **clean).extract(html,
    url, ...), with a cleaner that is kept for the next call (or is new each time,
    if it would remember pages)."""
    return _cleaner_for(options, language, clean).extract(
        html, url, content_type=content_type, x_robots_tag=x_robots_tag, date=date)


def read(path: Path, language: Language = None, *,
         options: Optional[Mapping[str, object]] = None, every: bool = False,
         **clean: object) -> Iterator[Document]:
    """The pages of a WARC, ARC or WACZ file: Cleaner(options, language=language,
    **clean).read(path, every=every)."""
    return _cleaner_for(options, language, clean).read(path, every=every)


def config(options: Optional[Mapping[str, object]] = None, *,
           language: Language = None, **clean: object) -> Dict[str, Option]:
    """Every option that a cleaner takes, with its preset, what it takes and what
    it means; with arguments: with the values that a Cleaner of these has.

    A job's options may be given whole: those of its threads, files and services
    (clean.threads, clean.sandbox, dedup.url, dedup.known_sentences, output.prefix,
    output.warc ...) are taken, and do nothing here."""
    return _cleaner_for(options, language, clean).config()
