"""json_load.py -- run by json_readers.py in an environment that has Hugging
Face datasets and pyarrow: load all shards of a folder as a user would.

usage: json_load.py PRESET FOLDER CACHE
"""
import glob
import json
import os
import re
import sys

preset, folder, cache = sys.argv[1:]
os.environ["HF_HOME"] = cache
os.environ["HF_DATASETS_OFFLINE"] = os.environ["HF_HUB_OFFLINE"] = "1"

import datasets  # noqa: E402
import pyarrow  # noqa: E402
import pyarrow.dataset  # noqa: E402
import pyarrow.json  # noqa: E402

ISO = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|[+-]\d\d:\d\d)?$")
DATES = {"date", "timestamp", "added", "created", "warc-date"}
TEXT = "content" if preset == "oscar" else "text"
# What these two publish of their own types; ours must fit.
string, real, whole = (datasets.Value(t) for t in ("string", "float64", "int64"))
found = {"label": string, "prob": real}
PUBLISHED = {
    "fineweb": {"text": string, "id": string, "dump": string, "url": string,
                "date": string, "file_path": string, "language": string,
                "language_score": real, "token_count": whole},
    "oscar": {"content": string, "warc_headers": {
        "warc-type": string, "warc-record-id": string, "warc-refers-to": string,
        "warc-target-uri": string, "warc-date": string, "content-type": string,
        "content-length": whole, "warc-identified-content-language": string},
        "metadata": {"identification": found, "harmful_pp": real, "tlsh": string,
                     "quality_warnings": datasets.List(string),
                     "categories": datasets.List(string),
                     "sentence_identifications": datasets.List(found),
                     "reject": string}},
}


def dates_and_reals(value, key=""):
    if isinstance(value, dict):
        for k, v in value.items():
            dates_and_reals(v, k)
    elif key in DATES:
        assert value == "" or ISO.match(value), (key, value)
    elif key.startswith("badness") or key in ("prob", "language_score",
                                              "boilerplate_mean"):
        assert isinstance(value, float), (key, value)


shards = sorted(glob.glob(os.path.join(folder, "*.jsonl")))
records = []
for shard in shards:
    with open(shard, encoding="utf-8") as f:
        records += [json.loads(line) for line in f]
for record in records:
    dates_and_reals(record)
assert len({tuple(r) for r in records}) == 1, "records have different fields"

# One schema, whichever file is looked at, in any order; with big blocks, as
# pages are larger than Arrow's own 1 MiB now and then.
block = pyarrow.json.ReadOptions(block_size=16 << 20)
tables = [pyarrow.json.read_json(s, read_options=block) for s in shards]
for shard, table in zip(shards, tables):
    assert table.schema == tables[0].schema, (shard, table.schema)
assert pyarrow.concat_tables(tables).num_rows == len(records)
for field in tables[0].schema:
    assert not pyarrow.types.is_timestamp(field.type), field
    assert not pyarrow.types.is_null(field.type), field

for files, features in ((shards, None), (shards[::-1], None),
                        (shards, PUBLISHED.get(preset))):
    loaded = datasets.load_dataset(
        "json", data_files=files, split="train", cache_dir=cache,
        features=features and datasets.Features(features))
    assert loaded.num_rows == len(records), loaded.num_rows
    assert {r[TEXT] for r in loaded.select_columns([TEXT])} == {
        r[TEXT] for r in records}
print("%s: %d documents of %d shards" % (preset, len(records), len(shards)))
