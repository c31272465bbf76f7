#!/usr/bin/env python3
"""subscribe.py -- how any program reads what `winnow publish` sends: one JSON
line for each message.  Needs pynng (pip install pynng), nothing of Winnow.

usage: subscribe.py URL [TOPIC ...]
"""
import hashlib
import json
import sys

import pynng

url, topics = sys.argv[1], sys.argv[2:] or [""]
with pynng.Sub0(dial=url, topics=topics, recv_buffer_size=1024) as subscriber:
    while True:
        head, _, record = subscriber.recv().partition(b"\n")
        topic, number, file, at, size, document = head.decode().split(" ")
        print(json.dumps({"topic": topic, "number": int(number), "id": document,
                          "file": file, "at": int(at), "size": int(size),
                          "md5": hashlib.md5(record).hexdigest()}), flush=True)
