"""Whether something reaches for another machine: nothing that is tested here may."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Any

WAYS_OUT = frozenset(
    {"socket.connect", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname"}
)
"""What a program does that wants to reach another machine, as an audit hook hears of it."""


def reaches_outside(event: str, arguments: tuple[Any, ...]) -> bool:
    """Whether what an audit hook hears is a way to another machine, or the wish for its address."""
    if event in {"socket.connect", "socket.sendto"}:
        address = arguments[1]
        return isinstance(address, tuple) and not _is_here(address[0])
    return event in {"socket.getaddrinfo", "socket.gethostbyname"} and not _is_here(arguments[0])


def _is_here(host: str | bytes | None) -> bool:
    """Whether a name or an address is one of this machine alone."""
    name = host.decode() if isinstance(host, bytes) else host
    if not name or name == "localhost":
        return True
    try:
        address = ip_address(name)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified
