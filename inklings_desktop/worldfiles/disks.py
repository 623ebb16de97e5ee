"""Tells folders whose changes this machine may not hear of: on a network, or kept by a cloud.

What another machine changes there, no kernel tells; such a folder is looked at every so often.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

MOUNTS = Path("/proc/self/mountinfo")

_NETWORK = re.compile(
    r"nfs4?|cifs|smb\d|smbfs|ncpfs|afs|ceph|glusterfs|lustre|9p|virtiofs|vboxsf|vmhgfs|prl_fs|davfs"
    r"|fuse\..*"  # of which most come over a network
)
_CLOUD = re.compile(
    r"(?:dropbox|onedrive|google ?drive|icloud ?drive|mobile documents|cloudstorage|nextcloud"
    r"|owncloud|pcloud ?drive|proton ?drive|megasync|box sync|syncthing|seafile)(?:[ -].*)?",
    re.IGNORECASE,
)
_ESCAPED = re.compile(r"\\([0-7]{3})")
_REMOTE_DRIVE = 4


def is_elsewhere(path: Path) -> bool:
    """Whether changes may be made in a folder that this system is not told of."""
    real = path.resolve()
    if any(_CLOUD.fullmatch(part) for part in real.parts):
        return True
    if sys.platform == "win32":
        import ctypes

        return ctypes.windll.kernel32.GetDriveTypeW(real.anchor) == _REMOTE_DRIVE
    return _NETWORK.fullmatch(_file_system(real)) is not None


def _file_system(path: Path) -> str:
    """Name of the file system that holds a path; empty where the system does not say."""
    try:
        mounts = MOUNTS.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return ""
    found, depth = "", -1
    for line in mounts.splitlines():
        fields, _, rest = line.partition(" - ")
        place = Path(_ESCAPED.sub(lambda code: chr(int(code[1], 8)), fields.split(" ")[4]))
        if len(place.parts) >= depth and path.is_relative_to(place):  # the latest is on top
            found, depth = rest.split(" ")[0], len(place.parts)
    return found
