"""Prints the [array.*] tables of mobile22.toml from CACTI's results.

    python3 cacti_points.py ../../../shared/data/energy/cacti.csv >> mobile22.toml

Of a cache, low is tags first, then 128 bits of one way; typical is tags first, then the whole line of one way; high is
the whole lines of all ways beside the tags. Where CACTI has no figure with 128 bits for a size, the share of the
nearest size that has one is taken of the whole line's.
"""

import sys

import pandas

NODE, DEVICE, KELVIN, VOLTAGE = 22, "itrs-lstp", 350, 0.8


def points(rows, key):
    return {tuple(getattr(row, name) for name in key): row for row in rows.itertuples()}


def figures(*values):
    low, typical, high = sorted(values)
    return f"[{low:.3g}, {typical:.3g}, {high:.3g}]"


def head(name, source):
    print(f'\n[array.{name}]\nnode_nm = {NODE}\nvoltage = {VOLTAGE}\nsource = """\n{source}"""\npoint = [')


def caches(data):
    head("cache", """\
CACTI 7 (../shared/data/energy/cacti.csv): itrs-lstp cells and periphery, 22 nm, 0.8 V, 350 K;
lines of 64 bytes, 1RW, 1 bank; low: tags first, port of 128 bits; typical: tags first, 512 bits; high: all ways at once""")
    cache = data[(data.name == "cache") & (data.out_bits == 512)]
    serial = points(cache[cache.access_mode == "sequential"], ["capacity_B", "assoc"])
    parallel = points(cache[cache.access_mode == "normal"], ["capacity_B", "assoc"])
    narrow_rows = data[(data.name == "cache_narrow_out") & (data.out_bits == 128) & (data.access_mode == "sequential")]
    narrow = {row.capacity_B: row for row in narrow_rows.itertuples()}
    for (capacity, ways), row in serial.items():
        if ways not in (1, 2, 4, 8, 16) or (capacity, ways) not in parallel:
            continue
        near = narrow[min(narrow, key=lambda size: abs(size.bit_length() - capacity.bit_length()))]
        whole = serial[(near.capacity_B, near.assoc)]
        values = []
        for column in ("read_energy_nJ", "write_energy_nJ"):
            share = min(1, getattr(near, column) / getattr(whole, column))
            wide = [1000 * getattr(point, column) for point in (row, parallel[capacity, ways])]
            values.append(figures(min(wide) * share, *wide))
        tag = 1000 * row.tag_read_nJ
        area = min(1, near.area_mm2 / whole.area_mm2)
        wide = [point.area_mm2 for point in (row, parallel[capacity, ways])]
        print(f"  {{capacity = {capacity}, ways = {ways}, read_pJ = {values[0]}, write_pJ = {values[1]}, "
              f"tag_pJ = {tag:.3g}, area_mm2 = {figures(min(wide) * area, *wide)}}},")
    print("]")


def memories(data, row_bytes):
    head(f"memory_{row_bytes}B", f"""\
CACTI 7 (../shared/data/energy/cacti.csv): kind ram_bank, rows of {row_bytes} bytes, itrs-lstp, 22 nm, 0.8 V, 350 K;
low: one port; typical: a read and a write port; high: 1.5 times that, for the way to and from the array [assumed]""")
    banks = data[(data.kind == "ram_bank") & (data.entry_bytes == row_bytes)]
    for capacity in sorted(set(banks.capacity_B)):
        if capacity & (capacity - 1):
            continue
        size = banks[banks.capacity_B == capacity]
        one, two = size[size.rw_ports == 1].iloc[0], size[size.rd_ports == 1].iloc[0]
        def column(name, scale):
            return figures(scale * one[name], scale * two[name], 1.5 * scale * two[name])
        print(f"  {{capacity = {capacity}, read_pJ = {column('read_energy_nJ', 1000)}, "
              f"write_pJ = {column('write_energy_nJ', 1000)}, area_mm2 = {column('area_mm2', 1)}}},")
    print("]")


def main():
    data = pandas.read_csv(sys.argv[1])
    data = data[(data.tech_nm == NODE) & (data.device == DEVICE) & (data.temp_K == KELVIN) & (data.vdd_V == VOLTAGE)]
    data = data[data.status == "ok"]
    caches(data[data.kind == "cache"])
    memories(data, 16)
    memories(data, 64)


if __name__ == "__main__":
    main()
