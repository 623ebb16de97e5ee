"""Which texts a message asks for, and which only share words that say nothing."""

# ruff: noqa: RUF001 - other scripts are the point here

from __future__ import annotations

import pytest

from inklings_desktop.domain.search.explanation import matching


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("Who started the war of the roses?", "Wars are paid for in salt."),
        ("Is it 1347 yet?", "The bell of Wend cracked in 1347."),
        ("Welches Schwert trägt der König?", "Das Schwert ist aus Silber."),
        ("Qui porte l'épée ?", "Une épée d’argent."),
        ("¿Quién es el rey?", "El rey duerme."),
        ("Chi è il re di Wend?", "Un re senza corona."),
        ("Kto nosi miecz?", "Miecz jest srebrny."),
        ("Кто король Венда?", "Король носит меч."),
        ("Kralın kılıcı nerede?", "Kılıcı gümüştür, kralın."),
        ("アルドリックの剣は何色ですか", "アルドリックは王である。"),
        ("国王是谁？", "国王叫阿尔德里克。"),
        ("من هو الملك؟", "الملك نائم."),
    ],
)
def test_a_shared_word_that_says_something_matches(message: str, text: str) -> None:
    assert matching(message, [text, "xyz"]) == [True, False]


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("What is the name of the king?", "There is the question of what to do with it."),
        ("Tell me what you know about turn 7.", "I know what to tell you about stall 7."),
        ("Wer ist der König?", "Der Bäcker ist in der Stadt."),
        ("Qui est le roi ?", "Le pain est dans la cave, qui sent."),
        ("¿Quién es el rey?", "El pan es de ayer."),
        ("Chi è il re di Wend?", "Il pane è di ieri."),
        ("Kto jest na tronie?", "Chleb jest na stole."),
        ("Кто её брат?", "Это её дом, и кто там."),
        ("Kral kim ve nerede?", "Ekmek ve tuz nerede ise."),
        ("アルドリックの剣は何色ですか", "りんごは市場で売っていますか。"),
        ("国王是谁？", "面包师是一个好人。"),
        ("من هو الملك؟", "هذا هو الخبز من البيت."),
        ("the of and", "the of and"),
        ("", "Anything."),
    ],
)
def test_words_that_say_nothing_match_nothing(message: str, text: str) -> None:
    assert matching(message, [text]) == [False]
