"""The window in other languages: words, numbers, dates, Qt's own buttons, the way it is read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, Qt, QTranslator
from PySide6.QtWidgets import QApplication

from inklings_desktop.ui.kit.look.mirror import read_from
from inklings_desktop.ui.kit.look.translation import (
    ENGLISH,
    counted,
    language_of,
    lowered,
    speak,
    speak_language,
    spoken_language,
    tr,
)
from tests.oracle.pose import CLOSES, OPENS, Pseudo


@pytest.fixture
def app(qapp: QApplication) -> Iterator[QApplication]:
    """The application, in English again afterwards."""
    before = QLocale()
    yield qapp
    speak(None)
    QLocale.setDefault(before)
    read_from(Qt.LayoutDirection.LeftToRight)
    for words in qapp.findChildren(QTranslator):
        qapp.removeTranslator(words)
        words.deleteLater()


def test_german_is_spoken_with_its_own_dates_and_buttons(app: QApplication) -> None:
    speak_language(app, "de")

    assert spoken_language() == "de"
    assert tr("Undo") == "R\u00fcckg\u00e4ngig"
    assert counted(1, "1 memory", "{n} memories") == "1 Erinnerung"
    assert counted(1_200, "1 memory", "{n} memories") == "1.200 Erinnerungen"
    assert QLocale().standaloneMonthName(3) == "M\u00e4rz"
    assert QCoreApplication.translate("QPlatformTheme", "Cancel") == "Abbrechen"
    assert lowered(tr("Workspace")) == "Arbeitsbereich"


def test_french_says_nothing_at_all_in_the_singular(app: QApplication) -> None:
    speak_language(app, "fr")

    assert counted(0, "1 memory", "{n} memories") == "0 souvenir"
    assert counted(1, "1 memory", "{n} memories") == "1 souvenir"
    assert counted(2, "1 memory", "{n} memories") == "2 souvenirs"
    assert QLocale().decimalPoint() == ","


def test_english_needs_no_catalogue(app: QApplication) -> None:
    speak_language(app, ENGLISH)

    assert tr("Undo") == "Undo"
    assert counted(1_200, "1 memory", "{n} memories") == "1,200 memories"
    assert app.layoutDirection() is Qt.LayoutDirection.LeftToRight


@pytest.mark.parametrize(
    ("of_the_system", "spoken"),
    [("de_AT", "de"), ("fr_CA", "fr"), ("en_GB", "en"), ("es_ES", "en"), ("C", "en")],
)
def test_the_language_of_the_system_is_spoken_if_there_is_one(
    of_the_system: str, spoken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QLocale, "system", lambda: QLocale(of_the_system))
    assert language_of("system") == spoken


def test_dates_are_of_the_language_that_is_spoken(
    app: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    spanish = QLocale("es_ES")
    monkeypatch.setattr(QLocale, "system", lambda: spanish)
    QLocale.setDefault(spanish)

    speak_language(app, "system")  # there is no Spanish: all of it is English

    assert QLocale().standaloneMonthName(3) == "March"
    assert QLocale().name() == "en_ES"


def test_no_ones_language_marks_and_lengthens_and_keeps_placeholders(app: QApplication) -> None:
    speak(Pseudo())
    said = tr("Forgot {memories}")
    assert said[0] == OPENS
    assert said[-1] == CLOSES
    assert "{memories}" in said
    assert len(said) >= 1.2 * len("Forgot {memories}")
    assert app.layoutDirection() is Qt.LayoutDirection.LeftToRight
