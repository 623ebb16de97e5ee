from __future__ import annotations

from pathlib import Path

import pytest

from inklings_desktop.domain.access.secrets import SecretKind, secrets_in


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


_WORD = "aB3dE6gH9jK2mN5pQ8sT1vW4xY7zC0fR"
_LONG = _WORD * 4
_HEX = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

# Name of the rule in gitleaks 8 (detect-secrets 1.5 where it says so), and a value of its format.
_BY_RULE = {
    "private-key": "-----BEGIN RSA " + "PRIVATE KEY-----",
    "detect-secrets PuTTY": "PuTTY-User-" + "Key-File-2: ssh-rsa",
    "age-secret-key": "AGE-SECRET-" + "KEY-1" + "QPZRY9X8GF" * 6,
    "github-pat": "ghp_" + _LONG[:36],
    "github-oauth": "gho_" + _LONG[:36],
    "github-fine-grained-pat": "github_pat_" + _LONG[:82],
    "gitlab-pat": "glpat-" + _WORD[:20],
    "gitlab-runner-authentication-token": "glrt-" + _WORD[:20],
    "slack-bot-token": "xoxb-" + "123456789012-1234567890123-" + _WORD[:24],
    "slack-app-token": "xapp-1-" + "A0123456789-1234567890123-" + _HEX,
    "slack-webhook-url": "https://hooks.slack.com/" + "services/T00000000/B00000000/" + _WORD[:24],
    "detect-secrets Discord": "MTk4NjIyNDgzNDcxOTI1MjQ4." + "Cl2FMQ." + _WORD[:27],
    "discord webhook": "https://discord.com/api/" + "webhooks/123456789012345678/" + _LONG[:68],
    "telegram-bot-api-token": "123456789:" + "AA" + _LONG[:33],
    "pypi-upload-token": "pypi-" + "AgEIcHlwaS5vcmc" + _LONG[:70],
    "npm-access-token": "npm_" + _LONG[:36],
    "rubygems-api-token": "rubygems_" + _HEX[:48],
    "docker pat": "dckr_pat_" + _WORD[:27],
    "huggingface-access-token": "hf_" + _LONG[:34],
    "huggingface-organization-api-token": "api_org_" + _LONG[:34],
    "replicate": "r8_" + _LONG[:37],
    "gcp-api-key": "AIza" + _LONG[:35],
    "google oauth secret": "GOCSPX-" + _WORD[:28],
    "digitalocean-pat": "dop_v1_" + _HEX,
    "databricks-api-token": "dapi" + _HEX[:32],
    "doppler-api-token": "dp.pt." + _LONG[:43],
    "vault-service-token": "hvs." + _LONG[:90],
    "hashicorp-tf-api-token": _WORD[:14] + ".atlasv1." + _LONG[:66],
    "shopify-access-token": "shpat_" + _HEX[:32],
    "square-access-token": "sq0atp-" + _WORD[:22],
    "planetscale-password": "pscale_pw_" + _LONG[:43],
    "sentry-user-token": "sntryu_" + _HEX,
    "grafana-service-account-token": "glsa_" + _WORD[:32] + "_" + _HEX[:8],
    "atlassian-api-token": "ATATT3" + _LONG + _LONG,
    "flyio-access-token": "fo1_" + _LONG[:43],
    "jwt": "eyJhbGciOiJI" + "UzI1NiJ9.eyJzdWIiOiIxIn0." + _WORD,
    "aws-access-token": "AKIA" + "QYLPMN5HHHFPZAM2",
    "openai-api-key": "sk-" + "proj-" + _LONG[:74] + "T3BlbkFJ" + _LONG[:74],
    "anthropic-api-key": "sk-ant-" + "api03-" + _LONG[:93] + "AA",
    "stripe-access-token": "sk_test_" + _WORD[:24],
    "stripe webhook": "whsec_" + _WORD,
    "groq": "gsk_" + _LONG[:52],
    "xai": "xai-" + _LONG[:80],
    "perplexity-api-key": "pplx-" + _LONG[:48],
    "sendgrid-api-token": "SG." + _WORD[:22] + "." + _LONG[:43],
    "mailgun-private-api-token": "key-" + _HEX[:32],
    "mailchimp-api-key": _HEX[:32] + "-us12",
    "twilio-api-key": "SK" + _HEX[:32],
    "linear-api-key": "lin_api_" + _LONG[:40],
    "notion-api-token": "ntn_" + _LONG[:43],
    "postman-api-token": "PMAK-" + _HEX[:24] + "-" + _HEX[:34],
    "new-relic-user-api-key": "NRAK-" + "ABCDEFGHIJKLMNOPQRSTUVWXYZ1",
    "heroku-api-key-v2": "HRKU-" + _LONG[:60],
    "artifactory-api-key": "AKCp" + _LONG[:69],
    "generic-api-key, DB_PASSWORD": "DB_PASSWORD=hunter2",
    "generic-api-key, MY_API_KEY": "MY_API_KEY=" + _WORD[:24],
    "generic-api-key, GITHUB_TOKEN": "GITHUB_TOKEN: " + _WORD[:24],
    "generic-api-key, quoted": 'export AWS_SECRET_ACCESS_KEY="wJalrXUtnFEMI/'
    'K7MDENG/bPxRfiCYzzzzzzzzzz"',
    "generic-api-key, camel case": '"clientSecret": "' + _WORD[:24] + '"',
    "generic-api-key, numbered": "token_2 = " + _WORD[:24],
    "generic-api-key, hexadecimal": "signing key: " + _HEX[:32],
    "generic-api-key, key alone": "key=" + _HEX,
    "generic-api-key, said": "The password is Tr0ub4dor&3xyz.",
    "azure storage": "AccountKey=" + (_LONG * 2)[:86] + "==",
    "detect-secrets basic auth": "postgres://loom:s4ltgl4ss@localhost/world",
    "redis without a user": "redis://:" + _WORD[:12] + "@localhost:6379/0",
    "curl-auth-header": "Authorization: Bearer " + _WORD,
}


@pytest.mark.parametrize("rule", _BY_RULE)
def test_what_public_rules_look_for_is_held(rule: str) -> None:
    assert secrets_in(_BY_RULE[rule])
    assert secrets_in(f"Mara noted it down ({_BY_RULE[rule]}) before the ferry left.")


def test_no_line_of_the_documentation_is_taken_for_a_key() -> None:
    root = Path(__file__).parents[2]
    pages = [*root.glob("*.md"), *(root / "docs").rglob("*.md")]
    lines = [line for page in pages for line in page.read_text("utf-8").splitlines()]
    assert len(lines) > 1000
    held = [line for line in lines if secrets_in(line)]
    # The transcript of the agent's door shows how a key is held: an issuer's published example.
    assert [line for line in held if "AKIA" + "IOSFODNN7EXAMPLE" not in line] == []


@pytest.mark.parametrize(
    "text",
    [
        "The password to the tower is the name of the sea.",
        "Token: the glass coin that pays the toll at Wend Gate.",
        "Password: saltglass-cartographers",
        "Password: SaltglassCartographers.",
        "Her secret: she never learned left from right.",
        "skein-dyers and task-masters of the harbour",
        "DB_PASSWORD=<your password>, or ${DB_PASSWORD}; MY_API_KEY=changeme-first",
        "Her password is the-name-of-the-sea; the token is passed on.",
        "API key: see https://example.org/docs/keys?v=2 for how it is made",
        "A pass: three days from Wend-Gate-4 to the sea.",
        "Monkey: a thief who opens every lock; keys: 1887, 1888 and 1889",
        "postgres://user:password@localhost/world",
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
