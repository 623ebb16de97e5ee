"""Plain text for the clipboard and for dragging."""

from PySide6.QtCore import QMimeData, QStringListModel


def plain_copy(text: str) -> QMimeData:
    """A text as what it is, to be handed to the clipboard.

    The clipboard outlives the interpreter, and an object made by Python ends the program with a
    crash when it goes then. So Qt makes this one, on the pretext of copying an item.
    """
    model = QStringListModel([""])
    copied = model.mimeData([model.index(0, 0)])
    copied.clear()
    copied.setText(text)
    return copied
