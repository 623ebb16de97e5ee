from __future__ import annotations

import pytest

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import ClientKind, preset_rights
from inklings_desktop.domain.errors import (
    ConflictError,
    DomainDeniedError,
    InvalidValueError,
    NotFoundError,
    ScopeDeniedError,
)
from inklings_desktop.domain.knowledge.domains import (
    MAX_DOMAINS_OF_AGENT,
    OTHER_ROLE,
    OWN_ROLE,
    Permission,
)
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from inklings_desktop.usecases.knowledge.values import FactDraft, PolicyDraft
from inklings_desktop.usecases.steps.walls import readable_domain, require_write
from tests.support.builders import WORKSPACE_ID, the_clock
from tests.support.gated import gated
from tests.usecases.world import World


def test_a_domain_tells_who_made_it_and_what_a_caller_may_do_there(world: World) -> None:
    canon = world.person.domains.create(WORKSPACE_ID, " Canon ", "What is settled")
    secrets = world.person.domains.create(WORKSPACE_ID, "Secrets", closed=True)
    assert (canon.name, canon.created_kind, canon.default) == ("Canon", "person", Permission.READ)
    assert [
        (one.domain, one.n_facts, one.n_policies, one.permission)
        for one in world.person.domains.list(WORKSPACE_ID)
    ] == [(canon, 0, 0, Permission.WRITE), (secrets, 0, 0, Permission.WRITE)]
    seen = world.asked_by(gated(world)).domains.list(WORKSPACE_ID)
    assert [(one.domain, one.permission) for one in seen] == [(canon, Permission.READ)]
    assert world.kinds()[-2:] == [EventKind.DOMAIN_CHANGED] * 2
    assert world.events()[-1].ids == (secrets.id,)


def test_a_domain_of_an_agent_lets_its_role_write(world: World) -> None:
    made = world.asked_by(gated(world, name="bot")).domains.create(WORKSPACE_ID, "Places")
    assert (made.name, made.created_by, made.created_kind) == ("Places (bot)", "bot", "agent")
    with world.store.read(WORKSPACE_ID) as view:
        assert view.knowledge.grants() == {(OTHER_ROLE, made.id): Permission.WRITE}
    reader = gated(world, actions=frozenset({Action.READ}))
    (seen,) = world.asked_by(reader).domains.list(WORKSPACE_ID)
    assert seen.permission is Permission.READ  # the tier right is the outer wall
    with pytest.raises(ScopeDeniedError):
        world.asked_by(reader).domains.create(WORKSPACE_ID, "Others")
    with pytest.raises(ScopeDeniedError):
        world.asked_by(gated(world)).domains.create(WORKSPACE_ID, "Others", closed=True)
    assert world.kinds(None)[-2:] == [EventKind.DENIED] * 2


def test_what_an_agent_may_not_read_bears_on_no_domain_that_it_makes(world: World) -> None:
    for number in range(MAX_DOMAINS_OF_AGENT):
        world.person.domains.create(WORKSPACE_ID, f"Secret {number:b}", closed=True)
    bot = world.asked_by(gated(world, name="bot")).domains
    for number in range(MAX_DOMAINS_OF_AGENT):
        assert bot.create(WORKSPACE_ID, f"Secret {number:b}").name == f"Secret {number:b} (bot)"
    with pytest.raises(InvalidValueError) as caught:
        bot.create(WORKSPACE_ID, "One more")
    assert (caught.value.rule, caught.value.limit) == ("too_many", MAX_DOMAINS_OF_AGENT)
    other = world.asked_by(gated(world, name="elf")).domains
    assert other.create(WORKSPACE_ID, "Secret 1 (elf)").name == "Secret 1 (elf)"
    with pytest.raises(InvalidValueError):
        other.create(WORKSPACE_ID, "x" * 76)  # too long with its name


@pytest.mark.parametrize("name", ["C\u0430non", "CAN0N", "Ca\u200bnon"])
def test_a_name_that_passes_for_anothers_is_refused(world: World, name: str) -> None:
    world.person.domains.create(WORKSPACE_ID, "Canon")
    other = world.person.domains.create(WORKSPACE_ID, "Places")
    with pytest.raises(InvalidValueError, match="domain"):
        world.person.domains.create(WORKSPACE_ID, name)
    with pytest.raises(InvalidValueError, match="domain"):
        world.person.domains.rename(WORKSPACE_ID, other.id, name)
    with pytest.raises(ConflictError):
        world.person.domains.create(WORKSPACE_ID, "canon")
    with pytest.raises(InvalidValueError):
        world.asked_by(gated(world)).domains.create(WORKSPACE_ID, "sk-" + "a1B2" * 12)
    assert len(world.person.domains.list(WORKSPACE_ID)) == 2


