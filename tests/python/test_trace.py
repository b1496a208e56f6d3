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
        with pytest.raises(IndexError):
            trace.frame(3)
        with pytest.raises(AttributeError):
            trace.frame(0).quadss


def test_programs_and_their_paths(sample):
    trace = tessera.open_trace(sample.trace)
    assert trace.programs.stage.tolist() == ["vertex", "fragment"]
    assert trace.programs.text[1] == "FRAG µ"
    assert [path.tolist() for path in trace.paths(1)] == [[0, 1, 2], [0, 1]]
