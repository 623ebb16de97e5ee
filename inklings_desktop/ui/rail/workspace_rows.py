"""A workspace as one row of the switcher."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WorkspaceRow:
    """A workspace in the switcher.

    Attributes:
        id: Which one.
        name: As the author wrote it.
        detail: How much it holds, or why it cannot be opened; empty while that is being found out.
        is_readable: Whether it can be opened.
    """

    id: str
    name: str
    detail: str = ""
    is_readable: bool = True
