from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.domain.likeness.merging import left_out, merged_text


def test_the_best_text_stays_whole_and_the_others_add_the_sentences_it_lacks() -> None:
    merged = merged_text(
        [
            "The queen fears the sea.",
            "THE QUEEN FEARS THE SEA! She tells nobody.",
            "She tells nobody. The queen never fears the sea.",
        ]
    )
    assert merged == ("The queen fears the sea. She tells nobody. The queen never fears the sea.")


@pytest.mark.parametrize(
    ("best", "other", "expected"),
    [
        ("He rode. ", "He fell.", "He rode. He fell."),
        ("He rode", "He fell", "He rode\nHe fell"),
        ("One gate.\nTwo keys.", "Three locks.", "One gate.\nTwo keys.\nThree locks."),
        ("橋は東。", "橋は東。剣は赤。",
         "橋は東。 剣は赤。"),
        ("He rode, he fell.", "He rode;\nhe fell!", "He rode, he fell."),
        ("A grey cat.", "a  GREY cat", "A grey cat."),
    ],
)  # fmt: skip
def test_a_sentence_is_appended_whole_or_not_at_all(best: str, other: str, expected: str) -> None:
    merged = merged_text([best, other])
    assert merged == expected
    assert merged_text([merged, best, other, other]) == merged


def test_what_was_left_out_is_told() -> None:
    source = "THE QUEEN FEARS THE SEA! She tells nobody."
    merged = merged_text(["The queen fears the sea.", source])
    assert left_out(source, merged) == ("THE QUEEN FEARS THE SEA!",)
    assert left_out("The queen fears the sea.", merged) == ()


@given(st.lists(st.text(min_size=1, max_size=60), min_size=1, max_size=5))
def test_a_merged_text_begins_with_the_best_one_and_says_it_again_unchanged(
    texts: list[str],
) -> None:
    merged = merged_text(texts)
    assert merged.startswith(texts[0].rstrip())
    assert merged_text([merged, *texts]) == merged
