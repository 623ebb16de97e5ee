"""``inklings world retcons|contradictions|versions|restore``: what changed under memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.cli.command import command
from inklings_desktop.cli.entries.entry_lines import change_lines
from inklings_desktop.cli.output import counted, local_time, one_line, table, visible
from inklings_desktop.cli.program import Answer
from inklings_desktop.cli.scopes import find_memory, required_workspace
from inklings_desktop.cli.world.world_options import (
    ContradictionOptions,
    Decision,
    DeriveOptions,
    PromoteOptions,
    RestoreOptions,
    RetconOptions,
    VersionsOptions,
)
from inklings_desktop.domain.errors import InvalidValueError, NotFoundError
from inklings_desktop.domain.memory import Derivation
from inklings_desktop.domain.plain_rows import row_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import typer

    from inklings_desktop.domain.world.derivations import RetconCase
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.world.contradictions import Contradiction

_ID_CHARACTERS = 8


def add_change_commands(pages: typer.Typer) -> None:
    """Add them to the group about pages."""
    command(pages, "retcons", RetconOptions, retcons)
    command(pages, "contradictions", ContradictionOptions, contradictions)
    command(pages, "versions", VersionsOptions, versions)
    command(pages, "restore", RestoreOptions, restore)
    command(pages, "promote", PromoteOptions, promote)
    command(pages, "derive", DeriveOptions, derive)


def retcons(inklings: Inklings, options: RetconOptions) -> Answer:
    """List what changed in pages under memories; or keep or forget the memories of one."""
    workspace_id = required_workspace(inklings).id
    cases = inklings.derivations.retcons(workspace_id)
    if options.retcon:
        found = _one([case.retcon.id for case in cases], options.retcon, "retcon")
        cases = tuple(case for case in cases if case.retcon.id == found)
    if options.decide is None:
        lines = [line for case in cases for line in _case_lines(case)]
        nothing = ["Nothing has changed under memory."]
        return Answer({"retcons": [_case_document(case) for case in cases]}, lines or nothing)
    if not options.retcon:
        raise InvalidValueError("retcon", "empty")
    (case,) = cases
    if options.decide is Decision.KEEP:
        inklings.derivations.keep(workspace_id, case.retcon.id)
        said = f"Kept {counted(len(case.memories), 'memory')} as still true."
    else:
        ids = [one.id for one in case.memories]
        inklings.derivations.forget(workspace_id, case.retcon.id, ids)
        said = f"Forgot {counted(len(ids), 'memory')}; restoring is possible."
    return Answer({"retcon": case.retcon.id, "decided": options.decide.value}, [said])


def contradictions(inklings: Inklings, options: ContradictionOptions) -> Answer:
    """List plain contradictions among memories and with pages; or say which text is right."""
    workspace_id = required_workspace(inklings).id
    found = inklings.derivations.contradictions(workspace_id)
    if options.decide is not None:
        pair = _one([one.digest for one in found], options.pair, "contradiction")
        (wanted,) = (one for one in found if one.digest == pair)
        inklings.derivations.decide_contradiction(workspace_id, wanted, options.decide.value)
        decided = {"contradiction": pair, "decided": options.decide.value}
        return Answer(decided, [f"Decided {pair[:_ID_CHARACTERS]}: {options.decide.value}."])
    lines = [line for one in found for line in _both(one)]
    document = {
        "contradictions": [
            {
                "id": one.digest,
                "memory": row_of(one.first, "id content"),
                "other": None if one.second is None else row_of(one.second, "id content"),
                "page": None if one.page is None else row_of(one.page, "id path title"),
                "block": None if one.block is None else row_of(one.block, "id text"),
            }
            for one in found
        ]
    }
    return Answer(document, lines or ["No plain contradiction was found."])


def _both(one: Contradiction) -> tuple[str, str]:
    where = f" ({one.page.path})" if one.page else ""
    return visible(
        one_line(one.first.content)
    ), f"  but: {visible(one_line(one.other_text))}{visible(where)}"


def versions(inklings: Inklings, options: VersionsOptions) -> Answer:
    """List what pages said before accepted proposals changed them."""
    kept = inklings.page_proposals.versions(required_workspace(inklings).id, options.page)
    rows = [
        [one.id[:_ID_CHARACTERS], local_time(one.at), visible(one.path), counted(one.size, "byte")]
        for one in kept
    ]
    document = {"versions": [row_of(one, "id folder_id path size at proposal_id") for one in kept]}
    return Answer(document, table(rows) or ["No earlier version of a page is kept."])


def restore(inklings: Inklings, options: RestoreOptions) -> Answer:
    """Let a page say again what a kept version says; what it says now is kept too."""
    workspace_id = required_workspace(inklings).id
    kept = inklings.page_proposals.versions(workspace_id)
    found = _one([one.id for one in kept], options.version, "page_version")
    inklings.page_proposals.restore(workspace_id, found)
    (path,) = {one.path for one in kept if one.id == found}
    said = f"Restored {visible(path)}. What it said until now is kept."
    return Answer({"restored": found, "path": path}, [said])


def promote(inklings: Inklings, options: PromoteOptions) -> Answer:
    """Propose that a memory becomes text of a page; accept it with: inklings entry proposals."""
    memory = find_memory(inklings, options.id)
    asked = inklings.page_proposals.promote(
        memory.ref,
        folder=options.folder,
        path=options.path,
        heading=options.heading,
        reason=options.reason,
    )
    accept = f"inklings entry proposals --accept {asked.id[:_ID_CHARACTERS]}"
    said = f"Proposed for {visible(options.path)}. To accept: {accept}"
    return Answer({"proposal": asked.id}, [said])


def derive(inklings: Inklings, options: DeriveOptions) -> Answer:
    """Say that a memory comes from a page or a part of one, as it is now."""
    workspace_id, memory = required_workspace(inklings).id, find_memory(inklings, options.id)
    inklings.derivations.derive(workspace_id, memory.ref, (Derivation(options.page),))
    said = f"It comes from {visible(options.page)}; you are told when that changes."
    return Answer({"memory": memory.id, "page": options.page}, [said])


def _one(ids: Sequence[str], prefix: str, kind: str) -> str:
    """The id that begins so; never one of two."""
    found = [one for one in ids if prefix and one.startswith(prefix.lower())]
    if not found:
        raise NotFoundError(kind, prefix)
    if len(found) > 1:
        raise InvalidValueError(kind, "ambiguous")
    return found[0]


def _case_document(case: RetconCase) -> dict[str, Any]:
    document = row_of(
        case,
        "id=retcon.id path=retcon.path what=retcon.what found_at=retcon.found_at page_title heading"
        " base_text now_text=retcon.now_text",
    )
    return document | {"memories": [row_of(one, "id content version") for one in case.memories]}


def _case_lines(case: RetconCase) -> list[str]:
    place = " > ".join(one for one in (case.page_title, case.heading) if one)
    lines = [
        f"{case.retcon.id[:_ID_CHARACTERS]}  {visible(place)}, {local_time(case.retcon.found_at)}"
    ]
    if case.retcon.now_text:
        lines += [f"  {line}" for line in change_lines(case.base_text, case.retcon.now_text)]
    else:
        lines.append(f"  - {visible(one_line(case.base_text))}")
    return [*lines, *(f"  memory: {visible(one_line(one.content))}" for one in case.memories)]
