"""Helps to connect one client: the text to copy, where it goes, and a test of the whole road."""

from __future__ import annotations

import threading
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from inklings_desktop.domain.access.connections import ClientProgram
from inklings_desktop.domain.errors import InklingsError, StoppedError
from inklings_desktop.domain.words.text_diff import diff_lines
from inklings_desktop.ui.access.connection_words import (
    ConnectionState,
    name_of,
    refusal,
    rehearsal_line,
    verdict_of,
)
from inklings_desktop.ui.kit.controls.buttons import MenuButton
from inklings_desktop.ui.kit.dialogs.ask import answered, begin_asking
from inklings_desktop.ui.kit.dialogs.ask_dialog import ConfirmDialog
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.look.layouts import STRETCH
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.page.declared import LOOK, DeclaredDialog, part
from inklings_desktop.ui.kit.page.parts import (
    across,
    below,
    button,
    hairline,
    line,
    mark,
    opening,
    words,
)
from inklings_desktop.ui.kit.page.process import Process
from inklings_desktop.ui.kit.words.messages import message_of
from inklings_desktop.ui.markdown.diff_view import DiffView

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtCore import QObject

    from inklings_desktop.domain.access.connections import ClientFileChange
    from inklings_desktop.ui.access.state import ClientDetail
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.declared import Inside

NEW_CLIENT = "my-agent"
_LINES_AROUND = 3


_SIZE = QSize(660, 700)
_FEWEST_LINES, _MOST_LINES = 8, 16
_MOST_TYPED = 64


class _Text(QPlainTextEdit):
    """As high as the text is: scrolling inside what scrolls is tiresome."""

    def __init__(self, theme: Theme, *, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        theme.dress(self._fit)

    def show_said(self, text: str) -> None:
        self.setPlainText(text)
        self._fit()

    @Slot()
    def _fit(self) -> None:
        self.setFont(self._theme.font("mono"))
        lines = min(_MOST_LINES, max(_FEWEST_LINES, self.blockCount()))
        margins = round(2 * self.document().documentMargin()) + 16
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + margins)


class ConnectionDialog(DeclaredDialog[ConnectionState]):
    """What to copy for which program, what to write for it, and what a test found."""

    def __init__(self, process: ConnectionProcess) -> None:
        context = process.context
        super().__init__(context.theme, context.window, tr("Connection"), size=_SIZE)
        self.setObjectName("connectionDialog")
        self._process = process

    def head(self, state: ConnectionState) -> tuple[str, str]:
        said = " ".join(one for one in (state.last_call, state.last_error) if one)
        return (
            tr("Connect {name}").format(name=state.client)
            if state.is_known
            else tr("Connect a client"),
            said or tr("This program has not connected yet."),
        )

    def told(self, state: ConnectionState) -> tuple[str, ...]:
        return state.addition, state.told

    def said(self, state: ConnectionState) -> tuple[tuple[Inside, ...], ...]:
        process, program = self._process, name_of(state.program)
        is_new = not state.is_known
        body = (
            words(
                tr(
                    "Add this to the program\u2019s own file, or copy it there yourself, then "
                    "restart it. Either way it may read this world. You can give it more access "
                    "later."
                )
            ),
            12,
            words(tr("Name"), "label", way="plain", visible=is_new),
            4,
            line(
                now=state.client,
                name="clientName",
                spoken=tr("Name of the client"),
                how={"maxLength": _MOST_TYPED},
                textEdited=process.name_client,
                visible=is_new,
            ),
            words(state.error, "error", way="plain", visible=bool(state.error)),
            12,
            across(
                opening(
                    MenuButton,
                    LOOK,
                    offers=process.programs,
                    name="clientProgram",
                    text=program,
                    spoken=tr("Program: {name}").format(name=program),
                    autoDefault=False,
                ),
                STRETCH,
                button(
                    tr("The connection") if state.shows_hooks else tr("Session hooks"),
                    process.turn_to_hooks,
                    name="sessionHooks",
                    toolTip=tr(
                        "Tell it what matters when a session begins, and keep its summary at the "
                        "end"
                    ),
                    visible=bool(state.hooks),
                ),
                button(tr("Copy"), self._copy, icon="copy", enabled=bool(state.text)),
                button(
                    tr("Add to {program}\u2026").format(program=program),
                    process.add,
                    kind="primary",
                    name="addToProgram",
                    visible=state.can_add,
                    enabled=not state.is_asking,
                ),
                spacing=8,
            ),
            8,
            part(
                _Text,
                LOOK,
                name="connectionText",
                spoken=tr("Configuration to copy"),
                readOnly=True,
                tabChangesFocus=True,
                lineWrapMode=QPlainTextEdit.LineWrapMode.NoWrap,
                said=state.text,
            ),
            10,
            words(state.addition or "\n".join(state.text_places)),
            14,
            hairline(),
            12,
            across(
                button(
                    tr("Stop") if state.is_testing else tr("Test"),
                    process.test,
                    name="testConnection",
                    enabled=bool(state.configuration),
                ),
                words(
                    state.told
                    or tr(
                        "Starts the server and tests reading and writing in a scratch copy, with "
                        "the access this program has."
                    ),
                    "metaStrong",
                    place=(1,),
                ),
                spacing=12,
            ),
            8,
            below(
                *(
                    # Why it failed, to the end.
                    mark(one.icon, one.role, one.text, inked=False, wraps=True)
                    for one in state.lines
                ),
                spacing=6,
            ),
            STRETCH,
        )
        return body, (STRETCH, button(tr("Done"), self.leave_requested.emit))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._process.state.text)
        announce(self, tr("Copied."))
        self._process.let_in()