def test_every_change_of_a_domain_is_an_event_and_is_undone_by_its_verb(world: World) -> None:
    domains = world.person.domains
    made = domains.create(WORKSPACE_ID, "Canon")
    domains.rename(WORKSPACE_ID, "canon", "CANON")
    domains.archive(WORKSPACE_ID, made.id)
    assert domains.set_default(WORKSPACE_ID, made.id, Permission.NONE).is_closed
    domains.set_default(WORKSPACE_ID, made.id, Permission.READ)
    domains.archive(WORKSPACE_ID, made.id, on=False)
    assert domains.rename(WORKSPACE_ID, made.id, "Canon") == made
    n = len(world.events())
    assert domains.rename(WORKSPACE_ID, made.id, "Canon") == made
    assert len(world.events()) == n  # what changes nothing is no event
    with pytest.raises(InvalidValueError):
        domains.set_default(WORKSPACE_ID, made.id, Permission.WRITE)
    verbs = [next(iter(one.counts)) for one in world.events()]
    assert verbs[-6:] == ["renamed", "archived", "closed", "opened", "unarchived", "renamed"]


def test_a_new_domain_and_a_new_role_are_undone_but_nothing_is_lost_with_them(world: World) -> None:
    domains, here = world.person.domains, WORKSPACE_ID
    made, full = domains.create(here, "Canon"), domains.create(here, "Full")
    world.person.facts.put(here, FactDraft("Full", "bell", "The bell rings at dusk."))
    domains.create_role(here, "editor")
    domains.create_role(here, "bard")
    for role in ("editor", "bard"):
        domains.grant(here, role, full.id, Permission.WRITE)
    world.person.policies.put(here, PolicyDraft("Full", "Be brief.", required_role="bard"))
    domains.unmake(here, made.id)
    domains.unmake(here, full.id)
    domains.unmake_role(here, "editor")
    with pytest.raises(ConflictError):
        domains.unmake_role(here, "bard")
    [kept] = domains.matrix(here).domains
    assert (kept.name, kept.archived_at is not None) == ("Full", True)
    assert domains.matrix(here).required == {full.id: frozenset({"bard"})}
    with world.store.read(here) as view:
        assert view.knowledge.grants() == {("bard", full.id): Permission.WRITE}
    assert [next(iter(one.counts)) for one in world.events()][-3:] == [
        "unmade", "archived", "role_unmade",
    ]  # fmt: skip
    world.person.clients.grant("bot", preset_rights(ClientKind.EXTERNAL, here))
    domains.create_role(here, "editor")
    domains.assign("bot", here, "editor")
    with pytest.raises(ConflictError):
        domains.unmake_role(here, "editor")


def test_closed_equals_unknown_and_a_denied_write_names_who_could(world: World) -> None:
    domains = world.person.domains
    canon = domains.create(WORKSPACE_ID, "Canon")
    domains.create(WORKSPACE_ID, "Secrets", closed=True)
    domains.create_role(WORKSPACE_ID, "editor")
    domains.grant(WORKSPACE_ID, "editor", "Canon", Permission.WRITE)
    stranger, editor = gated(world), gated(world, "editor")
    with world.store.write(WORKSPACE_ID, initiator="test") as unit:
        assert readable_domain(unit, stranger, "canon") == canon
        answers = []
        for key in ("Secrets", "Nothing"):
            with pytest.raises(NotFoundError) as caught:
                readable_domain(unit, stranger, key)
            answers.append((caught.value.kind, caught.value.known))
        assert answers == [("domain", ())] * 2
        require_write(unit, editor, canon)
        require_write(unit, the_clock(), canon)
        with pytest.raises(DomainDeniedError) as denied:
            require_write(unit, stranger, canon)
        assert (denied.value.domain, denied.value.needed) == ("Canon", ("editor",))
    domains.grant(WORKSPACE_ID, "editor", "Canon", Permission.NONE)
    with world.store.write(WORKSPACE_ID, initiator="test") as unit, pytest.raises(NotFoundError):
        require_write(unit, editor, canon)  # the gate that it came in with is not asked


