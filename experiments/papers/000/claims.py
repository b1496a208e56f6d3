"""Every claim of paper 000 beside what the sweeps have, and what they tell of the reasons where it differs."""

from typing import Callable

import numpy
import pandas

from tessera.papers import Finding, confidence, markdown

from schemes import ACCESS_EXECUTE, ENERGY_CAUSES, FRAMES, PERFECT, QUEUE, REMOTE, SCHEMES, TILES, WARPS

NEARLY = 0.95  # of the best: "maximum speedup"; less does not show in a figure
MANY = 16  # warps, the paper's most


def by_application(table: pandas.DataFrame, value: str, columns: str = "scheme") -> pandas.DataFrame:
    return table.pivot_table(index="workload", columns=columns, values=value, observed=True)


def geometric_mean(values: pandas.Series | pandas.DataFrame):
    return numpy.exp(numpy.log(values).mean())


def spread(values: pandas.Series) -> str:
    """Of a ratio by application: the geometric mean, and from where to where."""
    return f"{geometric_mean(values):.3f} ({values.min():.2f} to {values.max():.2f})"


def share(value: float) -> str:
    return f"{100 * value:.1f} %"


def with_mean(table: pandas.DataFrame, mean: Callable = geometric_mean) -> pandas.DataFrame:
    """A last row with the mean of the columns."""
    whole = table.copy()
    whole.loc["mean"] = mean(table)
    return whole.rename_axis("application")


def at(table: pandas.DataFrame, warps: int) -> pandas.DataFrame:
    return table[table[WARPS] == warps]


def causes(table: pandas.DataFrame) -> pandas.DataFrame:
    """What became of prefetches and of accesses with one warp, all applications together: a row a scheme."""
    sums = at(table, 1).groupby("scheme", sort=False).sum(numeric_only=True)
    made = sums.prefetches.where(sums.prefetches > 0)
    return pandas.DataFrame(
        {
            "hits": (sums.hits / sums.accesses).map(share),
            "joined": (sums.merged / sums.accesses).map(share),
            "missed": (sums.misses / sums.accesses).map(share),
            "prefetched lines / accesses": (sums.prefetches / sums.accesses).map(share),
            "used": (sums.prefetches_used / made).map(share, na_action="ignore").fillna(""),
            "late": (sums.prefetches_late / made).map(share, na_action="ignore").fillna(""),
            "useless": (sums.prefetches_useless / made).map(share, na_action="ignore").fillna(""),
            "early": (sums.prefetches_early / made).map(share, na_action="ignore").fillna(""),
        }
    )


def fetched(table: pandas.DataFrame, scheme: str) -> list[str]:
    """With one warp: how many lines caches ask for, and how many of them for nothing; all applications together."""
    sums = at(table, 1).groupby("scheme").sum(numeric_only=True)
    lines = (sums.misses + sums.prefetches)[scheme] / sums.misses["none"]
    useless = sums.prefetches_useless[scheme] / sums.prefetches[scheme] if sums.prefetches[scheme] > 0 else 0.0
    return [f"Texture and pixel caches miss and fetch ahead {lines:.2f} times the lines that they miss without; of those that are",
            f"fetched ahead {share(useless)} are never used. Those that they miss without are",
            f"{share(sums.misses['none'] / sums.l2_requests['none'])} of all requests to the L2 cache then."]


def energy_use(warps: pandas.DataFrame) -> pandas.DataFrame:
    """Where the energy of the GPU goes, all applications together, over all that it is with one warp and no prefetching: a
    row a number of warps, without prefetching and with remote L1."""
    names = {"registers": "registers", "dynamic": "other switching", "clock": "clocks", "leakage": "leakage"}
    sums = warps.groupby(["scheme", WARPS]).sum(numeric_only=True)
    whole = sums.typical_pJ["none", 1]
    rows = {}
    for scheme in ("none", REMOTE):
        for count in sorted(warps[WARPS].unique()):
            if (scheme, count) in sums.index:
                row = sums.loc[(scheme, count)]
                rows[f"{scheme}, {count}"] = {names[cause]: share(row[f"{cause}_pJ"] / whole) for cause in ENERGY_CAUSES}
                rows[f"{scheme}, {count}"]["cycles"] = share(row.cycles / sums.cycles["none", 1])
    return pandas.DataFrame.from_dict(rows, orient="index").rename_axis("scheme and warps")


