"""The Python package decodes what the C++ writer encoded."""

import numpy
import pytest

import tessera
from tessera.trace import unzigzag


def test_zigzag_is_undone():
    assert unzigzag(numpy.array([0, 1, 2, 3], numpy.uint8)).tolist() == [0, 255, 1, 254]


@pytest.mark.parametrize("position", [0, 1, 2])
def test_every_code_is_undone(sample, position):
    expected = sample.expected[position]
    frame = tessera.open_trace(sample.trace).frame(position)
    assert frame.number == expected["number"]
    for name, values in expected.items():
        if name == "number":
            continue
        table, _, column = name.partition(".")
        decoded = getattr(frame, table)
        if column:
            decoded = decoded[column].to_numpy()
        assert decoded.tolist() == values, name


def test_what_a_trace_says_of_itself(sample):
    with tessera.open_trace(sample.trace) as trace:
        assert len(trace) == 3
        assert len(trace.digest) == 32
        assert trace.frame(-1).number == 6
        assert trace.frame(0).png.startswith(b"\x89PNG")
        assert trace.frame(0).image_psnr == 51.25
        assert trace.frame(0).image_ssim == 0.9875
        with pytest.raises(IndexError, match="frame: expected a position, found 3; there are 3, at 0 to 2"):
            trace.frame(3)
        with pytest.raises(ValueError, match="has no frame with the number 7, only 4 to 6"):
            trace.digest_of([4, 7])
        with pytest.raises(AttributeError):
            trace.frame(0).quadss


def test_programs_and_their_paths(sample):
    trace = tessera.open_trace(sample.trace)
    assert trace.programs.stage.tolist() == ["vertex", "fragment", "compute"]
    assert trace.programs.text[1] == "FRAG µ"
    assert [path.tolist() for path in trace.paths(1)] == [[0, 1, 2], [0, 1]]
    assert [lanes.tolist() for lanes in trace.path_lanes(1)] == [[15, 15, 15], [15, 6]]
    assert trace.path_lanes(2)[1].tolist() == [0xFFFF, 0xFFFF, 0xFF, 0xFFFF, 0xFFFF]


def test_instructions_with_class_swizzle_and_dependence(sample):
    instructions = tessera.open_trace(sample.trace).instructions(0)
    assert instructions.opcode.tolist() == ["MOV", "TEX", "MOV"]
    assert instructions["class"].tolist() == ["float", "texture", "float"]
    assert instructions.dependent.tolist() == [False, True, False]
    assert instructions.texture_unit.tolist() == [-1, 1, -1]
    assert instructions.source_0.tolist()[0] == "constant"
    assert instructions.source_0_swizzle.tolist()[0] == "wzyx"
    assert instructions.destination_swizzle.tolist() == ["xyzw"] * 3


def test_addresses_of_threads(sample):
    frame = tessera.open_trace(sample.trace).frame(0)
    base = int(frame.memory_accesses.base[0])
    assert frame.thread_addresses_of(0) == {thread: base + 4 * thread for thread in range(32)}
    assert frame.thread_addresses_of(5) == {thread: 0x200000 + 16 * thread * thread for thread in range(16)}
    assert tessera.trace.SPACES[frame.memory_accesses.space[1]] == "shared"
    assert tessera.trace.OPERATIONS[frame.memory_accesses.operation[1]] == "atomic"


def test_names_of_numbers(sample):
    frame = tessera.open_trace(sample.trace).frame(0)
    assert set(frame.accesses["filter"]) <= set(range(len(tessera.trace.FILTERS)))
    assert [tessera.trace.STAGES[stage] for stage in frame.constants.stage[:2]] == ["vertex", "fragment"]
    for table in frame.tables:
        assert len(getattr(frame, table)) > 0, table


def test_programs_that_are_not_there_are_refused(sample):
    with tessera.open_trace(sample.trace) as trace:
        count = len(trace.programs)
        for of in (trace.instructions, trace.paths, trace.path_lanes):
            assert len(of(-1)) == len(of(count - 1))
            with pytest.raises(IndexError, match=f"program: expected a position, found {count}; there are {count}"):
                of(count)


def test_lanes_that_a_machine_shades(sample):
    with tessera.open_trace(sample.trace) as trace:
        frame = trace.frame(0)
        quads = frame.quads
        assert (quads.shaded != quads.early_pass).any() and (quads.shaded & ~quads.visible).any()
        assert frame.shaded_lanes().tolist() == quads.shaded.tolist()
        assert frame.shaded_lanes(hidden_surface_removal=True).tolist() == (quads.shaded & quads.visible).tolist()
        drawn = numpy.flatnonzero(frame.draws.early_depth)[0]
        frame.draws.loc[drawn, "colour_mask"] = 0  # depth alone is wanted
        of_it = frame.draw_of_quads() == drawn
        assert of_it.any() and (frame.shaded_lanes()[of_it] == 0).all()
        assert frame.shaded_lanes()[~of_it].tolist() == quads.shaded[~of_it].tolist()
