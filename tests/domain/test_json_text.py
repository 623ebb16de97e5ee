from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.domain.words.json_text import read_json, with_value

PATH = ("servers", "ours")
SETTINGS = """\
// Settings of an editor, "quoted" { and all.
{
\t"theme": "One // no comment", // why
\t/* a longer
\t   one, */
\t"servers": {
\t\t"theirs": { "command": "x" }, // keep
\t\t// and this, too
\t},
}
"""


def test_comments_and_everything_else_stay_as_they_were_written() -> None:
    after = with_value(SETTINGS, PATH, {"args": ["a", "b"]})
    assert after == SETTINGS.replace(
        "too\n\t},",
        'too\n\t\t"ours": {\n\t\t\t"args": [\n\t\t\t\t"a",\n\t\t\t\t"b"\n\t\t\t]\n\t\t}\n\t},',
    )


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("", '{\n  "k": 1\n}\n'),
        ("// only this", '// only this\n{\n  "k": 1\n}\n'),
        ("\ufeff", '\ufeff{\n  "k": 1\n}\n'),
        ("\ufeff{}", '\ufeff{\n  "k": 1\n}'),
        ('{"a": 1}', '{"a": 1,\n  "k": 1\n}'),
        ('{"a": [1, 2,],}', '{"a": [1, 2,],\n  "k": 1\n}'),
        ('{\r\n    "a": 1 // one\r\n}\r\n', '{\r\n    "a": 1, // one\r\n    "k": 1\r\n}\r\n'),
        ('{"k": 2, "k": [3]}', '{"k": 2, "k": 1}'),
    ],
)
def test_a_value_stands_where_its_object_is(text: str, after: str) -> None:
    assert with_value(text, ("k",), 1) == after


# Without the bracket after which the test puts a comment.
TEXTS = st.text(st.sampled_from('/*",}]\\:\n\u2028\u00e9x '), max_size=6)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=12,
)


@given(
    document=st.dictionaries(TEXTS, VALUES, max_size=4),
    servers=st.dictionaries(st.sampled_from(["ours", "theirs"]), VALUES, max_size=2),
    indent=st.sampled_from([None, 0, 2, "\t"]),
    value=VALUES,
)
def test_whatever_it_holds_it_says_the_same_and_the_value(
    document: dict[str, Any], servers: dict[str, Any], indent: int | str | None, value: object
) -> None:
    held = document | {"servers": servers}
    text = json.dumps(held, indent=indent, ensure_ascii=False).replace("{", "{ // note\n")
    wanted = read_json(text) | {"servers": read_json(text)["servers"] | {"ours": value}}
    after = with_value(text, PATH, value)
    assert read_json(after) == wanted
    assert after.count("// note") >= text.count("// note") - str(servers.get("ours")).count("{")
