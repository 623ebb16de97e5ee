"""Needles: short pieces of removed text, known by their hashes alone, to be looked for in bytes.

A needle is a window of 24 bytes. Its hash is polynomial, modulo 2**64, in a number derived from a
secret: it can be rolled over a gigabyte in seconds, and says nothing about the text to whoever
lacks the secret.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Hashes = npt.NDArray[np.uint64]
    Places = npt.NDArray[np.int64]
    Windows = npt.NDArray[np.uint8]

WINDOW_BYTES = 24
END_BYTES = 16
NEEDLES_PER_TEXT = 4
MAX_NEEDLES = 1 << 18
"""Most needles of one scrub; of more, every n-th is taken."""

_CANDIDATES = (0, 4, 2, 6, 1, 5, 3, 7)
"""Places tried in a text, in eighths of its length; the first four lie far apart."""
_MIN_DISTINCT_BYTES = 6
_BLOCK_BYTES = 1 << 16
_BUFFER_BYTES = 1 << 22
_LEAST_FILTER_BITS, _MOST_FILTER_BITS = 16, 25


class NeedleHasher:
    """Hashes every window of a text under one secret."""

    def __init__(self, secret: bytes, width: int = WINDOW_BYTES) -> None:
        """Derive the multiplier.

        Args:
            secret: Any bytes; the same ones find the same needles.
            width: Bytes of a window, a multiple of 8.
        """
        seed = int.from_bytes(hashlib.sha256(b"needles" + secret).digest()[:8]) | 1
        self._powers = {n: np.uint64(pow(seed, n, 1 << 64)) for n in (1, 2, 4, 8)}
        self._falling = np.array(
            [pow(seed, n, 1 << 64) for n in range(width - 1, -1, -1)], np.uint64
        )
        self._secret = secret
        self.width = width

    def of_width(self, width: int) -> NeedleHasher:
        """The same for windows of another width."""
        return NeedleHasher(self._secret, width)

    def hashes(self, text: bytes | memoryview) -> Hashes:
        """The hash of every window.

        Returns:
            uint64, shape (len(text) - width + 1,); empty for a shorter text.
        """
        n_windows = len(text) - self.width + 1
        if n_windows <= 0:
            return np.empty(0, np.uint64)
        eights = np.frombuffer(text, np.uint8).astype(np.uint64) + np.uint64(1)
        for step in (1, 2, 4):
            eights = eights[:-step] * self._powers[step] + eights[step:]
        # Eight bytes at a time: like this a window costs five steps instead of 24.
        found: Hashes = eights[:n_windows]
        for start in range(8, self.width, 8):
            found = found * self._powers[8] + eights[start : start + n_windows]
        return found

    def of_windows(self, windows: Windows) -> Hashes:
        """The hash of each of some windows.

        Args:
            windows: uint8, shape (n_windows, width).
        """
        found: Hashes = (windows.astype(np.uint64) + np.uint64(1)) @ self._falling
        return found


class NeedleSet:
    """Hashes to look for."""

    def __init__(self, hasher: NeedleHasher, hashes: Hashes) -> None:
        self.hasher = hasher
        self.hashes: Hashes = np.unique(hashes)
        # Sixteen places for each hash: fifteen of sixteen windows go no further than here.
        bits = min(max(len(self.hashes).bit_length() + 4, _LEAST_FILTER_BITS), _MOST_FILTER_BITS)
        self._shift = np.uint64(64 - bits)
        self._filter = np.zeros(1 << bits, np.bool_)
        self._filter[self._place(self.hashes)] = True

    def __len__(self) -> int:
        return len(self.hashes)

    def windows_in(self, text: bytes | memoryview) -> dict[int, bytes]:
        """Those that occur in a text: hash and window of each."""
        view, width = memoryview(text), self.hasher.width
        found: dict[int, bytes] = {}
        for start, hashes in self._blocks(view):
            for place in np.flatnonzero(self._is_one(hashes)).tolist():
                at = start + place
                found.setdefault(int(hashes[place]), bytes(view[at : at + width]))
        return found

    def found_in(self, text: bytes | memoryview) -> Hashes:
        """Which of them occur in a text, each once."""
        found = [hashes[self._is_one(hashes)] for _, hashes in self._blocks(memoryview(text))]
        return np.unique(np.concatenate([self.hashes[:0], *found]))

    def found_among(self, texts: Iterable[bytes]) -> Hashes:
        """Which of them occur in one of these texts, each once."""
        found = [self.found_in(b"\x00".join(batch)) for batch in _in_batches(texts)]
        return np.unique(np.concatenate([self.hashes[:0], *found]))

    def _blocks(self, view: memoryview) -> Iterator[tuple[int, Hashes]]:
        """Where each block of a text begins, and the hashes of the windows that begin in it."""
        if not len(self.hashes):
            return
        reach = self.hasher.width - 1
        for start in range(0, max(len(view) - reach, 0), _BLOCK_BYTES):
            yield start, self.hasher.hashes(view[start : start + _BLOCK_BYTES + reach])

    def _is_one(self, hashes: Hashes) -> npt.NDArray[np.bool_]:
        found = self._filter[self._place(hashes)]
        likely = np.flatnonzero(found)
        places = np.searchsorted(self.hashes, hashes[likely])
        places[places == len(self.hashes)] = 0
        found[likely] = self.hashes[places] == hashes[likely]
        return found

    def _place(self, hashes: Hashes) -> Places:
        return (hashes >> self._shift).astype(np.int64)


class Candidates:
    """Windows of removed texts, before it is known which of them occur in what stays."""

    def __init__(self, hasher: NeedleHasher, texts: Iterable[bytes]) -> None:
        """Take up to eight windows from each text, spread over its length.

        Args:
            hasher: Hashes them.
            texts: What is removed, piece by piece; read once.
        """
        self._hasher = hasher
        self._ends = hasher.of_width(END_BYTES)
        none = _Taken(*(np.empty(0, np.int64),) * 2, *(np.empty(0, np.uint64),) * 3)
        parts = [none]
        n_texts = 0
        for batch in _in_batches(texts):
            parts.append(_taken(hasher, self._ends, batch, n_texts))
            n_texts += len(batch)
        self._taken = _Taken(*(np.concatenate(one) for one in zip(*parts, strict=True)))

    def needles(self, kept: Iterable[bytes]) -> Hashes:
        """Up to four hashes per text, of windows that nothing kept could be taken for.

        A window whose first or last 16 bytes stand in a kept text does not count: at the end of
        a text, a few bytes of something else could make up the rest.

        Returns:
            uint64, sorted, each once, at most ``MAX_NEEDLES``.
        """
        taken = self._taken
        ends = NeedleSet(self._ends, np.concatenate([taken.firsts, taken.lasts]))
        standing = ends.found_among(kept)
        is_needle = ~(np.isin(taken.firsts, standing) | np.isin(taken.lasts, standing))
        texts, ranks, hashes = (one[is_needle] for one in (taken.texts, taken.ranks, taken.hashes))
        order = np.lexsort((ranks, texts))
        texts, hashes = texts[order], hashes[order]
        # Place of each among those of its text: its own minus that of the text's first.
        firsts = np.searchsorted(texts, texts, side="left")
        chosen: Hashes = np.unique(hashes[np.arange(len(texts)) - firsts < NEEDLES_PER_TEXT])
        every: Hashes = chosen[:: max(-(-len(chosen) // MAX_NEEDLES), 1)]
        return every


class _Taken(NamedTuple):
    """Windows side by side: text, rank in it, hash, and hashes of both ends."""

    texts: Places
    ranks: Places
    hashes: Hashes
    firsts: Hashes
    lasts: Hashes


def standing_windows(
    hasher: NeedleHasher, windows: Iterable[bytes], kept: Iterable[bytes]
) -> frozenset[bytes]:
    """Those of the windows found somewhere that a kept text explains.

    Args:
        hasher: Any; only the width matters to the outcome.
        windows: Windows as they were found.
        kept: Texts that stand in rows.
    """
    ends = hasher.of_width(END_BYTES)
    hashes = {
        window: (int(ends.hashes(window)[0]), int(ends.hashes(window)[-1])) for window in windows
    }
    wanted = np.array([one for pair in hashes.values() for one in pair], np.uint64)
    standing = set(NeedleSet(ends, wanted).found_among(kept).tolist())
    return frozenset(window for window, pair in hashes.items() if not standing.isdisjoint(pair))


def _taken(hasher: NeedleHasher, ends: NeedleHasher, texts: list[bytes], first_text: int) -> _Taken:
    """Windows of some texts, numbered from ``first_text`` on."""
    lengths = np.array([len(text) for text in texts], np.int64)
    starts = np.cumsum(lengths) - lengths
    room = lengths - WINDOW_BYTES
    long_enough = np.flatnonzero(room >= 0)
    joined = b"".join(texts)
    # The last place ends with the text; equal places of a short text become one needle.
    eighths = np.array(_CANDIDATES, np.int64)[:, None]
    places = (starts + room * eighths // max(_CANDIDATES))[:, long_enough].ravel()
    numbers = np.tile(long_enough + first_text, len(_CANDIDATES))
    ranks = np.repeat(np.arange(len(_CANDIDATES)), len(long_enough))
    if not len(places):
        nothing = np.empty(0, np.uint64)
        return _Taken(numbers, ranks, nothing, nothing, nothing)
    whole = np.lib.stride_tricks.sliding_window_view(np.frombuffer(joined, np.uint8), WINDOW_BYTES)
    windows = whole[places]
    tells = _tells(windows)
    windows = windows[tells]
    return _Taken(
        numbers[tells],
        ranks[tells],
        hasher.of_windows(windows),
        ends.of_windows(windows[:, :END_BYTES]),
        ends.of_windows(windows[:, -END_BYTES:]),
    )


def _tells(windows: Windows) -> npt.NDArray[np.bool_]:
    """Whether a window has enough different bytes to be no filling, rule or empty page."""
    ordered = np.sort(windows, axis=1)
    distinct = (np.diff(ordered, axis=1) != 0).sum(axis=1) + 1
    tells: npt.NDArray[np.bool_] = distinct >= _MIN_DISTINCT_BYTES
    return tells


def _in_batches(texts: Iterable[bytes]) -> Iterator[list[bytes]]:
    batch: list[bytes] = []
    size = 0
    for text in texts:
        batch.append(text)
        size += len(text)
        if size >= _BUFFER_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
