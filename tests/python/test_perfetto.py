"""The picture of instructions over time is one that Perfetto opens, and shows what was recorded."""

import gzip
import json
import os
import subprocess

import pandas
import pytest

import tessera
import trace_event_rules
from tessera import perfetto
from tessera.records import STAGES


def instructions(rows):
    """Of (slot, counter, unit, stages)."""
    table = pandas.DataFrame(
        [
            {"slot": slot, "counter": counter, "unit": unit} | {stage: stages.get(stage, pandas.NA) for stage in STAGES}
            for slot, counter, unit, stages in rows
        ]
    ).assign(frame=0, workload=0, core_kind="fragment_processor", core=1, program=4, threads=3)
    return table.astype({stage: "Int64" for stage in STAGES})


def test_instructions_of_a_slot_lie_on_as_many_tracks_as_overlap():
    table = instructions(
        [
            (0, 0, "texture", {"issued": 10, "executed": 10, "retired": 50}),
            (0, 1, "alu", {"issued": 12, "executed": 13, "retired": 16}),
            (0, 2, "alu", {"issued": 16, "executed": 16, "retired": 20}),
            (2, 0, "alu", {"issued": 11, "executed": 11, "retired": 15}),
            (2, 1, "control", {"issued": 15}),
        ]
    )
    slices = trace_event_rules.check({"traceEvents": perfetto.trace_events(table)})
    core = "fragment_processor 1"
    of = {name: [(one["name"], one["ts"], one["dur"]) for one in found] for (_, name), found in slices.items()}
    assert {process for process, _ in slices} == {core}
    assert of == {
        "slot 0": [("program 4: 0", 10, 40), ("executed", 10, 40)],
        "slot 0 (2)": [
            ("program 4: 1", 12, 4), ("issued", 12, 1), ("executed", 13, 3), ("program 4: 2", 16, 4), ("executed", 16, 4),
        ],
        "slot 2": [("program 4: 0", 11, 4), ("executed", 11, 4), ("program 4: 1", 15, 0)],
        "unit alu": [("program 4: 0", 11, 4), ("program 4: 2", 16, 4)],
        "unit alu (2)": [("program 4: 1", 13, 3)],
        "unit texture": [("program 4: 0", 10, 40)],
    }  # fmt: skip
    first = slices[core, "slot 0"][0]
    assert first["args"] == {
        "unit": "texture", "frame": 0, "program": 4, "counter": 0, "threads": 3,
        "issued": 10, "executed": 10, "retired": 50,
    }  # fmt: skip


@pytest.mark.parametrize(
    "events",
    [
        [{"ts": 0, "dur": 5}, {"ts": 3, "dur": 5}],  # partly over each other
        [{"ts": 4, "dur": 1}, {"ts": 3, "dur": 1}],  # backwards
        [{"ts": 4, "dur": -1}],
        [{"ts": float("nan"), "dur": 1}],
        [{"ts": 4, "dur": 1, "tid": 8}],  # without a name
        [{"ts": 4, "dur": 1, "ph": "B"}],
    ],
)
def test_the_rules_find_what_is_wrong(events):
    header = [
        {"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "core"}},
        {"ph": "M", "name": "thread_name", "pid": 1, "tid": 7, "args": {"name": "slot"}},
    ]
    complete = [{"ph": "X", "name": "a", "cat": "b", "pid": 1, "tid": 7} | event for event in events]
    with pytest.raises(AssertionError):
        trace_event_rules.check({"traceEvents": header + complete})


@pytest.fixture(scope="session", params=["in_order", "collector", "baseline", "squash"])
def run(request, sample, tmp_path_factory):
    output = tmp_path_factory.mktemp("pipelines") / request.param
    settings = [f"fragment_processor.pipeline={request.param}"]
    settings += ["observe.pipeline_cores=2", "observe.pipeline_to=100000"]
    subprocess.run(
        [os.environ["TESSERA_PROGRAM"], "run", "bifrost32", sample.graphics, "-o", output, "--threads", "1"]
        + [word for setting in settings for word in ("--set", setting)],
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    return output


def test_a_run_becomes_a_file_that_keeps_the_rules(run, sample, tmp_path):
    for name in ("trace.json", "trace.json.gz"):
        assert perfetto.main([str(run), "-o", str(tmp_path / name), "--trace", str(sample.graphics)]) == 0
    text = (tmp_path / "trace.json").read_bytes()
    assert gzip.decompress((tmp_path / "trace.json.gz").read_bytes()) == text
    document = json.loads(text)
    slices = trace_event_rules.check(document)
    recorded = tessera.open(run).instructions()
    on_slots = [one for (_, track), found in slices.items() if track.startswith("slot ") for one in found]
    assert sum(one["cat"] == "instruction" for one in on_slots) == len(recorded)
    on_units = [one for (_, track), found in slices.items() if track.startswith("unit ") for one in found]
    assert len(on_units) == (recorded.executed.notna() & recorded.retired.notna()).sum()
    assert {process for process, _ in slices} == {
        f"{kind} {core}" for kind, core in zip(recorded.core_kind, recorded.core)
    }
    assert document["otherData"]["digest"] == tessera.open(run).digest
    with tessera.open_trace(sample.graphics) as trace:
        names = {name for program in recorded.program.unique() for name in trace.instructions(program).opcode}
    assert {one["name"] for one in on_slots if one["cat"] == "instruction"} <= names


def test_stages_of_an_instruction_follow_one_another(run):
    instructions = tessera.open(run).instructions()
    for row in instructions[STAGES].itertuples(index=False):
        times = [time for time in row if time is not pandas.NA]
        assert times == sorted(times)
    assert instructions[["issued", "executed"]].notna().all(axis=None)
    assert instructions.retired[instructions.unit != "texture"].notna().all()


def test_a_run_without_instructions_is_told(sample, tmp_path, capsys):
    assert perfetto.main([str(sample.results), "-o", str(tmp_path / "trace.json")]) == 2
    assert "observe.pipeline_cores" in capsys.readouterr().err
    assert perfetto.main([str(sample.observed), "-o", str(tmp_path / "trace.json"), "--frame", "99"]) == 2
    assert "found 99; there are 3" in capsys.readouterr().err
