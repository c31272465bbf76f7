"""What a user's type checker is to accept, every public name: mypy --strict reads this."""
import datetime
import io
import mmap
import pathlib
import uuid
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple, Union

from winnow import (ArchiveError, ArchiveNotFoundError, ArchiveWarning, Block, Candidate, Check,
                    Cleaner, Document, Error, File, Html, InternalError, Language, Link,
                    Metadata, Option, OptionError, config, extract, languages, read, version)


def one(html: Html, language: Language) -> Document:
    return extract(html, "http://a.example/", language, content_type=None, x_robots_tag="",
                   date=datetime.datetime.now(), id=uuid.uuid4(), options={"clean.chars_min": 5},
                   badness_max=3)


def pages(file: File) -> Iterator[str]:
    for page in read(file, ["nl"], every=True, page_max="4KiB"):
        yield page.text
    rest = Cleaner({"clean.data": None}, language={"nl"}, chars_min=None).read(file, page_max=5000)
    rest.close()


def all_that_is_read(map: mmap.mmap) -> Iterator[Iterator[str]]:
    for file in "a.warc", b"a.warc", pathlib.Path("a.warc"), io.BytesIO():
        yield pages(file)
    with open("a.warc", "rb") as f:
        yield pages(f)
    for html in "", b"", bytearray(), memoryview(b""), map:
        yield iter([one(html, None).text, one(html, "nl").markdown])


def told(page: Document) -> List[object]:
    blocks: List[Block] = page.blocks
    repeats: Optional[int] = blocks[0].duplicate_of
    links: List[Link] = page.links
    within: Tuple[str, ...] = links[0].within
    meta: Metadata = page.metadata
    candidates: Tuple[Candidate, ...] = meta.candidates
    sources: Dict[str, Tuple[str, ...]] = meta.sources
    checks: List[Check] = page.checks
    facts: Mapping[str, Any] = page.facts
    row: Dict[str, Any] = page.detach().to_dict("dolma")
    texts: List[str] = [page.verdict, page.reason, page.detail, page.id, page.url, page.language,
                        page.title, page.record("xml"), version(), *languages()]
    numbers: Tuple[Union[int, float], bool] = (page.badness + page.http_status, page.kept)
    options: Dict[str, Option] = config(language="nl")
    return [repeats, within, candidates, sources, checks, facts, row, texts, numbers, options]


def faults(error: Error) -> Tuple[Optional[int], bool]:
    found = isinstance(error, (OptionError, InternalError, ArchiveNotFoundError))
    return error.errno if isinstance(error, ArchiveError) else None, found


complaint: Warning = ArchiveWarning("1 broken record was skipped")