def ratio_finding(ratios: pandas.Series, holds: bool, name: str, text: list[str]) -> Finding:
    """Of a ratio by application."""
    lines = [f"Geometric mean of applications: {spread(ratios)}.", *text, "",
             *markdown(ratios.rename(name).to_frame().rename_axis("application"))]
    return Finding(float(geometric_mean(ratios)), holds, lines)


def findings(tables: dict[str, pandas.DataFrame], sources: pandas.DataFrame) -> dict[str, Finding]:
    schemes, warps = tables["schemes"], tables["warps"]
    cycles, traffic, energy = (by_application(schemes, value) for value in ("cycles", "l2_requests", "typical_pJ"))
    many_cycles = by_application(at(warps, MANY), "cycles")
    many_energy = by_application(at(warps, MANY), "typical_pJ")
    two_cycles, two_energy = (by_application(at(warps, warps[WARPS][warps[WARPS] > 1].min()), value)
                              for value in ("cycles", "typical_pJ"))
    found: dict[str, Finding] = {}

    def speed(claim: str, scheme: str, baseline: str, above: bool, text: list[str]) -> None:
        ratios = cycles[baseline] / cycles[scheme]
        holds = bool(geometric_mean(ratios) > 1) == above
        found[claim] = ratio_finding(ratios, holds, f"{scheme} / {baseline}", text)

    table = causes(warps)
    why = ["What became of lines, all applications together:", "", *markdown(table)]
    ahead, remote = (schemes[schemes.scheme == scheme].set_index("workload") for scheme in (ACCESS_EXECUTE, REMOTE))
    speed("dae.speedup_vs_ghb", REMOTE, "GHB", True, [
        f"Over access/execute without remote L1: {spread(cycles[ACCESS_EXECUTE] / cycles[REMOTE])}. Without it the L2 cache works",
        f"{share(ahead.l2_slice_busy.mean())} of the time, and the bus carries answers {share(ahead.response_bus_busy.mean())}. Of what",
        f"remote L1 asks of other caches {share((remote.snoop_peer_merged / remote.snoop_redirected).mean())} is on its way there, by",
        "application in the table of `dae.l2_traffic_remote`.", "", *why])
    speed("dae.plain_vs_ghb", ACCESS_EXECUTE, "GHB", True, ["The table of `dae.speedup_vs_ghb` says why."])
    speed("dae.stride_vs_ghb", "stride", "GHB", False, [
        f"Of accesses {table.missed['none']} miss without prefetching, {table.missed.stride} with strides and {table.missed.GHB} with GHB, whose",
        f"prefetches are useless in {table.useless.GHB} of all cases."])
    first = by_application(schemes, "cycles_0")  # frames that all sweeps have
    open_throttle = tables["throttle"].set_index("workload").cycles_0
    speed("dae.mta_vs_ghb", "MTA", "GHB", False, [
        "The throttle of Lee et al. stops a prefetcher when fewer than 15 % of the lookups that do not hit join a line in",
        "flight; with one warp of four threads few do, so that after its first period it is open on trial only. Whose",
        f"throttle never closes for that is at {spread(first.GHB / open_throttle)} of GHB."])
    headroom = cycles.none / cycles[PERFECT]
    speed("dae.perfect_cache_headroom", PERFECT, "none", True, [
        f"Perfect caches of textures, pixels and depths. The paper has \"up to\": the greatest here, {headroom.max():.3f}",
        f"({headroom.idxmax()}), is what stands beside it."])
    found["dae.perfect_cache_headroom"].value = float(headroom.max())

    def energies(claim: str, ratios: pandas.Series, above: bool, text: list[str]) -> None:
        found[claim] = ratio_finding(ratios, bool(geometric_mean(ratios) > 1) == above, "energy ratio", text)

    priced = "GPU without memory, typical figures of the table `mobile22`."
    where = ["Where it goes, of all applications together, over all energy with one warp and no prefetching; clocks and leakage go",
             "with the time, main register files (switching and leakage) with the warps.", "",
             *markdown(energy_use(warps))]
    energies("dae.energy_vs_ghb", energy[REMOTE] / energy.GHB, False, [
        priced, f"It takes {spread(cycles[REMOTE] / cycles.GHB)} of the cycles, and with them clocks and leakage, of which the table of",
        "`dae.multithreading_16w_energy` tells."])
    energies("dae.multithreading_16w_energy", many_energy.none / energy.none, True, [priced, *where])
    energies("dae.two_warps_energy_vs_16", two_energy[REMOTE] / many_energy.none, False,
             [priced, "The table of `dae.multithreading_16w_energy` says why."])
    energies("dae.one_warp_energy_vs_16", energy[REMOTE] / many_energy.none, False,
             [priced, "The table of `dae.multithreading_16w_energy` says why."])

    many = cycles.none / many_cycles.none
    found["dae.multithreading_16w"] = ratio_finding(many, bool(geometric_mean(many) > 1), "16 warps / 1",
                                                    ["Without prefetching, means of applications:", "", *markdown(pressure(warps))])
    for claim, some in (("dae.two_warps_vs_16", two_cycles), ("dae.one_warp_vs_16", cycles)):
        ratios = many_cycles.none / some[REMOTE]
        text = ["With remote L1, means of applications, to be set beside the table of `dae.multithreading_16w`:", "",
                *markdown(pressure(warps, REMOTE))] if claim == "dae.two_warps_vs_16" else []
        found[claim] = ratio_finding(ratios, bool(geometric_mean(ratios) < 1), f"{REMOTE} / 16 warps", text)

    curves = speedups(warps)
    best = curves[REMOTE]
    peak = int(best.index[(best >= NEARLY * best.max()).to_numpy()][0])
    found["dae.peak_warps"] = Finding(
        float(peak), peak <= 8,
        [f"The fewest warps with {share(NEARLY)} of the best; speed-up over one warp without prefetching, geometric mean:", "",
         *markdown(curves.apply(lambda curve: curve.map("{:.3f}".format, na_action="ignore").fillna(""))
                   .rename_axis("warps"))])

    for claim, scheme in (("stride", "stride"), ("ghb", "GHB"), ("mta", "MTA"), ("plain", ACCESS_EXECUTE),
                          ("remote", REMOTE)):
        ratios = traffic[scheme] / traffic.none
        text = fetched(warps, scheme)
        if claim == "remote":
            text += ["What became of the blocks that were fetched ahead.", "", *markdown(redirections(remote))]
        found[f"dae.l2_traffic_{claim}"] = ratio_finding(ratios, bool(geometric_mean(ratios) > 1), f"{scheme} / none", text)

    missed = ahead.snoop_fetched / ahead.snoop_lookups
    found["dae.prefetch_miss_share"] = Finding(
        float(missed.mean()), bool(0.2 < missed.mean() < 0.8),
        ["Requests of the prefetch queue whose block was neither there nor on its way; textures and pixels.", "",
         *markdown(missed.rename("share").to_frame().rename_axis("application"))])
    held = (sources.held_elsewhere * (ahead.texture_prefetches / ahead.snoop_fetched).reindex(sources.index)).mean()
    found["dae.prefetch_miss_remote_share"] = Finding(
        float(held), bool(held > 0.33),
        ["Of all misses, those of textures that another texture cache has, by an oracle that looks into those of all four",
         "processors, without time (of misses of textures alone: `held_elsewhere`). Pixels are never in two caches here, as a",
         "place on the screen is one processor's. `found_by_queue`: those that the prefetch queue's Source finds, with 16",
         "entries and eight bits compared; `predictions_right`: of all it names.", "",
         *markdown(with_mean(sources.drop(columns="requests"), lambda values: values.mean()))])
    return found


