"""The author hears of a key in a named entry once it is saved; it stays as it was typed."""

from __future__ import annotations

import pytest

from inklings_desktop.domain.access.secrets import SecretKind
from inklings_desktop.ui.access.words import error_words
from inklings_desktop.ui.entries.opened import NoticeKind
from inklings_desktop.ui.kit.words.memory_facts import author_caution, secret_names
from tests.support.scenes import scene
from tests.support.stopwatch import until
from tests.ui.test_entry_editing import Scene, play

pytestmark = pytest.mark.usefixtures("qapp")

KEY = "Sign letters with ghp_" + "a1B2" * 10 + ".\n"


@scene(play)
async def test_a_saved_entry_that_looks_like_a_key_is_kept_and_said(scene: Scene, /) -> None:
    await scene.open("VOICE")
    scene.entry.edit(KEY)
    assert await scene.entry.save()
    await until(lambda: scene.state.notice is not None)
    notice = scene.state.notice
    assert notice is not None
    assert notice.kind is NoticeKind.SECRET
    assert "an access token" in notice.title
    assert scene.stored("VOICE").body == KEY
    assert scene.state.text == KEY
    scene.entry.edit("Close third.")
    assert scene.state.notice is None


def test_ordinary_prose_is_passed_over_in_silence() -> None:
    assert author_caution("The key to the harbour is under the third quay.") == ""
    assert secret_names(list(SecretKind)) == (
        "a private key, an access token, an API key, a password, the number of a payment card, "
        "the number of a bank account"
    )


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("over_limit", "over the limit"),
        ("no_window", "no window open"),
        ("changed_meanwhile", "changed since"),
        ("something new", "failed"),
    ],
)
def test_what_went_wrong_for_a_client_is_said_to_the_author(word: str, said: str) -> None:
    assert error_words(word) == said
