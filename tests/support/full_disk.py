"""A store on a disk that is full: it can be read, and not written to."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.errors import DatabaseFullError

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass
class FullDisk:
    """A store that can be read and, while it is full, not written to."""

    store: Any
    is_full: bool = True

    def read(self, workspace_id: str | None) -> Any:
        return self.store.read(workspace_id)

    def find(self, workspace_id: str | None) -> Any:
        return self.store.find(workspace_id)

    @contextmanager
    def write(self, workspace_id: str | None, **how: Any) -> Iterator[Any]:
        if self.is_full:
            raise DatabaseFullError
        with self.store.write(workspace_id, **how) as unit:
            yield unit