def pressure(warps: pandas.DataFrame, scheme: str = "none") -> pandas.DataFrame:
    """What more warps bring with a scheme: hits of texture and pixel caches, requests to the L2 cache over those of one warp,
    and how much of the time units do their work."""
    bare = warps[warps.scheme == scheme]
    of = lambda values: values.groupby(bare[WARPS]).mean()
    first = bare[bare[WARPS] == 1].set_index("workload").l2_requests
    return pandas.DataFrame({
        "hits": of(bare.hits / bare.accesses).map(share),
        "requests to the L2 cache": of(bare.l2_requests / first.reindex(bare.workload).to_numpy()),
        "fragment processors busy": of(bare.fragment_processor_busy).map(share),
        "early depth and raster busy": of(bare.raster_busy).map(share),
        "DRAM transfers": of(bare.dram_channel_busy).map(share),
    }).rename_axis("warps")


def redirections(remote: pandas.DataFrame) -> pandas.DataFrame:
    """With remote L1, by application: blocks fetched ahead for which another cache was asked, and what it had."""
    asked = remote.snoop_redirected
    parts = {"asked of another cache": asked / remote.snoop_fetched, "it had the block": remote.snoop_peer_hits / asked,
             "the block was on its way there": remote.snoop_peer_merged / asked, "passed on": remote.snoop_peer_passed_on / asked}
    return pandas.DataFrame({name: values.map(share) for name, values in parts.items()}).rename_axis("application")


