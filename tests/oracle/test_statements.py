"""What the window asks the databases, act by act, is as it was recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.oracle.acts import ACTS, statements_told
from tests.oracle.records import STATEMENTS

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.end2end, pytest.mark.usefixtures("qapp")]


def test_every_act_asks_the_databases_what_it_was_recorded_to_ask(sample_world: Path) -> None:
    told = statements_told(sample_world)
    assert told.count("== ") == len(ACTS)
    assert told == STATEMENTS.read_text(encoding="utf-8")
