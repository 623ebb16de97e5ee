"""The options of the commands about what is settled, one frozen class per set.

Annotations are evaluated here (no postponed ones): the command line is built from them.
"""

from enum import StrEnum
from typing import Annotated

import typer

from inklings_desktop.cli.memory_options import MemoryOptions, TagList
from inklings_desktop.cli.options import REQUIRED, CommonOptions, argument, flag, option
from inklings_desktop.domain.plain_data import dataclass

SourceList = Annotated[
    list[str] | None,
    typer.Option(
        "--source",
        metavar="REF",
        help="What it was concluded from: a memory id, a page or a ref code; may be repeated.",
        show_default=False,
    ),
]


class Mode(StrEnum):
    """What a search compares."""

    HYBRID = "hybrid"
    KEYWORD = "keyword"


@dataclass(frozen=True, slots=True, kw_only=True)
class AddFactOptions(CommonOptions):
    """A fact to state."""

    text: str = argument("TEXT")
    domain: str = option("--domain", "Name of its domain.", REQUIRED, metavar="D")
    topic: str = option("--topic", "What it is about, such as Nerys/hand.", REQUIRED, metavar="T")
    confidence: float | None = option("--confidence", "How sure you are, 0 to 1.", metavar="F")
    sources: SourceList = None
    first: int | None = option("--from", "The first chapter in which it is true.", metavar="N")
    until: int | None = option(
        "--until", "The chapter from which it is no longer true.", metavar="N"
    )
    tags: TagList = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListFactsOptions(CommonOptions):
    """Which facts."""

    domain: str = option("--domain", "Only of this domain.", "", metavar="D")
    topic: str = option("--topic", "Only of this topic and those below it.", "", metavar="T")
    superseded: bool = flag("--superseded", "Also those whose place a later one took.")
    disagreeing: bool = flag("--disagreeing", "Only those that another one contradicts.")
    unsupported: bool = flag("--unsupported", "Only those with no source left.")
    at_story: int | None = option("--at-story", "Only what is true in this chapter.", metavar="N")
    limit: int = option("--limit", "Most facts.", 200, metavar="N")


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchFactsOptions(CommonOptions):
    """What is looked for among facts."""

    query: str = argument("QUERY")
    domain: str = option("--domain", "Only in this domain.", "", metavar="D")
    topic: str = option("--topic", "Only of this topic and those below it.", "", metavar="T")
    superseded: bool = flag("--superseded", "Also what was replaced, at the end.")
    at_story: int | None = option("--at-story", "Only what is true in this chapter.", metavar="N")
    limit: int = option("--limit", "Most facts.", 20, metavar="N")
    mode: Mode = option("--mode", "By words, or by words and meaning.", Mode.HYBRID)


@dataclass(frozen=True, slots=True, kw_only=True)
class SupersedeOptions(MemoryOptions):
    """A fact, and what holds instead."""

    text: str = argument("TEXT")
    reason: str = option("--reason", "Why, in a few words.", REQUIRED, metavar="TEXT")
    confidence: float | None = option("--confidence", "How sure you are, 0 to 1.", metavar="F")
    sources: SourceList = None
    topic: str | None = option("--topic", "Another topic of the same domain.", metavar="T")
    first: int | None = option("--from", "The first chapter in which it is true.", metavar="N")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReinstateOptions(MemoryOptions):
    """An earlier fact of a chain."""

    reason: str = option("--reason", "Why, in a few words.", REQUIRED, metavar="TEXT")


@dataclass(frozen=True, slots=True, kw_only=True)
class FromMemoryOptions(MemoryOptions):
    """A memory that a fact is made of."""

    domain: str = option("--domain", "Name of the domain.", REQUIRED, metavar="D")
    topic: str = option("--topic", "What it is about, such as Nerys/hand.", REQUIRED, metavar="T")
    confidence: float | None = option("--confidence", "How sure you are, 0 to 1.", metavar="F")


@dataclass(frozen=True, slots=True, kw_only=True)
class SettleOptions(MemoryOptions):
    """Of two facts that disagree the one that holds, and the other one."""

    other: str = argument("OTHER", "Id of the one that is wrong.")


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainOptions(CommonOptions):
    """One domain."""

    domain: str = argument("NAME")


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateDomainOptions(DomainOptions):
    """A domain to make."""

    description: str = option("--description", "What belongs in it.", "", metavar="TEXT")
    closed: bool = flag("--closed", "Roles that you granted nothing may not even read it.")


@dataclass(frozen=True, slots=True, kw_only=True)
class RenameDomainOptions(DomainOptions):
    """A domain, and its new name."""

    name: str = argument("NEW")


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveDomainOptions(DomainOptions):
    """A domain to put away, or to use again."""

    back: bool = flag("--back", "Use it again.")


class DefaultPermission(StrEnum):
    """What a role may do that nothing was said about."""

    NONE = "none"
    READ = "read"


@dataclass(frozen=True, slots=True, kw_only=True)
class DefaultOptions(DomainOptions):
    """A domain, and what roles may do in it by default."""

    permission: DefaultPermission = argument("PERMISSION", "read or none.")


class GivenPermission(StrEnum):
    """What a role may do in a domain."""

    NONE = "none"
    READ = "read"
    WRITE = "write"
    DEFAULT = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleOptions(CommonOptions):
    """One role."""

    role: str = argument("ROLE", "Small letters, digits and hyphens.")


@dataclass(frozen=True, slots=True, kw_only=True)
class GrantRoleOptions(RoleOptions):
    """What a role may do in a domain."""

    domain: str = option("--domain", "Name of the domain.", REQUIRED, metavar="D")
    permission: GivenPermission = option(
        "--permission", "none, read, write, or default.", REQUIRED, metavar="P"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignOptions(CommonOptions):
    """A client, and a role that it may act under."""

    client: str = argument("CLIENT")
    role: str = argument("ROLE")
    default: bool = flag("--default", "It acts under this one unless it names another.")


@dataclass(frozen=True, slots=True, kw_only=True)
class AddPolicyOptions(CommonOptions):
    """A house rule to make."""

    text: str = argument("TEXT")
    domain: str = option("--domain", "Name of its domain.", REQUIRED, metavar="D")
    sources: SourceList = None
    required_role: str = option(
        "--required-role", "Only this role writes in the domain.", "", metavar="ROLE"
    )
    always: bool = flag("--always", "Tell agents at every turn.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListPoliciesOptions(CommonOptions):
    """Which house rules."""

    domain: str = option("--domain", "Only of this domain.", "", metavar="D")


@dataclass(frozen=True, slots=True, kw_only=True)
class EditPolicyOptions(MemoryOptions):
    """What changes of a house rule."""

    text: str | None = option("--text", "What it says from now on.", metavar="TEXT")
    required_role: str | None = option(
        "--required-role", "Only this role writes in the domain; empty for any.", metavar="ROLE"
    )
    always: bool | None = option("--always/--not-always", "Tell agents at every turn.")


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptOptions(CommonOptions):
    """What one agent keeps."""

    agent: str = argument("AGENT")
    part: str = option("--part", "Which of its parts keeps it.", "", metavar="PART")
