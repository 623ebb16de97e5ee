"""Words of the window in the person's language, for what is no widget and has no ``tr``."""

from PySide6.QtCore import QCoreApplication


def tr(text: str) -> str:
    """The text as it is to be read."""
    return QCoreApplication.translate("window", text)
