"""A workspace: the unit that is copied, exported and deleted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class Workspace:
    """One world the author works in.

    Attributes:
        id: Random UUID; also the name of its folder.
        name: As the author wrote it; unique, regardless of case.
        created_at: When it was made.
    """

    id: str
    name: str
    created_at: datetime
