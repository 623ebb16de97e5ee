from __future__ import annotations

import pytest

from inklings_desktop.domain.likeness.rewording import (
    INVENTED,
    LOST,
    NAME,
    NEGATION,
    NUMBER,
    fault_of,
    repeats,
)

PARENTS = (
    "The harbour of Vell closes at dusk.",
    "Vell's harbour closes at dusk, and Mara keeps the 3 keys.",
)


def test_a_text_that_says_all_of_it_has_no_fault() -> None:
    assert fault_of("Mara keeps the 3 keys of Vell's harbour, which closes at dusk.", PARENTS) == ""


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Vell's harbour closes at dusk, and Mara keeps the keys.", NUMBER),
        ("Vell's harbour closes at dusk, and Mara keeps the 4 keys.", NUMBER),
        ("The harbour closes at dusk, and Mara keeps the 3 keys.", NAME),
        ("Vell's harbour closes at dusk, and Mara and Orsa keep the 3 keys.", NAME),
        ("The harbour of Vell never closes at dusk; Mara keeps the 3 keys.", NEGATION),
        ("Mara keeps the 3 keys of Vell's harbour.", LOST),
        (
            (
                "Mara, a sailor with a parrot, keeps the 3 keys of Vell's harbour, which closes at"
                " dusk while gulls sing songs about storms."
            ),
            INVENTED,
        ),
    ],
)
def test_what_is_missing_turned_or_invented_is_a_fault(text: str, fault: str) -> None:
    assert fault_of(text, PARENTS) == fault


def test_a_negation_of_a_source_must_come_along() -> None:
    sources = ("Orsa does not fear the sea.", "Orsa does not fear the sea or its storms.")
    assert fault_of("Orsa fears the sea and its storms.", sources) == NEGATION
    assert fault_of("Orsa does not fear the sea, nor its storms.", sources) == ""


def test_a_number_is_a_number_however_often_it_is_said() -> None:
    sources = ("The gate has 12 bars.", "12 bars hold the gate shut.")
    assert fault_of("The gate has 12 bars that hold it shut.", sources) == ""


def test_what_is_lost_of_one_of_many_sources_is_a_fault() -> None:
    sources = (*PARENTS, "Vell's harbour master sleeps in the old customs house.")
    assert fault_of("Mara keeps the 3 keys of Vell's harbour, which closes at dusk.", sources)


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ("The 3 keys of Vell are kept by Mara.", True),
        ("Mara keeps the 4 keys of Vell.", False),
        ("Orsa keeps the 3 keys of Vell.", False),
        ("Mara never keeps the 3 keys of Vell.", False),
    ],
)
def test_what_repeats_another_has_its_numbers_names_and_yes_or_no(
    other: str, *, expected: bool
) -> None:
    assert repeats("Mara keeps the 3 keys of Vell.", other) is expected
