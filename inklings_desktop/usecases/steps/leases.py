"""One piece of background work at a time: a lease in the file it works on."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import StorageError
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inklings_desktop.domain.background.tasks import TaskTarget
    from inklings_desktop.usecases.ports.store import Clock, Store, UnitOfWork

LEASE_SECONDS = 60.0
"""Longer than any single step; a killed program holds up the next one no longer than this."""


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to do one piece of work, as long as every step renews it.

    Attributes:
        target: The work.
        holder: Who has it, a random id.
        clock: Tells the time.
    """

    target: TaskTarget
    holder: str
    clock: Clock

    def renew(self, unit: UnitOfWork) -> None:
        """Call it first in the transaction of every step: the step and the right go together.

        Raises:
            AlreadyRunningError: It ran out, and somebody else has it now.
        """
        unit.tasks.hold(self.target.name, self.holder, self.clock(), LEASE_SECONDS)


@contextmanager
def leased(store: Store, target: TaskTarget, holder: str, clock: Clock) -> Iterator[Lease]:
    """The right to do this work, given back in the end.

    Raises:
        AlreadyRunningError: Another process or thread is doing it.
        StorageError: The file cannot be written to.
    """
    lease = Lease(target, holder, clock)
    with store.write(target.workspace_id, initiator=target.kind.value, durable=False) as unit:
        lease.renew(unit)
        unit.commit()
    try:
        yield lease
    finally:
        # A lease that cannot be given back runs out by itself.
        with (
            suppress(StorageError),
            store.write(target.workspace_id, initiator=target.kind.value, durable=False) as unit,
        ):
            unit.tasks.release(target.name, holder)
            unit.commit()
