"""A page that was cleaned, and its parts."""

from __future__ import annotations

import json
import threading
from operator import itemgetter
from typing import (TYPE_CHECKING, Any, Dict, List, Mapping, NamedTuple,
                    Optional, Tuple)

from ._errors import fail
from ._winnow import ffi, lib

if TYPE_CHECKING:
    from ._cleaner import Cleaner

PRESETS = ("winnow", "fineweb", "dolma", "oscar")


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
    """What a page says of itself; "" is unknown."""
    title: str  #: without the site's name
    site: str
    author: str
    authors: Tuple[str, ...]
    date: str  #: when it was published: ISO 8601, a day or a second
    modified: str
    description: str
    keywords: str
    canonical: str
    licence: str
    section: str
    image: str
    type: str  #: what it calls itself: "Article", "website" ...
    language: str
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
    detach() reads everything and lets go of that; so does pickling.
    """

    __slots__ = ("_page", "_cleaner", "_lock", "_text", "_fields", "_records",
                 "_blocks", "_links", "_kept", "_markdown")

    def __init__(self, page: Any, cleaner: "Cleaner") -> None:
        self._page: Any = page
        self._cleaner: Optional[Cleaner] = cleaner
        self._lock = threading.Lock()
        self._text: Optional[str] = None
        self._fields: Optional[Dict[str, Any]] = None
        self._records: Dict[str, str] = {}
        self._markdown: Optional[str] = None
        self._kept = ""  # format `page`, of a detached document
        self._blocks: Optional[List[Block]] = None
        self._links: Optional[List[Link]] = None

    # ---- what is kept ----

    @property
    def text(self) -> str:
        """The kept blocks, one a line, each ended by a line feed."""
        if self._text is None:
            with self._lock:
                if self._text is None:
                    n = ffi.new("size_t *")
                    p = lib.winnow_page_text(self._page, n)
                    self._text = ffi.unpack(p, n[0]).decode("utf-8", "replace")
        return self._text

    @property
    def markdown(self) -> str:
        """The kept blocks as Markdown: headings, lists, tables, code."""
        if self._markdown is None:
            self._markdown = self._render("markdown")
        return self._markdown

    @property
    def verdict(self) -> str:
        """"kept", or why a corpus would not keep it: "short", "badness" ..."""
        if self._page is not None:
            return _text(self._summary.reject) or "kept"
        return str(self._all["verdict"])

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
    def language(self) -> str:
        """The best of the target languages."""
        if self._page is not None:
            return _text(self._summary.language)
        return str(self._all["language"])

    @property
    def badness(self) -> float:
        """How unlike running text of that language it is: 0 .. 50, higher is
        worse."""
        if self._page is not None:
            return float(self._summary.badness)
        return float(self._all["badness"])

    @property
    def title(self) -> str:
        return self.metadata.title

    @property
    def metadata(self) -> Metadata:
        """What the page says of itself."""
        return _metadata(self._all["meta"])

    @property
    def numbers(self) -> Mapping[str, Any]:
        """The other numbers: badness_words, badness_order, badness_foreign,
        language_best, badness_best, languages, boilerplate_mean, page_kinds, chars,
        chars_all, tokens,
        charset, charset_from ..."""
        return {k: v for k, v in self._all.items()
                if not isinstance(v, (list, dict)) and k != "text"}

    @property
    def blocks(self) -> List[Block]:
        """All blocks, boilerplate as well, in page order."""
        if self._blocks is None:
            self._blocks = [Block(*_block(b)) for b in self._all["blocks"]]
        return self._blocks

    @property
    def links(self) -> List[Link]:
        """All links, in page order; none without a URL of the page."""
        if self._links is None:
            self._links = [Link(*_link(l)) for l in self._all["links"]]
        return self._links

    # ---- as others want it ----

    def record(self, format: str) -> str:
        """The page as a record of a corpus format: "xml", "jsonl", "vertical",
        "wet" ... (`winnow help clean`).  Of a detached document only "page"."""
        if self._kept and format == "page":
            return self._kept
        return self._render(format)

    def to_dict(self, fields: str = "winnow") -> Dict[str, Any]:
        """The page as `winnow clean --format jsonl` writes it, with the names of
        "winnow", "fineweb", "dolma" or "oscar"."""
        key = "jsonl " + fields
        found = self._records.get(key)
        if found is None:
            found = self._records[key] = self._render("jsonl", fields)
        out: Dict[str, Any] = json.loads(found)
        return out

    def detach(self) -> "Document":
        """Read everything and give the C library's memory back; self."""
        if self._page is not None:
            text, kept, _ = self.text, self.record("page"), self.markdown
            for preset in PRESETS:
                self.to_dict(preset)
            with self._lock:
                self._text, self._kept = text, kept
                self._page = self._cleaner = None
        self._fields = self._blocks = self._links = None
        self._records = {k: v for k, v in self._records.items()
                         if k.startswith("jsonl ")}
        return self

    # ---- inside ----

    @property
    def _summary(self) -> Any:
        return lib.winnow_page_summary(self._page)

    @property
    def _all(self) -> Dict[str, Any]:
        """All fields of format `page`."""
        if self._fields is None:
            fields = json.loads(self.record("page"))
            fields.pop("text", None)
            self._fields = fields
        return self._fields

    def _render(self, format: str, fields: Optional[str] = None) -> str:
        record, n = ffi.new("const char **"), ffi.new("size_t *")
        with self._lock:
            if self._page is None:
                raise ValueError("the document is detached: it has no " + format)
            if fields is None:
                status = lib.winnow_page_record(self._page, format.encode(),
                                                record, n)
            else:
                status = lib.winnow_page_jsonl(self._page, fields.encode(),
                                               record, n)
            if status != lib.WINNOW_OK:
                fail(status, "no such format or field names: " +
                     (fields or format) if status == lib.WINNOW_UNKNOWN else "")
            return str(ffi.unpack(record[0], n[0]).decode("utf-8", "replace"))

    def __repr__(self) -> str:
        return "<winnow.Document %s %s, %d characters of %s>" % (
            self.url or self.id, self.verdict, len(self.text),
            self.language or "no language")

    def __reduce__(self) -> Tuple[Any, ...]:
        self.detach()
        return _restore, (self._text, self._markdown, self._kept, self._records)


def _restore(text: str, markdown: str, kept: str,
             records: Dict[str, str]) -> Document:
    out = Document.__new__(Document)
    out._page = out._cleaner = out._fields = out._blocks = out._links = None
    out._lock = threading.Lock()
    out._text, out._markdown = text, markdown
    out._kept, out._records = kept, records
    return out


_block = itemgetter(*Block._fields)
_check = itemgetter(*Check._fields)


def _metadata(meta: Dict[str, Any]) -> Metadata:
    known = dict(meta)
    known["authors"] = tuple(meta["authors"])
    known["candidates"] = tuple(
        Candidate(c["field"], c["value"], tuple(c["sources"]), c["confidence"],
                  c["chosen"]) for c in meta["candidates"])
    return Metadata(*(known[name] for name in Metadata._fields))


def _link(link: Dict[str, Any]) -> Tuple[Any, ...]:
    link["within"] = tuple(link["within"])
    return tuple(link[name] for name in Link._fields)
