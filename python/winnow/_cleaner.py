"""Cleaners, archives and options."""

from __future__ import annotations

import contextlib
import datetime
import functools
import json
import os
import uuid
import warnings
from difflib import get_close_matches
from typing import (TYPE_CHECKING, Any, Dict, Generator, Iterable, Iterator, List, Mapping,
                    NamedTuple, Optional, Tuple, Union)

from ._document import Document
from ._errors import ERROR_SIZE, ArchiveWarning, OptionError, c_text, fail
from ._reader import File, Reader
from ._winnow import ffi, lib

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer
    Html = Union[str, ReadableBuffer]
else:
    Html = Union[str, bytes, bytearray, memoryview]  # or mmap, NumPy's arrays ...
Language = Union[str, Iterable[str], None]
Pages = Generator[Document, None, None]

_DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")


def version() -> str:
    """The version of libwinnow."""
    return str(ffi.string(lib.winnow_version()).decode())


def languages() -> List[str]:
    """The codes that `language` may be: "de", "nl" ..."""
    folder = os.path.join(os.environ.get("WINNOW_DATA_DIR", _DATA), "profiles")
    return sorted(name[:-5] for name in os.listdir(folder) if name.endswith(".prof"))


def _as_text(key: str, value: object) -> str:
    """An option's value as a job file has it."""
    if isinstance(value, (bytes, bytearray, memoryview, Mapping)):
        raise TypeError(f"{key} is text, not {value!r}")
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, Iterable) and not isinstance(value, str):
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
        if "." not in key:
            raise OptionError(f"{key}: options are named with their section, as "
                              f"clean.{key} is")
        if value is not None:
            found[key] = _as_text(key, value)
    for key, value in more.items():
        if value is not None:
            found["clean." + key] = _as_text(key, value)
    if language is not None:
        found["clean.language"] = _languages(language)
    for key, text in found.items():
        if "\0" in text:
            raise OptionError(f"{key} holds a NUL character: {text!r}")
    return tuple(f"{k}={v}" for k, v in found.items())


