"""Energy of the baseline of paper 004 beside what it prints. See README.md.

    energy.py -o DIR RUN...        folders of `tessera run`, priced by `tessera energy`
"""

import argparse
import pathlib

import pandas

import tessera
from tessera import energy, figures, papers

CLAIM = "nuca.fragment_power_share"
CORES = "fragment processors"
# Horowitz, ISSCC 2014, figure 1.1.9: an access of 64 bits to DRAM, 1.3 to 2.6 nJ.
PUBLIC_PJ_PER_BIT = (1300 / 64, 2600 / 64)


def components(runs: dict[str, tessera.Results]) -> pandas.DataFrame:
    """Shares of the GPU's energy (typical): a row a run."""
    return pandas.DataFrame({name: energy.shares(results.energy()) for name, results in runs.items()}).T.fillna(0)


def facts(runs: dict[str, tessera.Results]) -> pandas.DataFrame:
    """What else is said of every run: the ends of the share, what it is made of, what memory costs a bit moved."""
    rows = {}
    for name, results in runs.items():
        parts = results.energy()
        shares = [energy.shares(parts, figure=figure)[CORES] for figure in energy.FIGURES]
        causes = parts[parts.component == CORES].groupby("cause").typical_pJ.sum()
        instructions = results["fragment_processor"].warp_instructions.sum()
        memory = parts[parts.part == "memory"]
        bits = 8 * float(results.dram_bytes().sum())
        rows[name] = {
            "least_share": min(shares),
            "most_share": max(shares),
            "leakage_and_clock": causes.reindex(["leakage", "clock"]).sum() / causes.sum(),
            "instructions_per_cycle": float(instructions / results.frames.cycles.sum()),
            **{f"memory_{figure}_per_bit": memory[figure].sum() / bits for figure in energy.FIGURES},
        }
    return pandas.DataFrame(rows).T


def page(shares: pandas.DataFrame, found: pandas.DataFrame) -> str:
    published = papers.published("004").loc[CLAIM]
    table = pandas.DataFrame(index=shares.index.rename("run"))
    others = shares.drop(columns=CORES)
    percent = {"found": shares[CORES], "least": found.least_share, "most": found.most_share,
               "leakage and clock of it": found.leakage_and_clock, "largest of the others": others.max(axis=1)}
    for name, values in percent.items():
        table[name] = [f"{100 * value:.1f} %" for value in values]
    table["which"] = others.idxmax(axis=1)
    table["fragment instructions a cycle"] = found.instructions_per_cycle
    low, high = PUBLIC_PJ_PER_BIT
    memory = found[[f"memory_{figure}_per_bit" for figure in energy.FIGURES]].rename_axis("run")
    return "\n".join([
        "# Energy of paper 004's baseline beside what was found",
        "",
        f"`{CLAIM}`: {published.metric}, published {100 * float(published.value):.1f} %. Least and most: with all",
        "figures low, typical or high.",
        "",
        *papers.markdown(table, 2),
        "",
        f"Memory, pJ a bit moved. Public: {low:.0f} to {high:.0f} pJ (Horowitz, ISSCC 2014: 64 bits of DRAM, 1.3 to 2.6 nJ).",
        "",
        *papers.markdown(memory.set_axis(["low", "typical", "high"], axis=1), 1),
    ]) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", dest="output", type=pathlib.Path, required=True, help="folder for what is written")
    parser.add_argument("runs", nargs="+", help="folders of runs that are priced")
    arguments = parser.parse_args()
    runs = {pathlib.Path(path).resolve().name: tessera.open(path) for path in arguments.runs}
    shares, found = components(runs), facts(runs)
    arguments.output.mkdir(parents=True, exist_ok=True)
    figures.write(figures.bars(shares, "share of the GPU's energy", stacked=True), shares.join(found), arguments.output,
                  "energy_shares")
    (arguments.output / "energy.md").write_text(page(shares, found))


if __name__ == "__main__":
    main()
