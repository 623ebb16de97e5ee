from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.ui.kit.words.word_marks import differing, marked_words


@pytest.mark.parametrize(
    ("old", "new", "gone", "come"),
    [
        ("nine years after", "ten years after", ("nine",), ("ten",)),
        ("The tide turns.", "The tide turns twice.", (), ("twice",)),
        ("The tide turns twice.", "The tide turns.", ("twice",), ()),
        ("A gull.", "Ropes and tar", ("A gull.",), ("Ropes and tar",)),
        ("One\nTwo", "One\nTwo\nThree", (), ("Three",)),
        ("same", "same", (), ()),
        ("", "new", (), ("new",)),
    ],
)
def test_only_words_that_the_other_lacks_are_marked(
    old: str, new: str, gone: tuple[str, ...], come: tuple[str, ...]
) -> None:
    old_spans, new_spans = differing(old, new)
    assert marked_words(old, old_spans) == gone
    assert marked_words(new, new_spans) == come


@given(st.text(max_size=60), st.text(max_size=60))
def test_marks_lie_in_order_inside_the_text(old: str, new: str) -> None:
    for text, spans in zip((old, new), differing(old, new), strict=True):
        at = 0
        for start, length in spans:
            assert at <= start
            assert length > 0
            at = start + length
        assert at <= len(text)
