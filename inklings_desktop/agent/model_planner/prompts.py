"""What a model is told for each kind of work: a file of ``resources/prompts`` for every version.

A prompt that changes becomes a new file, so that what a run was told can be looked up later.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from inklings_desktop.resource_files import resource

IN_USE = {
    "orchestrator": 1,
    "researcher": 1,
    "worker": 1,
    "composer": 2,
    "gate": 1,
    "title": 1,
    "summary": 1,
    "compact": 1,
    "merge": 1,
    "judge": 1,
}
"""The version of each prompt that is sent."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """The rules for one kind of work.

    Attributes:
        inputs: What is put in the places ``{name}`` of the text.
        budget: Tokens that it may take at most, without its inputs.
    """

    name: str
    version: int
    inputs: tuple[str, ...]
    budget: int
    text: str

    @property
    def id(self) -> str:
        """Name and version, as a run notes them."""
        return f"{self.name}.{self.version}"

    def filled(self, **values: str) -> str:
        """The text with its inputs; each of them is put in once, and not looked into."""
        parts = self.text.split("{")
        told = [parts[0]]
        for part in parts[1:]:
            name, end, rest = part.partition("}")
            told.append(values[name] + rest if end and name in self.inputs else "{" + part)
        return "".join(told)


@cache
def prompt(name: str) -> Prompt:
    """The version in use of a prompt.

    Raises:
        NotFoundError: Its file is missing: the program is not whole.
    """
    path = resource(f"prompts/{name}.{IN_USE[name]}.md")
    _, front, text = path.read_text(encoding="utf-8").split("---\n", 2)
    matter = dict(line.split(":", 1) for line in front.splitlines())
    return Prompt(
        matter["name"].strip(),
        int(matter["version"]),
        tuple(matter["inputs"].split()),
        int(matter["budget"]),
        text.strip(),
    )
