"""Passwords as people tell them in a sentence, card numbers and IBANs by their check digits.

A password is told by a word for it and a verb or a sign, in English, German, French or Spanish.
What follows counts where no word is made like it, or where it is for a device or an account of our
own world. A password of a tale, made of words ("the password was swordfish"), is left alone.
"""

from __future__ import annotations

import re
from itertools import pairwise

_SHORTEST_MADE, _SHORTEST_CHOSEN = 6, 3
_CARD_DIGITS = {
    13: re.compile(r"4"),
    14: re.compile(r"30[0-5]|3[689]"),
    15: re.compile(r"3[47]"),
    16: re.compile(
        r"4|5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)|6011|64[4-9]|65|35(?:2[89]|[3-8])|62|50|6[37]"
    ),
    17: re.compile(r"62|50|6[37]"),
    18: re.compile(r"62|50|6[37]"),
    19: re.compile(r"4|62|50|6[37]"),
}
"""How the numbers of issuers begin, by their length."""
_CARD = re.compile(r"(?<![\w.,-])\d(?:[ \u00a0-]?\d){12,18}(?![\w]|[.,-]\d)")
_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}\d\d(?:[ \u00a0-]?[A-Za-z0-9]){11,30}")
_COUNTRIES = (
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28"
    " EE20 EG29 ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26"
    " IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MR27 MT31 MU30"
    " NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SD18 SE24 SI19 SK24 SM27 ST25"
    " SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20"
)
_IBAN_LENGTHS = {one[:2]: int(one[2:]) for one in _COUNTRIES.split()}

_NAME = (
    r"(?:pass[ -]?(?:words?|phrases?|codes?)|passw[o\u00f6]rt(?:er|es|s)?|kennwort|mots? de passe"
    r"|zugangs(?:code|daten)|contrase\u00f1a|clave de acceso|\b(?:passwd|pwd|pw|mdp|login))"
)
_OURS = re.compile(
    r"\b(?:wi-?fi|wlan|wiki|router|server|e-?mail|account|konto|compte|cuenta|website|webseite"
    r"|laptop|computer|ordinateur|rechner|handy|i?phone|github|gitlab|google|amazon|netflix|paypal"
    r"|bank|vpn|ssh|ftp|nas\b|database|datenbank|dropbox|admin|root\b|blog|netzwerk|network)",
    re.IGNORECASE,
)
_NAMED = re.compile(rf"{_NAME}(?!\w)[*_`\"']{{0,3}}", re.IGNORECASE)
_REACH, _REACH_BACK = 160, 40
_QUOTED = (
    r"[\"'`\u201c\u201e\u201a\u00ab\u2018]"
    r"(?P<quoted>[^\n\"`\u201c\u201d\u00ab\u00bb\u2019]{3,80})"
    r"[\"'`\u201c\u201d\u2018\u2019\u00bb]"
)
_SIGN = r"\s*(?::=|[:=\uff1a]|->|\u2192)"
_SAID = r"\s+(?:is|are|was|lautet|hei\u00dft|ist|est|es)\b(?:\s+(?:now|still|jetzt|maintenant))?:?"
# A verb or a sign, and what follows it in the same sentence; it may stand right behind the name.
_TOLD = re.compile(
    rf"(?P<verb>{_SIGN}|{_SAID})\s*"
    rf"(?:{_QUOTED}|(?P<value>[^\s\"`\u201c\u201d\u00ab\u00bb]{{3,200}}))(?P<after>[^\n]?[^\n]?)",
    re.IGNORECASE,
)
_BESIDE = re.compile(r"\s+(?P<value>[^\s\"`\u201c\u201d\u00ab\u00bb]{6,200})")
_ENDS = re.compile(r"[.!?;]\s|\n")
# A name of somebody and a password side by side, as they are noted down.
_PAIR = re.compile(
    r"\b(?:login|log-in|user(?:name)?|account|benutzer(?:name)?|anmeldung|utilisateur|identifiant|usuario)"
    r"\b\s*[:=]?\s*[^\s/,;|]{2,60}\s*[/,;|]\s*"
    rf"(?:{_NAME}|pass)\b\s*[:=]?\s*(?P<value>[^\s\"'`]{{3,200}})",
    re.IGNORECASE,
)
_PIN = re.compile(
    r"\b(?:PIN(?:[ -]?(?:code|number|nummer))?|geheimzahl|code pin)\b[^\n.!?;\d]{0,40}"
    r"(?:[:=]|\b(?:is|ist|lautet|est|es))\s*\d{4,8}(?![^\S\n]*[\w-])",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"\d+(?:st|nd|rd|th|s|er|e|te[rns]?|\u00e8me|[kmc]?m|kg|g|h|am|pm|px|x)?(?:-\w+)?",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"[<$%{\[(*.\u2026]|x{3}|https?:"
    r"|(?:your|my|the|a|an|some|example|change_?me|dein|mein|votre|mon)(?:[-_ ]|$)",
    re.IGNORECASE,
)
_SAID_OF_IT = (
    "secret lost gone safe unknown wrong right correct strong weak required empty optional hidden"
    " stored invalid missing easy long short new old different same known needed public private"
    " here there below above yours mine nowhere not never always only in on at by for to the a an"
    " what how that too very kept one written sicher geheim falsch richtig leer weg neu alt lang"
    " kurz bekannt hier dort nicht noch nie auf bei zu der die das ein eine unbekannt perdu faux"
    " vide ici dans sur le la les un une pas connu nouveau"
)
_TELLS_OF_IT = frozenset(_SAID_OF_IT.split())
_PLACES = frozenset({
    "password", "secret", "none", "null", "true", "false", "required", "optional", "empty", "value",
})  # fmt: skip
_PARTICIPLE = re.compile(r".*(?:ed|en|able|ible|ing|bar|\u00e9e?s?)$", re.IGNORECASE)
_NAMING = frozenset({"lautet", "hei\u00dft"})
_EDGES = ".,;:!?)]}>\"'`\u201c\u201d\u2018\u2019\u00bb\u00ab*_"


