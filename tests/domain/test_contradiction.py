from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.domain.likeness.differences import Difference, differences
from inklings_desktop.domain.likeness.rewording import names_in
from inklings_desktop.domain.world.contradiction import contradicts
from tests.support.world_text import PEOPLE, PLACES, WorldText

N = 200
NAMES = names_in(" ".join([*PEOPLE, *PLACES, "Nerys Orsa Mara Provost Wend Vell"]))
SAID = "Nerys keeps the 3 keys of Wend Gate and trusts the Provost."


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("She ruled for five years.", "She ruled for six years.", [Difference.NUMBERS]),
        ("The toll is 5 marks", "The toll is 7 marks", [Difference.NUMBERS]),
        ("The toll is 5 marks", "The toll is five marks", []),
        ("Built in 1,200 days", "Built in 1200 days", []),
        ("The third gate", "The fourth gate", [Difference.NUMBERS]),
        ("The gate at dawn", "The gate at dusk", [Difference.DATES]),
        ("They met on Monday", "They met on Friday", [Difference.DATES]),
        ("She trusts the Provost", "She does not trust the Provost", [Difference.NEGATION]),
        ("She can't swim", "She can swim", [Difference.NEGATION]),
        ("She can\u2019t swim", "She cannot swim", []),
        ("Nerys turns left", "Nerys turns right", [Difference.OPPOSITES]),
        ("His brother waits", "His sister waits", [Difference.OPPOSITES]),
        ("Orsa betrayed Nerys", "Nerys betrayed Orsa", [Difference.ORDER]),
        ("\u9f8d\u306f\u4e94\u6b73", "\u9f8d\u306f\u4e94\u6b73", []),
    ],
)
def test_what_is_told_differently_is_named(
    one: str, other: str, expected: list[Difference]
) -> None:
    assert list(differences(one, other)) == expected
    assert differences(other, one) == differences(one, other)


@given(st.text(max_size=80))
def test_a_text_never_contradicts_itself(text: str) -> None:
    assert differences(text, text) == ()
    assert contradicts(text, text, names_in(text)) is None


@pytest.mark.parametrize(
    ("other", "found"),
    [
        ("Nerys keeps the 4 keys of Wend Gate and trusts the Provost.", Difference.NUMBERS),
        ("Nerys never keeps the 3 keys of Wend Gate and trusts the Provost.", Difference.NEGATION),
        ("Nerys keeps the 3 keys of Wend Gate and trusts Orsa.", Difference.NAME),
        ("Nerys keeps the 3 keys of Wend Gate and distrusts the Provost.", Difference.OPPOSITES),
        ("Provost keeps the 3 keys of Wend Gate and trusts the Nerys.", Difference.ORDER),
        ("In the second draft, Nerys keeps the 3 keys of Wend Gate and trusts the Provost.", None),
        ("Nerys keeps the 3 keys of Wend Gate and trusts the Provost until the fifth book.", None),
        ("Orsa keeps the 3 keys of Wend Gate and trusts the Provost.", None),
        ("Orsa keeps the 4 keys of Wend Gate and trusts the Provost.", None),
        ("Nerys keeps the keys of Wend Gate and trusts the Provost.", None),
        ("Nerys counts 4 keys.", None),
        ("Mara sold 4 lamps in Vell and paid the Queen.", None),
        ("", None),
    ],
)
def test_plain_contradictions_are_found(other: str, found: Difference | None) -> None:
    assert contradicts(SAID, other, NAMES) == found
    assert contradicts(other, SAID, NAMES) == found


def test_texts_without_a_name_in_common_are_of_different_things() -> None:
    one, other = (
        "The old gate has 3 heavy locks of iron.",
        "The old gate has 4 heavy locks of iron.",
    )
    assert contradicts(one, other, NAMES) is None
    assert contradicts(one, other, frozenset({"gate"})) is Difference.NUMBERS


def test_a_memory_is_compared_with_each_sentence_of_a_block() -> None:
    block = (
        "Wend Gate is old. Nerys keeps the 4 keys of Wend Gate and trusts the Provost. It rains."
    )
    assert contradicts(SAID, block, NAMES) is Difference.NUMBERS
    assert contradicts(SAID, f"{block} {SAID}", NAMES) is None


def test_figures_of_the_design_hold_on_made_up_text() -> None:
    text = WorldText(92)
    said = [text.sentence().rstrip(".") for _ in range(N)]
    altered: list[tuple[str, str]] = []
    for one in said:
        first, *rest = one.split()
        place = text.random.randint(1, len(rest) - 3)
        renamed = [PEOPLE[0] if word in PEOPLE else word for word in rest]
        altered += [
            (one, " ".join([first, *rest[:place], "not", *rest[place:]])),
            (f"{one} for nine days", f"{one} for 8 days"),
            *([(one, " ".join([first, *renamed]))] if renamed != rest else []),
        ]
    n_found = sum(contradicts(*pair, NAMES) is not None for pair in altered)
    assert n_found >= 0.95 * len(altered)
    pairs = [(one, f"As of the first draft, {one}") for one in said]
    pairs += [(one, text.sentence()) for one in said]
    pairs += [(one, one.replace("the ", "").upper()) for one in said]
    assert [pair for pair in pairs if contradicts(*pair, NAMES)] == []
