"""Pictures of frames, and where on them the work is."""

import functools

import numpy
import pytest

import tessera
from tessera import figures, frame_map


def by_hand(trace, frame, of_quad):
    """Sums over the quads of every tile, one after the other, of a frame with one pass."""
    return [sum(of_quad(quad) for quad in frame.quads[tile.first_quad : tile.first_quad + tile.quad_count].itertuples())
            for tile in frame.tiles.itertuples()]


def test_tiles_have_the_sums_of_their_quads(sample):
    with tessera.open_trace(sample.trace) as trace:
        frame = trace.frame(0)
        assert len(frame.passes) == 1

        def instructions(quad):
            program = int(frame.draws.fragment_program[frame.primitives.draw[quad.primitive]])
            return len(trace.paths(program)[quad.path]) if quad.shaded else 0

        found = tessera.tile_map(trace, 0, "instructions")
        assert found.values.ravel().tolist() == by_hand(trace, frame, instructions)
        assert found.attrs["units"] == "instruction"
        assert found.dims == ("y", "x") and found.x.values.tolist() == [0, 32]
        quads = tessera.tile_map(trace, 0, "quads")
        assert quads.values.ravel().tolist() == frame.tiles.quad_count.tolist()


def test_texture_blocks_are_those_of_the_paths_of_shaded_quads(sample):
    with tessera.open_trace(sample.trace) as trace:
        frame = trace.frame(0)

        @functools.cache
        def accesses_by_path(program):
            is_texture = (trace.instructions(program)["class"] == "texture").to_numpy()
            return [int(is_texture[path].sum()) for path in trace.paths(program)]

        def blocks(quad):
            program = int(frame.draws.fragment_program[frame.primitives.draw[quad.primitive]])
            accesses = accesses_by_path(program)[quad.path] if quad.shaded else 0
            return int(frame.accesses.block_count[quad.first_access : quad.first_access + accesses].sum())

        found = tessera.tile_map(trace, 0, "texture_blocks")
        assert found.values.ravel().tolist() == by_hand(trace, frame, blocks)


def test_what_a_map_says_is_shaded_a_machine_shades(sample):
    results = tessera.open(sample.results)
    with tessera.open_trace(sample.graphics) as trace:
        for position in range(len(trace)):
            frame = trace.frame(position)
            assert len(frame.passes) == 1
            found = tessera.tile_map(trace, position, "overdraw_visible")
            high, wide = (numpy.minimum(32, size - places.values) for size, places in (
                (found.attrs["height"], found.y), (found.attrs["width"], found.x)))
            threads = float(results["fragment_processor"].threads[position].sum())
            assert float((found.values * numpy.outer(high, wide)).sum()) == pytest.approx(threads)


def test_overdraw_is_of_the_pixels_that_a_tile_has(sample):
    with tessera.open_trace(sample.trace) as trace:
        frame = trace.frame(0)
        width, height = int(frame.presented.width[0]), int(frame.presented.height[0])
        begin = numpy.array([0, 32])
        pixels = numpy.outer(numpy.minimum(32, height - begin), numpy.minimum(32, width - begin))
        fragments = by_hand(trace, frame, lambda quad: bin(quad.shaded).count("1"))
        found = tessera.tile_map(trace, 0)
        numpy.testing.assert_allclose((found.values * pixels).ravel(), fragments)
        assert (tessera.tile_map(trace, 0, "overdraw_visible") <= found).all()


def test_unknown_measures_are_told(sample):
    with tessera.open_trace(sample.trace) as trace, pytest.raises(ValueError, match="expected one of quads, .* found 'x'"):
        tessera.tile_map(trace, 0, "x")


def test_the_picture_of_a_trace_is_that_of_its_run(sample):
    results = tessera.open(sample.results)
    with tessera.open_trace(sample.graphics) as trace:
        picture = trace.frame(1).image()
        assert picture.dtype == numpy.uint8 and picture.shape[2] == 3
        assert (picture == results.image(1)).all()
    drawn = figures.image(picture, "frame 5").axes[0]
    assert drawn.get_title() == "frame 5" and drawn.get_images()[0].get_array().shape == picture.shape


def test_a_picture_that_is_not_there_is_told(sample, tmp_path):
    (tmp_path / "results.h5").write_bytes((sample.results / "results.h5").read_bytes())
    with pytest.raises(tessera.FileError, match="frame_0005.png: there is no picture of the frame"):
        tessera.open(tmp_path).image(1)


def test_maps_are_drawn_with_a_scale_and_its_unit(sample, tmp_path):
    pytest.importorskip("matplotlib")
    with tessera.open_trace(sample.trace) as trace:
        for measure in frame_map.MEASURES:
            figure = figures.heat_map(tessera.tile_map(trace, 0, measure), trace.frame(0).image(), "sample")
            figure.savefig(tmp_path / f"{measure}.png")
            label = figure.axes[-1].get_ylabel()
            assert label.startswith(frame_map.MEASURES[measure][0][:20])
            assert measure.startswith("overdraw") or f"({frame_map.MEASURES[measure][1]})" in label