def is_password_told(text: str) -> bool:
    """Whether a sentence or a line tells a password, or a PIN."""
    if _PIN.search(text):
        return True
    if any(_is_value(one["value"]) for one in _PAIR.finditer(text)):
        return True
    return any(_tells(text, name) for name in _NAMED.finditer(text))


def has_card_number(text: str) -> bool:
    """Whether a number of a payment card stands in a text: an issuer's, its last digit right."""
    numbers = (re.sub(r"\D", "", one) for one in _CARD.findall(text))
    return any(_CARD_DIGITS[len(one)].match(one) and _luhn(one) for one in numbers)


def has_iban(text: str) -> bool:
    """Whether an IBAN stands in a text: of its country's length, its check digits right."""
    for found in _IBAN.findall(text):
        plain = re.sub(r"[^A-Z0-9]", "", found.upper())
        length = _IBAN_LENGTHS.get(plain[:2], len(plain) + 1)
        digits = "".join(str(int(one, 36)) for one in plain[4:length] + plain[:4])
        if len(plain) >= length and int(digits) % 97 == 1:
            return True
    return False


def _tells(text: str, name: re.Match[str]) -> bool:
    """Whether a password follows this name of one, before the sentence ends."""
    rest = text[name.end() : name.end() + _REACH]
    beside = _BESIDE.match(rest)
    if beside is not None and _is_made(beside["value"].strip(_EDGES)):
        return True
    ends = _ENDS.search(rest)
    before = re.split(_ENDS, text[max(name.start() - _REACH_BACK, 0) : name.start()])[-1]
    for found in _TOLD.finditer(rest):
        if ends is not None and found.start() >= ends.start():
            return False
        if _is_told(found, f"{before} {rest[: found.start()]}"):
            return True
    return False


def _is_told(found: re.Match[str], about: str) -> bool:
    value = found["quoted"] or found["value"]
    says = found["verb"].strip(" :").lower().split(" ")[0]
    if _OPEN.match(value):
        return False
    if _is_made(value.strip(_EDGES)):
        return True
    if "=" in found["verb"]:
        return value.strip(_EDGES).lower() not in _PLACES
    is_alone = (
        found["quoted"] is not None or value[-1] in ".,;!?" or not found["after"].strip(_EDGES)
    )
    if says == "was" or not is_alone or not _is_value(value):
        return False
    return says in _NAMING or (bool(says) and _OURS.search(about) is not None)


def _is_value(value: str) -> bool:
    """Whether a word can be what somebody chose, and not what is said of it."""
    bare = value.strip(_EDGES)
    return (
        len(bare) >= _SHORTEST_CHOSEN
        and not _OPEN.match(value)
        and bare.lower() not in _TELLS_OF_IT
        and not _PARTICIPLE.fullmatch(bare)
    )


def _is_made(value: str) -> bool:
    """Whether somebody made this to be typed: letters, digits and signs as in no word."""
    if len(value) < _SHORTEST_MADE or _COUNTED.fullmatch(value) or "://" in value:
        return False
    if value.isdigit():
        return False
    has_letter = any(one.isalpha() for one in value)
    if has_letter and any(one.isdigit() for one in value):
        return not re.fullmatch(r"[^\W\d]+-\d+", value)
    inner = value[1:-1]
    if has_letter and any(one in "!@#$%^&*+=~|\\?_" for one in inner):
        return True
    turns = sum(one.islower() and other.isupper() for one, other in pairwise(value))
    return turns > 1 or (turns == 1 and value[0].islower() and value.isalpha())


def _luhn(digits: str) -> bool:
    doubled = sum(sum(divmod(int(one) * 2, 10)) for one in digits[-2::-2])
    return (doubled + sum(map(int, digits[-1::-2]))) % 10 == 0
