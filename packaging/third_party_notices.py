# ruff: noqa: INP001 - a package named like this folder would hide the library of that name
"""Write the licences of everything that the program is shipped with.

Run by ``build.spec`` in the environment that the bundle is made from::

    python packaging/third_party_notices.py OUTPUT
"""

from __future__ import annotations

import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROGRAM = "inklings-desktop"
LICENCE_WORDS = ("license", "licence", "copying", "notice", "thirdpartynotices")
RULE = "=" * 88
INTRODUCTION = """\
Inklings Desktop is licensed under the Apache License, Version 2.0 (file LICENSE).
It comes with the libraries below, each under its own licence.

Qt for Python and Qt are used under the GNU Lesser General Public License, version 3. Its text
and that of the GNU General Public License it refers to are in the folder "licenses". Qt stands
in this folder as separate libraries: you may replace them with your own build of the same
version, and take the program apart to debug such a change. The source code of Qt for Python
and of Qt is published by The Qt Company and the Qt Project.

Hunspell, which the spelling is looked up with, is used under the GNU Lesser General Public License,
version 2.1 or later, as a library of its own beside the program. The English dictionary that comes
with it is made from SCOWL; its notices are in the folder "licenses", file SCOWL.txt.

The embedding model all-MiniLM-L6-v2 and its vocabulary: resources/models, file NOTICE.
"""


def shipped_with(program: str) -> dict[str, Distribution]:
    """The installed distributions that the program needs, directly or in turn, by name."""
    found: dict[str, Distribution] = {}
    ours = distribution(program)
    waiting = needs(ours, *(ours.metadata.get_all("Provides-Extra") or []))
    while waiting:
        key = canonicalize_name(waiting.pop())
        if key in found:
            continue
        try:
            found[key] = distribution(key)
        except PackageNotFoundError:
            continue  # needed on another platform only
        waiting += needs(found[key])
    return found


def needs(package: Distribution, *extras: str) -> list[str]:
    """Names of what a distribution requires on this platform, with these extras of it."""
    wanted = [Requirement(line) for line in package.requires or []]
    return [
        requirement.name
        for requirement in wanted
        if requirement.marker is None
        or any(requirement.marker.evaluate({"extra": extra}) for extra in ("", *extras))
    ]


def licence_files(package: Distribution) -> list[Path]:
    """Every licence or notice file that came with a distribution, in a stable order."""
    names = [
        file
        for file in package.files or []
        if file.suffix not in {".py", ".pyc", ".pyi"}
        and file.name.lower().replace("-", "").replace("_", "").startswith(LICENCE_WORDS)
    ]
    return sorted(path for file in names if (path := Path(str(file.locate()))).is_file())


def declared_licence(package: Distribution) -> str:
    """What the distribution's metadata says in one line."""
    fields = package.metadata
    stated = fields.get_all("License-Expression") or fields.get_all("License") or [""]
    first_line = str(stated[0]).split("\n")[0]
    classifiers = [
        value.rpartition(" :: ")[2]
        for value in fields.get_all("Classifier") or []
        if value.startswith("License ::")
    ]
    return first_line or ", ".join(classifiers) or "see the text below"


def notices(program: str) -> str:
    """The whole document."""
    parts = [INTRODUCTION]
    packages = shipped_with(program)
    for key in sorted(packages):
        package = packages[key]
        parts.append(f"{RULE}\n{key} {package.version}\nLicence: {declared_licence(package)}\n")
        parts += [
            path.read_text(encoding="utf-8", errors="replace").strip() + "\n"
            for path in licence_files(package)
        ]
    return "\n".join(parts)


if __name__ == "__main__":
    output = Path(sys.argv[1])
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(notices(PROGRAM), encoding="utf-8")
