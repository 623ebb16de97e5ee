"""In which language, text size and window the states are drawn; and a language that is no one's.

The pseudo-language marks every sentence of the catalogue and makes it two fifths longer, so that
eyes find what is cut off and what was never in the catalogue.
"""

from __future__ import annotations

import re
from contextvars import ContextVar
from dataclasses import dataclass
from gettext import NullTranslations
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from inklings_desktop.ui.kit.look.mirror import read_from
from inklings_desktop.ui.kit.look.translation import ENGLISH, LANGUAGE_NAMES, speak, speak_language
from inklings_desktop.ui.tour.tour import FULL

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

PSEUDO, MIRRORED = "pseudo", "mirrored"
VOICES = (*LANGUAGE_NAMES, PSEUDO, MIRRORED)
LONGER = 0.4
SMALLEST = (960, 600)
"""The smallest window there is, in pixels."""
OPENS, CLOSES = "\u27e6", "\u27e7"
_KEPT = re.compile(r"(\{[^}]*\}|<[^>]*>|&\w|`[^`]*`)")
_ACCENTED = str.maketrans(
    "aceinouyACEINOU",
    "\u00e0\u00e7\u00e9\u00ef\u00f1\u00f6\u00fc\u00fd\u00c0\u00c7\u00c9\u00cf\u00d1\u00d6\u00dc",
)


@dataclass(frozen=True, slots=True)
class Pose:
    """How the states are drawn.

    Attributes:
        voice: One of ``VOICES``.
        text_scale: Of the theme.
        size: Of the window in pixels, wherever a state asks for the full one.
    """

    voice: str = ENGLISH
    text_scale: float = 1.0
    size: tuple[int, int] = FULL

    @property
    def name(self) -> str:
        """What pictures in this pose are kept under."""
        width, height = self.size
        return f"{self.voice}-{self.text_scale:g}-{width}x{height}"


POSE = ContextVar("pose", default=Pose())  # noqa: B039 - frozen
"""What whoever draws goes by."""


class Pseudo(NullTranslations):
    """Every sentence marked, accented and longer; placeholders and marks stay."""

    def gettext(self, message: str) -> str:
        """A sentence in no one's language."""
        told = "".join(
            one if _KEPT.fullmatch(one) else one.translate(_ACCENTED)
            for one in _KEPT.split(message)
        )
        n_more = round(len(_KEPT.sub("", message)) * LONGER)
        more = " ".join(["lo\u0301ng"] * (n_more // 5 + 1))[:n_more].rstrip()
        return f"{OPENS}{told}{' ' if more else ''}{more}{CLOSES}"

    def pgettext(self, _context: str, message: str) -> str:
        """The same."""
        return self.gettext(message)

    def ngettext(self, one: str, many: str, n: int) -> str:
        """The same, of one or of many."""
        return self.gettext(one if n == 1 else many)


def take_pose(app: QApplication, pose: Pose) -> None:
    """Draw like this from now on."""
    POSE.set(pose)
    if pose.voice == PSEUDO:
        speak(Pseudo())
    elif pose.voice == MIRRORED:
        read_from(Qt.LayoutDirection.RightToLeft)
    else:
        speak_language(app, pose.voice)
