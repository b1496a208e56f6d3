"""What every page of experiments/papers is put to: made of few points, with all figures and claims."""

import os
import pathlib
import subprocess

from tessera import papers


def make(run: pathlib.Path, folder: pathlib.Path, trace: pathlib.Path) -> str:
    """Makes the page in the folder, or goes on with it. What the script prints."""
    command = [run, "-o", folder, "--quick", "--jobs", "2", trace]
    environment = {**os.environ, "TESSERA": os.environ["TESSERA_PROGRAM"]}
    end = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert end.returncode == 0, end.stderr
    return end.stdout


def expect_figures(output: pathlib.Path, numbers: list[str]) -> None:
    page = (output / "page.md").read_text()
    for number in numbers:
        for ending in ("svg", "png", "csv"):
            assert (output / f"figure_{number}.{ending}").stat().st_size > 0
        assert f"(figure_{number}.svg)" in page


def expect_claims(output: pathlib.Path, paper: str, count: int) -> str:
    """All published claims of the paper, so many. Returns the page."""
    page = (output / "page.md").read_text()
    claims = papers.published(paper)
    assert len(claims) == count
    for name, claim in claims.iterrows():
        assert f"| `{name}`: {claim.metric} | {claim['where']} | {float(claim.value):g} {claim.unit} |" in page
        assert f"### `{name}`: " in page
    return page
