from __future__ import annotations

import pytest

from inklings_desktop.domain.words.query_text import keyword_query


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Wer fürchtet die Möwen?", ("fürchtet", "möwen", "fuerchtet", "moewen")),
        ("Wo wohnt die Königin im Winter?", ("wohnt", "königin", "winter", "koenigin")),
        ("Qui a peur de la mer ?", ("peur", "mer")),
        ("Où habite la reine ?", ("habite", "reine")),
        ("¿Dónde está la llave de la torre?", ("llave", "torre")),
        ("donde esta la llave de la torre", ("llave", "torre")),
        ("Quem tem medo do mar?", ("medo", "mar")),
        ("Chi ha paura del mare?", ("paura", "mare")),
        ("Кто боится моря?", ("боится", "моря")),
        ("Где живёт королева?", ("живет", "королева")),
    ],
)
def test_words_that_say_nothing_in_its_language_are_not_looked_for(
    question: str, words: tuple[str, ...]
) -> None:
    assert keyword_query(question).words == words


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Who lives in the tower?", ("lives", "tower")),
        ("Los Angeles concert", ("los", "angeles", "concert")),
        ("Did Melanie die?", ("melanie", "die")),
        ("war room", ("war", "room")),
        ("the van der Berg house", ("van", "der", "berg", "house")),
        ("Como lake villa", ("como", "lake", "villa")),
        ("Where is Le Petit Prince?", ("le", "petit", "prince")),
        ("Who sang Con te partirò?", ("sang", "con", "te", "partirò")),
    ],
)
def test_a_question_in_english_stays_as_it_was(question: str, words: tuple[str, ...]) -> None:
    assert keyword_query(question).words == words


def test_a_question_of_nothing_else_is_looked_for_as_it_is() -> None:
    assert keyword_query("qui est").words == ("qui", "est")
