#!/usr/bin/python3
"""Ends the commands that write by signals at random moments and looks at what they leave.

    kills.py PROGRAM RECORDINGS [TIMES [SEED]]     TIMES SIGTERM and TIMES SIGKILL of each command [20]

After SIGTERM there is nothing but complete files. After SIGKILL there may be unfinished files, locks and folders for
temporary files, by their names; the same command with --force then succeeds and leaves only its output. Results are
always complete files of whole frames. A run that writes checkpoints, killed at TIMES moments one after another and
resumed each time, comes to the digest of one that was not. Exit 77 without the recordings.
"""
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

# name: arguments, what is there at the end
COMMANDS = {
    "trace": (["trace", "{r}", "-o", "out.h5", "--images", "images"], {"out.h5", "images"}),
    "cut": (["cut", "{r}", "-o", "out.vtr.zst", "--frames", "1"], {"out.vtr.zst"}),
    "run": (["run", "bifrost32", "{r}", "{r}", "-o", "out", "--threads", "2", "--progress", "none"], {"out"}),
    "plan": (["plan", "bifrost32", "--input", "{r}", "--windows", "2000", "--repeat", "3",
              "--workers", "2"], set()),
    "record": (["record", "-o", "out.vtr.zst", "--frames", "40", "--size", "320x240", "--private-socket", "--",
                "glmark2-es2", "-s", "320x240", "-b", "texture:nframes=60"], {"out.vtr.zst"}),
}
TEMPORARY = re.compile(r"\.tessera-([a-z2-7]{6}|lock)$|^tmp/tessera[-_.]")


def left(folder):
    """Paths of all that is in the folder but the folder for temporary files itself."""
    paths = [str(path.relative_to(folder)) for path in folder.rglob("*")]
    return sorted(path for path in paths if path != "tmp")


def beyond(paths, complete):
    return [path for path in paths if path.split("/")[0] not in complete or TEMPORARY.search(path)]


def seconds_of(program, recording, name):
    """That the command takes if nothing ends it."""
    with tempfile.TemporaryDirectory() as scratch:
        start = time.time()
        subprocess.run([program] + [part.format(r=recording) for part in COMMANDS[name][0]], cwd=scratch,
                       capture_output=True, check=True)
        return time.time() - start


def complaint(program, recording, name, number, wait):
    arguments, complete = COMMANDS[name]
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "tmp").mkdir()
        line = [program] + [part.format(r=recording) for part in arguments]

        def start(more):
            at = line.index("--") if "--" in line else len(line)
            return subprocess.Popen(line[:at] + more + line[at:], cwd=folder, stdout=subprocess.DEVNULL,
                                    stderr=subprocess.PIPE, env={"TMPDIR": str(folder / "tmp"), "PATH": "/usr/bin:/bin",
                                                                 "HOME": "/root"})

        process = start([])
        time.sleep(wait)
        process.send_signal(number)
        try:
            _, errors = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            return "does not end within 60 s"
        if process.returncode not in (0, 3, 75, -number):
            return f"ends with {process.returncode}: {errors.decode(errors='replace')}"
        if name == "record":
            time.sleep(0.3)  # the application and the renderer end when they see that their peer is gone
        paths = left(folder)
        if number == signal.SIGTERM and beyond(paths, complete):
            return f"leaves {beyond(paths, complete)}"
        unknown = [path for path in beyond(paths, complete)
                   if not TEMPORARY.search(path) and not TEMPORARY.search("/".join(path.split("/")[:2]))]
        if unknown:
            return f"leaves {unknown}"
        if (folder / "out/results.h5").exists():
            digest = subprocess.run([program, "digest", "out"], cwd=folder, capture_output=True, check=False)
            if digest.returncode != 0:
                return "leaves bad results: " + digest.stderr.decode(errors="replace")
        again = start([] if name == "plan" else ["--force"])
        _, errors = again.communicate(timeout=120)
        if again.returncode != 0:
            return f"cannot be started again: {errors.decode(errors='replace')}"
        return f"leaves {beyond(left(folder), complete)} after another" if beyond(left(folder), complete) else ""


def resumed_complaint(program, recording, times):
    """Kills a run and what goes on with it, until one comes to the end."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        options = ["--threads", "2", "--progress", "none"]

        def run(arguments, wait=None):
            process = subprocess.Popen([program, "run", *arguments, *options], cwd=folder, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.PIPE)
            try:
                _, errors = process.communicate(timeout=wait or 300)
            except subprocess.TimeoutExpired:
                process.kill()
                _, errors = process.communicate()
            return process.returncode, errors.decode(errors="replace")

        def digest(output):
            return subprocess.run([program, "digest", output], cwd=folder, capture_output=True, check=True).stdout

        traced = subprocess.run([program, "trace", recording, "-o", "game.h5"], cwd=folder, capture_output=True, check=False)
        if traced.returncode != 0:
            return f"cannot trace: {traced.stderr.decode(errors='replace')}"
        new = ["bifrost32", "game.h5", "game.h5"]
        start = time.time()
        if run([*new, "-o", "whole"])[0] != 0:
            return "fails when it is not killed"
        seconds = time.time() - start
        new += ["-o", "out", "--checkpoint-every", "20000 cycles"]
        kills = 0
        while True:
            there = (folder / "out/checkpoint").exists() or (folder / "out/checkpoint_previous").exists()
            if not there and kills > 0 and (folder / "out/results.h5").exists():
                return "leaves results without a checkpoint"
            arguments = ["--resume", "out", "--checkpoint-every", "20000 cycles"] if there else [*new, "--force"]
            code, errors = run(arguments, random.uniform(0, seconds / 3) if kills < times else None)
            if code == 0:
                if kills >= times:
                    break
                shutil.rmtree(folder / "out")  # it was too quick: once more from the beginning
            elif code != -signal.SIGKILL:
                return f"after {kills} kills it ends with {code}: {errors}"
            kills += 1
        if digest("out") != digest("whole"):
            return f"comes to {digest('out')} after {kills} kills, not to {digest('whole')}"
        if left(folder / "out") != left(folder / "whole"):
            return f"leaves {left(folder / 'out')}"
    return ""


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    recording = pathlib.Path(sys.argv[2]).resolve() / "es2_build.vtr.zst"  # quick: most of the time is that of starts
    times = int(sys.argv[3]) if len(sys.argv) > 3 else 20
    random.seed(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    if not recording.exists():
        print("no recordings beside the tree")
        return 77
    failed = 0
    for name in COMMANDS:
        if name == "record" and not all(map(shutil.which, ("glmark2-es2", "Xvfb", "virgl_test_server"))):
            print("record: not tried, its packages are not installed")
            continue
        seconds = seconds_of(program, recording, name)
        for number in (signal.SIGTERM, signal.SIGKILL):
            for _ in range(times):
                wait = random.uniform(0, 1.2 * seconds)  # some of them when it has ended
                wrong = complaint(program, recording, name, number, wait)
                if wrong:
                    failed += 1
                    print(f"{name}, {number.name} after {wait:.3f} s: {wrong}")
            print(f"{name}: {times} times {number.name}", flush=True)
    wrong = resumed_complaint(program, recording, times)
    failed += bool(wrong)
    print(f"run with checkpoints: {times} times SIGKILL {wrong}", flush=True)
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
