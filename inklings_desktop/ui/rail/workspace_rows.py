"""A workspace as one row of the switcher, and what can be wanted there."""

from dataclasses import dataclass
from enum import Enum


class WorkspaceWish(Enum):
    """What a person may want in the switcher; the last three are about none in particular."""

    OPEN = "open it"
    RENAME = "give it another name"
    FOLDER = "show its folder"
    DELETE = "delete it"
    NEW = "make a new one"
    ADOPT = "open one that lies elsewhere"
    SAMPLE = "open the sample world"


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
