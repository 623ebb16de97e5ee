from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.domain.words.text_diff import word_changes
from inklings_desktop.domain.world.retcon import updated_text

BASE = "Nerys has grey eyes and a grey cloak. She serves the Provost of Wend Gate."


@pytest.mark.parametrize(
    ("memory", "was", "becomes", "updated"),
    [
        ("Nerys has grey eyes.", "grey eyes", "green eyes", "Nerys has green eyes."),
        ("Grey eyes, that is Nerys.", "grey eyes", "green eyes", "Green eyes, that is Nerys."),
        ("Nerys serves the Provost", "Provost", "Queen", "Nerys serves the Queen"),
        ("Eyes at Wend\nGate!", "Wend Gate", "Vell", "Eyes at Vell!"),
        (
            "She serves in grief.",
            "She serves",
            "She no longer serves",
            "She no longer serves in grief.",
        ),
        ("A cloak, grey cloak.", "a grey cloak", "a cloak", "A cloak, cloak."),
    ],
)
def test_a_changed_word_is_put_where_it_has_one_place(
    memory: str, was: str, becomes: str, updated: str
) -> None:
    assert updated_text(memory, BASE, BASE.replace(was, becomes)) == updated


def test_every_change_has_to_find_its_place() -> None:
    now = BASE.replace("grey eyes", "green eyes").replace("Provost", "Queen")
    memory = "Nerys has grey eyes and serves the Provost."
    assert updated_text(memory, BASE, now) == "Nerys has green eyes and serves the Queen."
    assert updated_text("Nerys has grey eyes.", BASE, now) is None


@pytest.mark.parametrize(
    ("memory", "was", "becomes"),
    [
        ("Nerys wears a grey cloak.", "grey eyes", "green eyes"),  # another grey
        ("Nerys has eyes like grey ice.", "grey eyes", "green eyes"),
        ("The Provost is the Provost.", "Provost", "Queen"),
        ("A provost serves nobody.", "Provost", "Orsa"),  # a name, or the beginning of a sentence
        ("She gladly serves.", "She serves", "She no longer serves"),
        ("Nerys has grey eyes.", "Nerys", "NERYS"),
        ("Nerys has grey eyes.", ".", ""),
        ("", "grey eyes", "green eyes"),
    ],
)
def test_in_doubt_nothing_is_said(memory: str, was: str, becomes: str) -> None:
    assert updated_text(memory, BASE, BASE.replace(was, becomes)) is None


@given(st.text(alphabet="ab .\n", max_size=40), st.text(alphabet="ab .\n", max_size=40))
def test_changes_make_the_new_text_of_the_old_one(old: str, new: str) -> None:
    made, place = "", 0
    for here, there in word_changes(old, new):
        made += old[place : here.start] + new[there]
        place = here.stop
    assert made + old[place:] == new


@given(st.text(alphabet="abA .-", max_size=30), st.text(alphabet="abA .-", max_size=30))
def test_any_texts_may_be_compared(base: str, now: str) -> None:
    updated = updated_text(base, base, now)
    assert updated is None or updated != base


def test_texts_too_long_to_compare_are_one_change() -> None:
    long = "tide " * 2_000
    assert word_changes(long, f"{long}ebb") == ((slice(0, 10_000), slice(0, 10_003)),)
    assert updated_text("The tide.", long, f"{long}ebb") is None
