"""What a person does to rules, roles, domains and what agents keep, each with what undoes it.

Each runs on a writer.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.errors import ConflictError, InvalidValueError
from inklings_desktop.domain.knowledge.domains import Permission
from inklings_desktop.domain.memories.memory_history import NOT_WRITTEN
from inklings_desktop.domain.memory import MemoryRef
from inklings_desktop.usecases.knowledge.values import PolicyDraft
from inklings_desktop.usecases.memories.values import Reversion

if TYPE_CHECKING:
    from inklings_desktop.domain.entries.proposals import Proposal
    from inklings_desktop.ui.knowledge.acts import Undoing
    from inklings_desktop.ui.knowledge.grant_dialogs import TypedDomain
    from inklings_desktop.ui.knowledge.grants_state import TypedRule
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.knowledge.values import PolicyView


def switch_rule(inklings: Inklings, view: PolicyView, *, on: bool) -> Undoing:
    """Switch a house rule."""
    ref = view.policy.memory.ref
    inklings.policies.switch(ref, on=on)
    return lambda later: later.policies.switch(ref, on=not on)


def add_rule(inklings: Inklings, here: str, typed: TypedRule) -> Undoing:
    """Make a house rule; its domain is made if it is not there.

    Raises:
        InvalidValueError: The domain has it already.
    """
    domain = inklings.domains.named(here, typed.domain)
    known = inklings.policies.list(here, domain)
    if any(one.policy.memory.content == typed.text for one in known):
        raise InvalidValueError("rule", "known")
    draft = PolicyDraft(domain, typed.text, typed.sources, typed.required_role, typed.always)
    ref = inklings.policies.put(here, draft).memory.ref
    return lambda later: later.memories.forget([ref])


def change_rule(inklings: Inklings, view: PolicyView, **values: Any) -> Undoing:
    """Change a house rule; undoing it writes over nothing that somebody changed since."""
    memory, details = view.policy.memory, view.policy.details
    whole: dict[str, Any] = {
        "rule": memory.content,
        "sources": tuple(one.target for one in memory.derived_from),
        "required_role": details.required_role,
        "always": details.always,
    }
    earlier = {name: whole[name] for name in values}
    edit = partial(inklings.policies.edit, memory.ref)
    version = edit(expected_version=memory.version, **values).memory.version
    return lambda later: later.policies.edit(memory.ref, expected_version=version, **earlier)


def forget_rule(inklings: Inklings, view: PolicyView) -> Undoing:
    """Forget a house rule."""
    ref = view.policy.memory.ref
    inklings.memories.forget([ref])
    return lambda later: later.memories.restore([ref])


def accept_rule(inklings: Inklings, asked: Proposal) -> Undoing:
    """Make the house rule that an agent asks for, as the author."""
    done = inklings.proposals.accept(asked.ref)
    made = inklings.listing.show(MemoryRef(done.scope, done.target_id)).entry
    is_new = made.created_at == done.decided_at  # else it was there already, and stays
    wanted = [Reversion(made.ref, made.version, NOT_WRITTEN)] if is_new else []

    def undo(later: Inklings) -> None:
        if wanted:
            later.memories.revert(wanted)
        later.proposals.ask_again(asked.ref)

    return undo


def refuse_rule(inklings: Inklings, asked: Proposal) -> Undoing:
    """Refuse the house rule that an agent asks for."""
    inklings.proposals.reject(asked.ref)
    return lambda later: later.proposals.ask_again(asked.ref)


def grant(
    inklings: Inklings, here: str, cell: tuple[str, str], now: Permission | None
) -> Undoing | None:
    """Say what a role may do in a domain; None is the default. What is so already is no act."""
    found = inklings.domains.matrix(here).cells.get(cell)
    before = found.permission if found is not None and found.is_own else None
    if before is now:
        return None
    inklings.domains.grant(here, *cell, now)
    return lambda later: later.domains.grant(here, *cell, before)


def make_domain(inklings: Inklings, here: str, typed: TypedDomain) -> Undoing:
    """Make a domain, and let roles write in it."""
    domains = inklings.domains
    made = domains.create(here, typed.name, closed=typed.is_closed)
    for role in typed.writers:
        domains.grant(here, role, made.id, Permission.WRITE)
    return lambda later: later.domains.unmake(here, made.id)


def rename_domain(inklings: Inklings, here: str, domain: str, names: tuple[str, str]) -> Undoing:
    """Give a domain another name, of that before and the new one."""
    before, name = names
    inklings.domains.rename(here, domain, name)
    return lambda later: later.domains.rename(here, domain, before)


def archive_domain(inklings: Inklings, here: str, domain: str, *, on: bool) -> Undoing:
    """Let nothing new be written in a domain, or again."""
    inklings.domains.archive(here, domain, on=on)
    return lambda later: later.domains.archive(here, domain, on=not on)


def close_domain(inklings: Inklings, here: str, domain: str, *, closed: bool) -> Undoing:
    """Hide a domain from roles that nothing was said about, or show it to them."""
    values = {True: Permission.NONE, False: Permission.READ}
    inklings.domains.set_default(here, domain, values[closed])
    return lambda later: later.domains.set_default(here, domain, values[not closed])


def make_role(inklings: Inklings, here: str, name: str) -> Undoing:
    """Make a role.

    Raises:
        ConflictError: There is one of this name.
    """
    if name in {one.name for one in inklings.domains.roles(here)}:
        raise ConflictError("role", name)
    inklings.domains.create_role(here, name)
    return lambda later: later.domains.unmake_role(here, name)
