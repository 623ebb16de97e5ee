"""What is read of HTML and RTF that came without plain text."""

from __future__ import annotations

import codecs

import pytest

from inklings_desktop.ui.markdown import clipboard_markup
from inklings_desktop.ui.markdown.clipboard_markup import text_of_html, text_of_rtf
from tests.support.stopwatch import Stopwatch

N_HOSTILE = 400_000
N_PAGES = 1_000
N_SIGNS = 2_000_000
MOST_SECONDS = 5.0


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("", ""),
        ("<p>One <b>two</b>\n  three</p>\n<p>four", "One two three\n\nfour"),
        ("a<br>b<br><br>c", "a\nb\n\nc"),
        ("<ul><li>a</li>\n<li>b</ul>c", "a\nb\n\nc"),
        ("<table><tr><td>1</td><td>2</td></tr>\n<tr><th>3<td>4</table>", "1\t2\n3\t4"),
        ("<pre>  a\r\n\tb</pre>", "  a\n\tb"),
        ("x&nbsp;&nbsp;y &amp; z &lt;b&gt; &#x1F600;", "x  y & z <b> \U0001f600"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("<img alt='a > b' src='http://x.invalid/a.png'>seen", "seen"),
        ("<title>T</title><STYLE>p{}</Style>a<script>'<p>'</script >b", "ab"),
        ("<!-- x > y -->a<!DOCTYPE html>b<?xml x?>c", "abc"),
        ("<div>a<div>b</div></div>c", "a\nb\nc"),
        ("a<script>never closed", "a"),
        ("a<!-- never closed", "a"),
        ('a<b title="never closed>b', "ab"),
        ("a<", "a<"),
        ("a << b <3 </ c", "a << b <3 </ c"),
        ("<pre>a\rb</pre>", "a\nb"),
        ("a&#0;&#xD800;&#x110000;b", "a\ufffd\ufffd\ufffdb"),
        ("a&#" + "9" * 5000 + ";b&#x" + "f" * 5000 + ";c", "a\ufffdb\ufffdc"),
        ("a\x00\x1b\tb\x07\ud83d\ude00\ud83dc", "a b\U0001f600\ufffdc"),
        ("\u05e9\u05dc\u05d5\u05dd <i>\u05e2\u05d5\u05dc\u05dd</i>",
         "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd"),
    ],
)  # fmt: skip
def test_the_words_of_a_page_stand_on_its_lines(html: str, text: str) -> None:
    assert text_of_html(html) == text


@pytest.mark.parametrize(
    ("rtf", "text"),
    [
        (rb"{\rtf1\ansi{\fonttbl\f0 Times;}{\*\generator x;}\f0\pard One \b two\b0  three\par}",
         "One two three"),
        (rb"{\rtf1\ansicpg1252 Gr\'fc\'dfe\line b\tab c}", "Gr\u00fc\u00dfe\nb\tc"),
        (rb"{\rtf1\ansicpg1251 \'cf\'f0}", "\u041f\u0440"),
        (rb"{\rtf1\ansicpg932 \'93\'fa}", "\u65e5"),
        (rb"{\rtf1 \u8364? \u-10179?\u-8704? \uc0\u233 x}", "\u20ac \U0001f600 \u00e9x"),
        (rb"{\rtf1 \u-10179?x}", "\ufffdx"),
        (rb"{\rtf1 {\field{\*\fldinst HYPERLINK x}{\fldrslt link}} \{z\} \\}", "link {z} \\"),
        (rb"{\rtf1 a\bin4 {{{{b{\pict 00ff}c}", "abc"),
        (b"{\\rtf1 one\r\n two}", "one two"),
        (rb"{\rtf1\ansicpg99999 x\'e9}", "x\u00e9"),
        (rb"{\rtf1\ansicpg1252\ansicpg1251 \'e9}", "\u00e9"),
        (b"{\\rtf1 a\x00\\u0?\\u27?\\'00\\'1b\x07b\\uc-1\\u-8704?c}", "ab\ufffd?c"),
        (rb"{\rtf1 a}}}{{{b\bin999999999 c", "ab"),
        (rb"}}{\rtf1 x", ""),
        (b"no document", ""),
        (b"", ""),
    ],
)  # fmt: skip
def test_the_words_of_a_document_are_read(rtf: bytes, text: str) -> None:
    assert text_of_rtf(rtf) == text


@pytest.mark.parametrize(
    "part",
    ["<div>", "<b>", "<table><tr><td>", "<a", '<a "', "<a '\">", "<!--", "<", "&", "&amp",
     "<script>", "</script", "<script></script", "<pre>", " ", "word ", "<br>"],
)  # fmt: skip
def test_no_page_takes_longer_than_its_length(part: str) -> None:
    watch = Stopwatch()
    assert "\x00" not in text_of_html(part * (N_HOSTILE // len(part)))
    assert watch.seconds < MOST_SECONDS


@pytest.mark.parametrize(
    "part",
    [b"{", b"}", b"\\", b"\\abc", b"\\'ff", b"\\u1234 ?", b"\\bin5 ", b"\n", b"\\a1"],
)
def test_no_document_takes_longer_than_its_length(part: bytes) -> None:
    watch = Stopwatch()
    assert "\x00" not in text_of_rtf(b"{\\rtf1" + part * (N_HOSTILE // len(part)))
    assert watch.seconds < MOST_SECONDS


def test_only_the_first_code_page_of_a_document_is_looked_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked_up: list[str] = []

    def lookup_noted(name: str) -> codecs.CodecInfo:
        looked_up.append(name)
        return codecs.lookup(name)

    monkeypatch.setattr(clipboard_markup, "lookup", lookup_noted)
    pages = b"".join(b"\\ansicpg%d a" % number for number in range(70_000, 70_000 + N_PAGES))
    assert text_of_rtf(b"{\\rtf1" + pages) == "a" * N_PAGES
    assert looked_up == ["cp70000"]


def test_a_page_of_nothing_but_opening_signs_is_text() -> None:
    watch = Stopwatch()
    assert text_of_html("<" * N_SIGNS) == "<" * N_SIGNS
    assert watch.seconds < MOST_SECONDS
