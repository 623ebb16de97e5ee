from __future__ import annotations

import random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.domain.likeness.needles import (
    MAX_NEEDLES,
    NEEDLES_PER_TEXT,
    WINDOW_BYTES,
    Candidates,
    NeedleHasher,
    NeedleSet,
)

HASHER = NeedleHasher(b"secret")
TEXT = b"The lighthouse keeper counts the tides and writes them into the salt ledger."


def needles(removed: list[bytes], kept: list[bytes]) -> NeedleSet:
    return NeedleSet(HASHER, Candidates(HASHER, removed).needles(kept))


@given(text=st.binary(max_size=200), at=st.integers(0, 200))
def test_a_window_has_the_same_hash_wherever_it_stands(text: bytes, at: int) -> None:
    hashes = HASHER.hashes(text)

    assert len(hashes) == max(len(text) - WINDOW_BYTES + 1, 0)
    if at < len(hashes):
        window = text[at : at + WINDOW_BYTES]
        assert HASHER.hashes(window)[0] == hashes[at]
        assert HASHER.hashes(b"before" + window + b"after")[6] == hashes[at]


@given(text=st.binary(min_size=24, max_size=80), width=st.sampled_from([16, 24]))
def test_windows_apart_have_the_hashes_of_windows_in_a_row(text: bytes, width: int) -> None:
    hasher = HASHER.of_width(width)
    windows = np.lib.stride_tricks.sliding_window_view(np.frombuffer(text, np.uint8), width)

    assert (hasher.of_windows(windows) == hasher.hashes(text)).all()


def test_hashes_tell_nothing_without_the_secret() -> None:
    other = NeedleHasher(b"another secret")

    assert not np.isin(HASHER.hashes(TEXT), other.hashes(TEXT)).any()


@given(before=st.binary(max_size=60), after=st.binary(max_size=60))
def test_removed_text_is_found_among_other_bytes(before: bytes, after: bytes) -> None:
    looked_for = needles([TEXT], [])

    assert 1 <= len(looked_for) <= NEEDLES_PER_TEXT
    assert len(looked_for.found_in(before + TEXT + after)) == len(looked_for)


def test_a_piece_of_removed_text_is_found_across_blocks() -> None:
    chance = random.Random(3)  # noqa: S311  it only makes up bytes
    looked_for = needles([TEXT], [])
    for place in (0, 2**18 - 30, 2**18 - 5, 2**18 + 1, 900_000):
        filling = bytearray(chance.randbytes(1_000_000))
        filling[place : place + len(TEXT)] = TEXT

        assert len(looked_for.found_in(bytes(filling))) == len(looked_for)


def test_random_bytes_hold_no_needle() -> None:
    chance = random.Random(4)  # noqa: S311  it only makes up bytes
    removed = [chance.randbytes(100) for _ in range(2_000)]
    looked_for = needles(removed, [])

    assert len(looked_for) == 2_000 * NEEDLES_PER_TEXT
    assert len(looked_for.found_in(chance.randbytes(4_000_000))) == 0


def test_what_stands_in_kept_text_is_no_needle() -> None:
    shared = b"the same old saying that everybody repeats, word for word"
    looked_for = needles([shared, shared + b" " + TEXT], [b"Kept: " + shared, b"and more"])

    assert len(looked_for.found_in(shared)) == 0
    assert len(looked_for.found_in(TEXT)) > 0


def test_text_that_is_too_short_or_says_nothing_gives_no_needle() -> None:
    texts = [b"", b"short", b"x" * 500, b"-=" * 300, b"\x00" * 4_096]

    assert len(needles(texts, [])) == 0
    assert len(NeedleSet(HASHER, np.empty(0, np.uint64)).found_in(TEXT)) == 0


def test_each_text_gives_needles_however_many_there_are() -> None:
    chance = random.Random(5)  # noqa: S311  it only makes up bytes
    removed = [chance.randbytes(chance.randrange(24, 4_000)) for _ in range(3_000)]

    looked_for = needles(removed, [])

    assert all(len(looked_for.found_in(text)) > 0 for text in removed[::50])


def test_there_is_a_most() -> None:
    chance = random.Random(6)  # noqa: S311  it only makes up bytes
    removed = [chance.randbytes(120) for _ in range(MAX_NEEDLES // NEEDLES_PER_TEXT + 1_000)]

    looked_for = needles(removed, [])

    assert MAX_NEEDLES // 2 <= len(looked_for) <= MAX_NEEDLES
