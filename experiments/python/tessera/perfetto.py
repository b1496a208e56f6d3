"""Instructions of a run as a picture over time, for ui.perfetto.dev.

    python3 -m tessera.perfetto RUN -o trace.json [--trace GAME.h5] [--frame N]

RUN is the folder of a run with observe.pipeline_cores (or its results.h5). Written is Chrome's trace format, which
ui.perfetto.dev, Perfetto's trace processor and chrome://tracing open; compressed if the name ends in .gz. A microsecond
there is a cycle of the GPU clock, counted from the beginning of the workload.

A core is a process with a track for every warp slot and every kind of unit. A slot's slices are its instructions, from
their first stage to the last, and in them the time after each stage; those of a unit are the instructions that it
executes, until their results are there. Several at once lie on several tracks, "slot 3", "slot 3 (2)". With the frame
trace that was run, slices are named by the text of the instruction.
"""

import argparse
import gzip
import json
import pathlib
import sys

from .command import one_line
from .names import position_of
from .records import STAGES
from .results import open_results, results_of

FIRST_TRACK = 1000  # a thread with the number of its process would be taken for its main thread


def lanes(slices):
    """Distributes (begin, end, ...) over as few lanes as possible on which none overlap: a list of them by lane.

    A slice goes to the first lane that is free when it begins; so equal input gives equal lanes.
    """
    found = []
    for one in sorted(slices, key=lambda one: one[:2]):
        lane = next((lane for lane in found if lane[-1][1] <= one[0]), None)
        if lane is None:
            lane = []
            found.append(lane)
        lane.append(one)
    return found


def _steps(row):
    """The stages that an instruction went through, and when, in this order."""
    return [(stage, int(row[stage])) for stage in STAGES if row[stage] is not None]


def _complete(name, category, pid, tid, begin, end, **arguments):
    event = {"ph": "X", "name": name, "cat": category, "pid": pid, "tid": tid, "ts": begin, "dur": end - begin}
    return event | ({"args": arguments} if arguments else {})


def _slot_slices(row, pid, tid):
    steps = _steps(row)
    arguments = {name: int(row[name]) for name in ("frame", "program", "counter", "threads")} | dict(steps)
    yield _complete(row["name"], "instruction", pid, tid, steps[0][1], steps[-1][1], unit=row["unit"], **arguments)
    for (stage, begin), (_, end) in zip(steps, steps[1:]):
        if end > begin:
            yield _complete(stage, "stage", pid, tid, begin, end)


def _unit_slices(row, pid, tid):
    yield _complete(row["name"], "unit", pid, tid, row["executed"], row["retired"], slot=int(row["slot"]))


def _groups(rows, key):
    found = {}
    for row in rows:
        found.setdefault(row[key], []).append(row)
    return sorted(found.items())


def trace_events(instructions):
    """Events of Chrome's trace format for a table of Results.instructions()."""
    columns = ["core_kind", "core", "slot", "unit", "frame", "program", "counter", "threads"] + STAGES
    table = instructions[columns].astype(object).where(instructions[columns].notna(), None)
    rows = table.to_dict("records")
    texts = instructions["text"] if "text" in instructions else [None] * len(rows)
    for row, text in zip(rows, texts):
        row["name"] = text if isinstance(text, str) else f"program {row['program']}: {row['counter']}"
        row["core_name"] = (row["core_kind"], row["core"])
    header, events = [], []
    tid = FIRST_TRACK
    for pid, ((kind, core), of_core) in enumerate(_groups(rows, "core_name"), 1):
        header.append({"ph": "M", "name": "process_name", "pid": pid, "args": {"name": f"{kind} {core}"}})
        header.append({"ph": "M", "name": "process_sort_index", "pid": pid, "args": {"sort_index": pid}})
        slots = [(f"slot {slot}", of_slot, _slot_slices) for slot, of_slot in _groups(of_core, "slot")]
        executed = [row for row in of_core if row["executed"] is not None and row["retired"] is not None]
        units = [(f"unit {unit}", of_unit, _unit_slices) for unit, of_unit in _groups(executed, "unit")]
        for name, of_track, slices_of in slots + units:
            spans = []
            for row in of_track:
                steps = _steps(row)
                begin = steps[0][1] if slices_of is _slot_slices else row["executed"]
                spans.append((begin, steps[-1][1], row))
            for number, lane in enumerate(lanes(spans), 1):
                label = name if number == 1 else f"{name} ({number})"
                header.append({"ph": "M", "name": "thread_name", "pid": pid, "tid": tid, "args": {"name": label}})
                header.append(
                    {"ph": "M", "name": "thread_sort_index", "pid": pid, "tid": tid, "args": {"sort_index": tid}}
                )
                for _, _, row in lane:
                    events.extend(slices_of(row, pid, tid))
                tid += 1
    events.sort(key=lambda event: event["ts"])  # stable: an instruction stays before its stages
    return header + events


def export(results, path, trace=None, frame=None):
    """Writes the instructions of a run, or of one of its frames (its position), to a file. Returns how many."""
    results = results_of(results)
    instructions = results.instructions(trace)
    if frame is not None:
        frame = position_of(f"{results.path}: frame", frame, len(results.frames.frame))
        instructions = instructions[instructions.frame == frame]
    if instructions.workload.nunique() > 1:
        raise ValueError(f"{results.path}: is of several workloads, whose times all begin at 0: choose a frame")
    about = {"title": f"instructions of {results.path}", "1 us": "1 cycle of the GPU clock", "digest": results.digest}
    document = {"displayTimeUnit": "ms", "otherData": about, "traceEvents": trace_events(instructions)}
    path = pathlib.Path(path)
    text = json.dumps(document, separators=(",", ":")).encode()
    path.write_bytes(gzip.compress(text, mtime=0) if path.suffix == ".gz" else text)
    return len(instructions)


@one_line("tessera.perfetto")
def main(arguments=None):
    parser = argparse.ArgumentParser(prog="tessera.perfetto", description=__doc__.splitlines()[0])
    parser.add_argument("run", type=pathlib.Path, metavar="RUN", help="folder of a run, or its results.h5")
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True, metavar="FILE", help=".gz: compressed")
    parser.add_argument("--trace", type=pathlib.Path, help="the frame trace that was run: names the instructions")
    parser.add_argument("--frame", type=int, metavar="N", help="position in the results [all frames]")
    given = parser.parse_args(arguments)
    count = export(open_results(given.run), given.output, given.trace, given.frame)
    if count == 0:
        print("tessera.perfetto: no instruction was recorded in that time", file=sys.stderr)
    print(f"{count} instructions in {given.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
