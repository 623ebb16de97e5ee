"""What the window asks the databases, act by act, is as it was recorded."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.oracle.acts import read, statements_of_acts
from tests.oracle.records import STATEMENTS

pytestmark = [pytest.mark.end2end, pytest.mark.usefixtures("qapp")]

TRIES = 3
"""On a busy machine one answer may be read twice."""


@pytest.mark.endurance
def test_every_act_asks_the_databases_what_it_was_recorded_to_ask(
    built_sample: Path, tmp_path: Path, reduced_or_full: Callable[[int, int], int]
) -> None:
    is_by_kind = reduced_or_full(0, 1)  # which of several reads comes first is the machine's
    recorded = read(STATEMENTS.read_text(encoding="utf-8"))
    differing = dict(recorded)
    for number in range(TRIES):
        found = statements_of_acts(shutil.copytree(built_sample, tmp_path / str(number)))
        assert list(found) == list(recorded)
        differing = {
            name: found[name]
            for name in differing
            if found[name]["all"] > recorded[name]["all"]
            or (is_by_kind and not found[name] <= recorded[name])
            or (is_by_kind and found[name].keys() != recorded[name].keys())
        }
        if not differing:
            break
    assert differing == {name: recorded[name] for name in differing}
