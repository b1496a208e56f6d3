"""What each setting does to the comparison: when the idea pays."""

import pandas

from tessera.papers import markdown

from measurements import NAMES, POLICY, PRIVATE, over_private, energies, speedups
from points import Group

EXPLANATION = [
    "One setting is changed at a time; means of {applications}. Speed-up, lines read of the L2 cache and energy are over",
    "private caches of the same machine. Accesses that hit in the core's own cache and in another's; cycles until a line of",
    "another core has come; changes of owners in a table for each 1000 accesses. The value of the main comparison is in bold.",
]
COLUMNS = ["speed-up", "L2 reads", "energy", "own hits", "remote hits", "latency", "owner changes"]


def rows(table: pandas.DataFrame) -> pandas.DataFrame:
    """Of points that differ in policy and application alone: a row a policy but private, means of applications."""
    means = {
        "speed-up": speedups(table).mean(),
        "L2 reads": over_private(table, "l2_reads").mean(),
        "energy": energies(table).mean(),
    }
    each = table.groupby(POLICY)[["hits", "remote_hits", "remote_latency", "owner_changes"]].mean()
    means |= dict(zip(COLUMNS[3:], (each[name] for name in each)))
    return pandas.DataFrame(means)[COLUMNS].drop(index=PRIVATE)


def of_group(policies: pandas.DataFrame, group: Group, tried: pandas.DataFrame) -> pandas.DataFrame:
    """A row a value and policy. `policies`: the comparison, of the applications that are in `tried`."""
    compared = policies[policies.workload.isin(tried.workload)]
    found = {}
    for value in (group.default, *group.values):
        points = tried[tried[group.setting].astype(str) == str(value)]
        if value == group.default:
            points = compared[compared[POLICY].isin([PRIVATE, *group.policies])]
        elif not group.with_private:
            points = pandas.concat([points, compared[compared[POLICY] == PRIVATE]])
        found[str(value)] = rows(points)
    return pandas.concat(found, names=["value", "policy"]).rename(index=NAMES, level="policy")


def table(policies: pandas.DataFrame, groups: dict[str, tuple[Group, pandas.DataFrame]]) -> pandas.DataFrame:
    """All groups: a row a setting, value and policy. `attrs`: the applications, and the default of each setting."""
    found = pandas.concat({group.setting: of_group(policies, group, tried) for group, tried in groups.values()},
                          names=["setting"])
    tried = next(iter(groups.values()))[1]
    found.attrs = {"applications": ", ".join(tried.workload.unique()),
                   "defaults": {group.setting: str(group.default) for group, _ in groups.values()}}
    return found


def page(settings: pandas.DataFrame) -> list[str]:
    lines = [line.format(applications=settings.attrs["applications"]) for line in EXPLANATION]
    for setting, group in settings.groupby(level="setting", sort=False):
        shown = group.droplevel("setting").reset_index("policy")
        default = settings.attrs["defaults"][setting]
        shown.index = pandas.Index([f"**{value}**" if value == default else value for value in shown.index], name=setting)
        lines += ["", *markdown(shown, 3)]
    best = settings["speed-up"].idxmax()
    return [*lines, "", f"The greatest speed-up is {settings['speed-up'].max():.3f}, with `{best[0]}` = {best[1]} and "
            f"{best[2]}."]