class ConnectionProcess(Process[ConnectionState, ConnectionDialog]):
    """One client that is to be connected, or one that is yet to come."""

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(context, ConnectionState(), parent)
        self._workspace_id = ""
        self._describing = Latest(context.background)
        self._testing = Latest(context.background)

    def open(
        self,
        workspace_id: str,
        detail: ClientDetail | None,
        program: ClientProgram | None = None,
    ) -> None:
        """Show how a client is connected, or one that is yet to come; nothing while one is.

        Args:
            workspace_id: Where it is let in.
            detail: The client; None for one that is yet to come.
            program: The one that comes, where that is known; it goes by its name then.
        """
        if self.dialog is not None:
            return
        self._workspace_id = workspace_id
        if detail is not None:
            self.state = ConnectionState(
                detail.name,
                is_known=True,
                last_call=detail.last_call,
                last_error=detail.last_error,
            )
        elif program is not None:
            self.state = ConnectionState(program.value, program=program)
        else:
            self.state = ConnectionState(NEW_CLIENT)
        self._describing.run(self._describe())
        self.show_dialog(ConnectionDialog(self))

    def ended(self) -> None:
        self._describing.cancel()
        self._testing.cancel()

    async def settled(self) -> None:
        """Return once nothing is under way."""
        await self._describing.settled()
        await self._testing.settled()

    # -- the text -------------------------------------------------------------------------

    @Slot(object)
    def choose_program(self, program: ClientProgram) -> None:
        """Show the text for another program."""
        self.state = replace(self.state, program=program, shows_hooks=False, addition="")
        self._describing.run(self._describe())

    def programs(self) -> Iterator[tuple[str, Callable[[], object]]]:
        """Every program by its name, each with what shows the text for it."""
        return ((name_of(one), partial(self.choose_program, one)) for one in ClientProgram)

    @Slot()
    def turn_to_hooks(self) -> None:
        """Show the hooks instead of the configuration, or the other way round."""
        self.change(shows_hooks=not self.state.shows_hooks)

    @Slot(str)
    def name_client(self, name: str) -> None:
        """Take another name for a client that is yet to come."""
        if not self.state.is_known and name != self.state.client:
            self._testing.cancel()
            self.state = replace(
                self.state, client=name, lines=(), verdict="", is_testing=False, addition=""
            )
            self._describing.run(self._describe())

    @Slot()
    def let_in(self) -> None:
        """Let the client in: whoever takes its configuration along means to."""
        self.spawn(self._let_in(self.state.client))

    async def _let_in(self, client: str) -> None:
        inklings = self.inklings
        try:
            await self.background.write(inklings.clients.let_in, client, self._workspace_id)
        except InklingsError as error:
            self.change(error=message_of(error).title)

    async def _describe(self) -> None:
        state, inklings = self.state, self.inklings
        try:
            found = await self.background.read(
                inklings.clients.describe_connection,
                state.client,
                self._workspace_id,
                state.program,
            )
        except InklingsError as error:
            self.change(configuration="", places=(), hooks="", error=message_of(error).title)
            return
        self.change(
            configuration=found.configuration,
            places=tuple(found.places),
            hooks=found.hooks,
            hook_places=tuple(found.hook_places),
            error="",
        )

    # -- the test -------------------------------------------------------------------------

    @Slot()
    def test(self) -> None:
        """Try the whole road; a second press gives it up."""
        if self.state.is_testing:
            self._testing.cancel()
            self.change(is_testing=False, verdict=tr("Stopped."))
            return
        self.change(is_testing=True, lines=(), verdict="")
        self._testing.run(self._test(self.state.client))

    async def _test(self, client: str) -> None:
        stop = threading.Event()
        inklings = self.inklings
        try:
            steps = await self.background.read(
                inklings.clients.rehearse_connection, client, self._workspace_id, stop.is_set
            )
        except StoppedError:
            return
        except InklingsError as error:
            self.change(is_testing=False, verdict=message_of(error).title)
            return
        finally:
            # Cancelling only stops the wait: the process has to hear of it too.
            stop.set()
        lines = tuple(rehearsal_line(one) for one in steps)
        self.change(is_testing=False, lines=lines, verdict=verdict_of(steps))

    # -- the program's own file -------------------------------------------------------------

    @Slot()
    def add(self) -> None:
        """Ask whether to write it into the program's own file, and write it."""
        if self.dialog is not None:
            begin_asking(self.background, self._add(self.dialog), self.dialog)

    async def _add(self, dialog: ConnectionDialog) -> None:
        self.change(is_asking=True)  # one question at a time
        try:
            change = await self._looked_at()
            if change is not None and await self._may_write(change, dialog):
                await self._write(change)
        finally:
            if self.dialog is dialog:  # closed meanwhile, another may ask
                self.change(is_asking=False)

    async def _looked_at(self) -> ClientFileChange | None:
        """What adding it would change in the file; None where nothing would."""
        state, inklings = self.state, self.inklings
        try:
            change = await self.background.read(
                inklings.clients.preview_addition, state.client, self._workspace_id, state.program
            )
        except InklingsError as error:
            self.change(addition=refusal(error))
            return None
        if change.is_needed:
            return change
        self.change(addition=tr("{path} already has this.").format(path=change.path))
        return None

    async def _may_write(self, change: ClientFileChange, dialog: ConnectionDialog) -> bool:
        """Whether the person, who sees what would differ, wants it written."""
        question = ConfirmDialog(
            dialog,
            tr("Write this into {name}?").format(name=change.path.name),
            tr(
                "Only the lines below change in {path}. A copy of the file is kept beside it."
            ).format(path=change.path)
            if change.before is not None
            else tr("{path} will be created.").format(path=change.path),
            yes=tr("Write it"),
            no=tr("Not now"),
        )
        near = diff_lines(change.before or "", change.after).only_near_changes(_LINES_AROUND)
        difference = DiffView(self.context.theme, question, compact=True, face="mono")
        difference.show_diff(near)
        question.show_between(difference)
        return bool(await answered(question))

    async def _write(self, change: ClientFileChange) -> None:
        """Write it, and let the client in: whoever connects a client means to."""
        inklings = self.inklings
        try:
            backup = await self.background.write(inklings.clients.apply_addition, change)
        except InklingsError as error:
            self.change(addition=refusal(error))
            return
        said = tr("Written to {path}. Restart the client.").format(path=change.path)
        if backup is not None:
            said += "\n" + tr("The file as it was: {path}").format(path=backup)
        self.change(addition=said)
        await self._let_in(self.state.client)
