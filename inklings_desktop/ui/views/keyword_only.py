"""What the Memory page says while search goes by words alone."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from inklings_desktop.ui.widgets.banner import BannerAction, BannerContent

SET_UP, RETRY = "setUpModel", "retryModel"


def keyword_only_banner(*, has_failed: bool) -> BannerContent:
    """The banner: no model is there, or the one that is there cannot be used."""
    away = _tr("Put this notice away")
    if has_failed:
        return BannerContent(
            "ochre",
            _tr("The embedding model did not load."),
            _tr("Keyword search still works. The reason is in the program's log."),
            (BannerAction(RETRY, _tr("Try again")),),
            dismiss_name=away,
            icon="intersect",
        )
    return BannerContent(
        "ochre",
        _tr("Searching by keyword only."),
        _tr(
            "No embedding model is installed, so results that mean the same but use other words "
            "will be missed."
        ),
        (BannerAction(SET_UP, _tr("Set up a model\u2026")),),
        dismiss_name=away,
        icon="intersect",
    )


def _tr(text: str) -> str:
    return QCoreApplication.translate("keyword_only", text)
