"""Compute missing vectors: fifty to a commit, eight of like length to a call of the model.

Where the model gives the vectors of words as well, they come with those of the whole text; those
that are missing beside a vector, after an upgrade or a switch, are read after it.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from inklings_desktop.domain.background.tasks import (
    TaskKind,
    TaskTarget,
)
from inklings_desktop.usecases.background.background_work import BUSY, STEP
from inklings_desktop.usecases.ports.progress import UNHEARD
from inklings_desktop.usecases.ports.tokens import Read, word_embedder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from inklings_desktop.domain.memories.vectors import FloatVector
    from inklings_desktop.usecases.parts import Asked
    from inklings_desktop.usecases.ports.progress import Progress
    from inklings_desktop.usecases.ports.store import (
        Embedder,
        UnitOfWork,
    )
    from inklings_desktop.usecases.ports.tokens import WordEmbedder
    from inklings_desktop.usecases.steps.leases import Lease

BATCH = 8

_Missing = tuple[str, str]
"""Id and content of a memory without a vector."""


class Embedded(NamedTuple):
    """A memory's vector, and those of its words, as far as there are any."""

    id: str
    content: str
    vector: FloatVector
    words: bytes


def wanted() -> bool:
    """Goes on."""
    return True


def embedded(
    embedder: Embedder, missing: Sequence[_Missing], is_wanted: Callable[[], bool] = wanted
) -> list[Embedded]:
    """The vectors of these memories, as many as were made while they were wanted.

    Texts of like length share a call: a batch is as slow as its longest text.
    """
    in_order = sorted(missing, key=lambda one: len(one[1]))
    reader = word_embedder(embedder)
    done: list[Embedded] = []
    for batch in _batches(in_order):
        if not is_wanted():
            break
        texts = [content for _, content in batch]
        if reader is None:
            made = Read(embedder.embed(texts), [b""] * len(texts))
        else:
            made = reader.read(texts)
        done += [
            Embedded(*one, vector, words)
            for one, vector, words in zip(batch, made.vectors, made.words, strict=True)
        ]
    return done


def _batches(missing: Sequence[_Missing]) -> list[Sequence[_Missing]]:
    return [missing[start : start + BATCH] for start in range(0, len(missing), BATCH)]


def backfill_of(workspace_id: str | None) -> TaskTarget:
    """The backfill of one file."""
    return TaskTarget(TaskKind.BACKFILL, workspace_id)


