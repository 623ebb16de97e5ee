"""Help to connect one client: the text to copy, and a test of the whole road."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal, Slot

from inklings_desktop.domain.errors import ClientFileError, InklingsError, StoppedError
from inklings_desktop.ui.access.connection_state import ConnectionState, RehearsalLine
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.words.entry_facts import counted
from inklings_desktop.ui.kit.words.messages import message_of
from inklings_desktop.usecases.access.connections import RehearsalStep, StepResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.access.connections import ClientProgram
    from inklings_desktop.ui.access.state import ClientDetail
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.usecases.access.client_files import ClientFileChange
    from inklings_desktop.usecases.access.connections import RehearsedStep
    from inklings_desktop.usecases.bundle import Inklings

NEW_CLIENT = "my-agent"


class ConnectionPresenter(QObject):
    """Keeps what the dialog shows; knows no widgets.

    Signals:
        state_changed: A ``ConnectionState``.
    """

    state_changed = Signal(object)

    def __init__(
        self, background: Background, inklings: Inklings, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self._workspace_id = ""
        self._describing = Latest(background)
        self._testing = Latest(background)
        self.state = ConnectionState()

    def open(self, workspace_id: str, detail: ClientDetail | None) -> None:
        """Begin with a client, or with one that is yet to come."""
        self._testing.cancel()
        self._workspace_id = workspace_id
        self.state = (
            ConnectionState(client=NEW_CLIENT)
            if detail is None
            else ConnectionState(
                client=detail.name,
                is_known=True,
                last_call=detail.last_call,
                last_error=detail.last_error,
            )
        )
        self._describe()

    def close(self) -> None:
        """Stop what is under way."""
        self._describing.cancel()
        self._testing.cancel()

    def choose_program(self, program: ClientProgram) -> None:
        """Show the text for another program."""
        self.state = replace(self.state, program=program, shows_hooks=False, addition="")
        self._describe()

    @Slot()
    def turn_to_hooks(self) -> None:
        """Show the hooks instead of the configuration, or the other way round."""
        self._show(replace(self.state, shows_hooks=not self.state.shows_hooks))

    def name_client(self, name: str) -> None:
        """Take another name for a client that is yet to come."""
        if not self.state.is_known and name != self.state.client:
            self._testing.cancel()
            self.state = replace(
                self.state, client=name, lines=(), verdict="", is_testing=False, addition=""
            )
            self._describe()

    @Slot()
    def test(self) -> None:
        """Try the whole road; a second press gives it up."""
        if self.state.is_testing:
            self._testing.cancel()
            self._show(replace(self.state, is_testing=False, verdict=_tr("Stopped.")))
            return
        self._show(replace(self.state, is_testing=True, lines=(), verdict=""))
        self._testing.run(self._test(self.state.client))

    @Slot()
    def let_in(self) -> None:
        """Let the client in: whoever takes its configuration along means to."""
        self._background.spawn(self._let_in(self.state.client))

    async def look_at_addition(self) -> ClientFileChange | None:
        """What adding it to the program's own file would change; None where nothing would."""
        state, inklings = self.state, self._inklings
        try:
            change = await self._background.read(
                inklings.preview_addition,
                inklings.caller,
                state.client,
                self._workspace_id,
                state.program,
            )
        except InklingsError as error:
            self._show(replace(self.state, addition=_refusal(error)))
            return None
        if change.is_needed:
            return change
        said = _tr("{path} holds this already.").format(path=change.path)
        self._show(replace(self.state, addition=said))
        return None

    async def add(self, change: ClientFileChange) -> None:
        """Write it, and let the client in: whoever connects a client means to."""
        inklings = self._inklings
        try:
            backup = await self._background.write(inklings.apply_addition, inklings.caller, change)
        except InklingsError as error:
            self._show(replace(self.state, addition=_refusal(error)))
            return
        said = _tr("Written to {path}. Start the client anew.").format(path=change.path)
        if backup is not None:
            said += "\n" + _tr("The file as it was: {path}").format(path=backup)
        self._show(replace(self.state, addition=said))
        await self._let_in(self.state.client)

    async def settled(self) -> None:
        """Return once nothing is under way."""
        await self._describing.settled()
        await self._testing.settled()

    def _describe(self) -> None:
        self._describing.run(self._described())

    async def _described(self) -> None:
        state, inklings = self.state, self._inklings
        try:
            found = await self._background.read(
                inklings.describe_connection,
                inklings.caller,
                state.client,
                self._workspace_id,
                state.program,
            )
        except InklingsError as error:
            title = message_of(error).title
            self._show(replace(self.state, configuration="", places=(), hooks="", error=title))
            return
        self._show(
            replace(
                self.state,
                configuration=found.configuration,
                places=tuple(found.places),
                hooks=found.hooks,
                hook_places=tuple(found.hook_places),
                error="",
            )
        )

    async def _let_in(self, client: str) -> None:
        inklings = self._inklings
        try:
            await self._background.write(
                inklings.let_client_in, inklings.caller, client, self._workspace_id
            )
        except InklingsError as error:
            self._show(replace(self.state, error=message_of(error).title))

    async def _test(self, client: str) -> None:
        stop = threading.Event()
        inklings = self._inklings
        try:
            steps = await self._background.read(
                inklings.rehearse_connection,
                inklings.caller,
                client,
                self._workspace_id,
                stop.is_set,
            )
        except StoppedError:
            return
        except InklingsError as error:
            verdict = message_of(error).title
            self._show(replace(self.state, is_testing=False, verdict=verdict))
            return
        finally:
            # Cancelling only stops the wait: the process has to hear of it too.
            stop.set()
        self._show(
            replace(
                self.state,
                is_testing=False,
                lines=tuple(rehearsal_line(one) for one in steps),
                verdict=verdict_of(steps),
            )
        )

    def _show(self, state: ConnectionState) -> None:
        self.state = state
        self.state_changed.emit(state)


