from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.domain.likeness.quoting import STRETCH_CHARACTERS, Quoting

TOLL = "The toll at Wend Gate is paid in directions, never in coin."


@pytest.mark.parametrize(
    ("text", "is_quoted"),
    [
        (TOLL, True),
        (f"You said: “{TOLL}”", True),
        ("… is paid in directions, never …", True),
        ("is  paid in\ndirections, never", True),
        ("The toll at Wend Gate", False),
        ("Gulls pay in fish.", False),
        ("", False),
    ],
)
def test_a_stretch_of_24_characters_is_a_quote(text: str, *, is_quoted: bool) -> None:
    assert Quoting([TOLL]).is_quoted_in(text) is is_quoted


def test_a_short_text_is_quoted_whole_or_not_at_all() -> None:
    quoting = Quoting(["Nerys lies.", "Yes."])
    assert quoting.is_quoted_in("It is kept that Nerys lies. Good.")
    assert not quoting.is_quoted_in("Nerys lied.")
    assert not quoting.is_quoted_in("Yes.")


@given(st.text(min_size=1, max_size=80), st.text(max_size=40), st.text(max_size=80), st.data())
def test_it_finds_what_a_search_through_all_stretches_finds(
    known: str, before: str, other: str, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(known)))
    end = data.draw(st.integers(start, len(known)))
    looked = " ".join(f"{before}{known[start:end]}{other}".split())
    plain = " ".join(known.split())
    stretches = {
        plain[at : at + STRETCH_CHARACTERS] for at in range(len(plain) - STRETCH_CHARACTERS + 1)
    }
    expected = any(one in looked for one in stretches) or (
        8 <= len(plain) < STRETCH_CHARACTERS and plain in looked
    )
    assert Quoting([known]).is_quoted_in(looked) is expected
