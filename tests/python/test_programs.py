"""What shader programs cost adds up to what the cores did."""

import pytest

import tessera

STATES = ["issue", "dependency", "texture", "texture_unit", "fetch", "finish", "pipeline"]


def test_programs_add_up_to_the_counters_of_the_cores(sample):
    results = tessera.open(sample.results)
    programs = results.programs()
    assert len(programs) > 0
    assert not programs.duplicated(["frame", "core_kind", "program"]).any()
    for kind, of_kind in programs.groupby("core_kind", observed=False):
        by_frame = of_kind.groupby("frame").sum(numeric_only=True).reindex(results.frames.frame.values, fill_value=0)
        cores = results[kind].sum(kind)
        for column in ("warps", "threads", "warp_instructions", "thread_instructions"):
            assert by_frame[column].tolist() == cores[column].values.tolist()
        assert by_frame.texture_accesses.tolist() == results[f"{kind}_texture_unit"].accesses.sum(
            f"{kind}_texture_unit"
        ).values.tolist()
        for state in STATES:
            assert by_frame[f"cycles_{state}"].tolist() == cores[f"cycles_{state}"].values.tolist()
    assert (programs.cycles == programs[[f"cycles_{state}" for state in STATES]].sum(axis=1)).all()


def test_programs_have_units_and_the_text_of_the_trace(sample):
    results = tessera.open(sample.results)
    programs = results.programs(sample.graphics)
    for column in programs.columns.drop(["workload", "stage", "text"]):
        assert programs.attrs["units"][column] in ("1", "cycle")
        assert programs.attrs["long_name"][column]
    assert programs.attrs["units"]["cycles_texture"] == "cycle"
    assert set(programs.stage) <= {"vertex", "fragment"}
    assert (programs.stage[programs.core_kind == "vertex_processor"] == "vertex").all()
    with tessera.open_trace(sample.graphics) as trace:
        assert programs.text[0] == trace.programs.text[programs.program[0]]


def test_programs_of_another_trace_are_refused(sample):
    results = tessera.open(sample.results)
    with tessera.open_trace(sample.graphics) as trace:
        assert trace.digest_of(results.frames.number.values) == results.workloads.trace_digest.values[0]
    with pytest.raises(ValueError, match="is of another trace"):
        results.programs(sample.trace)  # of the same frames, which have kernels there


def test_observation_changes_nothing_of_programs(sample):
    assert tessera.open(sample.results).programs().equals(tessera.open(sample.observed).programs())


def test_instructions_are_those_that_were_issued(sample):
    results = tessera.open(sample.observed)
    instructions = results.instructions(sample.graphics)
    assert len(instructions) > 0
    for kind, of_kind in instructions.groupby("core_kind", observed=False):
        counted = results[kind].isel({kind: slice(0, 2)}).sum(kind)
        by_frame = of_kind.groupby("frame")
        frames = results.frames.frame.values
        assert by_frame.size().reindex(frames, fill_value=0).tolist() == counted.warp_instructions.values.tolist()
        threads = by_frame.threads.sum().reindex(frames, fill_value=0)
        assert threads.tolist() == counted.thread_instructions.values.tolist()
        assert of_kind.core.max() <= 1
    assert instructions.attrs["units"]["retired"] == "cycle"
    assert instructions.fetched.isna().all()  # the pipeline has no such stage
    assert (instructions.issued <= instructions.retired).all()
    with tessera.open_trace(sample.graphics) as trace:  # whose programs have no text
        for row in instructions.itertuples():
            assert row.text == trace.instructions(row.program).opcode[row.counter]
    assert (instructions.text[instructions.unit == "texture"].str.startswith("T")).all()


def test_instructions_are_named_by_their_lines_of_the_text(sample):
    class Named(tessera.Trace):
        def __init__(self, trace):
            self.trace = trace
            self.instructions, self.digest_of = trace.instructions, trace.digest_of

        @property
        def programs(self):
            lines = [f"{position}:   OP{position} TEMP[0]" for position in range(1, 3)]
            return self.trace.programs.assign(text="\n".join(["FRAG", "DCL IN[0]", *lines]))

    with tessera.open_trace(sample.graphics) as trace:
        instructions = tessera.open(sample.observed).instructions(Named(trace))
        assert set(instructions.text[instructions.counter == 1]) == {"OP1 TEMP[0]"}
        row = instructions[instructions.counter == 0].iloc[0]
        assert row.text == trace.instructions(row.program).opcode[0]


def test_a_trace_with_fewer_programs_is_refused(sample):
    results = tessera.open(sample.observed)

    class Other(tessera.Trace):
        def __init__(self):
            pass

        programs = tessera.open_trace(sample.graphics).programs.iloc[:1]
        digest_of = tessera.open_trace(sample.graphics).digest_of

    with pytest.raises(ValueError, match="the trace only 1 programs"):
        results.instructions(Other())
