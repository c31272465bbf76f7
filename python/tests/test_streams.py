"""Archives that are no file with a path: file objects, pipes, standard input."""
import errno
import gzip
import io
import os
import signal
import socket
import subprocess
import sys
import threading

import pytest
import winnow
from test_cleaner import record


@pytest.fixture
def archive(article):
    return b"".join(record(n, article) for n in range(1, 6))


def urls(pages):
    return [page.url for page in pages]


class Dribble:
    """A connection: a few bytes at a time, and nothing but read()."""

    def __init__(self, data, most=7):
        self.file, self.most = io.BytesIO(data), most

    def read(self, size):
        return self.file.read(min(size, self.most))


def test_file_objects_are_read_as_paths_are(archive, tmp_path):
    path = tmp_path / "a.warc.gz"
    path.write_bytes(archive)
    rows = [page.to_dict() for page in winnow.read(path)]
    with open(path, "rb") as named:
        assert [page.to_dict() for page in winnow.read(named)] == rows
        assert not named.closed
    for source in io.BytesIO(archive), Dribble(archive), gzip.open(path):
        for page, row in zip(winnow.read(source, "nl"), rows):
            assert page.to_dict()["id"] == row["id"] and page.text == row["text"]
    page, = winnow.read(io.BytesIO(b"<p>De molen draait weer."))
    assert page.http_status == 0 and page.to_dict()["warc_file"] == ""


def test_records_that_are_no_pages_are_left_out_of_streams_too(article):
    data = record(1, article) + record(2, article, "HTTP/1.1 404 Gone")
    assert urls(winnow.read(io.BytesIO(data))) == ["http://a.example/1"]
    assert len(urls(winnow.read(io.BytesIO(data), every=True))) == 2
    assert next(winnow.read(io.BytesIO(data))).to_dict()["warc_file"] == "-"


def test_a_file_that_is_cut_off_is_said_to_be(archive):
    with pytest.warns(winnow.ArchiveWarning, match="1 broken record was skipped or cut"):
        assert len(list(winnow.read(io.BytesIO(archive[:-60])))) == 5


class Failing(Dribble):
    def read(self, size):
        if self.file.tell() > self.fails_at:
            raise ConnectionError("it is gone")
        return super().read(size)


@pytest.mark.parametrize("fails_at", [0, 100, 20000])
def test_what_read_raises_comes_out(article, fails_at):
    data = b"".join(record(n, article + os.urandom(9000)) for n in range(9))
    source = Failing(data)
    source.fails_at = fails_at
    with pytest.raises(ConnectionError, match="it is gone"):
        list(winnow.read(source))


@pytest.mark.parametrize("given, kind", [
    (lambda n: "<p>text", TypeError), (lambda n: None, TypeError), (lambda n: n, TypeError),
    (lambda n: b"x" * (n + 1), ValueError)])
def test_a_read_that_is_none_is_named(given, kind):
    class Wrong:
        def read(self, size):
            return given(size)
    with pytest.raises(kind, match=r"read\(.* of the file gave"):
        winnow.read(Wrong())


@pytest.mark.parametrize("file", [None, 5, ["a.warc"], object()])
def test_what_is_no_file_is_named(file):
    with pytest.raises(TypeError, match="file is a path or a file that is open for bytes"):
        winnow.read(file)


def test_a_wacz_file_is_no_stream():
    class Wacz(io.BytesIO):
        name = "a.wacz"
    with pytest.raises(winnow.ArchiveError, match="a.wacz cannot be read from a stream"):
        winnow.read(Wacz(b"PK\x03\x04" + b"\0" * 100))


def test_a_read_may_use_winnow(article, archive):
    class Reads(Dribble):
        def read(self, size):
            assert winnow.extract(article).kept
            with pytest.raises(winnow.ArchiveError):
                winnow.read("/none")
            return super().read(size)
    assert len(list(winnow.read(Reads(archive, 300)))) == 5


def test_threads_read_streams(archive):
    found = []

    def work():
        for _ in range(20):
            found.append(len(urls(winnow.read(Dribble(archive, 200)))))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [5] * 80


def test_a_fifo_is_read_and_closed(archive, tmp_path):
    path = tmp_path / "a.warc.gz"
    os.mkfifo(path)
    files = len(os.listdir("/proc/self/fd"))
    writer = threading.Thread(target=path.write_bytes, args=(archive,))
    writer.start()
    pages = list(winnow.read(path))
    writer.join()
    assert len(pages) == 5 and pages[0].to_dict()["warc_file"] == str(path)
    assert len(os.listdir("/proc/self/fd")) == files


def test_a_forked_process_does_not_read_what_its_parent_reads(archive, tmp_path):
    path = tmp_path / "a.warc.gz"
    path.write_bytes(archive)
    pages = winnow.read(path)
    next(pages)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            next(pages)
        except RuntimeError:
            code = 0 if len(list(winnow.read(path))) == 5 else 2
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0
    assert len(list(pages)) == 4


def test_what_cannot_be_opened_is_an_archive_error(tmp_path):
    path = tmp_path / "socket"
    with socket.socket(socket.AF_UNIX) as s:
        s.bind(str(path))
        with pytest.raises(winnow.ArchiveError, match="socket") as found:
            winnow.read(path)
    assert found.value.errno == errno.ENXIO and found.value.filename == path


def test_standard_input_is_what_it_is(archive, tmp_path):
    path = tmp_path / "a.warc.gz"
    path.write_bytes(archive)
    code = "import winnow; print(*(p.url[-1] for p in winnow.read('-')))"
    with open(path, "rb") as file:
        redirected = subprocess.run([sys.executable, "-c", code], stdin=file, check=True,
                                    stdout=subprocess.PIPE)
    piped = subprocess.run([sys.executable, "-c", code], input=archive, check=True,
                           stdout=subprocess.PIPE)
    assert redirected.stdout == piped.stdout == b"1 2 3 4 5\n"
    closed = subprocess.run(f"exec '{sys.executable}' -c '{code.replace(chr(39), chr(34))}' <&-",
                            shell=True, stderr=subprocess.PIPE)
    assert b"ArchiveError: file=- " in closed.stderr


@pytest.mark.parametrize("begun", [b"", b"WARC/1.1\r\n"])
def test_ctrl_c_ends_waiting_for_standard_input(begun):
    code = ("import winnow\ntry:\n print('reads', flush=True)\n list(winnow.read('-'))\n"
            "except KeyboardInterrupt: print('ended')")
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as child:
        child.stdin.write(begun)
        child.stdin.flush()
        assert child.stdout.readline() == b"reads\n"
        for _ in range(3):  # one that comes just before read(2) is not seen by it
            child.send_signal(signal.SIGINT)
            try:
                child.wait(20)
                break
            except subprocess.TimeoutExpired:
                pass
        child.kill()
        assert child.stdout.read() == b"ended\n"
