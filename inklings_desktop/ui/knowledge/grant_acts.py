"""What a person does to rules, roles, domains and what agents keep, each with what undoes it.

Each runs on a writer.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.errors import ConflictError
from inklings_desktop.domain.knowledge.domains import Permission

if TYPE_CHECKING:
    from inklings_desktop.domain.knowledge.working_memory import WorkingMemory
    from inklings_desktop.ui.knowledge.acts import Undoing
    from inklings_desktop.ui.knowledge.domain_dialog import TypedDomain
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.knowledge.values import PolicyDraft, PolicyView


def switch_rule(inklings: Inklings, view: PolicyView, *, on: bool) -> Undoing:
    """Switch a house rule."""
    ref = view.policy.memory.ref
    inklings.policies.switch(ref, on=on)
    return lambda later: later.policies.switch(ref, on=not on)


def add_rule(inklings: Inklings, here: str, draft: PolicyDraft) -> Undoing:
    """Make a house rule."""
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


def grant(
    inklings: Inklings,
    here: str,
    cell: tuple[str, str],
    before: Permission | None,
    now: Permission | None,
) -> Undoing:
    """Say what a role may do in a domain; None is the default, where nothing is said."""
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


def clear(inklings: Inklings, here: str, kept: WorkingMemory) -> Undoing:
    """Clear what an agent keeps; what it kept in that moment can be given back."""
    agent, of = kept.agent, kept.part
    version = inklings.working_memories.clear(here, agent, of).version
    return lambda later: later.working_memories.restore(here, agent, of, version)
