"""Which language the window speaks: words, dates, figures, and the way that it is read.

The words stand in a gettext catalogue for each language, ``resources/i18n/CODE.mo``; English needs
none. Dates and figures go by Qt's locale of that language in the person's territory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator

from inklings_desktop.resource_files import resource
from inklings_desktop.ui.kit.look.mirror import read_from
from inklings_desktop.ui.kit.look.translation import speak

if TYPE_CHECKING:
    from gettext import GNUTranslations

    from PySide6.QtWidgets import QApplication

ENGLISH = "en"
LANGUAGE_NAMES = {ENGLISH: "English", "de": "Deutsch", "fr": "Fran\u00e7ais"}
"""What the window can speak, by code; each is named as those call it who speak it."""
_RAISING_NOUNS = {"de"}


def language_of(choice: str) -> str:
    """The code of the language that a choice in the settings comes to.

    Args:
        choice: A code, or ``system`` for the first language of this machine that there is.
    """
    if choice in LANGUAGE_NAMES:
        return choice
    codes = (one.replace("_", "-").split("-")[0] for one in QLocale.system().uiLanguages())
    return next((one for one in codes if one in LANGUAGE_NAMES), ENGLISH)


def spoken_language() -> str:
    """The code of the language that the window speaks now."""
    code = QLocale().name().split("_")[0]
    return code if code in LANGUAGE_NAMES else ENGLISH


def speak_language(app: QApplication, choice: str) -> None:
    """Speak a language from now on; asked for before the first word is shown.

    Args:
        app: Gets the words of Qt's own buttons and menus, and the direction of reading.
        choice: As the settings have it.
    """
    code = language_of(choice)
    language = QLocale(code).language()
    if code != ENGLISH:
        speak(catalogue_of(code), raises_nouns=code in _RAISING_NOUNS)
        words = QTranslator(app)
        folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        if words.load(f"qtbase_{code}", folder):
            app.installTranslator(words)
    is_english = code == ENGLISH and QLocale().language() is QLocale.Language.C
    if QLocale().language() is not language and not is_english:
        QLocale.setDefault(QLocale(language, QLocale.system().territory()))
    read_from(QLocale().textDirection())


def catalogue_of(code: str) -> GNUTranslations:
    """The words of one of the languages beside English.

    Raises:
        NotFoundError: There is no such catalogue: the program is not whole.
    """
    from gettext import GNUTranslations  # only whoever speaks another language needs it

    with resource(f"i18n/{code}.mo").open("rb") as file:
        return GNUTranslations(file)
