from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.domain.search.late_interaction import (
    DIMENSION,
    asked_words,
    kept_words,
    nearness,
)
from tests.support.word_embedder import FakeWordEmbedder, word_vector

WORDS = FakeWordEmbedder().words
SEA, QUAY, BOTH = WORDS("sea"), WORDS("quay"), WORDS("sea quay")
NOTHING = WORDS("the")
ASKED = FakeWordEmbedder().asked_words
BELL = 0.08
"""What a figure of these random words is off by at most: two bits a number lose that much."""


def test_a_number_of_a_question_takes_one_byte() -> None:
    rows = np.eye(3, DIMENSION, dtype=np.float32)

    assert len(asked_words(rows)) == 3 * DIMENSION
    assert np.frombuffer(asked_words(rows), np.int8).max() == 127


@pytest.mark.parametrize(("n", "n_bytes"), [(0, 0), (1, 64), (4, 64), (5, 128), (8, 128)])
def test_a_kept_word_takes_sixteen_bytes_and_a_text_whole_sixty_four(n: int, n_bytes: int) -> None:
    rows = np.array([word_vector(f"{one}") for one in range(n)], np.float32)

    assert len(kept_words(rows.reshape(-1, DIMENSION))) == n_bytes


def test_a_kept_number_is_one_of_four() -> None:
    rows = np.array([[-0.3, -0.05, 0.05, 0.3] * 16], np.float32)

    assert kept_words(rows)[:16] == bytes([0b11_10_01_00] * 16)


def test_a_kept_word_is_as_near_to_any_as_it_was_before() -> None:
    words = np.array([word_vector(f"{one}") for one in range(200)], np.float32)
    with_itself = [
        nearness(asked_words(row[None]), {"it": kept_words(row[None])}, {"it": b""})["it"]
        for row in words
    ]
    mixed = words[:100] + words[100:]
    mixed /= np.linalg.norm(mixed, axis=1, keepdims=True)
    with_half = [
        nearness(asked_words(one[None]), {"it": kept_words(row[None])}, {"it": b""})["it"]
        for one, row in zip(words[:100], mixed, strict=True)
    ]

    assert np.mean(with_itself) == pytest.approx(1.0, abs=0.02)
    exact = np.einsum("ij,ij->i", words[:100], mixed)
    assert np.mean(with_half) == pytest.approx(exact.mean(), abs=0.02)
    assert np.abs(with_half - exact).max() < 4 * BELL


def test_each_word_of_the_question_counts_by_the_best_it_meets() -> None:
    near = nearness(ASKED("sea quay"), {"both": BOTH, "one": SEA}, {"both": b"", "one": b""})

    assert near["both"] == pytest.approx(1.0, abs=BELL)
    other = float(word_vector("quay") @ word_vector("sea"))
    assert near["one"] == pytest.approx((1.0 + other) / 2, abs=BELL)


def best_of(question: bytes, words: bytes) -> float:
    return nearness(question, {"one": words}, {"one": b""})["one"]


def test_words_of_tags_count_as_the_memorys_own() -> None:
    near = nearness(ASKED("sea quay"), {"told": SEA, "bare": SEA}, {"told": QUAY, "bare": b""})

    assert near["told"] == pytest.approx(1.0, abs=BELL)
    assert near["told"] > near["bare"]


def test_one_without_words_stands_in_the_middle_of_the_others() -> None:
    words = {"a": BOTH, "b": SEA, "c": QUAY, "d": SEA}
    near = nearness(ASKED("sea quay"), words, dict.fromkeys([*words, "new"], b""))

    assert near["new"] == pytest.approx(np.mean([near[key] for key in words]))


def test_a_text_of_stop_words_alone_has_none_to_compare() -> None:
    words = {"a": BOTH, "b": NOTHING}

    near = nearness(ASKED("sea quay"), words, dict.fromkeys(words, b""))
    assert near["b"] == near["a"]
    assert nearness(ASKED("sea quay"), {"b": NOTHING}, {"b": b""}) == {}


@pytest.mark.parametrize(("n_known", "is_enough"), [(0, False), (7, False), (8, True), (10, True)])
def test_four_in_five_must_have_words(n_known: int, is_enough: bool) -> None:  # noqa: FBT001
    keys = [f"m{n}" for n in range(10)]
    near = nearness(ASKED("sea"), dict.fromkeys(keys[:n_known], SEA), dict.fromkeys(keys, b""))

    assert bool(near) is is_enough
    assert set(near) == (set(keys) if is_enough else set())


def test_a_question_without_words_compares_nothing() -> None:
    assert nearness(b"", {"a": SEA}, {"a": b""}) == {}


@given(st.lists(st.text("abc ", min_size=1), min_size=1, max_size=8), st.randoms())
def test_neither_order_nor_company_changes_a_figure(texts: list[str], chance: object) -> None:
    words = {f"{n}": WORDS(text) for n, text in enumerate(texts)}
    question = ASKED("abc cab")
    together = nearness(question, words, dict.fromkeys(words, b""))
    shuffled = list(words)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    again = nearness(question, {key: words[key] for key in shuffled}, dict.fromkeys(words, b""))

    assert again == together
    assert all(together[key] == best_of(question, words[key]) for key in words if words[key])


def test_many_words_are_as_near_as_a_few() -> None:
    words = {f"{n}": WORDS(" ".join(f"{n}x{one}" for one in range(120))) for n in range(30)}
    question = ASKED("3x7 17x100 quay")
    together = nearness(question, words, dict.fromkeys(words, b""))

    assert all(together[key] == best_of(question, text) for key, text in words.items())
    assert sorted(together, key=together.__getitem__)[-2:] in (["3", "17"], ["17", "3"])