def speedups(warps: pandas.DataFrame) -> pandas.DataFrame:
    """Geometric mean of applications over one warp without prefetching: a row a number of warps, a column a scheme."""
    cycles = warps.pivot_table(index=[WARPS, "scheme"], columns="workload", values="cycles", observed=True)
    ratio = cycles.loc[(1, "none")] / cycles
    return geometric_mean(ratio.T).unstack("scheme").reindex(columns=[s for s in SCHEMES if (1, s) in ratio.index])


def over_frames(warps: pandas.DataFrame, schemes: list[str]) -> pandas.DataFrame:
    """The same with what the frames say of it: the mean of the frames' geometric means of applications, and the half of its
    interval of confidence, of the first frames that all applications have. A row a number of warps, a column a scheme."""
    curves = []
    for number in range(FRAMES):
        cycles = warps.pivot_table(index=[WARPS, "scheme"], columns="workload", values=f"cycles_{number}", observed=True)
        if cycles.shape[1] < warps.workload.nunique():
            break
        curves.append(geometric_mean((cycles.loc[(1, "none")] / cycles).T))
    frames = pandas.DataFrame(curves)
    text = frames.mean().map("{:.3f}".format)
    if len(frames) > 1:
        text += " ± " + frames.apply(confidence).map("{:.3f}".format)
    return text.unstack("scheme").reindex(columns=schemes).fillna("")


def relative(table: pandas.DataFrame, value: str = "cycles") -> pandas.DataFrame:
    """Speed-up of each scheme over none, by application, with the geometric mean."""
    cycles = by_application(table, value)
    order = [scheme for scheme in [*SCHEMES, PERFECT] if scheme in cycles.columns]
    return with_mean(cycles[["none"]].to_numpy() / cycles[order])


def flat(table: pandas.DataFrame, name: str) -> pandas.DataFrame:
    """Several levels of rows as one."""
    return table.set_axis([", ".join(map(str, row)) for row in table.index]).rename_axis(name)


def text(tables: dict[str, pandas.DataFrame], sources: pandas.DataFrame) -> list[str]:
    """What the paper does not show."""
    lines = ["### The same prefetchers on other machines", "",
             "Speed-up over none. A tiled machine keeps pixels on chip: prefetchers have textures alone.", "",
             "`tegra-dae`, immediate:", "", *markdown(relative(tables["schemes"]), 2), "",
             "the same, tiled:", "", *markdown(relative(tables["tiled"]), 2), "",
             "`bifrost32`:", "", *markdown(relative(tables["bifrost32"]), 2), ""]
    lines += ["### Warps over frames", "",
              "Speed-up over one warp without prefetching, frame by frame: mean and 95 % interval over frames of the geometric",
              "mean of applications.", "",
              *markdown(over_frames(tables["warps"], SCHEMES).rename_axis("warps")), ""]
    queues = tables["queues"]
    base = tables["schemes"][tables["schemes"].scheme == "none"].set_index("workload").cycles_0
    gain = base.reindex(queues.workload).to_numpy() / queues.cycles_0
    shown = queues.assign(speedup=gain).pivot_table(index=[TILES, QUEUE], columns="workload", values="speedup")
    shown["mean"] = geometric_mean(shown.T)
    lines += ["### Lengths of the queues", "",
              "Access/execute over none with the preset's queues: entries of the tile queue (quads) and the prefetch queue.", "",
              *markdown(flat(shown, "tile queue, prefetch queue"), 2), ""]
    memory = tables["memory"]
    kind = memory["dram.model"] + " " + memory["dram.flat.bandwidth_of"] + " " + memory["dram.device"]
    cycles = memory.assign(memory=kind).pivot_table(index=["memory", "scheme"], columns="workload", values="cycles")
    gains = pandas.concat({name: cycles.loc[[(name, "none")]].to_numpy() / cycles.loc[name] for name in kind.unique()})
    gains["mean"] = geometric_mean(gains.T)
    lines += ["### Memories", "", "Speed-up over none with the same memory.", "",
              *markdown(flat(gains, "memory, scheme"), 2), ""]
    ahead = tables["schemes"][tables["schemes"].scheme == ACCESS_EXECUTE].set_index("workload")
    lost = (ahead.access_accesses_dependent / ahead.access_accesses).fillna(0)
    dropped = ahead.access_addresses_dropped / ahead.access_addresses
    lines += ["### Loss of decoupling", "",
              "Texture accesses whose place a texture read before decides, and addresses whose turn came too late.", "",
              *markdown(pandas.DataFrame({"dependent": lost.map(share), "dropped": dropped.map(share)})
                        .rename_axis("application")), ""]
    return lines
