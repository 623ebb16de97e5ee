from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.domain.entries.named_entry import (
    checked_body,
    checked_entry_name,
    heading_of,
    require_distinct,
)
from inklings_desktop.domain.entries.proposals import shrinks_much
from inklings_desktop.domain.errors import InvalidValueError

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))
LINES = st.text("#`~ ab\r\n\t", max_size=60)


@given(TEXTS)
def test_any_text_is_a_body_as_it_is(text: str) -> None:
    assert checked_body(text).encode() == text.encode()


@given(TEXTS | LINES)
def test_a_heading_is_one_line_of_the_body(body: str) -> None:
    heading = heading_of(body)
    assert heading in body
    assert "\n" not in heading
    assert "\r" not in heading
    assert heading == heading.strip()
    assert bool(heading) == bool(body.strip())


@given(st.text(max_size=50))
def test_a_name_is_allowed_by_its_alphabet_and_length_alone(name: str) -> None:
    try:
        checked_entry_name(name)
    except InvalidValueError:
        assert not re.fullmatch(r"[A-Z0-9_]{2,40}", name, re.ASCII)
    else:
        assert re.fullmatch(r"[A-Z0-9_]{2,40}", name, re.ASCII)


@given(st.text("VOICE", min_size=5, max_size=5))
def test_names_of_the_same_letters_in_another_order_are_distinct(name: str) -> None:
    if name != "VOICE":
        assert checked_entry_name(name) == name
        require_distinct(name, [])


@given(TEXTS, TEXTS)
def test_nothing_shrinks_by_growing(current: str, proposed: str) -> None:
    if len(proposed) >= len(current):
        assert not shrinks_much(current, proposed)
