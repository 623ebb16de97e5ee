"""What a page says already: the figures of the design as floor and ceilings, on made-up text."""

from __future__ import annotations

import pytest

from inklings_desktop.domain.world.derivable import repeated_by, words_to_find
from tests.support.world_text import PEOPLE, WorldText

N = 200
LOOKS = (
    "Nerys has grey eyes, like her mother. She doesn't trust the Provost of Wend Gate."
    " Nobody says that Orsa guards the old bridge."
)


@pytest.fixture(scope="module")
def pages() -> list[list[str]]:
    text = WorldText(70)
    return [[text.sentence() for _ in range(6)] for _ in range(N)]


@pytest.fixture(scope="module")
def passages(pages: list[list[str]]) -> list[str]:
    return [" ".join(one) for one in pages]


def share(texts: list[str], passages: list[str]) -> float:
    return sum(repeated_by(one, passages) is not None for one in texts) / len(texts)


def test_a_sentence_of_a_page_is_found_on_it(pages: list[list[str]], passages: list[str]) -> None:
    found = [repeated_by(one[n % 6], passages) for n, one in enumerate(pages)]
    assert sum(place == n for n, place in enumerate(found)) >= 0.95 * N
    edited = [one[0].replace("the ", "").replace(" of ", " in ").upper() for one in pages]
    assert share(edited, passages) >= 0.95
    assert share([f"{one[2]} {one[3]}" for one in pages], passages) >= 0.95


def test_what_no_page_says_is_never_refused(pages: list[list[str]], passages: list[str]) -> None:
    text = WorldText(71)
    assert share([text.sentence() for _ in range(2 * N)], passages) == 0
    wishes = [f"The author wants a scene in which {one[0]}" for one in pages]
    assert share(wishes, passages) == 0


def test_another_name_number_or_no_is_no_repeat(
    pages: list[list[str]], passages: list[str]
) -> None:
    text = WorldText(72)
    altered = []
    for one in pages:
        first, *rest = one[0].split()
        other = text.random.choice([name for name in PEOPLE if name not in one[0]])
        altered += [
            " ".join([other, *rest]),
            " ".join([first, "never", *rest]),
            " ".join("101" if word.isdigit() else word for word in [*one[1].split(), "7"]),
        ]
    assert share(altered, passages) == 0


@pytest.mark.parametrize(
    "text",
    [
        "Nerys has grey eyes, like her mother.",
        "NERYS: grey eyes like the mother",
        "She does not trust the Provost of Wend Gate.",
    ],
)
def test_layout_small_words_and_short_forms_change_nothing(text: str) -> None:
    assert repeated_by(text, ["Of salt.", LOOKS]) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Nerys has grey eyes.",  # too little to be a repeat
        "Nerys has green eyes, like her mother.",
        "She trusts the Provost of Wend Gate.",
        "Nerys' mother has grey eyes, like her.",
        "Nerys has grey eyes; Wend Gate has a Provost.",  # far apart on the page
        "Orsa guards the old bridge.",  # denied on the page
        "",
    ],
)
def test_what_says_something_else_may_be_stored(text: str) -> None:
    assert repeated_by(text, [LOOKS]) is None


def test_signs_without_blanks_are_compared_one_by_one() -> None:
    page = "\u5f7c\u4e0d\u4fe1\u4efb\u5979\u7684\u54e5\u54e5\u3002"
    assert repeated_by("\u5f7c\u4e0d\u4fe1\u4efb\u5979\u7684\u54e5\u54e5", [page]) == 0
    assert repeated_by("\u5f7c\u4fe1\u4efb\u5979\u7684\u54e5\u54e5", [page]) is None


def test_passages_are_asked_for_by_the_words_that_say_something() -> None:
    found = words_to_find("Nerys has grey eyes, like her mother. Grey!")
    assert " ".join(found) == "nerys grey eyes mother"
    assert words_to_find("She has grey eyes.") == ()
