"""Words of the window in the person's language.

English stands in the code; ``language`` puts the catalogue of another language in its place
before the window is made, and nothing of what is on show follows a later change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale

if TYPE_CHECKING:
    from gettext import NullTranslations

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
