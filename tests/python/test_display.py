"""Energy of an OLED display: closed forms."""

import numpy
import pytest

from tessera import display


def plain(red, green, blue):
    return numpy.full((6, 8, 3), (red, green, blue), numpy.uint8)


def test_black_costs_what_the_panel_costs():
    assert display.power(plain(0, 0, 0)).sum() == 365
    assert display.energy(plain(0, 0, 0), 1 / 60) == pytest.approx(365 / 60)


def test_full_colours_cost_their_coefficients():
    pixels = 255 * 480 * 800
    assert display.power(plain(255, 0, 0)).red == pytest.approx(3.0647e-6 * pixels)
    white = display.power(plain(255, 255, 255))
    assert white.sum() == pytest.approx(365 + (3.0647e-6 + 4.4799e-6 + 6.4045e-6 - 1.7582e-6) * pixels)
    assert display.power(plain(0, 102, 0)).green == pytest.approx(0.16 * 4.4799e-6 * pixels)


def test_the_linear_form_goes_by_light():
    half = display.power(plain(0, 0, 188), display.NEXUS_ONE_LINEAR)  # sRGB 188 has half the light
    full = display.power(plain(0, 0, 255), display.NEXUS_ONE_LINEAR)
    assert half.blue / full.blue == pytest.approx(0.5029, abs=1e-4)
    assert full.mixed == 0


def test_the_size_of_the_picture_does_not_matter_but_brightness_does():
    large = numpy.tile(plain(10, 200, 30), (5, 3, 1))
    assert display.power(large).sum() == pytest.approx(display.power(plain(10, 200, 30)).sum())
    dim = display.power(large, display.Panel(brightness=51))
    assert dim.green == pytest.approx(display.power(large).green / 5)


def test_what_is_no_picture_is_told():
    with pytest.raises(ValueError, match="expected \\[row, column, 3\\] of 0 to 255"):
        display.power(numpy.zeros((4, 4)))
    with pytest.raises(ValueError, match="expected 'square' or 'srgb'"):
        display.Panel(light="cubic")


def test_displays_that_cannot_be_are_refused():
    for wrong, said in [({"brightness": 256}, "0 to 255, found 256"), ({"pixels": 0}, "at least 1, found 0"),
                        ({"red_mw": -1.0}, "red_mw: expected a number of at least 0"),
                        ({"panel_mw": float("nan")}, "panel_mw")]:
        with pytest.raises(ValueError, match=said):
            display.Panel(**wrong)
    picture = numpy.zeros((2, 2, 3), numpy.uint8)
    with pytest.raises(ValueError, match="seconds: expected a time of at least 0, found -1"):
        display.energy(picture, -1)
    with pytest.raises(ValueError, match="picture: expected"):
        display.power(picture[:0])