def _uuid(id: object) -> bytes:
    """As text; "urn:uuid:..." and, as WARC-Record-ID has it, "<urn:uuid:...>"."""
    if not isinstance(id, (str, uuid.UUID)):
        raise TypeError(f"id is a UUID, not {id!r}")
    try:
        return str(uuid.UUID(str(id).strip("<>"))).encode()
    except ValueError:
        raise ValueError(f"id is a UUID, not {id!r}") from None


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
    the target language or languages ("nl", ["nl", "de"]), of languages(); without
    it a page is in the one that fits best.  Keywords are options of section clean:
    Cleaner(language="nl", chars_min=200).  An option that is None has its preset.

    With clean.duplicates or clean.known_sentences a cleaner remembers the pages it
    was given, and rejects what it knows; else no page changes it.

    Opening takes some 10 ms and 10 MB.  While a page is cleaned, the GIL is
    free.  Options that are wrong raise OptionError with what is wrong.
    """

    def __init__(self, options: Optional[Mapping[str, object]] = None, *,
                 language: Language = None, **clean: object) -> None:
        with _keywords_known(clean, ("options",)):
            self._open(_assignments(options, language, clean))

    def _open(self, assignments: Tuple[str, ...]) -> None:
        self._assignments = assignments
        texts = [ffi.new("char[]", _as_bytes(a)) for a in assignments]
        error = ffi.new("char[]", ERROR_SIZE)
        out = ffi.new("struct winnow_cleaner **")
        status = lib.winnow_cleaner_open(
            out, ffi.new("const char *[]", texts + [ffi.NULL]), error,
            ERROR_SIZE)
        if status != lib.WINNOW_OK:
            fail(status, ffi.string(error).decode("utf-8", "replace"))
        self._cleaner = ffi.gc(out[0], lib.winnow_cleaner_close)

    def extract(self, html: Html, url: Optional[str] = None, *,
                content_type: Optional[str] = None,
                x_robots_tag: Optional[str] = None,
                date: Optional[datetime.datetime] = None,
                id: Union[str, uuid.UUID, None] = None) -> Document:
        """Clean a page.

        html: its bytes in any character set, or text, whose charset is known
        whatever content_type says.  url: where it is from; without it there are
        no links.  content_type, x_robots_tag: those HTTP headers.  date: when it
        was fetched; without a zone it is local time, as everywhere in Python.
        id: a UUID, in place of the one that is made of URL and bytes; it may be
        written as WARC-Record-ID is.

        Whatever the page is, there is a document; one that takes more than
        clean.memory_mib has the verdict "memory" and no text.  ValueError: it
        has more than 2^31 - 1 bytes.
        """
        known = {name: b"" if value is None else c_text(name, value)
                 for name, value in (("url", url), ("content_type", content_type),
                                     ("x_robots_tag", x_robots_tag))}
        if not isinstance(date, (datetime.datetime, type(None))):
            raise TypeError(f"date is a datetime, not {date!r}")
        known["id"] = b"" if id is None else _uuid(id)
        if isinstance(html, str):
            html = html.encode("utf-8", "replace")
            type_ = known["content_type"].partition(b";")[0] or b"text/html"
            known["content_type"] = type_ + b"; charset=utf-8"
        try:
            body = ffi.from_buffer(html)
        except (TypeError, ValueError, BufferError):  # ... lies in pieces
            raise TypeError("html is text or bytes in one piece, not "
                            f"{html!r:.40}") from None
        texts = {name: ffi.new("char[]", text) for name, text in known.items()}
        capture = ffi.new("struct winnow_capture *", {
            "size": ffi.sizeof("struct winnow_capture"), "body": body,
            "body_n": len(body), **texts,
            "date_ms": 0 if date is None else max(0, int(date.timestamp() * 1000))})
        out = ffi.new("struct winnow_page **")
        return self._document(
            lib.winnow_clean_capture(self._cleaner, capture, out), out)

    def read(self, file: File, *, every: bool = False,
             page_max: Union[int, str, None] = None) -> Pages:
        """The pages of a WARC, ARC or WACZ file, compressed or not, cleaned one
        by one; of another file, the file.

        file: a path, "-" for standard input, or a file that is open for bytes
        (anything with a read(size), which stays open; of WACZ files the path).
        Answers other than 2xx and what is no HTML are left out, unless `every`.
        page_max: bytes of a page that are read (4096, "4KiB"), in place of
        clean.page_max.  Broken records are skipped; at the end an ArchiveWarning
        says how many there were, or that an archive has the texts of pages (WET),
        and none that could be cleaned.  ArchiveError: the file cannot be read;
        what read() raises comes out as it is.
        """
        options = self.config() if page_max is None else config(page_max=page_max)
        return self._pages(
            Reader(file, _bytes(options["clean.page_max"].value)), every)

    def config(self) -> Dict[str, "Option"]:
        """Every option with the value it has here."""
        rows: List[Dict[str, str]] = json.loads(
            ffi.string(lib.winnow_cleaner_options(self._cleaner)))
        return {row["key"]: Option(**row) for row in rows}

    def _pages(self, reader: Reader, every: bool) -> Pages:
        page = ffi.new("struct winnow_page **")
        for x in reader.captures():
            archived = x.file[0] != b"\0"
            good = x.is_html and (x.status == 0 or 200 <= x.status < 300)
            if every or good or not archived:
                yield self._document(
                    lib.winnow_clean_capture(self._cleaner, x, page), page, x.status)
        complaint = reader.complaint()
        if complaint:
            warnings.warn(complaint, ArchiveWarning, stacklevel=2)

    def _document(self, status: int, out: Any, http_status: int = 0) -> Document:
        if status != lib.WINNOW_OK:
            fail(status)
        return Document._of(ffi.gc(out[0], lib.winnow_page_free), self, http_status)

    def __repr__(self) -> str:
        """With the options that were set."""
        told = [a for a in self._assignments if a != "clean.data=" + _DATA]
        return f"<winnow.{' '.join((type(self).__name__, *told))}>"

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
                 more: Mapping[str, object], arguments: Tuple[str, ...]) -> Cleaner:
    with _keywords_known(more, arguments):
        assignments = _assignments(options, language, more)
        return _kept(assignments) or _reopen(assignments)


@contextlib.contextmanager
def _keywords_known(keywords: Mapping[str, object],
                    arguments: Tuple[str, ...]) -> Iterator[None]:
    """A keyword that is no option may be meant to be one of the function's other
    arguments, of which the C library does not know."""
    try:
        yield
    except OptionError:
        options = [key.partition(".")[2] for key in config()
                   if key.startswith("clean.")]
        wrong = next((name for name in keywords if name not in options), None)
        if wrong is None:
            raise
        near = get_close_matches(wrong, (*arguments, *options), 1)
        raise OptionError(f"{wrong}: no such argument and no option of section clean" + (
            f"; did you mean {near[0]}?" if near else "")) from None


def extract(html: Html, url: Optional[str] = None, language: Language = None,
            *, content_type: Optional[str] = None,
            x_robots_tag: Optional[str] = None,
            date: Optional[datetime.datetime] = None,
            id: Union[str, uuid.UUID, None] = None,
            options: Optional[Mapping[str, object]] = None,
            **clean: object) -> Document:
    """Clean a page: Cleaner(options, language=language, **clean).extract(html,
    url, ...), with a cleaner that is kept for the next call (or is new each time,
    if it would remember pages)."""
    return _cleaner_for(options, language, clean, (
        "url", "content_type", "x_robots_tag", "date", "id", "options")).extract(
        html, url, content_type=content_type, x_robots_tag=x_robots_tag, date=date,
        id=id)


def read(file: File, language: Language = None, *,
         options: Optional[Mapping[str, object]] = None, every: bool = False,
         **clean: object) -> Pages:
    """The pages of a WARC, ARC or WACZ file, by its path or open for bytes:
    Cleaner(options, language=language, **clean).read(file, every=every)."""
    return _cleaner_for(options, language, clean, ("every", "options")).read(
        file, every=every)


def config(options: Optional[Mapping[str, object]] = None, *,
           language: Language = None, **clean: object) -> Dict[str, Option]:
    """Every option that a cleaner takes, with its preset, what it takes and what
    it means; with arguments: with the values that a Cleaner of these has.

    A job's options may be given whole: those of its threads, files and services
    (clean.threads, clean.sandbox, dedup.url, dedup.known_sentences, output.prefix,
    output.warc ...) are taken, and do nothing here."""
    return _cleaner_for(options, language, clean, ("options",)).config()
