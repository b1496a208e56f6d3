"""What is looked at of every run: the statistics of paper 002, section 4.2, and what tells why a curve is as it is."""

from typing import Callable

import pandas

import tessera

BANKS = "fragment_processor.collector.banks"
HASH = "fragment_processor.collector.bank_hash"
WARPS = "fragment_processor.warps"
REGISTERS = "fragment_processor.collector.registers"
# Nearly all texture blocks are in the cache, the others come at once: what is left is the core.
FAST_MEMORY = {
    "texture_cache.capacity": "4 MiB",
    "dram.model": "flat",
    "dram.flat.row_hit_latency": 2,
    "dram.flat.row_miss_latency": 2,
    "dram.flat.bytes_per_cycle": 64,  # a line a cycle, of each channel
    "dram.flat.data_edges": "one",
}


# What a mean of cores is a mean over; of all others it is the cycles in which a core had work.
WEIGHTS = {"collector_time": "instructions_collected", "operands": "instructions_collected", "conflicts": "reading"}


def statistic(name: str) -> Callable[[tessera.Results], float]:
    """Of a run: a statistic of all cores and frames together."""

    def of(results: tessera.Results) -> float:
        cores = results["fragment_processor"]
        found = results.core_statistics()[name]
        weight = cores[WEIGHTS.get(name, "active")].where(found.notnull(), 0)
        return float((found.fillna(0) * weight).sum() / max(1, weight.sum()))

    return of


def reads_of_banks(results: tessera.Results) -> list[float]:
    """Registers read from each bank, of all cores together."""
    cores = results["fragment_processor"]
    count = sum(name.startswith("bank_reads_") for name in cores.data_vars)
    return [float(cores[f"bank_reads_{bank}"].sum()) for bank in range(count)]


def share_of_bank(bank: int) -> Callable[[tessera.Results], float]:
    """Of a run: reads of the bank / reads of all; 0 of a bank that is not there."""

    def of(results: tessera.Results) -> float:
        reads = reads_of_banks(results)
        return reads[bank] / max(1.0, sum(reads)) if bank < len(reads) else 0.0

    return of


def busiest_bank(results: tessera.Results) -> float:
    """Share of the active cycles in which the busiest bank reads: at 1 it bounds the core."""
    return max(reads_of_banks(results)) / max(1.0, float(results["fragment_processor"].active.sum()))


def balance(results: tessera.Results) -> float:
    """Reads of the busiest bank / the mean of all banks; 1 without reads."""
    reads = reads_of_banks(results)
    return max(reads) * len(reads) / sum(reads) if sum(reads) > 0 else 1.0


def waiting_for_textures(results: tessera.Results) -> float:
    """Share of the active cycles in which no instruction was issued and the oldest warp waited for texture data."""
    cores = results["fragment_processor"]
    return float(cores.cycles_texture.sum() + cores.cycles_texture_unit.sum()) / max(1.0, float(cores.active.sum()))


STATISTICS: dict[str, Callable[[tessera.Results], float]] = {
    "ipc": statistic("ipc"),
    "issue_buffer": statistic("issue_buffer"),
    "dispatch_buffer": statistic("dispatch_buffer"),
    "collectors": statistic("collectors"),
    "conflicts": statistic("conflicts"),
    "collector_time": statistic("collector_time"),
    "operands": statistic("operands"),
    "registers_used": statistic("registers"),
    "resident_warps": statistic("warps"),
    "balance": balance,
    "busiest_bank": busiest_bank,
    "waiting_for_textures": waiting_for_textures,
    **{f"bank_{bank}": share_of_bank(bank) for bank in range(8)},
}


def by_application(table: pandas.DataFrame, setting: str, value: str) -> pandas.DataFrame:
    """A row a value of the setting, a column an application."""
    return table.pivot_table(index=setting, columns="workload", values=value, sort=True)


def shifted(banks: pandas.DataFrame) -> pandas.DataFrame:
    """The points of the sweep of banks that use the hash of the paper."""
    return banks[banks[HASH] == "warp_shift"]


def both_hashes(banks: pandas.DataFrame) -> pandas.DataFrame:
    """All points of the sweep of banks; of one bank, where the hashes are the same, as points of both."""
    one = banks[(banks[BANKS] == 1) & (banks[HASH] == "warp_shift")].assign(**{HASH: "register_index"})
    return pandas.concat([banks, one])


def best_registers(warps: pandas.DataFrame) -> pandas.DataFrame:
    """The points of the sweep of warps with the most registers, which are never used up."""
    return warps[warps[REGISTERS] == warps[REGISTERS].max()]
