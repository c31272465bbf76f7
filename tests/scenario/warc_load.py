"""warc_load.py -- run by warc_readers.py in an environment that has warcio and
FastWARC: what their users see of a WARC file.

usage: warc_load.py FILE... ; one line of JSON a file.  warcio does not read zstd:
it gets the text of such files.
"""
import io
import json
import sys

from fastwarc.warc import ArchiveIterator as FastIterator
from fastwarc.warc import WarcRecordType
from warcio.archiveiterator import ArchiveIterator

import zstd_read


def text(path):
    if path.endswith(".zst"):
        return io.BytesIO(zstd_read.text(path))
    return open(path, "rb")


for path in sys.argv[1:]:
    with text(path) as f:
        records = []
        for record in ArchiveIterator(f):
            records.append({"headers": record.rec_headers.headers,
                            "text": record.content_stream().read().decode(
                                "utf-8", "replace")})
    fast = []
    for record in FastIterator(open(path, "rb"), record_types=WarcRecordType.any_type,
                               parse_http=False):
        fast.append([record.record_id, record.verify_block_digest()])
    print(json.dumps({"path": path, "records": records, "fast": fast}))
