"""``inklings entry proposals``: what agents asked for; show, accept, reject."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.cli.command import command
from inklings_desktop.cli.entries.entry_lines import body_lines, change_lines, proposal_document
from inklings_desktop.cli.entries.entry_options import ProposalsOptions
from inklings_desktop.cli.messages import refused, wrong_usage
from inklings_desktop.cli.output import local_time, one_line, table, visible
from inklings_desktop.cli.program import Answer
from inklings_desktop.cli.typed_text import file_text, secret_reasons
from inklings_desktop.domain.ages import age
from inklings_desktop.domain.entries.named_entry import EntryRef
from inklings_desktop.domain.entries.proposals import (
    ABOUT_PAGES,
    FORGOTTEN_AT,
    UNDECIDED,
    WORLD_NAMES,
    ProposalKind,
    shrinks_much,
)
from inklings_desktop.domain.errors import InvalidValueError, NotFoundError
from inklings_desktop.domain.memory import MemoryRef

if TYPE_CHECKING:
    import typer

    from inklings_desktop.domain.entries.proposals import Proposal
    from inklings_desktop.usecases.bundle import Inklings

SHORT_ID_CHARACTERS = 8
_ASKS = {
    ProposalKind.NAMED_BODY: "another body for {name}",
    ProposalKind.NAMED_NEW: "a new entry, {name}",
    ProposalKind.MEMORY_NEW: "a new memory",
    ProposalKind.MEMORY_EDIT: "to change a memory",
    ProposalKind.MEMORY_FORGET: "to forget a memory",
    ProposalKind.MEMORY_REPLACE: "to replace a memory",
    ProposalKind.PAGE_NEW: "a new page, {name}",
    ProposalKind.PAGE_EDIT: "to change the page {name}",
    ProposalKind.PAGE_MOVE: "to move the page {name}",
    ProposalKind.ACTIVITY: "an activity, {name}",
    ProposalKind.SKILL: "the skill {name}",
}


def add_proposal_commands(entries: typer.Typer) -> None:
    """Add the command about proposals to the group of named entries."""
    command(entries, "proposals", ProposalsOptions, proposals)


def proposals(inklings: Inklings, options: ProposalsOptions) -> Answer:
    """List what agents asked for; or show, accept or reject one."""
    wanted = [one for one in (options.show, options.accept, options.reject) if one is not None]
    if len(wanted) > 1:
        raise wrong_usage("Show, accept or reject: one of them at a time.")
    if options.from_file is not None and options.accept is None:
        raise wrong_usage("--from-file belongs to --accept.")
    if options.note and options.accept is None and options.reject is None:
        raise wrong_usage("--note belongs to --accept or --reject.")
    if not wanted:
        return _listed(inklings, options)
    proposal = _found(inklings, wanted[0])
    if options.accept is not None:
        return _accepted(inklings, options, proposal)
    if options.reject is not None:
        rejected = inklings.proposals.reject(proposal.ref, options.note)
        said = f"Rejected {_short(proposal)}; nothing was changed."
        return Answer({"proposal": proposal_document(rejected)}, [said])
    return _shown(inklings, proposal)


def _listed(inklings: Inklings, options: ProposalsOptions) -> Answer:
    states = None if options.every else UNDECIDED
    found = inklings.proposals.list(_workspace_id(inklings), states=states)
    now = inklings.clock()
    rows = [
        [
            _short(one),
            one.state.value,
            one.client,
            _asks(one),
            age(one.created_at, now),
            one_line(one.reason, 60),
        ]
        for one in found
    ]
    lines = table(rows) or ["No agent asks for anything."]
    return Answer({"proposals": [proposal_document(one) for one in found]}, lines)


def _accepted(inklings: Inklings, options: ProposalsOptions, proposal: Proposal) -> Answer:
    body = None if options.from_file is None else file_text(options.from_file)
    if proposal.kind in ABOUT_PAGES:
        page = inklings.page_proposals.accept(proposal.ref, text=body, note=options.note).proposal
        return Answer(
            {"proposal": proposal_document(page)},
            [f"Accepted {_short(page)}: {_asks(page)}. What the page said before is kept."],
        )
    try:
        accepted = inklings.proposals.accept(
            proposal.ref, body=body, expected_version=options.if_version, note=options.note
        )
    except NotFoundError as error:
        if error.kind != "memory":
            raise
        message = (
            "The memory was forgotten or removed after this was proposed. Nothing was changed. "
            f"Restore it first, or decline with --reject {_short(proposal)}."
        )
        raise refused("not_found", message) from error
    said = f"Accepted {_short(proposal)}: {_asks(proposal)}."
    return Answer({"proposal": proposal_document(accepted)}, [said])


def _shown(inklings: Inklings, proposal: Proposal) -> Answer:
    """The proposal with what it would change of the target as it is now."""
    current, version = _target(inklings, proposal)
    versions = [
        ["Made for", "nothing yet" if proposal.base_version is None else _version(proposal)],
        ["Now at", "nothing yet" if version is None else f"version {version}"],
    ]
    if proposal.kind in ABOUT_PAGES:
        page = inklings.page_proposals.compare(proposal.ref)
        current = page.old_text
        since = "gone" if page.is_gone else "changed" if page.is_overtaken else "as it was"
        versions = [["Page", page.wish.path], ["Since then", since]]
    asks_for_text = "body" in proposal.payload or "content" in proposal.payload
    is_shrinking = asks_for_text and shrinks_much(current, proposal.text)
    facts = [
        ["Asks for", _asks(proposal)],
        ["Client", proposal.client],
        ["State", proposal.state.value],
        *versions,
        ["Reason", one_line(proposal.reason) or "none given"],
    ]
    if proposal.forgotten_at is not None:
        facts.append(["Forgotten", f"you put this away on {local_time(proposal.forgotten_at)}"])
    if proposal.world_names:
        names = one_line(", ".join(proposal.world_names))
        facts.append(["Careful", f"only pages of a world know {names}"])
    if proposal.note:
        facts.append(["Note", one_line(proposal.note)])
    lines = [*table(facts), *secret_reasons(proposal.secrets)]
    if is_shrinking:
        lines.append("Careful: the proposed text is much shorter than what it replaces.")
    if asks_for_text:
        lines += ["", *(change_lines(current, proposal.text) or ["The text reads the same."])]
    elif proposal.kind is ProposalKind.MEMORY_FORGET:
        lines += ["", *body_lines(current)]
    others = {
        name: value
        for name, value in proposal.payload.items()
        if name not in {"body", "content", FORGOTTEN_AT, WORLD_NAMES}
    }
    lines += [visible(f"{name}: {value}") for name, value in others.items()]
    document = {
        "proposal": proposal_document(proposal),
        "current": current,
        "current_version": version,
        "shrinks_much": is_shrinking,
    }
    return Answer(document, lines)


def _target(inklings: Inklings, proposal: Proposal) -> tuple[str, int | None]:
    """Text and version of the target as it is now; nothing when it is gone or not there yet."""
    try:
        if proposal.kind is ProposalKind.NAMED_BODY:
            ref = EntryRef(proposal.tier, proposal.workspace_id, proposal.target_id)
            entry = inklings.entries.show(ref).entry
            return entry.body, entry.version
        if proposal.target_id and proposal.kind not in ABOUT_PAGES:
            memory_ref = MemoryRef(proposal.scope, proposal.target_id)
            memory = inklings.listing.show(memory_ref).entry
            return memory.content, memory.version
    except NotFoundError:
        return "", None
    return "", None


def _found(inklings: Inklings, id_prefix: str) -> Proposal:
    """The proposal whose id begins so; never one of two."""
    every = inklings.proposals.list(_workspace_id(inklings))
    found = [one for one in every if id_prefix and one.id.startswith(id_prefix.lower())]
    if not found:
        raise NotFoundError("proposal", id_prefix)
    if len(found) > 1:
        raise InvalidValueError("proposal", "ambiguous")
    return found[0]


def _workspace_id(inklings: Inklings) -> str | None:
    return None if inklings.workspace is None else inklings.workspace.id


def _short(proposal: Proposal) -> str:
    return proposal.id[:SHORT_ID_CHARACTERS]


def _asks(proposal: Proposal) -> str:
    return _ASKS[proposal.kind].format(name=proposal.target_name)


def _version(proposal: Proposal) -> str:
    return f"version {proposal.base_version:,}"
