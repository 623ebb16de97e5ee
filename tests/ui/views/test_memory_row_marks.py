from __future__ import annotations

from dataclasses import replace

from inklings_desktop.domain.memories.decay import DecayConfig
from inklings_desktop.domain.memories.listing import MemorySort
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.lists.memory_row_layout import (
    LONGEST_NAME,
    MemoryRow,
    RowMeasures,
    row_marks,
)
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.words.memory_lines import RowStyle, memory_rows
from tests.support.builders import NOON, a_memory


def a_row(*tags: str, source: str = "user") -> MemoryRow:
    style = RowStyle(MemorySort.NEWEST, DecayConfig(), NOON, Tier.WORKSPACE)
    rows = memory_rows([a_memory("Salt.", tags=tags, source=source)], style)
    return next(one for one in rows if isinstance(one, MemoryRow))


def test_a_long_tag_is_cut_and_pushes_nothing_out(theme: Theme) -> None:
    measures = RowMeasures(theme, compact=False)
    placed = measures.placed(row_marks(a_row("w" * 64)), 560)
    texts = [mark.text for mark in placed]
    assert f"#{'w' * (LONGEST_NAME - 1)}\u2026" in texts
    assert "user" in texts
    assert "Agent" in texts


def test_every_name_of_a_row_is_cut_alike() -> None:
    row = replace(a_row("sea", source="s" * 60), agent_id="a" * 90)
    texts = [mark.text for mark in row_marks(row)]
    assert f"{'s' * (LONGEST_NAME - 1)}\u2026" in texts
    assert f"only {'a' * (LONGEST_NAME - 1)}\u2026" in texts
    assert "#sea" in texts
