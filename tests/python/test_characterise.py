"""The characterisation counts what ran."""

import numpy
import pytest

import tessera
from tessera import characterise


def run_by_hand(trace, instructions, frame):
    """Instructions of a frame's quads, one quad after the other."""
    total = 0
    for quad in frame.quads.itertuples():
        draw = frame.draws.iloc[frame.primitives.draw[quad.primitive]]
        if quad.shaded:
            total += len(trace.paths(int(draw.fragment_program))[quad.path])
    return total


def test_instructions_of_quads_are_those_of_their_paths(sample):
    instructions = characterise.Instructions(sample.trace)
    with tessera.open_trace(sample.trace) as trace:
        for position in range(len(trace)):
            frame = trace.frame(position)
            _, fragment_runs = characterise.runs_of(frame)
            executed = characterise.executed(trace, instructions, fragment_runs)
            assert executed.sum() == run_by_hand(trace, instructions, frame) > 0


def test_one_row_per_application(sample):
    table = characterise.characterise_suite([sample.trace])
    assert table.index.tolist() == ["sample"]
    row = table.loc["sample"]
    assert row.frames == 3
    assert row.programs == 3
    assert row.quads_per_frame > 0
    shares = [row[f"share_{n}_operands"] for n in range(characterise.MOST_OPERANDS + 1)]
    assert sum(shares) == pytest.approx(1)
    assert row.operands_per_instruction == pytest.approx(numpy.dot(shares, range(len(shares))))


def test_workloads_are_described_by_their_titles(sample):
    assert characterise.describe("glmark2-ideas") == "glmark2: ideas"
    assert characterise.describe("sample") == ""


def test_the_table_tells_instructions_of_a_frame_in_millions(sample):
    table = characterise.characterise_suite([sample.trace])
    shown = characterise.application_table(table).loc["sample"]
    assert shown["fragment shader instr. (mill.)"] == table.fragment_instructions_per_frame.iloc[0] / 1e6
    assert shown["vertex shader instr. (mill.)"] == table.vertex_instructions_per_frame.iloc[0] / 1e6


def test_registers_are_counted_once_each(sample):
    instructions = characterise.Instructions(sample.trace)
    registers = set()
    part = instructions.of(1)
    for files, indices, counted in zip(
        instructions.file[part], instructions.index[part], instructions.register[part]
    ):
        registers |= {(f, i) for f, i, c in zip(files, indices, counted) if c}
    assert instructions.registers(1) == len(registers)


def test_a_table_and_figures_are_written(sample, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    assert characterise.main([str(sample.trace), "-o", str(tmp_path / "new")]) == 0
    written = sorted(path.name for path in (tmp_path / "new").iterdir())
    figures = [f"figure_4.{n}.{ending}" for n in range(1, 6) for ending in ("csv", "png", "svg")]
    assert written == ["applications.csv", *figures]
    printed = capsys.readouterr().out
    assert "sample" in printed and "fragment shader instr. (mill.)" in printed


def test_a_missing_trace_is_a_usage_error(tmp_path, capsys):
    with pytest.raises(SystemExit) as end:
        characterise.main([str(tmp_path / "none.h5"), "-o", str(tmp_path)])
    assert end.value.code == 2
    assert "none.h5: no such file" in capsys.readouterr().err
