"""Texts that look like keys and passwords: what an agent writes of them waits for the author.

Detectors miss, and sometimes see what is not there; nothing a person typed is ever changed for
it. Formats are those that the issuers publish: a fixed prefix and an alphabet, or the armour of a
private key. Which issuers are looked for follows the rules of gitleaks 8 and detect-secrets 1.5.
"""

from __future__ import annotations

import re
from enum import StrEnum
from itertools import pairwise

from inklings_desktop.domain.access.told_secrets import (
    has_card_number,
    has_iban,
    is_password_told,
)

_SHORTEST_RANDOM = 12
_MIXED_CLASSES = 3
_SHORTEST_CODE = 20
_CODE_TURNS = 4


class SecretKind(StrEnum):
    """What a piece of text looks like."""

    PRIVATE_KEY = "private_key"
    ACCESS_TOKEN = "access_token"  # noqa: S105 - the name of a kind
    API_KEY = "api_key"
    PASSWORD = "password"  # noqa: S105 - the name of a kind
    CARD_NUMBER = "card_number"
    BANK_ACCOUNT = "bank_account"


def _any_of(*formats: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(formats)})")


_FORMATS: tuple[tuple[SecretKind, re.Pattern[str]], ...] = (
    (
        SecretKind.PRIVATE_KEY,
        _any_of(
            r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----",
            r"PuTTY-User-Key-File-\d",
            r"AGE-SECRET-KEY-1[A-Z0-9]{58}",
        ),
    ),
    (
        SecretKind.ACCESS_TOKEN,
        _any_of(
            r"gh[pousr]_[A-Za-z0-9]{36}",
            r"github_pat_[A-Za-z0-9_]{22}",
            r"gl(?:pat|dt|ft|soat|rt|cbt|imt|ptt|agent|oas)-[A-Za-z0-9_-]{20}",
            r"xox[abeoprs]-[A-Za-z0-9-]{10}",
            r"xapp-\d-[A-Za-z0-9-]{10}",
            r"https://hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{20}",
            r"https://(?:canary\.|ptb\.)?discord(?:app)?\.com/api/webhooks/\d{17,20}/[\w-]{60}",
            r"[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27}",
            r"\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])",
            r"pypi-[A-Za-z0-9_-]{40}",
            r"npm_[A-Za-z0-9]{36}",
            r"rubygems_[a-f0-9]{48}",
            r"dckr_pat_[A-Za-z0-9_-]{20}",
            r"hf_[A-Za-z0-9]{30}",
            r"api_org_[A-Za-z0-9]{30}",
            r"r8_[A-Za-z0-9]{37}",
            r"ya29\.[A-Za-z0-9_-]{20}",
            r"do[opr]_v1_[a-f0-9]{64}",
            r"dapi[a-f0-9]{32}",
            r"dp\.(?:pt|st|ct|sa)\.[A-Za-z0-9.]{40}",
            r"hv[sb]\.[A-Za-z0-9_-]{24}",
            r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60}",
            r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}",
            r"sq0(?:atp|csp)-[A-Za-z0-9_-]{22}",
            r"EAAA[A-Za-z0-9_-]{60}",
            r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32}",
            r"sbp_[a-f0-9]{40}",
            r"figd_[A-Za-z0-9_-]{40}",
            r"sntry[su]_[A-Za-z0-9+/=_]{40}",
            r"glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}",
            r"ATATT3[A-Za-z0-9_=-]{60}",
            r"fo1_[A-Za-z0-9_-]{43}",
            r"fm[12][ar]?_[A-Za-z0-9+/=]{100}",
            r"ATCTT3[A-Za-z0-9_=-]{60}",
            r"ATBB[A-Za-z0-9]{32}",
            r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}",
            r"ops_eyJ[A-Za-z0-9+/=]{60}",
            r"glc_[A-Za-z0-9+/]{32}",
            r"GR1348941[A-Za-z0-9_-]{20}",
            r"glffct-[A-Za-z0-9_-]{20}",
            r"sgp_(?:[a-f0-9]{16}_|local_)?[a-f0-9]{40}",
            r"tskey-(?:auth|api|client|scim|webhook)-[A-Za-z0-9]{8,}-[A-Za-z0-9]{16}",
            r"pul-[a-f0-9]{40}",
            r"pnu_[A-Za-z0-9]{36}",
            r"rdme_[a-z0-9]{70}",
            r"dt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{64}",
            r"duffel_(?:test|live)_[A-Za-z0-9_=-]{43}",
            r"shippo_(?:live|test)_[a-f0-9]{40}",
            r"tfp_[A-Za-z0-9._=-]{59}",
            r"fio-u-[A-Za-z0-9_=-]{64}",
            r"CLOJARS_[a-z0-9]{60}",
            r"sha256~[A-Za-z0-9_-]{43}",
            r"EAA[MC][A-Za-z0-9]{100}",
            r"A{22}[A-Za-z0-9%]{80}",
            r"access-(?:sandbox|development|production)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
            r"t1\.[A-Za-z0-9_-]+={0,2}\.[A-Za-z0-9_-]{86}",
            r"sq[pua]_[a-f0-9]{40}",
            r"endr\+[A-Za-z0-9-]{16}",
            r"dnkey-[a-z0-9=_-]{26}-[a-z0-9=_-]{52}",
            r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8}",
        ),
    ),
    (
        SecretKind.API_KEY,
        _any_of(
            r"(?:A3T[A-Z0-9]|ABIA|ACCA|AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])",
            r"AIza[A-Za-z0-9_-]{35}",
            r"GOCSPX-[A-Za-z0-9_-]{28}",
            r"sk-(?:[a-z]+-)*[A-Za-z0-9_-]{20}",
            r"[sr]k_(?:live|test|prod)_[A-Za-z0-9]{16}",
            r"whsec_[A-Za-z0-9+/=]{24}",
            r"gsk_[A-Za-z0-9]{40}",
            r"xai-[A-Za-z0-9_-]{40}",
            r"pplx-[A-Za-z0-9]{40}",
            r"SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}",
            r"key-[a-f0-9]{32}(?![A-Za-z0-9])",
            r"[a-f0-9]{32}-us\d{1,2}(?![A-Za-z0-9])",
            r"(?:AC|SK)[a-f0-9]{32}(?![A-Za-z0-9])",
            r"lin_api_[A-Za-z0-9]{40}",
            r"(?:secret|ntn)_[A-Za-z0-9]{43}",
            r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}",
            r"NRAK-[A-Z0-9]{27}",
            r"HRKU-[A-Za-z0-9_-]{36}",
            r"NRII-[A-Za-z0-9-]{32}|NRJS-[a-f0-9]{19}",
            r"AKCp[A-Za-z0-9]{69}",
            r"cmVmd[A-Za-z0-9]{59}",
            r"ABSK[A-Za-z0-9+/]{109}",
            r"LTAI[A-Za-z0-9]{20}(?![A-Za-z0-9])",
            r"AQVN[A-Za-z0-9_-]{35}",
            r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}",
            r"[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31}",
            r"EZ[AT]K[A-Za-z0-9]{54}",
            r"FLW(?:PUB|SEC)K_TEST-[a-h0-9]{32}",
            r"ico-[A-Za-z0-9]{32}",
            r"oy2[a-z0-9]{43}(?![A-Za-z0-9])",
            r"sk_[a-f0-9]{48}",
            r"sm_(?:aat|pat|sat)_[A-Za-z0-9]{16}",
            r"s-s4t2(?:ud|af)-[a-f0-9]{64}",
            r"xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}",
            r"pubkey-[a-f0-9]{32}",
            r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk",
            r"API-[A-Z0-9]{26}(?![A-Za-z0-9])",
        ),
    ),
)

