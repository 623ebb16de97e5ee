"""The token of a dry run: what an execution must show, good for five minutes in any process.

It names the manifest's digest and the instant of expiry, and a keyed hash binds both to scope,
mode and caller. Nothing is written when one is made; it is single-use because the execution
changes the digest.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.scrub.manifest import TOKEN_SECONDS

if TYPE_CHECKING:
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.domain.scrub.manifest import ScrubManifest, ScrubMode, ScrubReceipt
    from inklings_desktop.domain.scrub.scrub_request import ScrubFigures

_INSTANT_BYTES, _DIGEST_BYTES, _HASH_BYTES = 6, 16, 18
_TOKEN_BYTES = _INSTANT_BYTES + _DIGEST_BYTES + _HASH_BYTES
_DIGEST_DIGITS = 2 * _DIGEST_BYTES
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LIFE = timedelta(seconds=TOKEN_SECONDS)


@dataclass(frozen=True, slots=True)
class TokenScope:
    """What a token is bound to besides the digest.

    Attributes:
        scope: The tier and scope key.
        mode: What is spared.
        caller: Name of the person who asked for the dry run.
    """

    scope: ScopeKey
    mode: ScrubMode
    caller: str

    def token(self, key: bytes, digest: str, now: datetime) -> tuple[str, datetime]:
        """A token for this digest, and when it expires; 64 letters and digits.

        Args:
            key: The installation's key.
            digest: The manifest's, hexadecimal.
            now: When the dry run was made.
        """
        expires_at = now + _LIFE
        instant = ((expires_at - _EPOCH) // timedelta(milliseconds=1)).to_bytes(_INSTANT_BYTES)
        named = bytes.fromhex(digest)[:_DIGEST_BYTES]
        raw = instant + named + self._hash(key, instant + named)
        return base64.b32encode(raw).decode().lower(), expires_at

    def confirmed(self, key: bytes, token: str, now: datetime) -> str:
        """Beginning of the digest that a token confirms; compare with ``is_of_digest``.

        Raises:
            InvalidValueError: It was not made for this, or has expired.
        """
        try:
            raw = base64.b32decode(token.strip().upper())
        except (binascii.Error, ValueError):
            raise InvalidValueError("token", "unknown") from None
        body, found = raw[:-_HASH_BYTES], raw[-_HASH_BYTES:]
        is_ours = hmac.compare_digest(self._hash(key, body), found)
        if len(raw) != _TOKEN_BYTES or not is_ours:
            raise InvalidValueError("token", "unknown")
        instant = int.from_bytes(body[:_INSTANT_BYTES])
        left = _EPOCH + timedelta(milliseconds=instant) - now
        # More than its whole life left: the clock was set back since.
        if not timedelta(0) < left <= _LIFE:
            raise InvalidValueError("token", "expired")
        return body[_INSTANT_BYTES:].hex()

    def _hash(self, key: bytes, body: bytes) -> bytes:
        place = (self.scope.tier.value, self.scope.workspace_id or "", self.scope.key)
        words = "\x00".join(("scrub token", *place, self.mode.value, self.caller))
        return hmac.new(key, words.encode() + b"\x00" + body, hashlib.sha256).digest()[:_HASH_BYTES]


def is_of_digest(confirmed: str, digest: str) -> bool:
    """Whether what a token confirms is the beginning of this digest."""
    return len(confirmed) == _DIGEST_DIGITS and digest.startswith(confirmed)


def require_phrase(manifest: ScrubManifest | ScrubFigures, phrase: str) -> None:
    """Return only if the phrase was typed exactly; blanks around it do not matter.

    Raises:
        InvalidValueError: It was not.
    """
    if phrase.strip() != manifest.phrase:
        raise InvalidValueError("confirm", "phrase")


def receipt_hash(key: bytes, number: int, receipt: ScrubReceipt) -> str:
    """Keyed hash over a receipt and the number of the scrub it belongs to, hexadecimal."""
    fields = (
        "scrub receipt", number, receipt.n_files, receipt.n_bytes, receipt.n_needles,
        receipt.hits, receipt.remaining, receipt.rewritten, receipt.deleted,
    )  # fmt: skip
    return hmac.new(key, repr(fields).encode(), hashlib.sha256).hexdigest()
