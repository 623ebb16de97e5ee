"""The programs that agents come in by: what the author lets them do, and how they connect."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, Caller, authorize_management
from inklings_desktop.domain.access.clients import (
    ARRIVED,
    WRITES_COUNTED_FOR,
    Client,
    ClientActivity,
    ClientCall,
    ClientKind,
    Participation,
    Right,
    caller_of,
    preset_rights,
)
from inklings_desktop.domain.access.connections import (
    PLACES,
    WITH_OWN_FILE,
    ClientFileChange,
    ServerCommand,
    configuration_text,
    hooks_text,
)
from inklings_desktop.domain.errors import (
    ClientFileError,
    InvalidValueError,
    NotLetInError,
)
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.memory_values import checked_agent
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.access.client_entries import ShapeError, with_entry
from inklings_desktop.usecases.access.known_clients import (
    client_or_new,
    gates_for,
    known_client,
    record_rights,
)
from inklings_desktop.usecases.parts import Asked
from inklings_desktop.usecases.ports.connections import (
    ConnectionHelp,
    RehearsedStep,
)
from inklings_desktop.usecases.ports.progress import UNHEARD
from inklings_desktop.usecases.steps.refusals import Attempt, record_refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.access.canary import DrillReport
    from inklings_desktop.domain.access.clients import Client
    from inklings_desktop.domain.access.connections import ClientProgram
    from inklings_desktop.domain.errors import ScopeDeniedError
    from inklings_desktop.usecases.ports.progress import Progress

SHOWN_CALLS = 20


@dataclass(frozen=True, slots=True)
class ClientWithActivity:
    """A client and what it did lately."""

    client: Client
    activity: ClientActivity


class Clients(Asked):
    """Clients of the agent's door."""

    def admit(self, name: str, workspace_id: str) -> Caller:
        """Who a client is in this workspace; it is what makes a caller, and asks for none.

        A client that was never seen is noted as one that knocked.

        Raises:
            NotLetInError: The author has not said anything about it yet.
            InvalidValueError: The name cannot be kept, or there are too many clients.
            NotFoundError: There is no such workspace.
        """
        with self.store.read(workspace_id) as view:
            taking_part = view.conversations.participation(name)
        with self.store.read(None) as view:
            known = known_client(view, name)
        client = known or self._knocked(name, workspace_id)
        if client.kind is ClientKind.UNKNOWN:
            raise NotLetInError(name)
        gates = gates_for(self.store, client, workspace_id)
        return caller_of(client, workspace_id, taking_part, gates)

    def note_call(self, call: ClientCall) -> None:
        """Keeps a request of a client, for the author to see; the door's own, for nobody."""
        with self.store.write(None, initiator=call.client, durable=False) as unit:
            unit.clients.note_call(call)
            unit.commit()

    def require_allowance(self, name: str) -> None:
        """Holds a client to its limit of writes, in all its processes together; the door's own.

        Raises:
            InvalidValueError: It wrote as often as it may within a minute.
        """
        since, most = self.clock() - WRITES_COUNTED_FOR, self.parts.settings().writes_per_minute
        with self.store.read(None) as view:
            if view.clients.writes_since(name, since) >= most:
                raise InvalidValueError("writes", "too_many", most)

    def find_token_owner(self, token: str) -> str | None:
        """The client that a token is of, None if it is nobody's; asked before anybody is known."""
        return self.adapters.client_tokens.client_of(token)

    def note_refusal(self, verb: str, workspace_id: str, denied: ScopeDeniedError) -> None:
        """Puts down what was refused to the caller where no use case has done so.

        Args:
            verb: What it tried, a word of the program's own.
            workspace_id: The workspace that it is bound to.
            denied: The refusal.
        """
        if denied.is_recorded:
            return
        tier = Tier(denied.tier)
        place = None if tier is Tier.ACCOUNT else workspace_id
        record_refusal(self.store, self.clock, self.caller, Attempt(verb, tier, place))
        denied.is_recorded = True

    def list(self, *, calls: int = SHOWN_CALLS) -> tuple[ClientWithActivity, ...]:
        """Lists the clients that came, or were granted something, with their latest requests.

        Raises:
            ScopeDeniedError: The caller is an agent.
        """
        authorize_management(self.caller)
        with self.store.read(None) as view:
            return tuple(
                ClientWithActivity(one, view.clients.activity(one.name, calls))
                for one in view.clients.clients()
            )

    def show(self, name: str, *, calls: int = SHOWN_CALLS) -> ClientWithActivity:
        """The client with exactly this name, with its latest requests.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is none.
        """
        authorize_management(self.caller)
        with self.store.read(None) as view:
            return ClientWithActivity(view.clients.get(name), view.clients.activity(name, calls))

    def grant(
        self, name: str, rights: Collection[Right], *, kind: ClientKind | None = None
    ) -> Client:
        """Lets a client do more; one that never came is made.

        Args:
            name: The client's name, exactly as it is configured.
            rights: What it may do from now on, besides what it may do already.
            kind: What the author takes it for; None leaves that as it is.

        Raises:
            ScopeDeniedError: The caller is an agent.
            InvalidValueError: The name cannot be kept, or there are too many clients.
            NotFoundError: There is no such workspace or channel.
        """
        caller = self.caller
        authorize_management(caller)
        self._require_places(rights)
        now = self.clock()
        with self.writing(None) as unit:
            before = client_or_new(unit, name, now)
            after = before.with_rights(rights)
            if kind is not None:
                after = replace(after, kind=kind)
            unit.clients.save(after)
            added = after.rights - before.rights
            record_rights(unit, caller, EventKind.GRANTED, after, added, now)
            unit.commit()
        return after

    def revoke(self, name: str, rights: Collection[Right] | None = None) -> Client:
        """Lets a client do less, from its next request on; None takes everything away.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such client.
        """
        caller = self.caller
        authorize_management(caller)
        now = self.clock()
        with self.writing(None) as unit:
            before = unit.clients.get(name)
            after = before.without_rights(before.rights if rights is None else rights)
            if rights is None:
                after = replace(after, kind=ClientKind.EXTERNAL)
            unit.clients.save(after)
            record_rights(unit, caller, EventKind.REVOKED, after, before.rights - after.rights, now)
            unit.commit()
        return after

    def let_in(self, name: str, workspace_id: str) -> None:
        """Lets a client read where nothing was ever said about it, as an external one may.

        Raises:
            ScopeDeniedError: The caller is an agent.
            InvalidValueError: The name cannot be kept, or there are too many clients.
        """
        caller = self.caller
        authorize_management(caller)
        with self.store.read(None) as view:
            known = known_client(view, name)
        if known is None or known.kind is ClientKind.UNKNOWN:
            rights = preset_rights(ClientKind.EXTERNAL, workspace_id)
            self.grant(name, rights)

    def show_token(self, name: str, *, renew: bool = False) -> str:
        """The bearer token of a client over HTTP; the same until it is renewed or removed.

        A token says who comes, never what that client may do.

        Args:
            name: The client's name, exactly as it is configured.
            renew: Whether it gets a new one, and the one before is good for nothing.

        Raises:
            ScopeDeniedError: The caller is an agent.
            InvalidValueError: The name cannot be kept.
            StorageError: The token can be neither read nor kept.
        """
        authorize_management(self.caller)
        client = checked_agent(name)
        tokens = self.adapters.client_tokens
        return tokens.renew(client) if renew else tokens.get(client)

    def remove_token(self, name: str) -> bool:
        """Takes the token of a client away; whether there was one.

        Raises:
            ScopeDeniedError: The caller is an agent.
            InvalidValueError: No client can have this name.
            StorageError: It cannot be taken away.
        """
        authorize_management(self.caller)
        return self.adapters.client_tokens.remove(checked_agent(name))

    def describe_connection(
        self, client: str, workspace_id: str, program: ClientProgram
    ) -> ConnectionHelp:
        """Says what a client needs in its configuration to reach a workspace, and where it goes.

        Raises:
            ScopeDeniedError: The caller is an agent.
            InvalidValueError: The name of the client cannot be kept.
        """
        authorize_management(self.caller)
        server = self._server(client, workspace_id)
        text = configuration_text(program, server)
        return ConnectionHelp(text, PLACES[program], *hooks_text(program, server))

    def find_programs(self) -> frozenset[ClientProgram]:
        """Names the programs on this machine that can be connected; nothing is started or asked.

        Raises:
            ScopeDeniedError: The caller is an agent.
        """
        authorize_management(self.caller)
        return frozenset(
            one for one in WITH_OWN_FILE if self.adapters.client_files.is_installed(one)
        )

    def preview_addition(
        self, client: str, workspace_id: str, program: ClientProgram
    ) -> ClientFileChange:
        """Says what adding this program to another one's file would change; nothing is written.

        Raises:
            ScopeDeniedError: The caller is an agent.
            InvalidValueError: The name of the client cannot be kept.
            ClientFileError: The file cannot be added to.
            StorageError: It cannot be read.
        """
        authorize_management(self.caller)
        server = self._server(client, workspace_id)
        path = self.adapters.client_files.place(program)
        if path is None:
            raise ClientFileError(None, "no_place")
        before = self.adapters.client_files.read(path)
        try:
            after = with_entry(before or "", program, server)
        except ShapeError as error:
            raise ClientFileError(path, "shape") from error
        except (ValueError, RecursionError) as error:
            raise ClientFileError(path, "unreadable") from error
        return ClientFileChange(path, before, after)

    def apply_addition(self, change: ClientFileChange) -> Path | None:
        """Writes what was looked at; the copy of the file as it was, None if there is none.

        Raises:
            ScopeDeniedError: The caller is an agent.
            ClientFileError: The file holds something else by now.
            StorageError: It cannot be written; it is as it was.
        """
        authorize_management(self.caller)
        if not change.is_needed:
            return None
        return self.adapters.client_files.replace(change.path, change.before, change.after)

    def rehearse_connection(
        self, client: str, workspace_id: str, is_stopped: Callable[[], bool]
    ) -> tuple[RehearsedStep, ...]:
        """Tries the whole road that a client takes, in a data root made for it, up to what fails.

        Nothing real is read. A client that is not let in has the rights that it would be given.

        Raises:
            ScopeDeniedError: The caller is an agent.
            InvalidValueError: The name of the client cannot be kept.
            StoppedError: The person gave up.
            StorageError: There is no room for a data root to rehearse in.
        """
        authorize_management(self.caller)
        name = checked_agent(client)
        with self.store.read(None) as view:
            known = known_client(view, name)
        if known is None or known.kind is ClientKind.UNKNOWN:
            kind, held = ClientKind.EXTERNAL, preset_rights(ClientKind.EXTERNAL, workspace_id)
        else:
            kind = known.kind
            held = known.rights_in(workspace_id) | known.rights_in(None)

        def rights(rehearsed_id: str) -> frozenset[Right]:
            """The same rights in the workspace of the rehearsal; its rooms are others."""
            return frozenset(
                Right(one.tier, one.workspace_id and rehearsed_id, Action(one.action))
                for one in held
                if one.channel_id is None
            )

        return self.adapters.rehearsal(name, kind, rights, is_stopped)

    def run_drill(
        self, client: str, workspace_id: str, progress: Progress = UNHEARD
    ) -> DrillReport:
        """Finds out, in a store of its own, whether a client is told what it may not be told.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such client.
            StoppedError: The person stopped it.
            StorageError: There is no room for a store.
        """
        authorize_management(self.caller)
        with self.store.read(None) as view:
            known = view.clients.get(client)
        return self.adapters.drill(known, workspace_id, progress)

    def describe_server(self, client: str, workspace_id: str) -> ServerCommand:
        """Says how a client that is started here reaches a workspace.

        Raises:
            ScopeDeniedError: The caller is an agent.
            InvalidValueError: The name of the client cannot be kept.
        """
        authorize_management(self.caller)
        return self._server(client, workspace_id)

    def _server(self, client: str, workspace_id: str) -> ServerCommand:
        """How a client starts the server.

        Raises:
            InvalidValueError: The name of the client cannot be kept.
        """
        return ServerCommand(
            *self.adapters.program(),
            data_dir=str(self.parts.root.absolute()),
            workspace=workspace_id,
            client=checked_agent(client),
        )

    def _knocked(self, name: str, workspace_id: str) -> Client:
        now = self.clock()
        with self.store.write(None, initiator=name) as unit:
            known = known_client(unit, name)
            if known is not None:
                return known
            client = client_or_new(unit, name, now)
            unit.clients.save(client)
            # Whoever only looked which tools there are has knocked as well.
            knock = ClientCall(
                client.name, now, ARRIVED, None, workspace_id, "refused", error="not_let_in"
            )
            unit.clients.note_call(knock)
            unit.commit()
        stranger = caller_of(client, workspace_id, Participation())
        attempt = Attempt("client.admit", Tier.WORKSPACE, workspace_id)
        record_refusal(self.store, self.clock, stranger, attempt)
        return client

    def _require_places(self, rights: Collection[Right]) -> None:
        for workspace_id in sorted({one.workspace_id for one in rights if one.workspace_id}):
            with self.store.read(workspace_id) as view:
                for right in rights:
                    if right.workspace_id == workspace_id and right.channel_id is not None:
                        view.conversations.get_channel(right.channel_id)