class Embedding:
    """The missing vectors of one file on their way.

    Attributes:
        reader: Gives the vectors of words; None for a model that has none.
        n_stored: Vectors that were stored by ``all_steps``.
    """

    def __init__(
        self,
        asked: Asked,
        workspace_id: str | None,
        *,
        lease: Lease | None = None,
        progress: Progress = UNHEARD,
        is_wanted: Callable[[], bool] | None = None,
    ) -> None:
        self._store, self._caller, self._workspace_id = asked.store, asked.caller, workspace_id
        self._embedder, self._lease, self._progress = asked.parts.embedder.pinned(), lease, progress
        self._is_wanted = is_wanted or (lambda: not progress.is_cancelled())
        self.reader = word_embedder(self._embedder)
        self.n_stored = 0

    @property
    def is_available(self) -> bool:
        """Whether there is a model."""
        return self._embedder.is_available

    def some(self, ids: Sequence[str] | None, limit: int) -> int:
        """How many vectors were stored in one step, of these memories or, None, of any."""
        with self._store.read(self._workspace_id) as view:
            missing = view.memories.without_vector(self._embedder.model_id, limit, ids)
        n_stored = self.stored(embedded(self._embedder, missing, self._is_wanted))
        if self.reader is not None and self._is_wanted():
            about = [one for one, _ in missing] if ids is None else ids
            self.read_tags(self.reader, about)
        return n_stored

    def all_steps(self, n_workers: int, goes_on: Callable[[], bool]) -> str:
        """Work until nothing is missing; why it ended before, or nothing."""
        with ThreadPoolExecutor(n_workers, thread_name_prefix="embed") as pool:
            return self._steps(pool, n_workers, goes_on) or self._words(goes_on)

    def stored(self, made: Sequence[Embedded]) -> int:
        """How many of these vectors were stored, in one commit: those whose text is unchanged."""
        if not made:
            return 0
        reader = self.reader
        with self._writing() as unit:
            vectors = [(one.id, one.content, one.vector) for one in made]
            n_stored = unit.memories.put_vectors(self._embedder.model_id, vectors)
            if reader is not None:
                words = [(one.id, one.content, one.words) for one in made]
                unit.tokens.put(reader.token_space, words)
            unit.commit()
        return n_stored

    def read_words(self, reader: WordEmbedder) -> int:
        """How many memories or tags got their words in this step; 0 when none lacks them."""
        space = reader.token_space
        with self._store.read(self._workspace_id) as view:
            missing = view.tokens.without(space, STEP)
        if not missing:
            return self.read_tags(reader, None)
        made: list[tuple[str, str, bytes]] = []
        for batch in _batches(sorted(missing, key=lambda one: len(one[1]))):
            if not self._is_wanted():
                break
            words = reader.read([content for _, content in batch]).words
            made += [(*one, own) for one, own in zip(batch, words, strict=True)]
        with self._writing() as unit:
            n_stored = unit.tokens.put(space, made)
            unit.commit()
        return n_stored

    def read_tags(self, reader: WordEmbedder, ids: Sequence[str] | None) -> int:
        """How many tags got their words, of these memories or, None, of all."""
        space = reader.token_space
        with self._store.read(self._workspace_id) as view:
            tags = view.tokens.tags_without(space, STEP, ids)
        if not tags:
            return 0
        words = reader.read(tags).words
        with self._writing() as unit:
            if self._lease is not None:
                unit.tokens.drop_unused_tags()  # the backfill has the time to look
            unit.tokens.put_tags(space, dict(zip(tags, words, strict=True)))
            unit.commit()
        return len(tags)

    def drop_words(self) -> None:
        """Make room of what no search compares any more."""
        with self._store.read(self._workspace_id) as view:
            if view.tokens.is_empty():
                return
        with self._writing() as unit:
            unit.tokens.clear()
            unit.commit()

    def _words(self, goes_on: Callable[[], bool]) -> str:
        """Read the words of whatever has a vector alone; likewise."""
        reader = self.reader
        if reader is None:
            self.drop_words()
            return ""
        with self._store.read(self._workspace_id) as view:
            total = self.n_stored + view.tokens.n_without(reader.token_space)
        n_read = self.n_stored
        while n_new := self.read_words(reader):
            n_read += n_new
            self._progress.report("embed", n_read, max(total, n_read))
            self._progress.require_wanted()
            if not goes_on():
                return BUSY
        self._progress.require_wanted()
        return ""

    def _steps(self, pool: ThreadPoolExecutor, n_workers: int, goes_on: Callable[[], bool]) -> str:
        model_id = self._embedder.model_id
        with self._store.read(self._workspace_id) as view:
            total = view.memories.n_without_vector(model_id)
        while True:
            self._progress.require_wanted()
            with self._store.read(self._workspace_id) as view:
                missing = view.memories.without_vector(model_id, STEP * n_workers)
            if not missing:
                return ""
            # Workers take turns, so that each has its share of long texts.
            shares = [missing[place::n_workers] for place in range(n_workers)]
            futures = [
                pool.submit(embedded, self._embedder, share, self._is_wanted)
                for share in shares
                if share
            ]
            before = self.n_stored
            for future in futures:
                self.n_stored += self.stored(future.result())
                self._progress.report("embed", self.n_stored, max(total, self.n_stored))
            self._progress.require_wanted()
            if self.n_stored == before:
                return ""  # all of them changed meanwhile; the next run finds them
            if not goes_on():
                return BUSY

    @contextmanager
    def _writing(self) -> Iterator[UnitOfWork]:
        initiator = self._caller.name
        with self._store.write(self._workspace_id, initiator=initiator, durable=False) as unit:
            if self._lease is not None:
                self._lease.renew(unit)
            yield unit
