"""Keeps the state of the graph after every step, through the port to the run state.

Run a graph with it at ``durability="sync"``: a write is then never stored before the checkpoint
that it follows, which the run state refuses, because it is how a scrub is noticed.
"""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    BaseCheckpointSaver,
    CheckpointTuple,
    get_serializable_checkpoint_metadata,
    writes_sort_key,
)

from inklings_desktop.agent.graph.serialising import (
    Checkpoints,
    TaggedJson,
    UnreadableStateError,
    decode,
    encode,
)
from inklings_desktop.agent.graph.state import CURRENT, is_sound
from inklings_desktop.domain.errors import DatabaseBusyError
from inklings_desktop.domain.runs.run_rows import StoredCheckpoint, StoredWrite

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Collection, Sequence

    from langchain_core.runnables import RunnableConfig
    from langgraph.checkpoint.base import (
        ChannelVersions,
        Checkpoint,
        CheckpointMetadata,
        PendingWrite,
    )

    from inklings_desktop.agent.graph.state import StateMigrations
    from inklings_desktop.agent.ports import CheckpointStore

_log = logging.getLogger(__name__)
Value = TypeVar("Value")


class RunStateSaver(BaseCheckpointSaver[int]):
    """The graph's saver over a workspace's run state.

    A thread whose newest state cannot be read is *parked*: it counts as one without a state, so
    that a new turn can begin, and the next checkpoint takes its place.
    """

    def __init__(self, store: CheckpointStore, migrations: StateMigrations = CURRENT) -> None:
        super().__init__(serde=TaggedJson())
        self._store = store
        self._migrations = migrations
        self._checkpoints = Checkpoints()
        # One after the other, in the order in which the graph asks; a file that somebody else
        # writes to holds up this thread and not the loop, where the person may say stop.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="run-state")
        self._n_waiting = 0

    def close(self) -> None:
        self._thread.shutdown()

    def with_allowlist(self, extra_allowlist: Collection[tuple[str, ...]]) -> RunStateSaver:
        """Itself: what may be read back is fixed, and nothing adds to it."""
        del extra_allowlist
        return self

    async def is_parked(self, thread_id: str) -> bool:
        """Whether the newest state of a thread is there and cannot be gone on with."""
        newest = await self._do(self._store.checkpoint, thread_id, "")
        return newest is not None and await self._do(self._read, newest) is None

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The checkpoint that a config names, or the newest one of its thread."""
        wanted = config["configurable"].get("checkpoint_id")
        thread_id, ns = _place(config)
        stored = await self._do(self._store.checkpoint, thread_id, ns, wanted)
        return None if stored is None else await self._do(self._read, stored)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002  the base class calls it so
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """The checkpoints of a thread, or of all, newest first."""
        named = {} if config is None else config["configurable"]
        place = named.get("thread_id"), named.get("checkpoint_ns")
        wanted = named.get("checkpoint_id")
        end = None if before is None else before["configurable"].get("checkpoint_id")
        left = limit
        for stored in await self._do(self._store.checkpoints, *place):
            if wanted not in {None, stored.checkpoint_id} or (end and stored.checkpoint_id >= end):
                continue
            found = await self._do(self._read, stored)
            if found is None or not _matches(found.metadata, filter or {}):
                continue
            if left is not None:
                if left <= 0:
                    return
                left -= 1
            yield found

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Store a checkpoint behind the one that the config names.

        Raises:
            UnstorableStateError: A channel holds what a state is not made of.
            InvalidValueError: It is too long.
            ConflictError: The conversation was scrubbed meanwhile.
            StorageError: The file cannot be written to.
        """
        del new_versions
        thread_id, ns = _place(config)
        stored = StoredCheckpoint(
            thread_id,
            ns,
            checkpoint["id"],
            config["configurable"].get("checkpoint_id"),
            self._migrations.version,
            self._checkpoints.encode(checkpoint),
            encode(dict(get_serializable_checkpoint_metadata(config, metadata))),
        )
        await self._put(self._store.put_checkpoint, stored)
        return _config(thread_id, ns, checkpoint["id"])

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Store what a step wrote after the checkpoint that the config names; raises like ``aput``.

        Where the step stands among those of its kind has no column, and is kept with the value.
        """
        stored = [
            StoredWrite(
                task_id, WRITES_IDX_MAP.get(channel, idx), channel, encode([task_path, value])
            )
            for idx, (channel, value) in enumerate(writes)
        ]
        place = *_place(config), config["configurable"]["checkpoint_id"]
        await self._put(self._store.put_writes, *place, stored)

    async def adelete_thread(self, thread_id: str) -> None:
        """Remove every checkpoint of a thread."""
        await self._do(self._store.delete_thread, thread_id)

    async def _put(self, work: Callable[..., None], *values: Any) -> None:
        """Store something: at once where that is possible, which costs half of what a thread does.

        No disk is waited for then, and a transaction takes less than a millisecond.
        """
        if not self._n_waiting:
            with suppress(DatabaseBusyError):
                return work(*values, is_patient=False)
        self._n_waiting += 1
        waiting = self._do(work, *values)
        waiting.add_done_callback(self._has_waited)
        # Whoever is cancelled meanwhile does not take it with them.
        return await asyncio.shield(waiting)

    def _has_waited(self, _done: object) -> None:
        self._n_waiting -= 1

    def _do(self, work: Callable[..., Value], *values: Any) -> asyncio.Future[Value]:
        return asyncio.get_running_loop().run_in_executor(self._thread, work, *values)

    def _read(self, stored: StoredCheckpoint) -> CheckpointTuple | None:
        """A checkpoint as the graph wants it; None where it cannot go on from it."""
        try:
            checkpoint = self._checkpoint(stored)
            metadata = _metadata(stored)
            writes: list[PendingWrite] = []
            # Steps that wrote in an earlier form are carried out again: they can be.
            if stored.state_version == self._migrations.version:
                writes = self._writes(stored)
        except UnreadableStateError:
            _log.warning("state %s is parked", stored.checkpoint_id)
            return None
        place = stored.thread_id, stored.ns
        parent = None if stored.parent_id is None else _config(*place, stored.parent_id)
        return CheckpointTuple(
            _config(*place, stored.checkpoint_id), checkpoint, metadata, parent, writes
        )

    def _checkpoint(self, stored: StoredCheckpoint) -> Checkpoint:
        read = decode(stored.body)
        if not _is_checkpoint(read) or read["id"] != stored.checkpoint_id:
            raise UnreadableStateError
        try:
            values = self._migrations.migrated(read["channel_values"], stored.state_version)
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise UnreadableStateError from error  # a step of its own met what no state holds
        if values is None or not is_sound(values):
            raise UnreadableStateError
        checkpoint: Checkpoint = read | {"channel_values": values}
        return checkpoint

    def _writes(self, stored: StoredCheckpoint) -> list[PendingWrite]:
        """What was written after a checkpoint, in the order in which the graph applies it."""
        found: list[tuple[tuple[str, str, int], PendingWrite]] = []
        for one in self._store.writes(stored.thread_id, stored.ns, stored.checkpoint_id):
            match decode(one.body):
                case [str(path), value]:
                    order = writes_sort_key(path, one.task_id, one.idx)
                    found.append((order, (one.task_id, one.channel, value)))
                case _:
                    raise UnreadableStateError
        return [write for _, write in sorted(found, key=lambda one: one[0])]


def _place(config: RunnableConfig) -> tuple[str, str]:
    named = config["configurable"]
    return str(named["thread_id"]), named.get("checkpoint_ns") or ""


def _config(thread_id: str, ns: str, checkpoint_id: str) -> RunnableConfig:
    named = {"thread_id": thread_id, "checkpoint_ns": ns, "checkpoint_id": checkpoint_id}
    return {"configurable": named}


def _metadata(stored: StoredCheckpoint) -> CheckpointMetadata:
    match decode(stored.metadata):
        case {"step": int()} as metadata:
            found: CheckpointMetadata = metadata
            return found
    raise UnreadableStateError


def _matches(metadata: CheckpointMetadata, wanted: dict[str, Any]) -> bool:
    return all(metadata.get(key) == value for key, value in wanted.items())


def _is_checkpoint(read: Any) -> bool:
    """Whether this has the form of a checkpoint, all the way down to where its channels begin."""
    match read:
        case {
            "v": int(),
            "id": str(),
            "ts": str(),
            "channel_values": dict(),
            "channel_versions": dict(versions),
            "versions_seen": dict(seen),
        }:
            updated = read.get("updated_channels")
            return (
                _are_versions(versions)
                and all(isinstance(one, dict) and _are_versions(one) for one in seen.values())
                and (updated is None or _are_names(updated))
                and read.get("pending_sends", []) == []
            )
    return False


def _are_versions(versions: dict[str, Any]) -> bool:
    return all(type(one) is int for one in versions.values())


def _are_names(names: object) -> bool:
    return isinstance(names, list) and all(isinstance(one, str) for one in names)