def test_the_matrix_tells_what_is_own_and_who_acts_under_a_role(world: World) -> None:
    domains, clients = world.person.domains, world.person.clients
    canon = domains.create(WORKSPACE_ID, "Canon")
    rights = preset_rights(ClientKind.EXTERNAL, WORKSPACE_ID)
    for name, kind in (("bot", None), ("own", ClientKind.WORLD_AGENT), ("other", None)):
        clients.grant(name, rights, kind=kind)
    domains.create_role(WORKSPACE_ID, "editor")
    domains.create_role(WORKSPACE_ID, "editor")
    domains.grant(WORKSPACE_ID, "editor", canon.id, Permission.WRITE)
    domains.assign("bot", WORKSPACE_ID, "editor", default=True)
    domains.assign("bot", WORKSPACE_ID, OTHER_ROLE)
    matrix = domains.matrix(WORKSPACE_ID)
    assert [one.name for one in matrix.roles] == [OWN_ROLE, OTHER_ROLE, "editor"]
    assert matrix.clients == {
        "editor": ("bot",), OTHER_ROLE: ("bot", "other"), OWN_ROLE: ("own",)
    }  # fmt: skip
    cell = matrix.cells["editor", canon.id]
    assert (cell.permission, cell.is_own, cell.is_barred) == (Permission.WRITE, True, False)
    assert not matrix.cells[OTHER_ROLE, canon.id].is_own
    domains.grant(WORKSPACE_ID, "editor", canon.id, None)
    assert domains.matrix(WORKSPACE_ID).cells["editor", canon.id].permission is Permission.READ
    assert EventKind.DOMAIN_GRANTED in world.kinds()


def test_a_cell_counts_the_writes_that_were_refused_within_30_days(world: World) -> None:
    domains, here = world.person.domains, WORKSPACE_ID
    canon, other = domains.create(here, "Canon"), domains.create(here, "Other")
    world.person.clients.grant("researcher", preset_rights(ClientKind.EXTERNAL, here))
    agent = world.asked_by(gated(world))
    scope = ScopeKey.workspace(here)
    noted = world.person.memories.put(MemoryDraft(scope, "It rings.")).id

    def refuse() -> None:
        with pytest.raises(DomainDeniedError):
            agent.facts.put(here, FactDraft("Canon", "bell", "The bell rings.", sources=(noted,)))

    def counts() -> list[int]:
        cells = domains.matrix(here).cells
        return [cells[OTHER_ROLE, one.id].n_refused for one in (canon, other)]

    refuse()
    refuse()
    assert counts() == [2, 0]
    assert domains.matrix(here).cells[OWN_ROLE, canon.id].n_refused == 0
    world.clock.advance(days=31)
    assert counts() == [0, 0]
    refuse()
    assert counts() == [1, 0]


def test_a_client_holds_one_default_among_its_roles(world: World) -> None:
    domains = world.person.domains
    world.person.clients.grant("bot", preset_rights(ClientKind.EXTERNAL, WORKSPACE_ID))
    domains.create_role(WORKSPACE_ID, "editor")

    def held() -> dict[str, bool]:
        with world.store.read(None) as view:
            return {
                one.role: one.is_default for one in view.knowledge.client_roles(WORKSPACE_ID, "bot")
            }

    domains.assign("bot", WORKSPACE_ID, "editor", default=True)
    domains.assign("bot", WORKSPACE_ID, OTHER_ROLE, default=True)
    assert held() == {"editor": False, OTHER_ROLE: True}
    domains.unassign("bot", WORKSPACE_ID, OTHER_ROLE)
    assert held() == {"editor": False}
    assert world.kinds(None).count(EventKind.ROLE_ASSIGNED) == 3
    for client, role in (("bot", "nobody"), ("stranger", "editor")):
        with pytest.raises(NotFoundError):
            domains.assign(client, WORKSPACE_ID, role)
    with pytest.raises(NotFoundError):
        domains.unassign("bot", WORKSPACE_ID, OTHER_ROLE)


def test_an_agent_grants_nothing(world: World) -> None:
    canon = world.person.domains.create(WORKSPACE_ID, "Canon")
    agent = world.asked_by(gated(world)).domains
    for attempt in (
        lambda: agent.rename(WORKSPACE_ID, canon.id, "Mine"),
        lambda: agent.archive(WORKSPACE_ID, canon.id),
        lambda: agent.set_default(WORKSPACE_ID, canon.id, Permission.READ),
        lambda: agent.create_role(WORKSPACE_ID, "king"),
        lambda: agent.grant(WORKSPACE_ID, OTHER_ROLE, canon.id, Permission.WRITE),
        lambda: agent.assign("researcher", WORKSPACE_ID, OWN_ROLE),
        lambda: agent.unassign("researcher", WORKSPACE_ID, OTHER_ROLE),
        lambda: agent.matrix(WORKSPACE_ID),
        lambda: agent.roles(WORKSPACE_ID),
    ):
        with pytest.raises(ScopeDeniedError):
            attempt()
    assert world.kinds(None).count(EventKind.DENIED) == 7
