"""The vectors of query texts: remembered, and made while other work goes on.

Embedding a question takes several times as long as the search itself, so a text is embedded once,
and meanwhile its words are looked for.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple, Protocol

from inklings_desktop.domain.errors import EmbeddingUnavailableError
from inklings_desktop.domain.likeness.calibration import UNMEASURED, Calibration
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.search.late_interaction import DIMENSION, MOST_OF_A_QUESTION
from inklings_desktop.usecases.ports.tokens import word_embedder

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

    from inklings_desktop.domain.memories.vectors import FloatVector
    from inklings_desktop.usecases.ports.store import Embedder
    from inklings_desktop.usecases.ports.tokens import WordEmbedder

CAPACITY = 256
"""Queries whose vectors are remembered; some 900 KB of them at most."""


class Asked(NamedTuple):
    """What a query text means.

    Attributes:
        vector: Of the whole; None when no model could make it.
        words: Of its telling words; empty when the model gives none.
        space: What its words may be compared with.
    """

    vector: FloatVector | None
    words: bytes = b""
    space: str = ""


NOT_ASKED = Asked(None)


@dataclass(frozen=True, slots=True)
class PendingVector:
    """A query's vector, there already or on its way.

    Attributes:
        model_id: The model that makes it.
        calibration: What the model's cosines say.
        is_ready: Says whether ``wait`` answers at once.
        wait: Gives the vector, and those of its words.
    """

    model_id: str
    calibration: Calibration
    is_ready: Callable[[], bool]
    wait: Callable[[], Asked]


class FormerModel(Protocol):
    """Gives other models than the one in use."""

    def former(self, model_id: str) -> Embedder:
        """The model of this name, to embed with; unavailable where it is not here."""
        ...


class QueryVectors:
    """Embeds query texts and remembers the latest; safe to use from any thread."""

    def __init__(
        self,
        embedder: Embedder,
        executor: Executor | None = None,
        capacity: int = CAPACITY,
        former: FormerModel | None = None,
    ) -> None:
        """Make vectors with this model.

        Args:
            embedder: The model in use.
            executor: Embeds in the background; without one it is done where the vector is
                waited for. Whoever made it closes it.
            capacity: How many vectors are remembered.
            former: Other models than the one in use; None where there is none.
        """
        self._embedder = embedder
        self._executor = executor
        self._capacity = capacity
        self._former = former
        self._lock = threading.Lock()
        self._known: OrderedDict[tuple[str, str], Asked] = OrderedDict()

    @property
    def model_id(self) -> str:
        """The model whose vectors these are."""
        return self._embedder.model_id

    def begin(self, text: str) -> PendingVector:
        """Begin to embed a text, unless its vector is known; never raises."""
        return self._begin(text, self._embedder.pinned())

    def answering(self, pending: PendingVector, text: str, model_id: str) -> PendingVector:
        """The vector of the model whose vectors a file has, while it is the former one.

        Args:
            pending: Of the model in use.
            text: What is embedded.
            model_id: Of the file's vectors; empty while it has none.
        """
        if self._former is None or model_id in {"", pending.model_id}:
            return pending
        former = self._former.former(model_id)
        return self._begin(text, former) if former.is_available else pending

    def _begin(self, text: str, embedder: Embedder) -> PendingVector:
        reader = word_embedder(embedder)
        model_id, calibration = embedder.model_id, embedder.calibration
        key = (model_id if reader is None else reader.token_space, text)
        with self._lock:
            known = self._known.get(key)
            if known is not None:
                self._known.move_to_end(key)
        if known is not None or not embedder.is_available:
            return PendingVector(model_id, calibration, _at_once, lambda: known or NOT_ASKED)

        def make() -> Asked:
            return self._made(embedder, reader, key)

        if self._executor is None:
            return PendingVector(model_id, calibration, _not_yet, make)
        try:
            future = self._executor.submit(make)
        except RuntimeError:  # it was closed while this search was on its way
            return PendingVector(model_id, calibration, _not_yet, make)
        return PendingVector(model_id, calibration, future.done, future.result)

    def _made(self, embedder: Embedder, reader: WordEmbedder | None, key: tuple[str, str]) -> Asked:
        space, text = key
        try:
            if reader is None:
                asked = Asked(embedder.embed_question(text))
            else:
                vectors, words = reader.read_question(text)
                asked = Asked(vectors[0], words[0][: MOST_OF_A_QUESTION * DIMENSION], space)
        except EmbeddingUnavailableError:
            return NOT_ASKED
        with self._lock:
            self._known[key] = asked
            while len(self._known) > self._capacity:
                self._known.popitem(last=False)
        return asked


def no_vector(model_id: str) -> PendingVector:
    """For a search by words alone."""
    return PendingVector(model_id, UNMEASURED, _at_once, lambda: NOT_ASKED)


def _at_once() -> bool:
    return True


def _not_yet() -> bool:
    return False
