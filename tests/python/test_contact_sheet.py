"""The contact sheet shows what the program found."""

import os
import pathlib

import numpy
import pandas
import pytest

from tessera import contact_sheet

RECORDING = pathlib.Path(os.environ.get("TESSERA_RECORDINGS", "none")) / "es2_build.vtr.zst"


@pytest.fixture
def image():
    return pytest.importorskip("matplotlib.image")


def write_pictures(image, folder, shades):
    for kind, shade in zip(contact_sheet.KINDS, shades):
        (folder / kind).mkdir(parents=True)
        image.imsave(folder / kind / "frame_0002.png", numpy.full((6, 8, 3), shade, numpy.uint8))


def test_the_last_frame_that_has_all_pictures_is_shown(image, tmp_path):
    write_pictures(image, tmp_path, (10, 20, 30))
    image.imsave(tmp_path / "images/frame_0003.png", numpy.zeros((6, 8, 3), numpy.uint8))
    pictures = contact_sheet.last_pictures(tmp_path)
    assert [path.name for path in pictures] == ["frame_0002.png"] * 3
    strip = contact_sheet.side_by_side(pictures)
    assert strip.shape == (6, 3 * 8 + 2 * 4, 3)
    assert (255 * strip[0, [0, 12, 24], 0]).round().tolist() == [10, 20, 30]
    assert contact_sheet.side_by_side(pictures, 4).shape == (3, 3 * 4 + 2 * 4, 3)


def test_what_could_not_be_traced_is_left_out_of_the_sheet(image, tmp_path):
    write_pictures(image, tmp_path / "good", (10, 20, 30))
    row = {"frames": 2, "size": "8x6", "psnr": 50.0, "ssim": 1.0, "largest_difference": 2, "problem": ""}
    rows = [row | {"application": "good"}, row | {"application": "bad", "problem": "error: refused"}]
    shown = contact_sheet.write_sheet(pandas.DataFrame(rows), tmp_path, tmp_path / "sheet.png")
    assert shown == ["good"]
    assert (tmp_path / "sheet.png").stat().st_size > 0
    assert (tmp_path / "good.png").exists() and not (tmp_path / "bad.png").exists()


def test_a_recording_becomes_a_row_and_a_damaged_one_a_problem(image, tmp_path):
    if not RECORDING.exists():
        pytest.skip(f"{RECORDING} is not there")
    broken = tmp_path / "broken.vtr.zst"
    broken.write_bytes(RECORDING.read_bytes()[:-5000])
    tessera = os.environ["TESSERA_PROGRAM"]
    good = [str(RECORDING), "-o", str(tmp_path / "out"), "--tessera", tessera]
    assert contact_sheet.main(good) == 0
    table = pandas.read_csv(tmp_path / "out/table.csv")
    assert table.application.tolist() == ["es2_build"]
    assert table.psnr[0] > 50 and table.frames[0] == 3 and table.bytes_per_quad[0] > 0
    assert (tmp_path / "out/sheet.png").exists() and (tmp_path / "out/es2_build.h5").exists()
    assert contact_sheet.main([str(broken)] + good[1:]) == 1
    assert "broken.vtr.zst" in pandas.read_csv(tmp_path / "out/table.csv").problem[0]
