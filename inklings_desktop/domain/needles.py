"""Needles: short pieces of removed text, known by their hashes alone, to be looked for in bytes.

A needle is a window of 24 bytes. Its hash is polynomial, modulo 2**64, in a number derived from a
secret: it can be rolled over a gigabyte in seconds, and says nothing about the text to whoever
lacks the secret.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Hashes = npt.NDArray[np.uint64]
    Places = npt.NDArray[np.int64]

WINDOW_BYTES = 24
NEEDLES_PER_TEXT = 4
MAX_NEEDLES = 1 << 18
"""Most needles of one scrub; of more, every n-th is taken."""

_CANDIDATES = (0, 4, 2, 6, 1, 5, 3, 7)
"""Places tried in a text, in eighths of its length; the first four lie far apart."""
_MIN_DISTINCT_BYTES = 6
_BLOCK_BYTES = 1 << 18
_BUFFER_BYTES = 1 << 22
_FILTER_BITS = 20


class NeedleHasher:
    """Hashes every window of a text under one secret."""

    def __init__(self, secret: bytes) -> None:
        """Derive the multiplier.

        Args:
            secret: Any bytes; the same ones find the same needles.
        """
        seed = int.from_bytes(hashlib.sha256(b"needles" + secret).digest()[:8]) | 1
        self._powers = {n: np.uint64(pow(seed, n, 1 << 64)) for n in (1, 2, 4, 8)}

    def hashes(self, text: bytes | memoryview) -> Hashes:
        """The hash of every window.

        Returns:
            uint64, shape (len(text) - 23,); empty for a shorter text.
        """
        if len(text) < WINDOW_BYTES:
            return np.empty(0, np.uint64)
        eights = np.frombuffer(text, np.uint8).astype(np.uint64) + np.uint64(1)
        for width in (1, 2, 4):
            eights = eights[:-width] * self._powers[width] + eights[width:]
        # Three times eight bytes; like this a window costs five steps instead of 24.
        by_eight = self._powers[8]
        found: Hashes = (eights[:-16] * by_eight + eights[8:-8]) * by_eight + eights[16:]
        return found


class NeedleSet:
    """Hashes to look for."""

    def __init__(self, hasher: NeedleHasher, hashes: Hashes) -> None:
        """Prepare the search.

        Args:
            hasher: Made the hashes.
            hashes: uint64, in any order.
        """
        self._hasher = hasher
        self.hashes: Hashes = np.unique(hashes)
        self._filter = np.zeros(1 << _FILTER_BITS, np.bool_)
        self._filter[self._place(self.hashes)] = True

    def __len__(self) -> int:
        return len(self.hashes)

    def found_in(self, text: bytes | memoryview) -> Hashes:
        """Which of them occur in a text, each once."""
        if not len(self.hashes):
            return self.hashes
        view = memoryview(text)
        found = [
            self._found(self._hasher.hashes(view[start : start + _BLOCK_BYTES + WINDOW_BYTES - 1]))
            for start in range(0, max(len(view) - WINDOW_BYTES + 1, 0), _BLOCK_BYTES)
        ]
        return np.unique(np.concatenate(found)) if found else np.empty(0, np.uint64)

    def found_among(self, texts: Iterable[bytes]) -> Hashes:
        """Which of them occur in one of these texts, each once."""
        found = [self.found_in(joined) for joined in _joined(texts)]
        return np.unique(np.concatenate(found)) if found else np.empty(0, np.uint64)

    def without(self, hashes: Hashes) -> NeedleSet:
        """The same without these."""
        return NeedleSet(self._hasher, np.setdiff1d(self.hashes, hashes))

    def _found(self, hashes: Hashes) -> Hashes:
        likely = hashes[self._filter[self._place(hashes)]]
        places = np.searchsorted(self.hashes, likely)
        places[places == len(self.hashes)] = 0
        return np.unique(likely[self.hashes[places] == likely])

    @staticmethod
    def _place(hashes: Hashes) -> Places:
        return (hashes >> np.uint64(64 - _FILTER_BITS)).astype(np.int64)


class Candidates:
    """Windows of removed texts, before it is known which of them occur in what stays."""

    def __init__(self, hasher: NeedleHasher, texts: Iterable[bytes]) -> None:
        """Take up to eight windows from each text, spread over its length.

        Args:
            hasher: Hashes them.
            texts: What is removed, piece by piece; read once.
        """
        self._hasher = hasher
        found = [_candidates(hasher, some) for some in _in_batches(texts)]
        sizes = np.cumsum([0, *(n_texts for n_texts, _, _, _ in found)])
        no_places, no_hashes = np.empty(0, np.int64), np.empty(0, np.uint64)
        self._texts: Places = np.concatenate(
            [no_places, *(one[1] + start for one, start in zip(found, sizes, strict=False))]
        )
        self._ranks: Places = np.concatenate([no_places, *(one[2] for one in found)])
        self._hashes: Hashes = np.concatenate([no_hashes, *(one[3] for one in found)])

    def needles(self, kept: Iterable[bytes]) -> Hashes:
        """Up to four hashes per text, of windows that occur in none of the kept texts.

        Returns:
            uint64, sorted, each once, at most ``MAX_NEEDLES``.
        """
        occurring = NeedleSet(self._hasher, self._hashes).found_among(kept)
        is_needle = ~np.isin(self._hashes, occurring)
        texts, ranks, hashes = (one[is_needle] for one in (self._texts, self._ranks, self._hashes))
        order = np.lexsort((ranks, texts))
        texts, hashes = texts[order], hashes[order]
        # Place of each among those of its text: its own minus that of the text's first.
        firsts = np.searchsorted(texts, texts, side="left")
        chosen: Hashes = np.unique(hashes[np.arange(len(texts)) - firsts < NEEDLES_PER_TEXT])
        every: Hashes = chosen[:: max(-(-len(chosen) // MAX_NEEDLES), 1)]
        return every


def _candidates(hasher: NeedleHasher, texts: list[bytes]) -> tuple[int, Places, Places, Hashes]:
    """Of some texts: how many, and text, rank and hash of every window taken."""
    lengths = np.array([len(text) for text in texts], np.int64)
    starts = np.cumsum(lengths) - lengths
    room = lengths - WINDOW_BYTES
    joined = b"".join(texts)
    taken = []
    for rank, eighth in enumerate(_CANDIDATES):
        # The last eighth ends with the text; equal places of a short text become one needle.
        places = starts + room * eighth // (len(_CANDIDATES) - 1)
        taken.append((np.flatnonzero(room >= 0), places, rank))
    whose = np.concatenate([texts_ for texts_, _, _ in taken])
    places = np.concatenate([places_[texts_] for texts_, places_, _ in taken])
    ranks = np.concatenate([np.full(len(texts_), rank, np.int64) for texts_, _, rank in taken])
    if not len(places):
        return len(texts), whose, ranks, np.empty(0, np.uint64)
    tells = _tells(joined, places)
    hashes = hasher.hashes(joined)[places[tells]]
    return len(texts), whose[tells], ranks[tells], hashes


def _tells(text: bytes, places: Places) -> npt.NDArray[np.bool_]:
    """Whether a window has enough different bytes to be no filling, rule or empty page."""
    windows = np.lib.stride_tricks.sliding_window_view(np.frombuffer(text, np.uint8), WINDOW_BYTES)
    ordered = np.sort(windows[places], axis=1)
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


def _joined(texts: Iterable[bytes]) -> Iterator[bytes]:
    """Texts one after the other, parted by a byte that no text holds."""
    for batch in _in_batches(texts):
        yield b"\x00".join(batch)
