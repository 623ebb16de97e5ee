from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.domain.search.late_interaction import DIMENSION, nearness, packed
from tests.support.word_embedder import FakeWordEmbedder, word_vector

WORDS = FakeWordEmbedder().words
SEA, QUAY, BOTH = WORDS("sea"), WORDS("quay"), WORDS("sea quay")
NOTHING = WORDS("the")


def test_a_vector_takes_one_byte_a_number() -> None:
    rows = np.eye(3, DIMENSION, dtype=np.float32)

    assert len(packed(rows)) == 3 * DIMENSION
    assert np.frombuffer(packed(rows), np.int8).max() == 127


def test_each_word_of_the_question_counts_by_the_best_it_meets() -> None:
    near = nearness(BOTH, {"both": BOTH, "one": SEA}, {"both": (), "one": ()})

    assert near["both"] == pytest.approx(1.0, abs=0.02)
    other = float(word_vector("quay") @ word_vector("sea"))
    assert near["one"] == pytest.approx((1.0 + other) / 2, abs=0.02)


def best_of(question: bytes, words: bytes) -> float:
    return nearness(question, {"one": words}, {"one": ()})["one"]


def test_words_of_tags_count_as_the_memorys_own() -> None:
    near = nearness(BOTH, {"told": SEA, "bare": SEA}, {"told": [QUAY], "bare": ()})

    assert near["told"] == pytest.approx(1.0, abs=0.02)
    assert near["told"] > near["bare"]


def test_one_without_words_stands_in_the_middle_of_the_others() -> None:
    words = {"a": BOTH, "b": SEA, "c": QUAY, "d": SEA}
    near = nearness(BOTH, words, dict.fromkeys([*words, "new"], ()))

    assert near["new"] == pytest.approx(np.mean([near[key] for key in words]))


def test_a_text_of_stop_words_alone_has_none_to_compare() -> None:
    words = {"a": BOTH, "b": NOTHING}

    near = nearness(BOTH, words, dict.fromkeys(words, ()))
    assert near["b"] == near["a"]
    assert nearness(BOTH, {"b": NOTHING}, {"b": ()}) == {}


@pytest.mark.parametrize(("n_known", "is_enough"), [(0, False), (7, False), (8, True), (10, True)])
def test_four_in_five_must_have_words(n_known: int, is_enough: bool) -> None:  # noqa: FBT001
    keys = [f"m{n}" for n in range(10)]
    near = nearness(SEA, dict.fromkeys(keys[:n_known], SEA), dict.fromkeys(keys, ()))

    assert bool(near) is is_enough
    assert set(near) == (set(keys) if is_enough else set())


def test_a_question_without_words_compares_nothing() -> None:
    assert nearness(b"", {"a": SEA}, {"a": ()}) == {}


@given(st.lists(st.text("abc ", min_size=1), min_size=1, max_size=8), st.randoms())
def test_neither_order_nor_company_changes_a_figure(texts: list[str], chance: object) -> None:
    words = {f"{n}": WORDS(text) for n, text in enumerate(texts)}
    question = WORDS("abc cab")
    together = nearness(question, words, dict.fromkeys(words, ()))
    shuffled = list(words)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    again = nearness(question, {key: words[key] for key in shuffled}, dict.fromkeys(words, ()))

    assert again == together
    assert all(together[key] == best_of(question, words[key]) for key in words if words[key])
