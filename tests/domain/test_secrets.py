from __future__ import annotations

import pytest

from inklings_desktop.domain.secrets import SecretKind, secrets_in


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("-----BEGIN OPENSSH " + "PRIVATE KEY-----\nb3BlbnNza", SecretKind.PRIVATE_KEY),
        ("use ghp_" + "a1B2" * 9 + " for it", SecretKind.ACCESS_TOKEN),
        ("glpat-" + "x9Y" * 8, SecretKind.ACCESS_TOKEN),
        ("xoxb-" + "123456789012-abcdef", SecretKind.ACCESS_TOKEN),
        ("eyJhbGciOiJI.eyJzdWIiOiIx." + "SflKxwRJSMeKKF2QT4", SecretKind.ACCESS_TOKEN),
        ("AKIA" + "IOSFODNN7EXAMPLE", SecretKind.API_KEY),
        ("sk-ant-" + "api03-AbCdEf0123456789xyz", SecretKind.API_KEY),
        ("sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc", SecretKind.API_KEY),
        ("password: Tr0ub4dor&3xyz", SecretKind.PASSWORD),
        ("token: salt1glass-cartographers", SecretKind.PASSWORD),
        ("API_KEY = 'aB3dE6gH9jK2mN5p'", SecretKind.PASSWORD),
    ],
)
def test_keys_and_passwords_are_noticed(text: str, kind: SecretKind) -> None:
    assert secrets_in(text) == (kind,)


@pytest.mark.parametrize(
    "text",
    [
        "The password to the tower is the name of the sea.",
        "Token: the glass coin that pays the toll at Wend Gate.",
        "Password: saltglass-cartographers",
        "Password: SaltglassCartographers.",
        "Her secret: she never learned left from right.",
        "skein-dyers and task-masters of the harbour",
        "The key is under the third stone; https://example.org/a/b?c=1",
        "塩硝子の地図師たち 2026-03-14T10:36:00Z 02787ded-2d52-5a16-b970-6d2f56a4ed4a",
        "",
    ],
)
def test_ordinary_prose_is_left_alone(text: str) -> None:
    assert secrets_in(text) == ()


def test_each_kind_is_named_once() -> None:
    one = "AKIA" + "IOSFODNN7EXAMPLE"
    assert secrets_in(f"{one} and {one}") == (SecretKind.API_KEY,)
