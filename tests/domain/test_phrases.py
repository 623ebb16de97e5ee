from __future__ import annotations

import pytest

from inklings_desktop.domain.words.phrases import phrase_runs, says


@pytest.mark.parametrize(
    ("text", "phrase", "is_said"),
    [
        ("The harbour glass sings.", "harbour glass", True),
        ("The glass of the harbour", "harbour glass", False),
        ("Harbours; glasses", "harbour glass", True),
        ("Elarinde\u0308 said", "elarinde said", True),
        ("Aveline's tide", "aveline's tide", True),
        ("\u6771\u4eac\u90fd\u5e81\u3067", "\u4eac\u90fd", True),
        ("\u6771\u4eac", "\u4eac\u6771", False),
        ("old \u6771\u4eac road", "\u6771\u4eac road", True),
        ("a \U0001f30a b", "\U0001f30a b", True),
        ("anything", "?!", True),
        ("", "a", False),
    ],
)
def test_a_phrase_is_said_word_by_word(text: str, phrase: str, is_said: bool) -> None:  # noqa: FBT001 - a table of cases
    assert says(text, phrase) is is_said


def test_a_phrase_without_words_has_no_runs() -> None:
    assert phrase_runs(" ?! _ ") == ()
    assert phrase_runs("Tide \u6771\u4eac") == (("tide", False), ("\u6771\u4eac", True))
