"""A page that was cleaned, and its parts."""

from __future__ import annotations

import json
import threading
from operator import itemgetter
from typing import (TYPE_CHECKING, Any, Dict, List, Mapping, NamedTuple,
                    Optional, Tuple)

from ._errors import OptionError, c_text, fail
from ._winnow import ffi, lib

if TYPE_CHECKING:
    from ._cleaner import Cleaner

PRESETS = ("winnow", "fineweb", "dolma", "oscar")

Key = Tuple[str, Optional[str]]  # a format; of jsonl, whose field names
Said = Tuple[str, str, float, int]  # verdict, language, badness, status of HTTP
# The records of a document without a page.
KEPT: Tuple[Key, ...] = (
    ("page", None), ("text", None), ("markdown", None), ("jsonl", None),
    *(("jsonl", preset) for preset in PRESETS))


class Block(NamedTuple):
    """A run of text between two breaks of the layout."""
    text: str
    value: float  #: 0 text .. 1 boilerplate
    kept: bool  #: part of Document.text
    container: str  #: the element it stands in: "p", "li" ...
    chars: int
    tokens: int
    duplicate_of: Optional[int]  #: the block that it repeats


class Link(NamedTuple):
    """A link to an http(s) URL."""
    url: str  #: absolute, canonical, without fragment
    anchor: str
    block: int  #: the one it stands in or before; len(blocks): after the last
    value: float  #: of that block; 1 after the last
    relation: str  #: "same_host", "same_domain" or "external"
    language: str  #: of its target, as markup says, or ""
    within: Tuple[str, ...]  #: "nav", "header", "footer", "aside", "main" ...
    nofollow: bool


class Check(NamedTuple):
    """What a corpus asks of a page.  The first that is not met is the reason to
    reject it, if nothing before it was one (noindex, a challenge ...)."""
    check: str  #: "characters of text"
    verdict: str  #: what the page is rejected as when it is not met
    option: str  #: whose value the limit is: "clean.chars_min"
    value: float
    limit: float
    least: bool  #: at least the limit is asked for, else at most
    met: bool


class Candidate(NamedTuple):
    """Something that may be the value of a field of Metadata."""
    field: str  #: "title", "author", "date", "date_modified" ...
    value: str
    sources: Tuple[str, ...]  #: who says so, the best first: "json-ld" ...
    confidence: float  #: 0 .. 1
    chosen: bool  #: it is the field's value


class Metadata(NamedTuple):
    """What a page says of itself; "" is unknown.  The names are those of to_dict()
    and of candidates."""
    title: str  #: without the site's name
    site: str
    author: str
    authors: Tuple[str, ...]
    date: str  #: when it was published: ISO 8601, a day or a second
    date_modified: str
    description: str
    keywords: str
    canonical: str
    licence: str
    section: str
    image: str
    page_type: str  #: what it calls itself: "Article", "website" ...
    language_declared: str  #: Document.language is what its text is
    robots: str
    candidates: Tuple[Candidate, ...]  #: by field, the best first

    @property
    def sources(self) -> Dict[str, Tuple[str, ...]]:
        """Of each field that is known, who says so."""
        return {c.field: c.sources for c in self.candidates if c.chosen}


def _text(cdata: Any) -> str:
    return str(ffi.string(cdata).decode("utf-8", "replace"))


