"""Whoever opens data of an earlier version is told that it is brought up to date, and how far."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from inklings_desktop import bootstrap
from inklings_desktop.cli.__main__ import main
from inklings_desktop.storage.schema.marks import SCHEMA_VERSION
from tests.storage.freeze_schema import thaw
from tests.storage.later_schema import AFTER_NEXT, LATER, defaults, path_of, version_of
from tests.support.builders import WORKSPACE_ID
from tests.support.processes import started

pytestmark = pytest.mark.end2end

STEPS = ("making a safe copy first.", *(f"step {n} of 2, safe copy made." for n in (1, 2)))
SENTENCES = [
    f"Bringing {name} to the new format: {step}"
    for name in ("the account", "\u201cWorld 0b8f4c1e\u201d")
    for step in STEPS
]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A data root of the schema version in use."""
    thaw(SCHEMA_VERSION, tmp_path / "data")
    return tmp_path / "data"


@pytest.fixture
def ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """This process is a program that is ahead."""
    monkeypatch.setitem(defaults(), "lineage", LATER)


def versions(root: Path) -> list[int]:
    return [version_of(path_of(root, one)) for one in (None, WORKSPACE_ID)]


def test_the_window_tells_each_step_while_it_is_taken(root: Path) -> None:
    with started("tests.end2end.ahead_window_process", str(root)) as process:
        out, err = process.communicate(timeout=120)

    assert process.returncode == 0, err
    said = json.loads(out)
    assert said[-1] == ""
    # Two that follow at once are drawn as one: those on which a step waited are there.
    waited_for = [one for one in SENTENCES if "step" in one]
    assert [one for one in said if "step" in one] == waited_for
    assert set(said) <= {*SENTENCES, ""}
    assert versions(root) == [AFTER_NEXT] * 2


@pytest.mark.usefixtures("ahead")
def test_a_command_tells_each_step_beside_its_answer(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for told in (SENTENCES, []):
        monkeypatch.setattr(sys, "argv", ["inklings", "--data-dir", str(root), "check", "--json"])
        with pytest.raises(SystemExit) as ended:
            main()

        said = capsys.readouterr()
        assert ended.value.code == 0
        assert json.loads(said.out)["clean"] is True
        assert said.err.splitlines() == told
    assert versions(root) == [AFTER_NEXT] * 2


@pytest.mark.usefixtures("ahead")
def test_an_agent_that_is_served_hears_nothing_of_it(
    root: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with bootstrap._opened_for_client(root, WORKSPACE_ID, "loom") as inklings:
        inklings.keeping.check_data()

    assert capfd.readouterr() == ("", "")
    assert versions(root) == [AFTER_NEXT] * 2
