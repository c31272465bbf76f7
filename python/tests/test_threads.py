"""Threads share a cleaner and do not wait for each other; nothing is left over."""
import concurrent.futures
import gc
import multiprocessing
import os
import pickle
import sys
import threading
import time

import pytest
import winnow


@pytest.fixture
def endless_turns():
    """Who has the GIL keeps it until it is given up."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    yield
    sys.setswitchinterval(before)


def test_python_runs_while_a_page_is_cleaned(article, endless_turns):
    cleaner = winnow.Cleaner(memory_mib=4096)
    page = article * 1500  # a call of a few hundred milliseconds
    counts = []
    for _ in range(10):
        inside, over = threading.Event(), threading.Event()

        def clean():
            inside.set()
            cleaner.extract(page)
            over.set()

        thread = threading.Thread(target=clean)
        thread.start()
        inside.wait()
        n = 0
        while not over.is_set():
            time.sleep(0)  # whoever wants the GIL may have it
            n += 1
        thread.join()
        counts.append(n)
        if n > 300:
            return
    pytest.fail(f"turns of another thread during a call: {counts}")


def test_two_threads_go_on_side_by_side(article, endless_turns):
    """Calls of two threads on a set of pages lie within each other: with the GIL
    held, each would end before the other one could begin."""
    cleaner, page, told = winnow.Cleaner(memory_mib=4096), article * 400, []

    def work(name):
        for _ in range(10):
            told.append(("begins", name))
            document = cleaner.extract(page)
            told.append(("ends", name))
            del document  # which gives the GIL up as well
            time.sleep(0)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(2)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert any(x[0] == y[0] == "begins" for x, y in zip(told, told[1:])), told


def test_threads_get_what_one_gets(cases):
    cleaner = winnow.Cleaner(language=["nl", "de", "fr"])
    pages = [p.read_bytes() for p in sorted((cases / "clean").glob("*.html"))]
    alone = [cleaner.extract(p, "http://a.example/").to_dict() for p in pages]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        many = list(pool.map(
            lambda p: cleaner.extract(p, "http://a.example/").to_dict(), pages * 8))
    assert many == alone * 8


def test_threads_may_ask_one_document(article):
    for _ in range(20):
        page = winnow.extract(article, url="http://a.example/")
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda _: (page.text, len(page.blocks), page.to_dict()),
                                  range(16)))
        assert all(f == found[0] for f in found)


@pytest.fixture
def short_turns():
    """Threads interrupt each other wherever they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.parametrize("leave", [lambda page: page.detach(), pickle.dumps])
def test_a_document_is_read_while_another_thread_detaches_it(article, short_turns, leave):
    cleaner = winnow.Cleaner(language="nl")

    def said(page):
        return (page.verdict, page.language, page.badness, page.reason, page.title,
                len(page.blocks), len(page.links), page.to_dict("dolma"), len(page.text))

    expected = said(cleaner.extract(article, "http://a.example/"))
    for _ in range(200):
        page, found = cleaner.extract(article, "http://a.example/"), []
        inside = threading.Event()

        def read():
            inside.set()
            try:
                found.extend(said(page) for _ in range(5))
            except Exception as e:
                found.append(e)

        thread = threading.Thread(target=read)
        thread.start()
        inside.wait()
        leave(page)
        thread.join()
        assert found == [expected] * 5


def test_a_document_in_a_queue_may_be_used_on(article):
    """A queue pickles in a thread of its own."""
    queue, cleaner = multiprocessing.Queue(), winnow.Cleaner(language="nl")
    for _ in range(50):
        page = cleaner.extract(article, "http://a.example/")
        queue.put(page)
        for _ in range(100):
            assert (page.verdict, page.language) == ("kept", "nl")
        assert page.record("xml").startswith("<doc")
        assert queue.get().text == page.text
        assert page.record("tei")
    queue.close()
    queue.join_thread()


def rss():
    with open("/proc/self/statm", encoding="ascii") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_memory_does_not_grow_over_20000_pages(article):
    cleaner = winnow.Cleaner(language="nl")
    early = 0
    for i in range(20000):
        page = cleaner.extract(article, "http://a.example/")
        assert page.text
        if i % 10 == 0:
            assert page.blocks and page.links and page.to_dict("dolma")
        if i % 100 == 0:
            with pytest.raises(winnow.OptionError):
                page.record("pdf")
        if i == 2000:
            gc.collect()
            early = rss()
    gc.collect()
    assert rss() - early < 8 << 20, f"{(rss() - early) / 1e6:.1f} MB more"


def test_closed_generators_and_cleaners_leave_nothing(article, tmp_path):
    path = tmp_path / "page.html"
    path.write_bytes(article)
    files = len(os.listdir("/proc/self/fd"))
    for _ in range(50):
        next(winnow.read(path))
    gc.collect()
    assert len(os.listdir("/proc/self/fd")) == files
    winnow.Cleaner()
    early = rss()
    for _ in range(30):
        winnow.Cleaner()
    gc.collect()
    assert rss() - early < 40 << 20, f"{(rss() - early) / 1e6:.1f} MB more"
