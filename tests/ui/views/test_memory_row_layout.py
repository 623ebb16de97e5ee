from __future__ import annotations

import itertools

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inklings_desktop.ui.kit.lists.memory_row_layout import (
    ELISION,
    Excerpt,
    Mark,
    RowMeasures,
    curator_mark,
    derivations_mark,
    lay_excerpt,
    lifetime_mark,
    source_mark,
    tag_marks,
)
from inklings_desktop.ui.kit.look.theme import Theme
from tests.support.wide import examples

LONG = "Long note kept whole at Ottoline\u2019s request. The harbour of Wend is to be felt. " * 6


def laid(
    theme: Theme,
    text: str,
    *,
    width: float = 300,
    highlights: tuple[tuple[int, int], ...] = (),
    rtl: bool = False,
) -> Excerpt:
    return lay_excerpt(
        text,
        font=theme.font("reading"),
        line_px=22,
        width=width,
        max_lines=2,
        rtl=rtl,
        highlights=highlights,
    )


def test_a_short_text_is_one_whole_line(theme: Theme) -> None:
    excerpt = laid(theme, "Gulls keep accounts.")
    assert (excerpt.n_lines, excerpt.elided) == (1, False)


@pytest.mark.parametrize("width", [120, 233, 300, 371, 594])
def test_a_long_text_is_cut_in_its_second_line(theme: Theme, width: int) -> None:
    excerpt = laid(theme, LONG, width=width)
    assert (excerpt.n_lines, excerpt.elided) == (2, True)
    assert excerpt.layout.text().endswith(ELISION)
    assert excerpt.layout.lineAt(1).naturalTextWidth() <= width


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(min_size=1, max_size=200), width=st.integers(60, 700))
def test_any_text_is_laid_in_two_lines_at_most(theme: Theme, text: str, width: int) -> None:
    flat = " ".join(text.split()) or "x"
    excerpt = laid(theme, flat, width=width, highlights=((0, 3), (2, 400)))
    assert 1 <= excerpt.n_lines <= 2


def test_a_match_has_its_ground_on_every_line_it_touches(theme: Theme) -> None:
    start = LONG.index("harbour")
    one = laid(theme, LONG, width=594, highlights=((start, len("harbour")),))
    assert len(one.grounds) == 1
    assert one.grounds[0].width() > 20
    across = laid(theme, LONG, width=200, highlights=((0, 45),))
    assert len(across.grounds) == 2


def test_matches_after_the_cut_and_beyond_emoji_are_placed_rightly(theme: Theme) -> None:
    text = "\u26f5\U0001f30a\U0001f56f harbour"
    plain = laid(theme, text, highlights=((4, 7),))
    assert len(plain.grounds) == 1
    assert plain.grounds[0].left() > 20
    cut = laid(theme, LONG, width=200, highlights=((len(LONG) - 10, 5),))
    assert cut.grounds == ()


def test_right_to_left_text_hangs_at_the_right(theme: Theme) -> None:
    excerpt = laid(theme, "הגאות היא הגיבורה", rtl=True)
    line = excerpt.layout.lineAt(0)
    assert line.naturalTextRect().right() == pytest.approx(300, abs=2)


def marks() -> list[Mark]:
    return [
        curator_mark("agent", "Agent"),
        source_mark("orchestrator"),
        lifetime_mark("Short-term"),
        *tag_marks(["todo", "wording", "sked", "never shown"]),
        Mark("words only", "ochre", "circle-dashed"),
        derivations_mark(2),
    ]


def test_marks_are_dropped_in_the_order_of_the_design(theme: Theme) -> None:
    measures = RowMeasures(theme, compact=False)
    seen: list[list[str]] = []
    for room in range(700, 40, -1):
        words = [mark.text for mark in measures.placed(marks(), room)]
        if not seen or words != seen[-1]:
            seen.append(words)
    gone = [
        next(word for word in before if word not in after)
        for before, after in itertools.pairwise(seen)
    ]
    last = ["#sked", "#wording", "Short-term", "orchestrator", "2", "#todo", "words only"]
    assert gone == last
    assert seen[-1] == ["Agent", ""]  # the icon of a warning stays when its words go


def test_marks_stand_side_by_side(theme: Theme) -> None:
    placed = RowMeasures(theme, compact=False).placed(marks(), 700)
    for left, right in itertools.pairwise(placed):
        assert right.x == pytest.approx(left.x + left.width + 10)


def test_a_narrow_compact_row_has_one_tag_and_no_lifetime(theme: Theme) -> None:
    words = [mark.text for mark in RowMeasures(theme, compact=True).placed(marks(), 400)]
    assert words == ["Agent", "orchestrator", "#todo", "words only", "2"]


def test_the_joiner_of_a_cut_in_arabic_is_nothing_to_warn_of(theme: Theme) -> None:
    tide = (
        "\u0627\u0644\u0645\u062f\u0651 \u064a\u0642\u0631\u0623 "
        "\u0627\u0644\u062e\u0631\u064a\u0637\u0629 \u0642\u0628\u0644\u0646\u0627 "
    )
    cut = [laid(theme, tide * 12, width=width, rtl=True) for width in range(200, 320, 6)]
    assert all(one.elided for one in cut)
    assert any("\u200d" in one.layout.text() for one in cut), "none was cut within a word"
    assert [one.hidden for one in cut] == [()] * len(cut)
    real = laid(theme, f"A\u200bb {tide * 12}", width=240, rtl=False)
    assert len(real.hidden) == 1, "what is in the memory is marked still"
