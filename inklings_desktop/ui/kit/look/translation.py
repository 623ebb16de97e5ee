"""Words of the window in the person's language, which is chosen at the start.

English stands in the code; ``language`` puts the catalogue of another language in its place
before the window is made, and nothing of what is on show follows a later change.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator

from inklings_desktop.resource_files import resource
from inklings_desktop.ui.kit.look.mirror import read_from

if TYPE_CHECKING:
    from collections.abc import Callable
    from gettext import GNUTranslations, NullTranslations

    from PySide6.QtWidgets import QApplication


T = TypeVar("T")
_catalogue: NullTranslations | None = None
_raises_nouns = False


def speak(catalogue: NullTranslations | None, *, raises_nouns: bool = False) -> None:
    """Take the words from a catalogue from now on.

    Args:
        catalogue: None for the English of the code.
        raises_nouns: Whether nouns begin with a capital inside a sentence as well.
    """
    global _catalogue, _raises_nouns
    _catalogue, _raises_nouns = catalogue, raises_nouns


def once_a_language(make: Callable[[], T]) -> Callable[[], T]:
    """A table of words that is made once, and again when another language is spoken."""
    made: dict[NullTranslations | None, T] = {}

    @functools.wraps(make)
    def table() -> T:
        if _catalogue not in made:
            made[_catalogue] = make()
        return made[_catalogue]

    return table


def tr(text: str) -> str:
    """The text as it is to be read."""
    return text if _catalogue is None or not text else _catalogue.gettext(text)


def tr_as(use: str, text: str) -> str:
    """The text as it is to be read, where English says two things with the same words.

    Args:
        use: What is meant here, for whoever translates it; never shown.
        text: What stands there in English.
    """
    return text if _catalogue is None else _catalogue.pgettext(use, text)


def counted(n: int, one: str, many: str) -> str:
    """The sentence for a number, in the plural form that the language has for it.

    Args:
        n: How many; it decides the form.
        one: The sentence for one.
        many: The one for all others.

    Returns:
        The sentence with the number in place of its ``{n}``; other placeholders are left.
    """
    english = one if n == 1 else many
    said = english if _catalogue is None else _catalogue.ngettext(one, many, n)
    return said.replace("{n}", grouped(n))


def lowered(label: str, *, is_noun: bool = True) -> str:
    """A label as it stands inside a sentence: with a small letter, where the language wants one."""
    return label if _raises_nouns and is_noun else label[:1].lower() + label[1:]


def quoted(text: str) -> str:
    """A text in the quotation marks of the language."""
    return tr("\u201c{text}\u201d").replace("{text}", text)


def grouped(n: int) -> str:
    """A number with its thousands set apart, as the locale does it."""
    locale = QLocale()
    # The plain C locale would leave the thousands together.
    locale.setNumberOptions(QLocale.NumberOption.DefaultNumberOptions)
    return locale.toString(n)


def decimal(value: float, places: int) -> str:
    """A number with so many decimals, as the locale writes it."""
    return QLocale().toString(value, "f", places)


def shortest(value: float) -> str:
    """A number with as many decimals as it needs, as the locale writes it."""
    return QLocale().toString(value, "g", 6)


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
    speak(None)
    for before in app.findChildren(QTranslator):
        app.removeTranslator(before)
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
