"""What failed once is tried again alone: how the tests of a change are judged."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.architecture.contract_report import REPOSITORY

FAILS = "def test_always():\n    assert False\n"
ONCE = """
from pathlib import Path

def test_second_time(request):
    seen = Path(__file__).with_suffix(".seen")
    before = seen.exists()
    seen.touch()
    assert before
"""


def judged(folder: Path, **modules: str) -> tuple[int, str]:
    """The verdict on a folder of tests, and what is printed with it."""
    for name, text in modules.items():
        (folder / f"test_{name}.py").write_text(text, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\naddopts = -ra\n", encoding="utf-8")
    first = subprocess.run(
        [sys.executable, "-m", "pytest"], cwd=folder, capture_output=True, text=True, check=False
    )
    (folder / "told").write_text(first.stdout, encoding="utf-8")
    again = [sys.executable, str(REPOSITORY / ".ci" / "again.py"), "told"]
    done = subprocess.run(again, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def test_a_test_that_passes_alone_is_told_as_unsteady(tmp_path: Path) -> None:
    status, printed = judged(tmp_path, a=ONCE, b=ONCE)
    assert status == 0
    assert "unsteady, failed once and passed alone: 2" in printed
    assert "FAILED test_a.py::test_second_time - " in printed


def test_a_test_that_fails_twice_refuses(tmp_path: Path) -> None:
    status, printed = judged(tmp_path, a=ONCE, b=FAILS)
    assert status == 1
    assert "failed twice: 1\ntest_b.py::test_always" in printed


def test_more_than_three_unsteady_ones_refuse(tmp_path: Path) -> None:
    status, printed = judged(tmp_path, a=ONCE, b=ONCE, c=ONCE, d=ONCE)
    assert status == 1
    assert "passed alone: 4" in printed


def test_what_failed_outside_a_test_refuses(tmp_path: Path) -> None:
    status, printed = judged(tmp_path, a="import nothing_of_this_name\n")
    assert status == 1
    assert "failed twice" in printed or "outside a test" in printed


def test_an_old_failure_that_is_remembered_is_not_counted(tmp_path: Path) -> None:
    cache = tmp_path / ".pytest_cache" / "v" / "cache"
    cache.mkdir(parents=True)
    (cache / "lastfailed").write_text(json.dumps({"test_old.py::test_gone": True}), "utf-8")
    status, printed = judged(tmp_path, a=ONCE)
    assert status == 0
    assert "test_gone" not in printed
