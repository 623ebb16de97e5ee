"""Which names pass for one another at a glance.

Names of entries are capitals, digits and underscore, whatever else is refused anyway; the
skeletons find out whom a refused name imitates, and catch imitations inside that alphabet, such
as V0ICE.
"""

from __future__ import annotations

import re
import unicodedata

from inklings_desktop.domain.words.text_rules import is_visible

MAX_COMPARED_CHARACTERS = 1_000
"""No longer name is read to its end; none is allowed anyway."""

_UNDERSCORES = re.compile(r"_+")
_L_OR_I = re.compile("[l1|\u01c0\u04c0\u04cf]")

# Letters of other scripts, by code point, that are drawn like this Latin one: Cyrillic, Greek,
# Armenian, Coptic, Cherokee, Lisu, Canadian syllabics, phonetic small capitals.
_DRAWN_ALIKE = {
    "A": "0410 0430 0391 03B1 13AA 0251 15C5 A4EE",
    "B": "0412 0392 03B2 13F4 0299 15F7 A4D0",
    "C": "0421 0441 03F9 03C2 03F2 13DF 2CA4 2CA5 A4DA 1D04",
    "D": "13A0 0501 15DE A4D3 0500",
    "E": "0415 0435 0395 03B5 13AC A4F0 1D07",
    "F": "03DC 15B4 A4DD 0492",
    "G": "050C 13C0 0261 050D A4D6",
    "H": "041D 043D 0397 13BB 04BB 04BA A4E7",
    "I": "0406 0456 0399 03B9 13C6 0131 026A 2C92 A4F2",
    "J": "0408 0458 13AB 03F3 A4D9",
    "K": "041A 043A 039A 03BA 13E6 2C94 A4D7",
    "L": "13DE 2CD0 A4E1 14AA 029F",
    "M": "041C 043C 039C 13B7 2C98 A4DF 03FA",
    "N": "039D 03B7 2C9A A4E0 0274",
    "O": "041E 043E 039F 03BF 03C3 0555 0585 2C9E 2C9F 0D20 0966 0BE6 A4F3 0398 03B8",
    "P": "0420 0440 03A1 03C1 13E2 2CA2 2CA3 A4D1",
    "Q": "051A 051B",
    "R": "13A1 13D2 A4E3 0280",
    "S": "0405 0455 054F 13DA A4E2 A731 0282",
    "T": "0422 0442 03A4 03C4 13A2 2CA6 A4D4 1D1B",
    "U": "054D 057D 03C5 0446 144C 028A A4F4 03BC 0426",
    "V": "0474 0475 13D9 03BD A4E6 1D20",
    "W": "051C 051D 13B3 A4EA 03C9 0461",
    "X": "0425 0445 03A7 03C7 2CAC A4EB",
    "Y": "0423 0443 03A5 03B3 04AE 04AF 13A9 A4EC 028F",
    "Z": "0396 03B6 13C3 A4DC 1D22",
}
_LATIN = {int(code, 16): latin for latin, codes in _DRAWN_ALIKE.items() for code in codes.split()}
_LETTER_OF_DIGIT = str.maketrans("02345678", "OZEASGTB")


def looks_like(name: str, other: str) -> bool:
    """Whether a reader could take one name for the other."""
    return not skeletons(name).isdisjoint(skeletons(other))


def skeletons(name: str) -> frozenset[str]:
    """What remains of a name when everything easily overlooked is taken away.

    Two, where a small ``l``, a one or a bar stands: each may pass for a capital I or for an L.
    """
    letters = "".join(
        one
        for one in unicodedata.normalize("NFKD", name[:MAX_COMPARED_CHARACTERS])
        if is_visible(one) and not unicodedata.category(one).startswith("M")
    )
    return frozenset(_bare(_L_OR_I.sub(reading, letters)) for reading in "LI")


def _bare(letters: str) -> str:
    # Drawn alike is asked before and after capitals: a small Greek nu is drawn like a v.
    latin = letters.translate(_LATIN).upper().translate(_LATIN).translate(_LETTER_OF_DIGIT)
    return _UNDERSCORES.sub("_", latin.replace("VV", "W")).strip("_")
