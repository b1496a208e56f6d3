"""The rules by which Perfetto's trace processor takes a file in Chrome's trace format: what it would drop or count as
an error is a failed assertion here. From the format's description ("Trace Event Format", Google) and the processor's JSON
importer: events are objects with a known phase; complete events have a name, a process, a thread, a time and a duration
from 0 on; slices of one thread lie beside or within each other, never partly over each other; and whatever has slices
has a name.
"""

import math

# Names of metadata events, and of their argument.
METADATA = {
    "process_name": "name",
    "thread_name": "name",
    "process_sort_index": "sort_index",
    "thread_sort_index": "sort_index",
}


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def check(document):
    """Of a whole document, as json.load() gives it. Returns its slices by (process name, thread name)."""
    assert isinstance(document["traceEvents"], list)
    assert document.get("displayTimeUnit", "ms") in ("ms", "ns")
    processes, threads, slices, last = {}, {}, {}, -math.inf
    for event in document["traceEvents"]:
        assert event["ph"] in ("M", "X"), event
        assert isinstance(event["name"], str) and event["name"], event
        assert type(event["pid"]) is int and event["pid"] > 0, event
        assert isinstance(event.get("args", {}), dict), event
        if event["ph"] == "M":
            check_metadata(event, processes, threads)
            continue
        assert type(event["tid"]) is int and event["tid"] != event["pid"], event
        assert isinstance(event["cat"], str), event
        assert is_number(event["ts"]) and event["ts"] >= 0, event
        assert is_number(event["dur"]) and event["dur"] >= 0, event
        assert event["ts"] >= last, event
        last = event["ts"]
        assert (event["pid"], event["tid"]) in threads, event
        slices.setdefault((event["pid"], event["tid"]), []).append(event)
    assert len({tid for _, tid in threads}) == len(threads), "two processes have a thread of one number"
    for (pid, tid), of_thread in slices.items():
        check_nesting(of_thread)
    return {(processes[pid], threads[pid, tid]): of_thread for (pid, tid), of_thread in slices.items()}


def check_metadata(event, processes, threads):
    argument = event["args"][METADATA[event["name"]]]
    if event["name"].endswith("_sort_index"):
        assert type(argument) is int, event
        return
    assert isinstance(argument, str) and argument, event
    if event["name"] == "process_name":
        assert event["pid"] not in processes, f"a second name: {event}"
        processes[event["pid"]] = argument
    else:
        assert event["pid"] in processes, event
        assert (event["pid"], event["tid"]) not in threads, f"a second name: {event}"
        threads[event["pid"], event["tid"]] = argument


def check_nesting(slices):
    """In the order of the file: a slice that begins in another one ends in it."""
    around = []
    for one in slices:
        while around and around[-1]["ts"] + around[-1]["dur"] <= one["ts"]:
            around.pop()
        if around:
            assert one["ts"] + one["dur"] <= around[-1]["ts"] + around[-1]["dur"], (around[-1], one)
        around.append(one)
