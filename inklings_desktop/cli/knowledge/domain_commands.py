"""``inklings domain`` and ``inklings role``: who may know and write what is settled where."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.cli.command import command, group
from inklings_desktop.cli.knowledge.knowledge_options import (
    ArchiveDomainOptions,
    AssignOptions,
    CreateDomainOptions,
    DefaultOptions,
    GivenPermission,
    GrantRoleOptions,
    RenameDomainOptions,
    RoleOptions,
)
from inklings_desktop.cli.options import CommonOptions
from inklings_desktop.cli.output import counted, one_line, table, visible
from inklings_desktop.cli.program import Answer
from inklings_desktop.cli.scopes import required_workspace
from inklings_desktop.domain.knowledge.domains import Permission
from inklings_desktop.domain.plain_rows import row_of

if TYPE_CHECKING:
    import typer

    from inklings_desktop.domain.knowledge.domains import Domain
    from inklings_desktop.usecases.bundle import Inklings


def domain_group() -> typer.Typer:
    """Every command about domains."""
    domains = group("domain", "Domains: named groups of facts and house rules.")
    command(domains, "create", CreateDomainOptions, create)
    command(domains, "list", CommonOptions, list_domains)
    command(domains, "rename", RenameDomainOptions, rename)
    command(domains, "archive", ArchiveDomainOptions, archive)
    command(domains, "default", DefaultOptions, default)
    return domains


def role_group() -> typer.Typer:
    """Every command about roles."""
    roles = group("role", "Roles: names that agents act under, and what each may know.")
    command(roles, "list", CommonOptions, list_roles)
    command(roles, "create", RoleOptions, create_role)
    command(roles, "grant", GrantRoleOptions, grant)
    command(roles, "matrix", CommonOptions, matrix)
    command(roles, "assign", AssignOptions, assign)
    command(roles, "unassign", AssignOptions, unassign)
    return roles


def create(inklings: Inklings, options: CreateDomainOptions) -> Answer:
    """Make a domain; agents may read it unless it is closed."""
    made = inklings.domains.create(
        required_workspace(inklings).id,
        options.domain,
        options.description,
        closed=options.closed,
    )
    return _domain("Made", made)


def list_domains(inklings: Inklings, _options: CommonOptions) -> Answer:
    """List the domains, and what is in each."""
    found = inklings.domains.list(required_workspace(inklings).id)
    rows = [
        [
            visible(one_line(one.domain.name)),
            counted(one.n_facts, "fact"),
            counted(one.n_policies, "rule"),
            _state(one.domain),
        ]
        for one in found
    ]
    document = {
        "domains": [
            {**domain_document(one.domain), "facts": one.n_facts, "policies": one.n_policies}
            for one in found
        ]
    }
    return Answer(document, table(rows) or ["There is no domain yet."])


def rename(inklings: Inklings, options: RenameDomainOptions) -> Answer:
    """Rename a domain."""
    workspace_id = required_workspace(inklings).id
    return _domain("Renamed", inklings.domains.rename(workspace_id, options.domain, options.name))


def archive(inklings: Inklings, options: ArchiveDomainOptions) -> Answer:
    """Put a domain away: what is in it stays, and nothing new is written; --back uses it again."""
    workspace_id = required_workspace(inklings).id
    done = inklings.domains.archive(workspace_id, options.domain, on=not options.back)
    return _domain("In use" if options.back else "Archived", done)


def default(inklings: Inklings, options: DefaultOptions) -> Answer:
    """Say what roles may do in a domain that nothing was said about."""
    done = inklings.domains.set_default(
        required_workspace(inklings).id, options.domain, Permission(options.permission.value)
    )
    return _domain("Changed", done)


def list_roles(inklings: Inklings, _options: CommonOptions) -> Answer:
    """List the roles, and which clients act under each."""
    found = inklings.domains.matrix(required_workspace(inklings).id)
    document = {
        "roles": [
            {"name": one.name, "clients": list(found.clients.get(one.name, ()))}
            for one in found.roles
        ]
    }
    rows = [
        [one.name, visible(", ".join(found.clients.get(one.name, ())) or "nobody")]
        for one in found.roles
    ]
    return Answer(document, table(rows))


def create_role(inklings: Inklings, options: RoleOptions) -> Answer:
    """Make a role that clients can act under."""
    made = inklings.domains.create_role(required_workspace(inklings).id, options.role)
    return Answer({"role": made.name}, [f"Made the role {made.name}."])


def grant(inklings: Inklings, options: GrantRoleOptions) -> Answer:
    """Say what a role may do in a domain."""
    is_default = options.permission is GivenPermission.DEFAULT
    given = None if is_default else Permission(options.permission.value)
    inklings.domains.grant(required_workspace(inklings).id, options.role, options.domain, given)
    document = {
        "role": options.role,
        "domain": options.domain,
        "permission": options.permission.value,
    }
    said = f"{options.role} in {one_line(options.domain)}: {options.permission.value}."
    return Answer(document, [visible(said)])


def matrix(inklings: Inklings, _options: CommonOptions) -> Answer:
    """Show what each role may do in each domain."""
    found = inklings.domains.matrix(required_workspace(inklings).id)
    head = ["", *(visible(one_line(one.name)) for one in found.domains)]
    rows = [head]
    cells = []
    for role in found.roles:
        row = [role.name]
        for domain in found.domains:
            cell = found.cells[role.name, domain.id]
            word = cell.permission.value
            row.append(word + ("" if cell.is_own else " (default)") + _barred(cell.is_barred))
            cells.append(
                {
                    "role": role.name,
                    "domain": domain.name,
                    "permission": word,
                    "granted": cell.is_own,
                    "barred_by_rule": cell.is_barred,
                }
            )
        rows.append(row)
    return Answer({"matrix": cells}, table(rows) if found.domains else ["There is no domain yet."])


def assign(inklings: Inklings, options: AssignOptions) -> Answer:
    """Let a client act under a role in this workspace."""
    workspace_id = required_workspace(inklings).id
    inklings.domains.assign(options.client, workspace_id, options.role, default=options.default)
    said = f"{one_line(options.client)} may act as {options.role}."
    document = {"client": options.client, "role": options.role, "default": options.default}
    return Answer(document, [visible(said)])


def unassign(inklings: Inklings, options: AssignOptions) -> Answer:
    """Take a role from a client."""
    inklings.domains.unassign(options.client, required_workspace(inklings).id, options.role)
    said = f"{one_line(options.client)} no longer acts as {options.role}."
    return Answer({"client": options.client, "role": options.role}, [visible(said)])


def domain_document(domain: Domain) -> dict[str, Any]:
    """A domain as a document."""
    return row_of(domain, "id name description closed=is_closed created_by created_at archived_at")


def _domain(said: str, domain: Domain) -> Answer:
    line = f"{said}: {one_line(domain.name)}, {_state(domain)}."
    return Answer({"domain": domain_document(domain)}, [visible(line)])


def _state(domain: Domain) -> str:
    if domain.archived_at is not None:
        return "archived"
    return "closed" if domain.is_closed else "open to reading"


def _barred(is_barred: bool) -> str:  # noqa: FBT001 - a word for one flag
    return ", held by a rule" if is_barred else ""
