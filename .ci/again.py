"""Runs the tests that failed once more, each alone; those that pass then are unsteady.

.ci/again.py OUTPUT, where OUTPUT is what pytest printed.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

MOST_UNSTEADY = 3
MOST_TRIED = 12
"""More failures than these are no accident, and nobody waits for them twice."""
FAILED_LAST = Path(".pytest_cache/v/cache/lastfailed")


def first_failures(output: str, known: list[str]) -> dict[str, str]:
    """By test, the line in which pytest said that it failed.

    Args:
        output: What pytest printed.
        known: Tests of which pytest remembers a failure, perhaps of an earlier run.

    Raises:
        ValueError: Something failed that is none of the known tests.
    """
    found: dict[str, str] = {}
    for line in output.splitlines():
        if line.startswith(("FAILED ", "ERROR ")):
            told = line.split(" ", 1)[1]
            tests = [one for one in known if told == one or told.startswith(f"{one} - ")]
            if not tests:
                raise ValueError(line)
            found.setdefault(max(tests, key=len), line)
    return found


def passes(test: str) -> bool:
    """Whether a test passes in a process of its own."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", test]
    return subprocess.run(command, check=False).returncode == 0  # noqa: S603


def main(output: Path) -> int:
    """0 if at most three tests were unsteady and none failed twice, else 1."""
    known = list(json.loads(FAILED_LAST.read_text("utf-8"))) if FAILED_LAST.exists() else []
    try:
        failed = first_failures(output.read_text("utf-8", errors="replace"), known)
    except ValueError as error:
        print(f"failed outside a test: {error}")
        return 1
    if not failed or len(failed) > MOST_TRIED:
        return 1
    again = [test for test in failed if not passes(test)]
    unsteady = [line for test, line in failed.items() if test not in again]
    if unsteady:
        print(f"\n== unsteady, failed once and passed alone: {len(unsteady)}", *unsteady, sep="\n")
    if again:
        print(f"\n== failed twice: {len(again)}", *again, sep="\n")
    return int(bool(again) or len(unsteady) > MOST_UNSTEADY)


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1])))
