"""Two texts that are compared, with what each of them is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from inklings_desktop.domain.words.text_diff import TextDiff


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two texts side by side, line by line.

    Attributes:
        older: Name of the text at the left of the arrow.
        newer: Name of the text at its right.
        diff: How one becomes the other.
    """

    older: str
    newer: str
    diff: TextDiff
