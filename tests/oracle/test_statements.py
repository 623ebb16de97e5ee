"""What the window asks the databases, act by act, is as it was recorded."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.oracle.acts import read, statements_of_acts
from tests.oracle.records import STATEMENTS

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.end2end, pytest.mark.usefixtures("qapp")]

TRIES = 3
"""On a busy machine one answer may be read twice."""


@pytest.mark.slow
def test_every_act_asks_the_databases_what_it_was_recorded_to_ask(
    built_sample: Path, tmp_path: Path
) -> None:
    recorded = read(STATEMENTS.read_text(encoding="utf-8"))
    differing = dict(recorded)
    for number in range(TRIES):
        found = statements_of_acts(shutil.copytree(built_sample, tmp_path / str(number)))
        assert list(found) == list(recorded)
        differing = {
            name: found[name]
            for name in differing
            if found[name].keys() != recorded[name].keys() or not found[name] <= recorded[name]
        }
        if not differing:
            break
    assert differing == {name: recorded[name] for name in differing}
