"""The README's Python, from its first line to its last, in one session."""
import pathlib
import re

import pytest
import winnow
from test_cleaner import record

README = pathlib.Path(__file__).parents[1] / "README.md"


def test_every_snippet_runs(article, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.html").write_bytes(article)
    (tmp_path / "crawl.warc.gz").write_bytes(record(1, article) + record(2, article))
    said = {"html": article, "__name__": "readme"}
    snippets = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.S)
    assert len(snippets) > 8
    for n, snippet in enumerate(snippets):
        if "ProcessPoolExecutor" in snippet:  # whose workers import a module by its name
            snippet = snippet.replace("ProcessPoolExecutor", "ThreadPoolExecutor")
        try:
            exec(compile(snippet, f"README.md, snippet {n + 1}", "exec"), said)
        except ModuleNotFoundError as e:
            assert e.name in ("datasets", "pandas"), e
    assert len((tmp_path / "corpus.jsonl").read_text(encoding="utf-8").splitlines()) == 2


def test_every_public_name_is_there_and_says_what_it_is():
    for name in winnow.__all__:
        thing = getattr(winnow, name)
        if isinstance(thing, type) or callable(thing) and hasattr(thing, "__code__"):
            assert thing.__doc__ and thing.__module__ == "winnow", name
    with pytest.raises(winnow.OptionError) as found:
        winnow.Cleaner(language="qq")
    known = str(found.value).partition("known: ")[2].partition(";")[0].split()
    assert sorted(known) == winnow.languages()