_NAMED = (
    r"(?:api|account|access|private|secret|signing|encryption|master)[_ -]?keys?|key"
    r"|secret|token|password|passwd|passphrase|passcode|pwd|pass|credentials?"
)
# A name that may stand in a longer one (MY_API_KEY, dbPassword, token_2), a sign of assignment,
# and a value.
_ASSIGNED = re.compile(
    rf"(?:{_NAMED})(?:[_-]?[A-Za-z0-9]){{0,16}}[\"'`]?"
    r"(?:\s{0,8}(?::=|=>|==?|:)\s{0,8}|\s{1,8}is:?\s{1,8})[\"'`]?([^\s\"'`]{12,256})",
    re.IGNORECASE,
)
# A line of settings as programs read it: no sentence is written so, however plain the value is.
_SETTING = re.compile(
    r"(?<![A-Z0-9_])(?:[A-Z0-9]{1,32}_){1,8}(?:KEY|SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|PASS|PWD)"
    r"[ \t]{0,4}=[ \t]{0,4}[\"']?([^\s\"']{6,256})"
)
_IN_ADDRESS = re.compile(
    r"[a-z][a-z0-9+.-]{1,20}://[^\s:/@]{0,128}:([^\s/@]{3,256})@", re.IGNORECASE
)
_IN_HEADER = re.compile(
    r"authorization[\"']?\s{0,4}[:=]\s{0,4}[\"']?(?:bearer|basic|token)\s{1,4}[A-Za-z0-9._~+/=-]{12}",
    re.IGNORECASE,
)
_LEFT_OPEN = re.compile(
    r"[<$%{\[(*.…]|(?:your|my|the|some|example|change(?:_?me)?|secret|pass(?:word|wd)?|token|key|none|null"
    r"|true|false|x{3}|\.{3})(?:[-_ ]|\b)",
    re.IGNORECASE,
)
"""How a value begins that only marks the place where one belongs."""


def secrets_in(*texts: str) -> tuple[SecretKind, ...]:
    """The kinds of secrets that these texts seem to hold, each once; none in ordinary prose."""
    return tuple(dict.fromkeys(kind for text in texts for kind in _secrets_in(text)))


def _secrets_in(text: str) -> list[SecretKind]:
    found = [kind for kind, pattern in _FORMATS if pattern.search(text)]
    if _has_password(text) or is_password_told(text):
        found.append(SecretKind.PASSWORD)
    if has_card_number(text):
        found.append(SecretKind.CARD_NUMBER)
    if has_iban(text):
        found.append(SecretKind.BANK_ACCOUNT)
    return found


def _has_password(text: str) -> bool:
    return (
        any(_is_random(value) for value in _ASSIGNED.findall(text))
        or any(not _LEFT_OPEN.match(value) for value in _SETTING.findall(text))
        or any(not _LEFT_OPEN.match(value) for value in _IN_ADDRESS.findall(text))
        or _IN_HEADER.search(text) is not None
    )


def _is_random(value: str) -> bool:
    """Whether a value mixes characters as words do not."""
    if _LEFT_OPEN.match(value) or "://" in value:
        return False
    bare = value.rstrip(".,;:!?)]}>")
    return (len(bare) >= _SHORTEST_RANDOM and _classes(bare) >= _MIXED_CLASSES) or (
        len(bare) >= _SHORTEST_CODE and _turns(bare) >= _CODE_TURNS
    )


def _classes(value: str) -> int:
    return (
        any(one.islower() for one in value)
        + any(one.isupper() for one in value)
        + any(one.isdigit() for one in value)
        + any(not one.isalnum() for one in value)
    )


def _turns(value: str) -> int:
    """How often letters and digits change places: never in a word, all the time in a code."""
    return sum(one.isdigit() != other.isdigit() for one, other in pairwise(value))
