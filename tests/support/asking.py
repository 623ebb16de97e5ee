"""Use cases by noun, over what a test has of the parts."""

from __future__ import annotations

import uuid
from dataclasses import fields
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from inklings_desktop.usecases.bundle import Inklings
from inklings_desktop.usecases.parts import Adapters, Parts
from inklings_desktop.usecases.steps.query_vectors import QueryVectors
from inklings_desktop.usecases.steps.recording import CountReads
from tests.support.builders import FixedClock, set_to
from tests.support.fake_embedder import FakeEmbedder

if TYPE_CHECKING:
    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.log.backup import Backup

PARTS = frozenset(one.name for one in fields(Parts))
ADAPTERS = frozenset(one.name for one in fields(Adapters))


class EmptyShelf:
    """No backup is kept, and nothing has changed."""

    def kept_of(self, _workspace_id: str | None) -> tuple[Backup, ...]:
        return ()

    def change_seq(self, _workspace_id: str | None) -> int:
        return 0


def asked_by(caller: Caller, world: object = None, **named: Any) -> Inklings:
    """Every use case, by noun, as somebody asks it; what a test does not name is not there.

    Args:
        caller: Who asks.
        world: Has parts under their names, such as ``store`` and ``clock``; and the
            ``adapters`` that it plays.
        named: Parts and adapters under their names, in the place of the world's.
    """
    played: SimpleNamespace = getattr(world, "adapters", SimpleNamespace())
    own = {name: named.pop(name) for name in ADAPTERS & named.keys()}
    adapters = SimpleNamespace(**{"keeper": EmptyShelf()} | vars(played) | own)
    known: dict[str, Any] = {
        "root": Path("root"),
        "clock": FixedClock(),
        "new_id": lambda: str(uuid.uuid4()),
        "settings": set_to(),
        "embedder": FakeEmbedder(),
        "feed": None,
        "store": None,
        "directory": None,
    }
    known |= {name: getattr(world, name) for name in PARTS if hasattr(world, name)} | named
    known["adapters"] = lambda: adapters
    known.setdefault("query_vectors", QueryVectors(known["embedder"]))
    known.setdefault("count_reads", CountReads(known["store"]))
    return Inklings(parts=Parts(**known), caller=caller)
