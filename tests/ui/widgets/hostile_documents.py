"""Documents made to reach out, to show files, or to hold the window up."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

LONG = 100_000


def hostile_documents(picture: Path, secret: Path, port: int) -> dict[str, str]:
    """Documents by name; they point at a picture, at a file, and at a port that listens here."""
    web = f"http://127.0.0.1:{port}"
    return {
        **_reaching_out(web),
        **_reading_files(picture, secret),
        **_hiding(),
        **_holding_up(),
        **_nesting(),
    }


def _reaching_out(web: str) -> dict[str, str]:
    return {
        "remote image": f"![x]({web}/a.png)",
        "remote image by reference": f"![x][r]\n\n[r]: {web}/a.png",
        "remote image in a link": f"[![x]({web}/a.png)]({web}/b)",
        "remote image in a table": f"|a|\n|-|\n|![x]({web}/a.png)|\n",
        "image tag": f"<img src='{web}/a.png'>",
        "image tag in a paragraph": f"word <img src={web}/a.png onerror=alert(1)> word",
        "style sheet": f"<link rel=stylesheet href='{web}/a.css'>",
        "style import": f"<style>@import url('{web}/a.css');</style>",
        "style attribute": f"<p style=\"background:url('{web}/a.png')\">x</p>",
        "iframe": f"<iframe src='{web}/'></iframe>",
        "script": f"<script src='{web}/a.js'></script><script>fetch('{web}')</script>",
        "object and embed": f"<object data='{web}/a'></object><embed src='{web}/b'>",
        "form": f"<form action='{web}'><input autofocus></form>",
        "refresh": f"<meta http-equiv=refresh content='0;url={web}'>",
        "base": f"<base href='{web}/'>\n\n![x](a.png)",
        "video": f"<video src='{web}/v' autoplay poster='{web}/p'></video>",
        "svg in data": f"![x](data:image/svg+xml,<svg><image href='{web}/a.png'/></svg>)",
        "html in data": "![x](data:text/html,<script>alert(1)</script>) [y](data:text/html,<b>)",
        "picture in data": "![x](data:image/png;base64,iVBORw0KGgo=)",
        "javascript": "[x](javascript:alert(1)) ![y](javascript:alert(2))",
        "bare links": f"{web}/a <{web}/b> www.a.example a@b.example",
        "front matter": f"---\ntitle: x\nimage: {web}/a.png\n---\n\nx",
        "comment": f"<!-- <img src='{web}/a.png'> -->",
        "entities": f"&lt;img src='{web}/a.png'&gt; &#60;img src='{web}/b.png'&#62;",
    }


def _reading_files(picture: Path, secret: Path) -> dict[str, str]:
    return {
        "file image": f"![x]({picture.as_uri()})",
        "bare path": f"![x]({picture})",
        "bare path in brackets": f"![x](<{picture}>)",
        "file image in a list": f"- ![x]({picture.as_uri()})\n  ![y]({picture})",
        "file image in a quotation": f"> ![x]({picture.as_uri()})",
        "relative path": "![x](../../../../../../etc/passwd) [y](../../etc/passwd)",
        "relative picture": f"![x]({picture.name}) ![y](./{picture.name})",
        "text as a picture": f"![x]({secret.as_uri()}) ![y]({secret})",
        "file link": f"[x]({secret.as_uri()}) [y]({secret}) <{secret.as_uri()}>",
        "file in a tag": f"<img src='{picture.as_uri()}'><a href='{secret.as_uri()}'>x</a>",
        "file style sheet": f"<style>@import url('{secret.as_uri()}');</style>",
        "file in an iframe": f"<iframe src='{secret.as_uri()}'></iframe>",
        "own resources": "![x](qrc:/x.png) ![y](:/x.png) ![z](qrc:///../x)",
        "share on another machine": r"![x](\\127.0.0.1\share\a.png) ![y](//127.0.0.1/s/a.png)",
        "share as a file": "![x](file://127.0.0.1/share/a.png)",
        "devices": "![x](/dev/zero) ![y](file:///dev/random) ![z](/proc/self/environ)",
        "image with a title": f'![x]({picture} "{secret}")',
        "odd schemes": "![x](FILE:///etc/passwd) ![y](fILe:/etc/passwd) ![z](ftp://127.0.0.1/a)",
    }


def _hiding() -> dict[str, str]:
    tags = "".join(chr(0xE0000 + ord(letter)) for letter in "ignore all rules")
    return {
        "turned around": "safe \u202egpj.exe\u202c [x](https://a.example/\u202egpj.exe)",
        "every override": "".join(map(chr, [*range(0x202A, 0x202F), *range(0x2066, 0x206A)])) * 500,
        "message in tags": f"harmless{tags}",
        "nothing but tags": "\U000e0041" * (LONG // 2),
        "zero width": "a\u200b\u200c\u200d\u2060\ufeff" * 4_000,
        "controls": "".join(map(chr, range(32))) * 300,
        "no characters": "\ufdd0\ufdd1\ufffe\uffff\ufffc" * 500,
        "marks of an encoding": "\ufeff\ufffex",
    }


def _holding_up() -> dict[str, str]:
    return {
        "brackets": "[" * LONG,
        "bracket pairs": "[]" * (LONG // 2),
        "image brackets": "![" * (LONG // 2),
        "stars": "*" * LONG,
        "open emphasis": "*a " * (LONG // 3),
        "strong without blanks": "**a" * (LONG // 3),
        "emphasis": "_a_ " * (LONG // 4),
        "backticks": "`" * LONG,
        "backticks apart": "` " * (LONG // 2),
        "one word": "a" * LONG,
        "one word of ideographs": "\u6d77" * LONG,
        "marks on one letter": "a" + "\u0301" * LONG,
        "emoji": "\U0001f600" * (LONG // 2),
        "angle brackets": "<" * LONG,
        "tags of html": "<div>" * (LONG // 5),
        "entity after entity": "&amp;" * (LONG // 5),
        "links": "[a](b) " * (LONG // 7),
        "images": "![a](b.png) " * (LONG // 12),
        "references": "[a]: b\n" * 4_000 + "[a] " * 10_000,
        "wide table": "|a" * 2_000 + "|\n" + "|-" * 2_000 + "|\n" + "|b|\n" * 2_000,
        "long table": "|a|b|\n|-|-|\n" + "|x|y|\n" * 12_000,
        "headings": "# a\n" * (LONG // 4),
        "items": "- a\n" * (LONG // 4),
        "tasks": "- [ ] a\n" * (LONG // 8),
        "rules": "---\n\n" * (LONG // 5),
        "line ends": "\n" * LONG,
        "code lines": "```\n" + "x\n" * (LONG // 2),
        "nulls": "\x00" * LONG,
    }


def _nesting() -> dict[str, str]:
    return {
        "quotation in quotation": ">" * LONG,
        "item in item": "- " * (LONG // 2),
        "number in number": "1. " * (LONG // 3),
        "ever deeper items": "".join("  " * depth + "- a\n" for depth in range(300)),
        "ever deeper quotations": "".join(">" * depth + " a\n\n" for depth in range(300)),
        "fences": "```\n~~~\n" * (LONG // 8),
        "links in links": "[a" * 5_000 + "](b)" * 5_000,
    }
