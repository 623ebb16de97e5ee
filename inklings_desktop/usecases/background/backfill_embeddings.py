"""Compute missing vectors: fifty to a commit, eight of like length to a call of the model.

Where the model gives the vectors of words as well, they come with those of the whole text; those
that are missing beside a vector, after an upgrade or a switch, are read after it.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from inklings_desktop.domain.access.access import authorize_management
from inklings_desktop.domain.background.tasks import (
    CANCELLED,
    RunState,
    TaskKind,
    TaskRun,
    TaskState,
    TaskTarget,
)
from inklings_desktop.domain.errors import InklingsError, StoppedError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.background.background_work import BUSY, STEP
from inklings_desktop.usecases.consolidation.golden_watch import UNWATCHED
from inklings_desktop.usecases.ports.progress import UNHEARD
from inklings_desktop.usecases.ports.tokens import Read, word_embedder
from inklings_desktop.usecases.steps.leases import leased

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.memories.vectors import FloatVector
    from inklings_desktop.usecases.consolidation.golden_watch import GoldenWatch
    from inklings_desktop.usecases.ports.progress import Progress
    from inklings_desktop.usecases.ports.store import (
        Clock,
        Embedder,
        IdSource,
        SettingsSource,
        Store,
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


def _wanted() -> bool:
    return True


@dataclass(frozen=True, slots=True)
class BackfillEmbeddings:
    """Embed memories that lack a vector of the model in use: one step."""

    store: Store
    embedder: Embedder

    def __call__(
        self,
        caller: Caller,
        workspace_id: str | None,
        *,
        ids: Sequence[str] | None = None,
        limit: int = STEP,
        is_wanted: Callable[[], bool] = _wanted,
    ) -> int:
        """How many vectors were stored; 0 without a model, and when none is missing.

        Args:
            caller: The clock, or whoever asked for it.
            workspace_id: None names the account's file.
            ids: Only these memories; None asks for any.
            limit: Most entries in this step, committed together.
            is_wanted: Asked between batches; what is computed by then is stored.

        Raises:
            ScopeDeniedError: The caller is an agent.
            EmbeddingUnavailableError: The model is there but failed.
        """
        authorize_management(caller)
        embedder = self.embedder.pinned()
        if not embedder.is_available:
            return 0
        with self.store.read(workspace_id) as view:
            missing = view.memories.without_vector(embedder.model_id, limit, ids)
        made = embedded(embedder, missing, is_wanted)
        n_stored = self.stored(caller, workspace_id, embedder, made, None)
        reader = word_embedder(embedder)
        if reader is not None and is_wanted():
            about = [one for one, _ in missing] if ids is None else ids
            self.read_tags(caller, workspace_id, reader, None, about)
        return n_stored

    def stored(
        self,
        caller: Caller,
        workspace_id: str | None,
        embedder: Embedder,
        made: Sequence[Embedded],
        lease: Lease | None,
    ) -> int:
        """How many of these vectors were stored, in one commit: those whose text is unchanged."""
        if not made:
            return 0
        reader = word_embedder(embedder)
        with self.store.write(workspace_id, initiator=caller.name, durable=False) as unit:
            if lease is not None:
                lease.renew(unit)
            vectors = [(one.id, one.content, one.vector) for one in made]
            n_stored = unit.memories.put_vectors(embedder.model_id, vectors)
            if reader is not None:
                words = [(one.id, one.content, one.words) for one in made]
                unit.tokens.put(reader.token_space, words)
            unit.commit()
        return n_stored

    def read_words(
        self,
        caller: Caller,
        workspace_id: str | None,
        reader: WordEmbedder,
        lease: Lease,
        is_wanted: Callable[[], bool],
    ) -> int:
        """How many memories or tags got their words in this step; 0 when none lacks them."""
        space = reader.token_space
        with self.store.read(workspace_id) as view:
            missing = view.tokens.without(space, STEP)
        if not missing:
            return self.read_tags(caller, workspace_id, reader, lease, None)
        made: list[tuple[str, str, bytes]] = []
        for batch in _batches(sorted(missing, key=lambda one: len(one[1]))):
            if not is_wanted():
                break
            words = reader.read([content for _, content in batch]).words
            made += [(*one, own) for one, own in zip(batch, words, strict=True)]
        with self.store.write(workspace_id, initiator=caller.name, durable=False) as unit:
            lease.renew(unit)
            n_stored = unit.tokens.put(space, made)
            unit.commit()
        return n_stored

    def read_tags(
        self,
        caller: Caller,
        workspace_id: str | None,
        reader: WordEmbedder,
        lease: Lease | None,
        ids: Sequence[str] | None,
    ) -> int:
        """How many tags got their words, of these memories or, None, of all."""
        space = reader.token_space
        with self.store.read(workspace_id) as view:
            tags = view.tokens.tags_without(space, STEP, ids)
        if not tags:
            return 0
        words = reader.read(tags).words
        with self.store.write(workspace_id, initiator=caller.name, durable=False) as unit:
            if lease is not None:
                lease.renew(unit)
                unit.tokens.drop_unused_tags()  # the backfill has the time to look
            unit.tokens.put_tags(space, dict(zip(tags, words, strict=True)))
            unit.commit()
        return len(tags)

    def drop_words(self, caller: Caller, workspace_id: str | None) -> None:
        """Make room of what no search compares any more."""
        with self.store.read(workspace_id) as view:
            if view.tokens.is_empty():
                return
        with self.store.write(workspace_id, initiator=caller.name, durable=False) as unit:
            unit.tokens.clear()
            unit.commit()


def embedded(
    embedder: Embedder, missing: Sequence[_Missing], is_wanted: Callable[[], bool] = _wanted
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


@dataclass(frozen=True, slots=True)
class RunBackfill:
    """Embed whatever lacks a vector in one file, step after step."""

    step: BackfillEmbeddings
    clock: Clock
    new_id: IdSource
    settings: SettingsSource
    golden: GoldenWatch = UNWATCHED

    def __call__(
        self,
        caller: Caller,
        workspace_id: str | None,
        *,
        trigger: str = "request",
        n_workers: int = 1,
        goes_on: Callable[[], bool] = _wanted,
        progress: Progress = UNHEARD,
    ) -> TaskRun:
        """The run as it ended; silent without a model: finished, with nothing done.

        Args:
            caller: The person, or the clock.
            workspace_id: None names the account's file.
            trigger: Why it runs, a stable word for the history.
            n_workers: Steps that are embedded side by side.
            goes_on: Asked after every step; when it says no, the run ends with the problem
                ``busy`` and its remainder waits.
            progress: Hears of every step and says when to stop.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such workspace.
            AlreadyRunningError: It is running elsewhere.
            EmbeddingUnavailableError: The model is there but failed; finished steps stay.
            StoppedError: The person stopped it; what was computed stays.
        """
        authorize_management(caller)
        target = backfill_of(workspace_id)
        run = TaskRun(self.new_id(), target, trigger, RunState.RUNNING, self.clock())
        embedder = self.step.embedder.pinned()
        with leased(self.step.store, target, run.id, self.clock) as lease:
            work = _Backfilling(self, caller, lease, embedder, progress)
            try:
                problem = work.all_steps(n_workers, goes_on) if embedder.is_available else ""
            except StoppedError:
                self._end(caller, lease, run, work.n_stored, RunState.STOPPED, CANCELLED)
                raise
            except InklingsError as error:
                with suppress(InklingsError):
                    word = type(error).__name__
                    self._end(caller, lease, run, work.n_stored, RunState.FAILED, word)
                raise
            state = RunState.STOPPED if problem else RunState.FINISHED
            ended = self._end(caller, lease, run, work.n_stored, state, problem)
        if state is RunState.FINISHED:  # the vectors of another model are all there now
            self.golden.settle(caller, workspace_id)
        return ended

    def _end(
        self,
        caller: Caller,
        lease: Lease,
        run: TaskRun,
        n_stored: int,
        state: RunState,
        problem: str,
    ) -> TaskRun:
        """Store when it ran; the history keeps only runs that did something, or failed."""
        now = self.clock()
        ended = replace(
            run, state=state, ended_at=now, counts={"embedded": n_stored}, problem=problem
        )
        minutes = self.settings().background.backfill_minutes
        workspace_id = run.target.workspace_id
        with self.step.store.write(workspace_id, initiator=caller.name, durable=False) as unit:
            lease.renew(unit)
            if n_stored or state is RunState.FAILED:
                unit.tasks.put_run(ended)
            before = unit.tasks.state(run.target) or TaskState(now)
            due = now + timedelta(minutes=minutes) if minutes else None
            unit.tasks.put_state(run.target, replace(before, last_run_at=now, next_due_at=due))
            unit.commit()
        return ended


class _Backfilling:
    def __init__(
        self,
        use_case: RunBackfill,
        caller: Caller,
        lease: Lease,
        embedder: Embedder,
        progress: Progress,
    ) -> None:
        self._own = use_case
        self._caller = caller
        self._lease = lease
        self._embedder = embedder
        self._progress = progress
        self.n_stored = 0

    def all_steps(self, n_workers: int, goes_on: Callable[[], bool]) -> str:
        """Work until nothing is missing; why it ended before, or nothing."""
        with ThreadPoolExecutor(n_workers, thread_name_prefix="embed") as pool:
            return self._steps(pool, n_workers, goes_on) or self._words(goes_on)

    def _words(self, goes_on: Callable[[], bool]) -> str:
        """Read the words of whatever has a vector alone; likewise."""
        step, workspace_id = self._own.step, self._lease.target.workspace_id
        reader = word_embedder(self._embedder)
        if reader is None:
            step.drop_words(self._caller, workspace_id)
            return ""
        with step.store.read(workspace_id) as view:
            total = self.n_stored + view.tokens.n_without(reader.token_space)
        n_read = self.n_stored
        while n_new := step.read_words(
            self._caller, workspace_id, reader, self._lease, self._is_wanted
        ):
            n_read += n_new
            self._progress.report("embed", n_read, max(total, n_read))
            self._progress.require_wanted()
            if not goes_on():
                return BUSY
        self._progress.require_wanted()
        return ""

    def _steps(self, pool: ThreadPoolExecutor, n_workers: int, goes_on: Callable[[], bool]) -> str:
        step, workspace_id = self._own.step, self._lease.target.workspace_id
        model_id = self._embedder.model_id
        with step.store.read(workspace_id) as view:
            total = view.memories.n_without_vector(model_id)
        while True:
            self._progress.require_wanted()
            with step.store.read(workspace_id) as view:
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
                self.n_stored += step.stored(
                    self._caller, workspace_id, self._embedder, future.result(), self._lease
                )
                self._progress.report("embed", self.n_stored, max(total, self.n_stored))
            self._progress.require_wanted()
            if self.n_stored == before:
                return ""  # all of them changed meanwhile; the next run finds them
            if not goes_on():
                return BUSY

    def _is_wanted(self) -> bool:
        return not self._progress.is_cancelled()
