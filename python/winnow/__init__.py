"""Winnow: what a web page says, without what stands round it.

    >>> import winnow
    >>> page = winnow.extract(html, url="https://a.example/", language="nl")
    >>> page.text, page.metadata.title, page.verdict

`extract` cleans one page.  A `Cleaner` has options of its own and is shared by
threads.  `read` gives the pages of a WARC, ARC or WACZ file.  `config` shows every
option, `languages` those there are.
"""

from ._cleaner import (Cleaner, Html, Language, Option, config, extract,
                       languages, read, version)
from ._document import (Block, Candidate, Check, Document, Link,
                        Metadata)
from ._errors import (ArchiveError, ArchiveNotFoundError, ArchiveWarning, Error,
                      InternalError, OptionError)
from ._reader import File

__version__ = version()

__all__ = [
    "ArchiveError", "ArchiveNotFoundError", "ArchiveWarning", "Block", "Candidate",
    "Check", "Cleaner", "Document", "Error", "File", "Html", "InternalError", "Language",
    "Link", "Metadata", "Option", "OptionError", "config", "extract", "languages", "read",
    "version",
]

for _name in __all__:  # messages and pickles have the names that users have
    if str(getattr(globals()[_name], "__module__", "")).startswith("winnow."):
        globals()[_name].__module__ = "winnow"
del _name
