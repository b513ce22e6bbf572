"""Prints each event of the stream, or each step of following swaps, as a line of JSON."""

import json
import sys

from stockpools import Client

url, what = sys.argv[1:3]
client = Client(url)
if what == "stream":
    for event in client.stream():
        print(json.dumps({"topic": event.topic, "data": event.data, "id": event.id}), flush=True)
else:
    for step in client.follow_swaps(from_ts=int(sys.argv[3])):
        place = None if step.swap is None else [step.swap["txHash"], step.swap["logIndex"]]
        print(json.dumps({"swap": place, "afterBlock": step.after_block}), flush=True)
