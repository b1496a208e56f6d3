"""What a frame costs on an OLED display, whose pixels light up by themselves: dark pictures need less.

    import tessera
    from tessera import display
    picture = tessera.open_trace("game.h5").frame(0).image()
    display.power(picture)                      # mW by part: panel, red, green, blue, mixed; their sum is the power
    display.energy(picture, seconds=1 / 60)     # mJ while it is shown

Dong, Choi and Zhong ("Power modeling of graphical user interfaces on OLED displays", DAC 2009; the model of TEAPOT,
paper 002, section 2.2): P = C + sum over pixels of f(R) + h(G) + k(B), each near linear in the light of its colour. The
coefficients they measured are not open, so those of PowerTutor (getScreenPixPower.cpp, constants of the Nexus One
"passion") are used, in two forms: as PowerTutor has it, with squares of colours and a term of all three,

    P = 365 mW + brightness * N * mean over pixels of (rc R^2 + gc G^2 + bc B^2 - mc (R + G + B)^2)

and in Dong's form, with light as sRGB defines it in place of the squares and nothing for the mixture.
"""

import dataclasses

import numpy
import pandas


@dataclasses.dataclass(frozen=True)
class Panel:
    """A display. Coefficients are of colours from 0 to 1, at one step of brightness and of one pixel."""

    pixels: int = 480 * 800  # of the panel, over which a picture of any size is spread
    brightness: int = 255  # 0 to 255
    panel_mw: float = 365.0  # whatever is shown
    red_mw: float = 3.0647e-6
    green_mw: float = 4.4799e-6
    blue_mw: float = 6.4045e-6
    mixed_mw: float = 1.7582e-6 / 9  # taken off for (R + G + B)^2
    light: str = "square"  # of a colour: "square" (PowerTutor) or "srgb" (IEC 61966-2-1)

    def __post_init__(self) -> None:
        if self.light not in ("square", "srgb"):
            raise ValueError(f"light: expected 'square' or 'srgb', found '{self.light}'")
        if not 0 <= self.brightness <= 255:
            raise ValueError(f"brightness: expected 0 to 255, found {self.brightness}")
        if self.pixels < 1:
            raise ValueError(f"pixels: expected a number of at least 1, found {self.pixels}")
        for name in ("panel_mw", "red_mw", "green_mw", "blue_mw", "mixed_mw"):
            if not getattr(self, name) >= 0:
                raise ValueError(f"{name}: expected a number of at least 0, found {getattr(self, name)}")


NEXUS_ONE = Panel()
NEXUS_ONE_LINEAR = Panel(mixed_mw=0.0, light="srgb")


def power(picture: numpy.ndarray, panel: Panel = NEXUS_ONE) -> pandas.Series:
    """Milliwatts while the picture is shown: panel, red, green, blue, and mixed (below 0). `picture`: [row, column,
    colour] of 0 to 255, as Frame.image() gives it. Raises ValueError if it is not."""
    if not isinstance(picture, numpy.ndarray):
        raise TypeError(f"picture: expected what Frame.image() gives, found {type(picture).__name__}")
    if picture.ndim != 3 or picture.shape[2] < 3 or picture.size == 0 or picture.dtype != numpy.uint8:
        raise ValueError(f"picture: expected [row, column, 3] of 0 to 255, found {picture.shape} of {picture.dtype}")
    colour = picture[..., :3].reshape(-1, 3) / 255.0
    if panel.light == "srgb":
        light = numpy.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)
    else:
        light = colour**2
    all_pixels = panel.brightness * panel.pixels
    red, green, blue = light.mean(axis=0) * all_pixels * (panel.red_mw, panel.green_mw, panel.blue_mw)
    mixed = -panel.mixed_mw * all_pixels * float((colour.sum(axis=1) ** 2).mean()) if panel.mixed_mw else 0.0
    return pandas.Series({"panel": panel.panel_mw, "red": red, "green": green, "blue": blue, "mixed": mixed})


def energy(picture: numpy.ndarray, seconds: float, panel: Panel = NEXUS_ONE) -> float:
    """Millijoules of a picture that is shown for so many seconds."""
    if not seconds >= 0:
        raise ValueError(f"seconds: expected a time of at least 0, found {seconds}")
    return float(power(picture, panel).sum()) * seconds
