"""The marks below the text of a memory in the list: who wrote it, its states, its tags."""

from PySide6.QtCore import QCoreApplication

from inklings_desktop.ui.models.memory_rows import MemoryRow
from inklings_desktop.ui.plain_text import shortened
from inklings_desktop.ui.views.memory_row_layout import (
    DROP_STATE,
    Mark,
    curator_mark,
    derivations_mark,
    lifetime_mark,
    source_mark,
    tag_marks,
)

LONGEST_NAME = 28
"""Characters of a tag, a source or an agent; a longer one would push all the others out."""


def row_marks(row: MemoryRow) -> list[Mark]:
    """Everything that is said of a memory in a mark, in the order in which it stands."""
    labels = {"author": _tr("Author"), "agent": _tr("Agent"), "import": _tr("Import")}
    marks = [curator_mark(row.curator, labels[row.curator])]
    if row.source:
        marks.append(source_mark(shortened(row.source, LONGEST_NAME)))
    if row.agent_id is not None:
        only = _tr("only {0}").format(shortened(row.agent_id, LONGEST_NAME))
        marks.append(Mark(only, "lapis", "user-focus"))
    if row.lifetime_label:
        marks.append(lifetime_mark(row.lifetime_label))
    if row.pinned:
        marks.append(Mark(_tr("pinned"), "inkSoft", "push-pin", drop=DROP_STATE))
    if row.paused:
        marks.append(Mark(_tr("paused"), "inkSoft", "pause", drop=DROP_STATE))
    marks.extend(tag_marks([shortened(tag, LONGEST_NAME) for tag in row.tags]))
    if not row.has_embedding:
        marks.append(Mark(_tr("no embedding"), "ochre", "circle-dashed"))
    if row.check_source:
        marks.append(Mark(_tr("check source"), "ochre", "warning"))
    elif row.derivation_count:
        marks.append(derivations_mark(row.derivation_count))
    return marks


def _tr(text: str) -> str:
    return QCoreApplication.translate("memory_row_marks", text)