class Document:
    """A page as it was cleaned.

    Numbers and texts are read from the C library when they are asked for, so a
    document holds the page there, some twenty times the size of its HTML.
    detach() reads everything and lets go of that.  A copy, pickled or not, is a
    detached document; the one that was copied stays as it is.

    Any number of threads may use one document, detach() included.
    """

    # _page is used, and let go, by who has _lock.  What is made of it is in
    # _records; _fields, _blocks ... are made of those: two threads may
    # each make them, equal ones, so they need no lock.
    __slots__ = ("_page", "_cleaner", "_lock", "_records", "_said", "_fields",
                 "_blocks", "_links", "_metadata", "__weakref__")

    def __init__(self) -> None:
        raise TypeError("documents are made by extract() and read()")

    @classmethod
    def _of(cls, page: Any, cleaner: "Cleaner", http_status: int) -> "Document":
        summary = lib.winnow_page_summary(page)
        self = cls.__new__(cls)
        self._begin(page, cleaner, {}, (
            _text(summary.reject) or "kept", _text(summary.language),
            float("%.7g" % summary.badness), http_status))  # as records have it
        return self

    def _begin(self, page: Any, cleaner: "Optional[Cleaner]",
               records: Dict[Key, str], said: Said) -> None:
        self._page = page
        self._cleaner = cleaner
        self._lock = threading.Lock()
        self._records = records
        self._said = said
        self._fields: Optional[Dict[str, Any]] = None
        self._blocks: Optional[List[Block]] = None
        self._links: Optional[List[Link]] = None
        self._metadata: Optional[Metadata] = None

    # ---- what is kept ----

    @property
    def text(self) -> str:
        """The kept blocks, one a line, each ended by a line feed; a row of a table
        is a line with tabs, code keeps its lines."""
        return self._record("text")

    @property
    def markdown(self) -> str:
        """The kept blocks as Markdown: headings, lists, tables, code; "" when none
        is kept.  record("markdown") has a block of YAML before them, with what
        output.markdown_facts names."""
        record = self._record("markdown")
        if record.startswith("---\n"):  # no text begins so: "-" is escaped
            record = record.partition("\n---\n\n")[2]
        return record[:-1]  # the empty line between records

    @property
    def verdict(self) -> str:
        """"kept", or why a corpus would not keep it: "short", "badness" ..."""
        return self._said[0]

    @property
    def reason(self) -> str:
        """The verdict as a phrase; "" when the page is kept."""
        return str(self._all["reason"])

    @property
    def detail(self) -> str:
        """What was not met, with value and limit: "badness 24.1, at most 12
        (clean.badness_max): word order 24.1, words 3.2 ..."; or ""."""
        return str(self._all["detail"])

    @property
    def kept(self) -> bool:
        """Whether a corpus would keep it."""
        return self.verdict == "kept"

    @property
    def checks(self) -> List[Check]:
        """What was asked of the page, with its values and the limits."""
        return [Check(*_check(c)) for c in self._all["checks"]]

    # ---- what it is ----

    @property
    def id(self) -> str:
        """A UUID: the archive's, or one of URL and bytes."""
        return str(self._all["id"])

    @property
    def url(self) -> str:
        return str(self._all["url"])

    @property
    def http_status(self) -> int:
        """Of the response in the archive, which read(..., every=True) gives out
        whatever it is: 404; 0: not known."""
        return self._said[3]

    @property
    def language(self) -> str:
        """The best of the target languages; "" when it has no word."""
        return self._said[1]

    @property
    def badness(self) -> float:
        """How unlike running text of that language it is: 0 .. 50, higher is
        worse."""
        return self._said[2]

    @property
    def title(self) -> str:
        return self.metadata.title

    @property
    def metadata(self) -> Metadata:
        """What the page says of itself."""
        metadata = self._metadata
        if metadata is None:
            metadata = self._metadata = _metadata(self._all["meta"])
        return metadata

    @property
    def facts(self) -> Mapping[str, Any]:
        """Everything else, by name: the numbers badness_words, badness_order,
        badness_foreign, badness_best, boilerplate_mean, chars, chars_all, tokens;
        language_best, languages ("nl:0.83 en:0.17"), page_kinds, charset,
        charset_from, doctype, timestamp ..."""
        return {k: v for k, v in self._all.items()
                if not isinstance(v, (list, dict)) and k != "text"}

    @property
    def blocks(self) -> List[Block]:
        """All blocks, boilerplate as well, in page order.  The cells of a table
        are blocks; in `text` a row of them is one line with tabs."""
        blocks = self._blocks
        if blocks is None:
            blocks = [Block(*_block(b)) for b in self._all["blocks"]]
            self._blocks = blocks
        return blocks

    @property
    def links(self) -> List[Link]:
        """All links, in page order; none without a URL of the page."""
        links = self._links
        if links is None:
            links = self._links = [Link(*_link(l)) for l in self._all["links"]]
        return links

    # ---- as others want it ----

    def record(self, format: str) -> str:
        """The page as a record of a corpus format: "xml", "jsonl", "vertical",
        "wet" ... (`winnow help clean`); "wet" has the time of the call where the
        page's date is not known.  Of a detached document "page", "text",
        "markdown" and "jsonl"."""
        return self._record(format)

    def to_dict(self, fields: str = "winnow") -> Dict[str, Any]:
        """The page as `winnow clean --format jsonl` writes it, with the names of
        "winnow", "fineweb", "dolma" or "oscar"."""
        out: Dict[str, Any] = json.loads(self._record("jsonl", fields))
        return out

    def detach(self) -> "Document":
        """Read everything and give the C library's memory back; self."""
        records = self._kept()
        with self._lock:
            self._records = records
            self._page = self._cleaner = None
        self._fields = self._blocks = self._links = self._metadata = None
        return self

    # ---- inside ----

    @property
    def _all(self) -> Dict[str, Any]:
        """All fields of format `page`."""
        fields = self._fields
        if fields is None:
            fields = json.loads(self._record("page"))
            fields.pop("text", None)
            self._fields = fields
        return fields

    def _record(self, format: str, fields: Optional[str] = None) -> str:
        """A record, made once."""
        with self._lock:
            found = self._records.get((format, fields))
            if found is None and self._page is not None:
                found = _made(self._page, format, fields)
                self._records[format, fields] = found
        if found is None:
            _check_name(format, fields)
            raise ValueError(
                f"the document is detached: it has no {format}, only " +
                ", ".join(sorted({name for name, _ in self._records})))
        return found

    def _kept(self) -> Dict[Key, str]:
        """What a detached document has.  Its jsonl is mostly that of a preset:
        then they are one text."""
        kept = {key: self._record(*key) for key in KEPT}
        jsonl = kept["jsonl", None]
        kept["jsonl", None] = next(
            (kept["jsonl", preset] for preset in PRESETS
             if kept["jsonl", preset] == jsonl), jsonl)
        return kept

    def __repr__(self) -> str:
        return "<winnow.Document %s %s, %d characters of %s>" % (
            self.url or self.id, self.verdict, len(self.text),
            self.language or "no language")

    def __reduce__(self) -> Tuple[Any, ...]:
        return _restore, (self._kept(), self._said)


