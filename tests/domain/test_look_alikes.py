from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.domain.likeness.look_alikes import looks_like, skeletons

NAMES = st.text(string.ascii_uppercase + string.digits + "_", min_size=2, max_size=40)
OVERLOOKED = st.sampled_from(["\u200b", "\u200d", "\ufeff", "\u00ad", "\u0301", "\ufe0f", "\u2060"])


@pytest.mark.parametrize(
    "imitation",
    [
        "V0ICE",
        "VO1CE",
        "V01C3",
        "voice",
        "Voice",
        "VOlCE",
        "VO|CE",
        "_VOICE",
        "VOICE_",
        "VOICE__",
        "V O I C E",
        "VO\u200bICE",
        "VO\u00adICE",
        "VOICE\ufe0f",
        "\u202eVOICE",
        "V\u00d3ICE",
        "VO\u0327ICE",
        "\uff36\uff2f\uff29\uff23\uff25",
        "\u2164OICE",
        "\U0001d415\U0001d40e\U0001d408\U0001d402\U0001d404",
        "V\u041eICE",
        "VOI\u0421E",
        "VOIC\u0395",
        "\u03bd\u03bf\u03b9\u03f2\u03b5",
        "\u0474\u041e\u0406\u0421\u0415",
        "\u13d9OICE",
        "\ua4e6\ua4f3\ua4f2\ua4da\ua4f0",
    ],
)
def test_what_a_reader_takes_for_voice_looks_like_it(imitation: str) -> None:
    assert looks_like(imitation, "VOICE")
    assert not looks_like(imitation, "SOUL")


@pytest.mark.parametrize(
    "imitation", ["S0UL", "SOU1", "5OUL", "soul", "sou\u04cf", "\u0405\u041e\u054d\u13de"]
)
def test_what_a_reader_takes_for_soul_looks_like_it(imitation: str) -> None:
    assert looks_like(imitation, "SOUL")


@pytest.mark.parametrize("name", ["VOICES", "INVOICE", "VOICE_2", "V_OICE", "CHOICE", "SOULS"])
def test_a_different_name_looks_different(name: str) -> None:
    assert not looks_like(name, "VOICE")
    assert not looks_like(name, "SOUL")


def test_numbered_names_look_different_from_each_other() -> None:
    names = [f"PART_{number}" for number in range(100)]
    for at, name in enumerate(names):
        assert not any(looks_like(name, other) for other in names[:at])


def test_a_name_without_end_is_not_read_to_its_end() -> None:
    assert max(map(len, skeletons("A" * 1_000_000))) <= 1_000


@given(NAMES)
def test_every_name_looks_like_itself_in_small_letters(name: str) -> None:
    assert looks_like(name, name)
    assert looks_like(name.lower(), name)


@given(NAMES, NAMES)
def test_looking_alike_is_mutual(one: str, other: str) -> None:
    assert looks_like(one, other) == looks_like(other, one)


@given(NAMES, OVERLOOKED, st.data())
def test_what_is_overlooked_makes_no_difference(
    name: str, overlooked: str, data: st.DataObject
) -> None:
    at = data.draw(st.integers(1, len(name)))
    assert looks_like(name[:at] + overlooked + name[at:], name)


@given(st.text(max_size=60))
def test_any_text_can_be_asked_about(text: str) -> None:
    assert looks_like(text, text)
