from __future__ import annotations

import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.architecture.contract_report import REPOSITORY

PYTHONS = ["3.11", "3.12", "3.13"]


def constraints() -> list[Requirement]:
    text = (REPOSITORY / "packaging" / "constraints.txt").read_text(encoding="utf-8")
    return [Requirement(line) for line in text.splitlines() if line and not line.startswith("#")]


def direct_requirements() -> list[Requirement]:
    with (REPOSITORY / "pyproject.toml").open("rb") as stream:
        settings = tomllib.load(stream)
    groups = settings["dependency-groups"].values()
    lines = [line for group in groups for line in group if isinstance(line, str)]
    return [Requirement(line) for line in [*settings["project"]["dependencies"], *lines]]


def test_every_line_is_a_name_and_one_exact_version() -> None:
    for pin in constraints():
        assert pin.url is None
        assert re.fullmatch(r"==[0-9][\w.]*", str(pin.specifier)), str(pin)


@pytest.mark.parametrize("python", PYTHONS)
def test_each_direct_dependency_has_one_version_inside_its_bounds(python: str) -> None:
    linux = {
        "python_version": python,
        "python_full_version": f"{python}.0",
        "sys_platform": "linux",
        "platform_machine": "x86_64",
        "platform_python_implementation": "CPython",
    }
    pinned: dict[str, list[str]] = {}
    for pin in constraints():
        if pin.marker is None or pin.marker.evaluate(dict(linux)):
            version = str(pin.specifier).removeprefix("==")
            pinned.setdefault(canonicalize_name(pin.name), []).append(version)
    for wanted in direct_requirements():
        if wanted.marker is not None and not wanted.marker.evaluate(dict(linux)):
            continue
        versions = pinned.get(canonicalize_name(wanted.name), [])
        assert len(versions) == 1, f"{wanted.name}: {versions}"
        assert wanted.specifier.contains(versions[0]), f"{wanted}: {versions[0]}"
