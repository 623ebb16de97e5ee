"""The workflows of the forge: they run what a developer runs, and no more than is needed."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest
import yaml

from tests.architecture.contract_report import REPOSITORY

WORKFLOWS = {path.stem: path for path in (REPOSITORY / ".github" / "workflows").glob("*.yml")}
BORROWED = {
    "actions/attest-build-provenance",
    "actions/checkout",
    "actions/deploy-pages",
    "actions/download-artifact",
    "actions/setup-python",
    "actions/upload-artifact",
    "actions/upload-pages-artifact",
    "pypa/gh-action-pypi-publish",
}


def text(name: str) -> str:
    return (REPOSITORY / name).read_text(encoding="utf-8")


def workflow(name: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(WORKFLOWS[name].read_text(encoding="utf-8"))
    return found


def steps(name: str) -> list[dict[str, Any]]:
    return [step for job in workflow(name)["jobs"].values() for step in job["steps"]]


def commands(name: str) -> str:
    return "\n".join(step["run"] for step in steps(name) if "run" in step)


@pytest.mark.parametrize("name", WORKFLOWS)
def test_every_workflow_borrows_few_actions_each_at_one_commit(name: str) -> None:
    used = re.findall(r"uses: (.+)", WORKFLOWS[name].read_text(encoding="utf-8"))
    assert used
    for one in used:
        assert re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", one), one
        assert one.partition("@")[0] in BORROWED


@pytest.mark.parametrize("name", WORKFLOWS)
def test_every_job_ends_by_itself_and_may_do_only_what_it_says(name: str) -> None:
    assert workflow(name)["permissions"] == {"contents": "read"}
    for job in workflow(name)["jobs"].values():
        assert job["timeout-minutes"] <= 150


@pytest.mark.parametrize("name", ["ci", "release"])
def test_what_every_change_must_pass_is_the_one_command(name: str) -> None:
    checks = [step.get("run") for step in workflow(name)["jobs"]["checks"]["steps"]]
    assert ".ci/run" in checks
    assert (REPOSITORY / ".ci" / "run").stat().st_mode & 0o111


def test_a_change_is_tried_on_every_system_and_held_up_by_those_that_are_promised() -> None:
    tried = workflow("ci")["jobs"]["checks"]["strategy"]["matrix"]["include"]
    promised = {one["system"]: one["promised"] for one in tried}
    assert promised == {
        "ubuntu-24.04": True,
        "ubuntu-24.04-arm": False,
        "macos-14": False,
        "windows-2022": False,
    }


def test_whatever_is_released_is_built_from_what_passed_and_attested() -> None:
    jobs = workflow("release")["jobs"]
    for name in ("package", "bundle"):
        assert jobs[name]["needs"] == "checks"
        used = [step.get("uses", "").partition("@")[0] for step in jobs[name]["steps"]]
        attested = used.index("actions/attest-build-provenance")
        assert attested < used.index("actions/upload-artifact")
        assert jobs[name]["permissions"]["attestations"] == "write"
    assert set(jobs["publish"]["needs"]) == {"package", "bundle"}


def test_the_site_is_built_as_a_change_is_checked() -> None:
    build = "-m mkdocs build --strict"
    assert build in commands("docs")
    assert build in text(".ci/run")


def test_the_night_is_set_up_as_the_readme_says_and_runs_what_contributing_says() -> None:
    [said] = re.findall(r"<!-- test-command -->\n```sh\n(.+)\n```", text("README.md"))
    set_up, runs, _ = said.partition(" && .venv/bin/python -m pytest")
    assert runs
    assert set_up in commands("nightly").splitlines()
    [endurance] = re.findall(r"(.+ -m pytest -m \w+) \$", commands("nightly"))
    assert f"`{endurance}`" in text("CONTRIBUTING.md").replace("\n", " ")
    markers = tomllib.loads(text("pyproject.toml"))["tool"]["pytest"]["ini_options"]["markers"]
    assert endurance.rpartition(" ")[2] in {one.partition(":")[0] for one in markers}


def test_the_parts_of_the_night_leave_no_test_out() -> None:
    parts = workflow("nightly")["jobs"]["endurance"]["strategy"]["matrix"]["part"]
    *folders, rest = [part["paths"] for part in parts]
    assert rest.split() == ["tests", *(f"--ignore={folder}" for folder in folders)]
    assert all((REPOSITORY / folder).is_dir() for folder in folders)


@pytest.mark.parametrize("name", ["nightly", "ci", "release"])
def test_system_packages_are_installed_as_their_list_says(name: str) -> None:
    packages = text("packaging/debian-packages.txt")
    [said] = re.findall(r"#   (apt-get install .+?) \$\(", packages)
    said = said.replace(" -y", "")
    installs = [one for one in commands(name).splitlines() if "apt-get install" in one]
    assert installs
    for line in installs:
        assert said in line.replace(" -y", "")
        for part in re.findall(r"\\\[(\w+)\\\]", line):
            assert f"\n# [{part}] " in packages


def test_whoever_reports_something_is_asked_for_what_helps_and_never_for_memories() -> None:
    forms = {
        path.name: yaml.safe_load(path.read_text(encoding="utf-8"))
        for path in (REPOSITORY / ".github" / "ISSUE_TEMPLATE").glob("*.yml")
    }
    contact = forms.pop("config.yml")["contact_links"]
    home = tomllib.loads(text("pyproject.toml"))["project"]["urls"]["Source"]
    assert all(one["url"].startswith(home) for one in contact)
    assert set(forms) == {"a-wish.yml", "something-is-wrong.yml"}
    for form in forms.values():
        ids = [one["id"] for one in form["body"] if one["type"] != "markdown"]
        assert len(ids) == len(set(ids)) > 0
        assert {one["type"] for one in form["body"]} <= {"markdown", "textarea", "input"}
    assert (
        "do not paste memories" in forms["something-is-wrong.yml"]["body"][0]["attributes"]["value"]
    )
