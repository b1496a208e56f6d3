"""Rows that frames of a run left in results.h5 (groups records/NAME), as pandas.DataFrames."""

import re

import numpy
import pandas

from .trace import trace_of

MISSING = numpy.uint64(2**64 - 1)
STAGES = ["fetched", "issued", "collected", "read", "dispatched", "executed", "retired"]
INSTRUCTION = re.compile(r"^\s*(\d+):\s*(.*)$")


def read(results, name, nullable=()):
    """The rows of records/NAME; None if there are none in the file.

    The attributes `units` and `long_name` of the frame are dictionaries by column. Columns whose numbers stand for
    names are categorical; those named in `nullable` may have missing values.
    """
    with results.file() as file:
        if f"records/{name}" not in file:
            return None
        group = file[f"records/{name}"]
        columns, units, names = {}, {}, {}
        for column in group:  # in the order in which they were written
            if column == "row":
                continue
            dataset = group[column]
            values = dataset[:]
            meanings = dataset.attrs.get("flag_meanings")
            if meanings is not None:
                columns[column] = pandas.Categorical.from_codes(values.astype(int), str(meanings).split())
            elif column in nullable:
                missing = values == MISSING
                columns[column] = pandas.arrays.IntegerArray(numpy.where(missing, 0, values).astype("int64"), missing)
            else:
                columns[column] = values.astype("int64")
            units[column], names[column] = dataset.attrs["units"], dataset.attrs["long_name"]
        table = pandas.DataFrame(columns)
        table.attrs.update(units=units, long_name=names, description=group.attrs["long_name"])
        return table


def programs(results, trace=None):
    """See tessera.Results.programs."""
    table = read(results, "programs")
    if table is None:
        raise ValueError(f"{results.path}: does not say what programs cost: was written by an older version")
    states = [column for column in table if column.startswith("cycles_")]
    table["cycles"] = table[states].sum(axis=1)
    table.attrs["units"]["cycles"] = "cycle"
    table.attrs["long_name"]["cycles"] = "time of cores on the account of the program"
    table.insert(1, "workload", results.workloads_of(table.frame))
    if trace is not None:
        with trace_of(trace) as opened:
            _check_programs(results, table, opened)
            table["stage"] = opened.programs.stage.values[table.program]
            table["text"] = opened.programs.text.values[table.program]
    return table


def instructions(results, trace=None):
    """See tessera.Results.instructions."""
    table = read(results, "instructions", STAGES)
    if table is None:
        raise ValueError(f"{results.path}: was not observed: run with --set observe.pipeline_cores=NUMBER")
    table.insert(1, "workload", results.workloads_of(table.frame))
    if trace is not None:
        with trace_of(trace) as opened:
            _check_programs(results, table, opened)
            texts = {program: _texts_of(opened, program) for program in table.program.unique()}
        table["text"] = [texts[program][counter] for program, counter in zip(table.program, table.counter)]
    return table


def _texts_of(trace, program):
    """By instruction of the program: its line of the program's text, or its opcode if that has no such line."""
    texts = trace.instructions(program).opcode.tolist()
    for match in filter(None, map(INSTRUCTION.match, trace.programs.text[program].splitlines())):
        texts[int(match[1])] = match[2].strip()
    return texts


def _check_programs(results, table, trace):
    if table.workload.nunique() > 1:
        raise ValueError(f"{results.path}: is of several workloads, and a trace has the programs of one")
    if results.status == "complete":  # else the run wanted more frames than it has
        ran = trace.digest_of(results.frames.number.values)
        if len(results.workloads.trace_digest) == 1 and ran != str(results.workloads.trace_digest.values[0]):
            raise ValueError(f"{results.path}: is of another trace: the digest of the frames that were run is "
                             f"{results.workloads.trace_digest.values[0]}, there it is {ran}")
    count = len(trace.programs)
    if len(table) > 0 and table.program.max() >= count:
        raise ValueError(f"{results.path}: has program {table.program.max()}, and the trace only {count} programs")
