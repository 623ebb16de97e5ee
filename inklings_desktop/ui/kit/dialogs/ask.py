"""Opens a dialog and waits for its answer without stopping the event loop; asks small questions."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from shiboken6 import isValid

from inklings_desktop.domain.errors import ConflictError, InklingsError, InvalidValueError
from inklings_desktop.ui.kit.look.accessibility import order_tabs
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.look.veil import veil_behind
from inklings_desktop.ui.kit.ops.type_ahead import held_keys
from inklings_desktop.ui.kit.words.messages import Message, message_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine

    from PySide6.QtCore import QObject
    from PySide6.QtWidgets import QDialog, QWidget

    from inklings_desktop.ui.kit.dialogs.field_dialogs import Field, TextDialog
    from inklings_desktop.ui.kit.ops.background import Background


T = TypeVar("T")
TypedT = TypeVar("TypedT")


def begin_asking(
    background: Background, action: Coroutine[Any, Any, object], widget: QWidget
) -> None:
    """Start what opens a dialog over a widget's window; what is typed from now on is for that."""
    held_keys(widget).until_asked(background.spawn(action))


async def answered(dialog: QDialog, *, leads_on: bool = False) -> int:
    """The dialog's result code once it is finished; the dialog is then deleted.

    Args:
        dialog: Not on show yet.
        leads_on: Whether agreeing to it leads to another dialog of the same task; what is typed
            before that one is there is for it.

    Raises:
        CancelledError: The dialog went away with its page, as at closing.
    """
    done: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    window, task = dialog.parentWidget(), asyncio.current_task()

    def finish(code: int) -> None:
        if not done.done():
            done.set_result(code)
            if leads_on and code and window is not None and task is not None:
                held_keys(window).until_asked(task)

    def is_gone(_dialog: QObject) -> None:
        done.cancel()

    dialog.finished.connect(finish)
    dialog.destroyed.connect(is_gone)
    veil_behind(dialog)
    order_tabs(dialog)
    dialog.open()
    if window is not None:
        held_keys(window).note_dialog(dialog)
    try:
        return await done
    finally:
        if isValid(dialog):
            dialog.deleteLater()


async def ask(
    parent: QWidget, title: str, text: str, *, yes: str, no: str, is_destructive: bool = False
) -> bool:
    """Whether something should really be done.

    Args:
        parent: The window that is asked over.
        title: What is asked, in a short sentence.
        text: What follows from doing it.
        yes: Word of the button that does it.
        no: Word of the button that leaves everything as it is.
        is_destructive: Whether doing it takes something away; Enter then leaves all as it is.

    Raises:
        CancelledError: The window went away meanwhile.
    """
    from inklings_desktop.ui.kit.dialogs.ask_dialog import ConfirmDialog

    dialog = ConfirmDialog(parent, title, text, yes=yes, no=no, is_destructive=is_destructive)
    return bool(await answered(dialog))


async def ask_until(
    form: Callable[[TypedT], Any], begin: TypedT, use: Callable[[TypedT], Awaitable[T]]
) -> T | None:
    """What was made of several fields; None when the person changed their mind.

    Args:
        form: Makes a dialog with these values in its fields, which are its ``typed`` later.
        begin: What stands in them first.
        use: Does something with what was typed; where that is refused, it is asked for again.

    Raises:
        CancelledError: The window went away meanwhile.
    """
    refusal = ""
    while True:
        dialog = form(begin)
        if refusal:
            dialog.refuse(refusal)
        if not await answered(dialog):
            return None
        begin = dialog.typed
        try:
            return await use(begin)
        except InklingsError as error:
            said = message_of(error)
            refusal = f"{said.title.rstrip('.')}. {said.text}"


async def ask_name(
    parent: QWidget,
    title: str,
    text: str,
    *,
    yes: str,
    use: Callable[[str], Awaitable[T]],
    say: Callable[[ConflictError | InvalidValueError], Message] = message_of,
    name: str = "",
    longest: int = 120,
) -> T | None:
    """What was made of a name; None when the person changed their mind.

    A name that cannot be used is asked for again beside the sentence why; nothing typed is lost.

    Args:
        parent: The window that is asked over.
        title: What is asked, and the accessible name of the field.
        text: What the name is for.
        yes: Word of the button.
        use: Does something with the name.
        say: Why a name was refused.
        name: The name so far; the button waits for another one.
        longest: How many characters it may have.

    Raises:
        InklingsError: It failed for a reason that no other name would change.
        CancelledError: The window went away meanwhile.
    """
    from inklings_desktop.ui.kit.dialogs.field_dialogs import NameDialog

    typed, refusal = "", None
    window = parent.parentWidget() or parent
    while True:
        over = parent if isValid(parent) else window  # it may have gone while the name was tried
        dialog = NameDialog(over, title, text, yes=yes, name=name, longest=longest)
        if refusal is not None:
            dialog.refuse(typed, f"{refusal.title.rstrip('.')}. {refusal.text}")
        if not await answered(dialog):
            return None
        typed = dialog.name  # it is deleted while the name is tried
        try:
            return await use(typed)
        except (ConflictError, InvalidValueError) as error:
            refusal = say(error)


async def ask_line(
    parent: QWidget,
    title: str,
    text: str,
    field: Field,
    *,
    yes: str,
    use: Callable[[str], Awaitable[str]],
    dress: Callable[[TextDialog], object] = lambda _dialog: None,
) -> None:
    """Ask for a line until it was of use, or the person changed their mind; it stays typed.

    Args:
        field: What is typed, of one line.
        use: Does something with the line, and answers why it cannot; nothing if it could.
        dress: Is given every dialog before it opens.

    Raises:
        CancelledError: The window went away meanwhile.
    """
    from inklings_desktop.ui.kit.dialogs.field_dialogs import TextDialog

    refusal = ""
    while True:
        dialog = TextDialog(parent, title, text, field, yes=yes, no=tr("Cancel"), on_enter=True)
        dress(dialog)
        if refusal:
            dialog.refuse(refusal)
        if not await answered(dialog):
            return
        field = replace(field, text=dialog.typed.strip())
        if not (refusal := await use(field.text)):
            return


async def ask_text(
    parent: QWidget, title: str, text: str, field: Field, *, yes: str, no: str, **look: Any
) -> str | None:
    """Ask for words once: what was typed, without blanks at its ends; None where the person left.

    Args:
        look: The rest that a ``TextDialog`` takes.

    Raises:
        CancelledError: The window went away meanwhile.
    """
    from inklings_desktop.ui.kit.dialogs.field_dialogs import TextDialog

    dialog = TextDialog(parent, title, text, field, yes=yes, no=no, **look)
    is_wanted = await answered(dialog)
    return dialog.typed.strip() if is_wanted else None