def _refusal(error: InklingsError) -> str:
    """Why nothing was written, and that the text can be copied."""
    if not isinstance(error, ClientFileError):
        return " ".join((message_of(error).title, _tr("Nothing was changed.")))
    said = {
        "no_folder": _tr("{path} has no folder yet: start that program once, then try again."),
        "unreadable": _tr("{path} is not in the format that its program reads."),
        "shape": _tr("What holds the servers in {path} cannot be added to."),
        "foreign": _tr("{path} is a link or a file of somebody else, or no plain file."),
        "too_large": _tr("{path} is too large to be a configuration."),
        "changed": _tr("{path} was changed meanwhile: look at the difference again."),
    }.get(error.reason, _tr("It is not known where this program keeps its configuration."))
    return " ".join(
        (said.format(path=error.path), _tr("Nothing was changed; the text can be copied."))
    )


def verdict_of(steps: Sequence[RehearsedStep]) -> str:
    """What a test came to."""
    if any(one.result is StepResult.FAILED for one in steps):
        return _tr("The connection does not work yet.")
    return _tr(
        "The connection works. It was tried in a rehearsal store; nothing of yours was read."
    )


def rehearsal_line(step: RehearsedStep) -> RehearsalLine:
    """One step in a sentence."""
    if step.result is StepResult.FAILED:
        return RehearsalLine("warning-circle", "madder", _failure(step))
    words = {
        (RehearsalStep.START, StepResult.DONE): _tr("The server started and answered in {s} s."),
        (RehearsalStep.TOOLS, StepResult.DONE): counted(
            step.count, _tr("It lists 1 tool."), _tr("It lists {n} tools.")
        ),
        (RehearsalStep.TOOLS, StepResult.REFUSED): _tr("It lists no tool: nothing is granted."),
        (RehearsalStep.READ, StepResult.DONE): _tr("A read of the workspace was answered."),
        (RehearsalStep.READ, StepResult.REFUSED): _tr(
            "A read of the workspace was refused, because it is not granted."
        ),
        (RehearsalStep.WRITE, StepResult.DONE): _tr("A write to the workspace was answered."),
        (RehearsalStep.WRITE, StepResult.REFUSED): _tr(
            "A write to the workspace was refused, because it is not granted."
        ),
    }
    text = words[(step.step, step.result)].format(s=f"{step.seconds:.1f}")
    is_done = step.result is StepResult.DONE
    return RehearsalLine(
        "check" if is_done else "prohibit", "accent" if is_done else "inkSoft", text
    )


def _failure(step: RehearsedStep) -> str:
    text = {
        "not_started": _tr("The program could not be started."),
        "timeout": _tr("The server gave no answer within {s} s."),
        "ended": _tr("The server ended without an answer."),
        "refused": _tr("The server refused to serve this client."),
    }.get(step.reason, _tr("What the server said is not the protocol."))
    said = step.said and _tr(" It said: {said}")
    if step.said and step.reason == "not_started":
        said = _tr(" The system said: {said}")
    return (text + said).format(s=f"{step.seconds:.0f}", said=step.said)


def _tr(text: str) -> str:
    return QCoreApplication.translate("connection", text)
