"""The one way to a provider: which addresses may be called, and the client that calls them."""

from __future__ import annotations

import email.utils
import ipaddress
import logging
import os
import time
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from inklings_desktop.acp_wire import words
from inklings_desktop.domain.errors import AgentError

if TYPE_CHECKING:
    from collections.abc import Mapping

    import httpx2

CONNECT_SECONDS: Final = 10.0
SILENT_SECONDS: Final = 60.0
LOCAL_SILENT_SECONDS: Final = 180.0
"""A model of this machine may have to be read from disk first."""
RETRY_AFTER_SECONDS: Final = 30.0
"""A provider that asks for a longer wait is not waited for."""
TOO_EARLY: Final = 425
SILENT: Final = 504
"""The status that stands for an answer that did not begin in time."""
_AGAIN: Final = "x-should-retry"
"""The header by which both libraries are told whether to try again."""

_KEY_VARIABLES = frozenset({"OPENAI_API_KEY", "ANTHROPIC_API_KEY"})
_LOGGERS = ("openai", "anthropic", "httpx2", "httpcore2")


def checked_address(address: str) -> str:
    """An address that may be called, without a slash at its end.

    Raises:
        AgentError: ``address_refused``: it is neither https nor on this machine, or it holds a name
            or a password.
    """
    try:
        parts = urlsplit(address)
        is_allowed = parts.scheme == "https" or (parts.scheme == "http" and is_loopback(address))
        if is_allowed and parts.hostname and "@" not in parts.netloc and parts.port != 0:
            return address.rstrip("/")
    except ValueError:
        pass  # no address at all
    raise AgentError(words.ADDRESS_REFUSED)


def is_loopback(address: str) -> bool:
    """Whether what is sent to an address stays on this machine."""
    host = urlsplit(address).hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def http_client(address: str, silent_seconds: float | None = None) -> httpx2.AsyncClient:
    """A client for one address that follows no redirect. It imports: call it on a thread.

    Certificates are those the system trusts; proxies are those of the environment, and none for
    this machine. Connections to this machine are not kept.

    Args:
        address: A checked one.
        silent_seconds: How long nothing may come; by default what fits the address.
    """
    _keep_quiet()
    import ssl

    import httpx2
    import truststore

    class Client(httpx2.AsyncClient):
        async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
            """Sends it, and says in the answer whether it may be tried again."""
            try:
                response = await super().send(request, **options)
            except httpx2.ReadTimeout:
                # Four times as long is too long to wait, so it is no error to try again.
                return httpx2.Response(SILENT, headers={_AGAIN: "false"}, request=request)
            if _seconds_to_wait(response.headers) > RETRY_AFTER_SECONDS:
                response.headers[_AGAIN] = "false"
            elif response.status_code == TOO_EARLY:
                response.headers[_AGAIN] = "true"
            return response

    is_local = is_loopback(address)
    silent = silent_seconds or (LOCAL_SILENT_SECONDS if is_local else SILENT_SECONDS)
    return Client(
        verify=truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
        timeout=httpx2.Timeout(silent, connect=CONNECT_SECONDS),
        limits=httpx2.Limits(max_keepalive_connections=0 if is_local else 4, keepalive_expiry=60),
        trust_env=not is_local,
    )


def _seconds_to_wait(headers: Mapping[str, str]) -> float:
    said = headers.get("retry-after", "")
    try:
        return float(said)
    except ValueError:
        date = email.utils.parsedate_tz(said)
        return email.utils.mktime_tz(date) - time.time() if date else 0.0


def _keep_quiet() -> None:
    """Make the libraries log nothing and read no setting of theirs from the environment.

    Their loggers could tell headers, and so keys, and whole requests; their variables could lead a
    key to another address.
    """
    for name in [*os.environ]:
        if name.startswith(("OPENAI_", "ANTHROPIC_")) and name not in _KEY_VARIABLES:
            del os.environ[name]
    for name in _LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        logging.getLogger(name).propagate = False
