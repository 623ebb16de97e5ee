"""The programs that agents come in by, their rights, and how they are connected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.usecases.access import (
    canary,
    client_files,
    client_tokens,
    clients,
    connections,
)

if TYPE_CHECKING:
    from inklings_desktop.usecases.parts import By, Parts


class Clients:
    """Clients of the agent's door.

    Attributes:
        admit: Who a client is now; it is what makes a caller, and asks for none.
        note_call: Keeps a request of a client; the door's own, for nobody.
        require_allowance: Holds a client to its limit of writes; the door's own, too.
        find_token_owner: Whose a token is; asked before anybody is known.
    """

    def __init__(self, parts: Parts, by: By) -> None:
        store, clock, own = parts.store, parts.clock, parts.adapters()
        describe, tokens = (
            connections.DescribeConnection(own.program, parts.root),
            own.client_tokens,
        )
        self.admit = clients.AdmitClient(store, clock)
        self.note_call = clients.NoteCall(store)
        self.require_allowance = clients.RequireAllowance(store, clock, parts.settings)
        self.find_token_owner = client_tokens.FindTokenOwner(tokens)
        self.note_refusal = by(clients.NoteRefusal(store, clock))
        self.list = by(clients.ListClients(store))
        self.show = by(clients.ShowClient(store))
        self.grant = by(clients.GrantRights(store, clock))
        self.revoke = by(clients.RevokeRights(store, clock))
        self.let_in = by(clients.LetClientIn(store, clock))
        self.show_token = by(client_tokens.ShowClientToken(tokens))
        self.remove_token = by(client_tokens.RemoveClientToken(tokens))
        self.describe_connection = by(describe)
        self.find_programs = by(client_files.FindPrograms(own.client_files))
        self.preview_addition = by(client_files.PreviewAddition(describe, own.client_files))
        self.apply_addition = by(client_files.ApplyAddition(own.client_files))
        self.rehearse_connection = by(connections.RehearseConnection(store, own.rehearsal))
        self.run_drill = by(canary.RunCanaryDrill(store, own.drill))