def _restore(records: Dict[Key, str], said: Said) -> Document:
    out = Document.__new__(Document)
    out._begin(None, None, records, said)
    return out


def _check_name(format: str, fields: Optional[str]) -> None:
    """OptionError if there is no such format or no such field names."""
    from ._cleaner import config  # which needs this module
    what, name, option = (("format", format, "output.format") if fields is None
                          else ("field names", fields, "output.fields"))
    known = config()[option].range
    if name not in known.split(", "):
        raise OptionError(f"no such {what}: {name!r}; allowed: {known}")


def _made(page: Any, format: str, fields: Optional[str]) -> str:
    record, n = ffi.new("const char **"), ffi.new("size_t *")
    if fields is None:
        status = lib.winnow_page_record(page, c_text("format", format), record, n)
    else:
        status = lib.winnow_page_jsonl(page, c_text("fields", fields), record, n)
    if status == lib.WINNOW_UNKNOWN:
        _check_name(format, fields)
    if status != lib.WINNOW_OK:
        fail(status)
    return str(ffi.unpack(record[0], n[0]).decode("utf-8", "replace"))


_block = itemgetter(*Block._fields)
_check = itemgetter(*Check._fields)


def _metadata(meta: Dict[str, Any]) -> Metadata:
    known = dict(meta, date_modified=meta["modified"], page_type=meta["type"],
                 language_declared=meta["language"])
    known["authors"] = tuple(meta["authors"])
    known["candidates"] = tuple(
        Candidate(c["field"], c["value"], tuple(c["sources"]), c["confidence"],
                  c["chosen"]) for c in meta["candidates"])
    return Metadata(*(known[name] for name in Metadata._fields))


def _link(link: Dict[str, Any]) -> Tuple[Any, ...]:
    link["within"] = tuple(link["within"])
    return tuple(link[name] for name in Link._fields)
