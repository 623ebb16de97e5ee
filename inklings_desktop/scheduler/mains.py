"""Whether this machine runs on its battery, as far as its system says so."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from pathlib import Path

SUPPLIES = Path("/sys/class/power_supply")
_MOST_SECONDS = 2.0


def is_on_battery() -> bool:
    """Whether it does; no where nothing is known, as on a machine without one."""
    with suppress(OSError, subprocess.SubprocessError):
        if sys.platform == "win32":
            return _windows_says_so()
        if sys.platform == "darwin":
            return "'Battery Power'" in _told_by("/usr/bin/pmset", "-g", "ps")
        return supplies_say_so(SUPPLIES)
    return False


def supplies_say_so(folder: Path) -> bool:
    """Whether a battery of the machine itself is being emptied and nothing feeds it.

    Args:
        folder: One folder for each supply, with its ``type``, ``online``, ``status``, ``scope``.
    """
    supplies = [] if not folder.is_dir() else list(folder.iterdir())
    own = [one for one in supplies if _said(one, "scope") != "Device"]  # else a mouse's
    is_fed = any(_said(one, "online") == "1" for one in own if _said(one, "type") != "Battery")
    return not is_fed and any(_said(one, "status") == "Discharging" for one in own)


def _said(supply: Path, what: str) -> str:
    try:
        return (supply / what).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def _told_by(*command: str) -> str:
    done = subprocess.run(  # noqa: S603 - a list of arguments, no shell
        command, capture_output=True, text=True, timeout=_MOST_SECONDS, check=False
    )
    return done.stdout


if sys.platform == "win32":

    def _windows_says_so() -> bool:
        import ctypes

        told = (ctypes.c_ubyte * 12)()  # SYSTEM_POWER_STATUS, which begins with the line
        return bool(ctypes.windll.kernel32.GetSystemPowerStatus(told)) and told[0] == 0
