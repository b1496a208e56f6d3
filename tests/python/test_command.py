"""Commands of the package end in one line where something is wrong, with the exit codes of the program."""

import pytest

from tessera import characterise, contact_sheet, perfetto, replication


def one_line(command, capsys, *arguments):
    """Its exit code, and what it said."""
    code = command.main([str(argument) for argument in arguments])
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert said.startswith(command.__name__ + ": error: ")
    return code, said


def test_files_of_other_kinds_are_told(sample, tmp_path, capsys):
    results = sample.results / "results.h5"
    for command, file, expected in [
        (characterise, results, "expected a frame trace, found results of `tessera run`"),
        (contact_sheet, sample.trace, "expected a recording, found another of Tessera's files"),
        (perfetto, sample.trace, "expected results of `tessera run`, found a frame trace"),
    ]:
        code, said = one_line(command, capsys, file, "-o", tmp_path / "out")
        assert code == 3 and expected in said
        assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("command", [characterise, replication])
def test_an_output_that_is_a_file_is_told_before_anything_is_done(command, sample, tmp_path, capsys):
    (tmp_path / "out").write_text("mine")
    code, said = one_line(command, capsys, sample.trace, "-o", tmp_path / "out")
    assert code == 4 and "out: File exists" in said
    assert (tmp_path / "out").read_text() == "mine"


def test_what_is_not_there_is_told(sample, tmp_path, capsys):
    code, said = one_line(perfetto, capsys, tmp_path / "none", "-o", tmp_path / "out")
    assert code == 4 and "none: No such file or directory" in said
    recording = tmp_path / "game.vtr"
    recording.write_bytes(b"VTR0")
    code, said = one_line(contact_sheet, capsys, recording, "-o", tmp_path / "out", "--tessera", tmp_path / "program")
    assert code == 4 and "program: No such file or directory" in said


def test_a_census_every_no_cycle_is_refused(sample, tmp_path, capsys):
    code, said = one_line(replication, capsys, sample.trace, "-o", tmp_path / "out", "--every", 0)
    assert code == 2 and "--every: expected a number of cycles of at least 1, found 0" in said
