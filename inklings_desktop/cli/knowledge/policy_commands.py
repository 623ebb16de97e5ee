"""``inklings policy`` and ``inklings working-memory``: house rules, and what agents keep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.cli.command import command, group
from inklings_desktop.cli.knowledge.knowledge_options import (
    AddPolicyOptions,
    EditPolicyOptions,
    KeptOptions,
    ListPoliciesOptions,
)
from inklings_desktop.cli.memory_options import MemoryOptions
from inklings_desktop.cli.options import CommonOptions
from inklings_desktop.cli.output import counted, local_time, one_line, table, visible
from inklings_desktop.cli.program import Answer
from inklings_desktop.cli.scopes import find_memory, required_workspace
from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.plain_rows import row_of
from inklings_desktop.usecases.knowledge.values import PolicyDraft

if TYPE_CHECKING:
    import typer

    from inklings_desktop.domain.knowledge.facts import Policy
    from inklings_desktop.domain.knowledge.working_memory import WorkingMemory
    from inklings_desktop.usecases.bundle import Inklings

_ID_CHARACTERS = 8


def policy_group() -> typer.Typer:
    """Every command about house rules."""
    rules = group("policy", "House rules: what agents have to do, or to leave.")
    command(rules, "add", AddPolicyOptions, add)
    command(rules, "list", ListPoliciesOptions, list_policies)
    command(rules, "show", MemoryOptions, show)
    command(rules, "edit", EditPolicyOptions, edit)
    command(rules, "on", MemoryOptions, switch_on)
    command(rules, "off", MemoryOptions, switch_off)
    return rules


def working_memory_group() -> typer.Typer:
    """Every command about what agents keep."""
    kept = group("working-memory", "What agents keep between their runs.")
    command(kept, "list", CommonOptions, list_kept)
    command(kept, "show", KeptOptions, show_kept)
    command(kept, "versions", KeptOptions, versions)
    command(kept, "clear", KeptOptions, clear)
    return kept


def add(inklings: Inklings, options: AddPolicyOptions) -> Answer:
    """Make a house rule, switched on."""
    draft = PolicyDraft(
        options.domain,
        options.text,
        tuple(options.sources or ()),
        options.required_role,
        options.always,
    )
    return _done("Made", inklings.policies.put(required_workspace(inklings).id, draft))


def list_policies(inklings: Inklings, options: ListPoliciesOptions) -> Answer:
    """List house rules, on and off."""
    found = inklings.policies.list(required_workspace(inklings).id, options.domain)
    rows = [
        policy_document(one.policy) | {"rests_on_replaced": one.rests_on_superseded}
        for one in found
    ]
    lines = [
        _line(one.policy) + (" [check facts]" if one.rests_on_superseded else "") for one in found
    ]
    return Answer({"policies": rows}, lines or ["There is no house rule."])


def show(inklings: Inklings, options: MemoryOptions) -> Answer:
    """Show one house rule."""
    view = inklings.policies.show(find_memory(inklings, options.id).ref)
    sources = [one.reference for one in view.observations]
    document = policy_document(view.policy) | {"sources": sources}
    return Answer({"policy": document}, [_line(view.policy), *map(visible, sources)])


def edit(inklings: Inklings, options: EditPolicyOptions) -> Answer:
    """Change a house rule."""
    entry = find_memory(inklings, options.id)
    done = inklings.policies.edit(
        entry.ref,
        expected_version=entry.version,
        rule=options.text,
        required_role=options.required_role,
        always=options.always,
    )
    return _done("Changed", done)


def switch_on(inklings: Inklings, options: MemoryOptions) -> Answer:
    """Switch a house rule on: agents are told it."""
    ref = find_memory(inklings, options.id).ref
    return _done("On", inklings.policies.switch(ref, on=True))


def switch_off(inklings: Inklings, options: MemoryOptions) -> Answer:
    """Switch a house rule off: no agent is told it."""
    ref = find_memory(inklings, options.id).ref
    return _done("Off", inklings.policies.switch(ref, on=False))


def list_kept(inklings: Inklings, _options: CommonOptions) -> Answer:
    """List what agents keep."""
    found = inklings.working_memories.list(required_workspace(inklings).id)
    rows = [
        [
            visible(one_line(one.agent)),
            visible(one.part),
            counted(len(one.body), "character"),
            local_time(one.updated_at),
        ]
        for one in found
    ]
    document = {"working_memories": [_kept_document(one) for one in found]}
    return Answer(document, table(rows) or ["No agent keeps anything."])


def show_kept(inklings: Inklings, options: KeptOptions) -> Answer:
    """Show what one agent keeps."""
    for one in inklings.working_memories.list(required_workspace(inklings).id):
        if (one.agent, one.part) == (options.agent, options.part):
            return Answer({"working_memory": _kept_document(one)}, [visible(one.body)])
    raise NotFoundError("working_memory", options.agent)


def versions(inklings: Inklings, options: KeptOptions) -> Answer:
    """List earlier texts of what one agent keeps, the newest first."""
    workspace_id = required_workspace(inklings).id
    found = inklings.working_memories.versions(workspace_id, options.agent, options.part)
    rows = [
        [str(one.version), local_time(one.updated_at), visible(one_line(one.body))] for one in found
    ]
    document = {"versions": [_kept_document(one) for one in found]}
    return Answer(document, table(rows) or ["No earlier text is kept."])


def clear(inklings: Inklings, options: KeptOptions) -> Answer:
    """Clear what one agent keeps; it starts its next run without it, earlier texts stay."""
    workspace_id = required_workspace(inklings).id
    before = inklings.working_memories.clear(workspace_id, options.agent, options.part)
    said = f"Cleared what {one_line(options.agent)} keeps."
    return Answer({"cleared": _kept_document(before)}, [visible(said)])


def policy_document(policy: Policy) -> dict[str, Any]:
    """A house rule as a document."""
    return {
        **row_of(policy.memory, "id version rule=content"),
        "domain": policy.domain,
        "on": policy.is_active,
        **row_of(policy.details, "required_role always"),
        **row_of(policy.memory, "curator by created_at"),
    }


def _kept_document(kept: WorkingMemory) -> dict[str, Any]:
    return row_of(kept, "agent part body version updated_at")


def _done(said: str, policy: Policy) -> Answer:
    return Answer({"policy": policy_document(policy)}, [f"{said}: {_line(policy)}"])


def _line(policy: Policy) -> str:
    state = "on " if policy.is_active else "off"
    text = f"{policy.memory.id[:_ID_CHARACTERS]}  {state}  {one_line(policy.domain)}  "
    return visible(text + one_line(policy.memory.content))
