"""Texts that look like keys and passwords: what an agent writes of them waits for the author.

Detectors miss, and sometimes see what is not there; nothing a person typed is ever changed for
it. Formats are those that the issuers publish: a fixed prefix and an alphabet, or the armour of a
private key.
"""

from __future__ import annotations

import re
from enum import StrEnum

_MIXED_CLASSES = 3


class SecretKind(StrEnum):
    """What a piece of text looks like."""

    PRIVATE_KEY = "private_key"
    ACCESS_TOKEN = "access_token"  # noqa: S105 - the name of a kind
    API_KEY = "api_key"
    PASSWORD = "password"  # noqa: S105 - the name of a kind


_FORMATS: tuple[tuple[SecretKind, re.Pattern[str]], ...] = (
    (SecretKind.PRIVATE_KEY, re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY( BLOCK)?-----")),
    (SecretKind.ACCESS_TOKEN, re.compile(r"\bgh[pousr]_[A-Za-z0-9]{36,}\b")),
    (SecretKind.ACCESS_TOKEN, re.compile(r"\bgithub_pat_[A-Za-z0-9_]{22,}\b")),
    (SecretKind.ACCESS_TOKEN, re.compile(r"\bglpat-[A-Za-z0-9_-]{20,}")),
    (SecretKind.ACCESS_TOKEN, re.compile(r"\bxox[abprs]-[A-Za-z0-9-]{10,}")),
    (SecretKind.ACCESS_TOKEN, re.compile(r"\bpypi-[A-Za-z0-9_-]{40,}")),
    (SecretKind.ACCESS_TOKEN, re.compile(r"\bnpm_[A-Za-z0-9]{36}\b")),
    (SecretKind.ACCESS_TOKEN, re.compile(r"\bhf_[A-Za-z0-9]{30,}\b")),
    (
        SecretKind.ACCESS_TOKEN,
        re.compile(r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"),
    ),
    (SecretKind.API_KEY, re.compile(r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b")),
    (SecretKind.API_KEY, re.compile(r"\bAIza[A-Za-z0-9_-]{35}")),
    (SecretKind.API_KEY, re.compile(r"\bsk-(?:[a-z]+-)*[A-Za-z0-9_-]{20,}")),
    (SecretKind.API_KEY, re.compile(r"\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,}")),
)

# A name, a sign of assignment, and a value that no sentence would hold.
_ASSIGNED = re.compile(
    r"(?i)\b(?:api[_ -]?key|secret(?:[_ -]?key)?|access[_ -]?token|auth[_ -]?token|token"
    r"|password|passwd|passphrase)\b[\"']?\s*(?::=|[:=])\s*[\"']?([^\s\"']{12,})"
)


def secrets_in(*texts: str) -> tuple[SecretKind, ...]:
    """The kinds of secrets that these texts seem to hold, each once; none in ordinary prose."""
    return tuple(dict.fromkeys(kind for text in texts for kind in _secrets_in(text)))


def _secrets_in(text: str) -> list[SecretKind]:
    found = [kind for kind, pattern in _FORMATS if pattern.search(text)]
    if any(_is_random(match.group(1)) for match in _ASSIGNED.finditer(text)):
        found.append(SecretKind.PASSWORD)
    return found


def _is_random(value: str) -> bool:
    """Whether a value mixes characters as words do not."""
    classes = (
        any(one.islower() for one in value),
        any(one.isupper() for one in value),
        any(one.isdigit() for one in value),
        any(not one.isalnum() for one in value.rstrip(".,;:!?)")),
    )
    return sum(classes) >= _MIXED_CLASSES
