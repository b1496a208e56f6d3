"""Every file includes, itself or by what it includes of the tree, the standard headers of the names that it uses.

Tests are built with several files in one (CMAKE_UNITY_BUILD), where a file may live on the includes of the one before it,
and users are not.
"""

import functools
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("engine", "models", "io", "partitions", "experiments", "tests")

# Those by header that no other standard header can be relied upon for.
NAMES = {
    "array": r"std::array\b",
    "atomic": r"std::atomic\b",
    "bit": r"std::(popcount|countr_zero|countl_zero|has_single_bit|bit_cast|bit_width)\b",
    "charconv": r"std::from_chars\b",
    "chrono": r"std::chrono::",
    "condition_variable": r"std::condition_variable\b",
    "deque": r"std::deque\b",
    "filesystem": r"std::filesystem::",
    "fstream": r"std::(ifstream|ofstream)\b",
    "map": r"std::map\b",
    "numeric": r"std::(accumulate|iota|gcd|lcm)\b",
    "optional": r"std::(optional|nullopt)\b",
    "random": r"std::mt19937",
    "set": r"std::set\b",
    "span": r"std::span\b",
    "sstream": r"std::(ostringstream|istringstream|stringstream)\b",
    "thread": r"std::(thread|this_thread)\b",
    "variant": r"std::(variant|visit|holds_alternative)\b",
    "vector": r"std::vector\b",
}


@functools.lru_cache(None)
def text_of(name):
    path = ROOT / name
    return re.sub(r"//.*", "", path.read_text()) if path.exists() else ""


def standard_headers(name):
    seen, waiting, found = set(), [name], set()
    while waiting:
        text = text_of(waiting.pop())
        found.update(re.findall(r"#include <([^>]+)>", text))
        new = set(re.findall(r'#include "([^"]+)"', text)) - seen
        seen |= new
        waiting += new
    return found


def missing(name):
    used = [header for header, pattern in NAMES.items() if re.search(pattern, text_of(name))]
    return sorted(set(used) - standard_headers(name)) if used else []


def test_no_file_lives_on_the_includes_of_another():
    files = [
        path.relative_to(ROOT).as_posix()
        for folder in FOLDERS
        for ending in ("h", "cpp")
        for path in sorted((ROOT / folder).rglob(f"*.{ending}"))
    ]
    assert len(files) > 500
    found = {name: missing(name) for name in files}
    # GoogleTest includes these itself.
    for name in found:
        if {"gtest/gtest.h", "gmock/gmock.h"} & standard_headers(name):
            found[name] = [header for header in found[name] if header not in ("map", "set", "sstream", "vector")]
    assert {name: headers for name, headers in found.items() if headers} == {}
