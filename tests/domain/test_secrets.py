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
    "1password-service-account-token": "ops_" + "eyJ" + _LONG * 2,
    "1password-secret-key": "A3-" + "ABC123-ABCDEFGHIJK-ABCDE-FGHIJ-KLMNO",
    "airtable-personal-access-token": "pat" + _WORD[:14] + "." + _HEX,
    "alibaba-access-key-id": "LTAI" + _WORD[:20],
    "artifactory-reference-token": "cmVmd" + _LONG[:59],
    "atlassian bitbucket": "ATBB" + _WORD,
    "aws-amazon-bedrock-api-key-long-lived": "ABSK" + _LONG[:109],
    "azure-ad-client-secret": "aB3" + "8Q~" + _WORD,
    "clojars-api-token": "CLOJARS_" + (_HEX * 2)[:60],
    "defined-networking-api-token": "dnkey-" + _HEX[:26] + "-" + _HEX[:52],
    "duffel-api-token": "duffel_test_" + _LONG[:43],
    "dynatrace-api-token": "dt0c01." + "ABCDEFGH" * 3 + "." + "ABCDEFGH" * 8,
    "easypost-api-token": "EZAK" + _LONG[:54],
    "endorlabs-api-key": "endr+" + _WORD[:16],
    "facebook-page-access-token": "EAAM" + _LONG[:100],
    "flutterwave-secret-key": "FLWSECK_" + "TEST-" + _HEX[:32],
    "flyio-access-token, macaroon": "fm2_" + _LONG[:110],
    "frameio-api-token": "fio-u-" + _LONG[:64],
    "gitlab-feature-flag-client-token": "glffct-" + _WORD[:20],
    "gitlab-rrt": "GR1348941" + _WORD[:20],
    "grafana-cloud-api-token": "glc_" + _WORD,
    "infracost-api-token": "ico-" + _WORD,
    "intra42-client-secret": "s-s4t2ud-" + _HEX,
    "maxmind-license-key": _WORD[:6] + "_" + _WORD[:29] + "_mmk",
    "new-relic-insert-key": "NRII-" + _WORD,
    "nuget": "oy2" + _HEX[:43],
    "octopus-deploy-api-key": "API-" + "ABCDEFGHIJKLM" * 2,
    "openshift-user-token": "sha256~" + _LONG[:43],
    "plaid-api-token": "access-" + "sandbox-12345678-1234-1234-1234-123456789abc",
    "prefect-api-token": "pnu_" + _LONG[:36],
    "pulumi-api-token": "pul-" + _HEX[:40],
    "readme-api-token": "rdme_" + (_HEX * 2)[:70],
    "sendinblue-api-token": "xkeysib-" + _HEX + "-" + _WORD[:16],
    "settlemint-application-access-token": "sm_aat_" + _WORD[:16],
    "shippo-api-token": "shippo_" + "live_" + _HEX[:40],
    "sonar-api-token": "squ_" + _HEX[:40],
    "sourcegraph-access-token": "sgp_" + _HEX[:16] + "_" + _HEX[:40],
    "tailscale": "tskey-auth-" + _WORD[:10] + "-" + _WORD[:20],
    "twitter-bearer-token": "A" * 22 + _LONG[:80],
    "typeform-api-token": "tfp_" + _LONG[:59],
    "yandex-api-key": "AQVN" + _LONG[:35],
    "yandex-access-token": "t1." + _WORD + "." + _LONG[:86],
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


TOLD = """\
My password for the wiki is hunter2-Correct!Horse
my password for the wiki is hunter2
password hunter2-Correct!Horse
pw hunter2!
pwd=hunter2
passphrase = correct horse battery staple
passphrase: correct-horse-7-battery
login root / pw toor
login: root / pw: toor
user admin, password: letmein
Username: mara; password: swordfish
user=root | pass=xyz
The wiki password is swordfish.
Our Netflix password is \u201cblue whale\u201d.
The password for the router was changed, it is now Tr0ub4dor
The password is now gR7!kkpl.
The passcode is Zx9!kk2
password -> hunter22
My PIN is 4821.
Das Passwort lautet Sommer2024!
Das Passwort f\u00fcr den Server lautet sonnenblume.
Das Kennwort lautet: Hase!7bau
Mein WLAN-Passwort ist Hase4711.
Das WLAN-Passwort ist sonnenblume.
Passwort: Geheim123
Meine PIN lautet 4821
Benutzer: mara / Passwort: sonne
Le mot de passe du wiki est Soleil99!
Le mot de passe du wifi est soleil.
mot de passe : Soleil99!
mdp: Soleil99
La contrase\u00f1a del wifi es Luna2020""".splitlines()

HARMLESS = """\
The password was swordfish in the tale.
Nobody knows the password of the gate.
The password for the gate is mellon.
The password of the portal is the name of a friend.
The password is spoken at dusk.
The password was changed in 2024.
The password is 3 words long.
The password is in chapter-12.
The password of the 21st-century is trust.
She forgot the password and the login.
My password is lost.
The wiki password is forgotten.
The wiki password is required.
The server is down and the password is unknown.
login as user root, password required
user Mara and password rules
Passwords are for cowards, said Orrin.
Password: the first word of the song
Passphrase of the guild: spoken backwards, never written
Das Passwort war Schwertfisch.
Das Passwort ist vergessen.
Das Passwort f\u00fcr den Turm ist der Name des Meeres.
Kein Kennwort \u00f6ffnet das Tor.
Le mot de passe est perdu.
Le mot de passe de la tour est le nom de la mer.
La contrase\u00f1a es secreta.
The pin is on the fridge.
The pin is 1234 years old.
PIN the map to the wall.
She pinned 4821 stars to the ceiling.
The token opens the gate of Wend.
A key: brass, with 3 teeth, for the 2nd door
The secret is that the sea has no floor.
The keeper counts 4111 steps, 1111 stones and 2222 gulls.
The code of the lamps is long-short-long.
Year 1312, 14 03, 22 07: the ferry was late.
The toll is 4000 1234 crowns, paid in salt.
Chapter 12345678901234567 does not exist.
DE is the code of Germany, GB of Britain; AT22 is a gate.
The bank of the river is under water.
Her login name is Mara.
The account of the siege is in book 2.
He passes words to the guard in the night.
Ship registry 1234 5678 1234 5678, moored at Wend
ISBN 978-3-16-148410-0 is the atlas.""".splitlines()


@pytest.mark.parametrize("line", TOLD)
def test_a_password_told_in_a_sentence_is_noticed(line: str) -> None:
    assert secrets_in(line) == (SecretKind.PASSWORD,)
    said = secrets_in(f"The ferry left. {line}\nMara noted it down.")
    assert said == (SecretKind.PASSWORD,)


@pytest.mark.parametrize("line", HARMLESS)
def test_tales_tell_of_passwords_too(line: str) -> None:
    assert secrets_in(line) == ()


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Card 4111 1111 1111 1111, 12/27", (SecretKind.CARD_NUMBER,)),
        ("4111111111111111", (SecretKind.CARD_NUMBER,)),
        ("5555-5555-5555-4444", (SecretKind.CARD_NUMBER,)),
        ("amex 378282246310005.", (SecretKind.CARD_NUMBER,)),
        ("4111 1111 1111 1112", ()),
        ("1111 1111 1111 1117", ()),
        ("14111 1111 1111 11112", ()),
        ("IBAN DE89 3704 0044 0532 0130 00 of the guild", (SecretKind.BANK_ACCOUNT,)),
        ("de89370400440532013000", (SecretKind.BANK_ACCOUNT,)),
        ("GB82 WEST 1234 5698 7654 32.", (SecretKind.BANK_ACCOUNT,)),
        ("FR14 2004 1010 0505 0001 3M02 606", (SecretKind.BANK_ACCOUNT,)),
        ("DE89 3704 0044 0532 0130 01", ()),
        ("XX89 3704 0044 0532 0130 00", ()),
    ],
)
def test_numbers_of_cards_and_accounts_are_known_by_their_check_digits(
    text: str, kinds: tuple[SecretKind, ...]
) -> None:
    assert secrets_in(text) == kinds


def test_each_kind_is_named_once() -> None:
    one = "AKIA" + "IOSFODNN7EXAMPLE"
    assert secrets_in(f"{one} and {one}") == (SecretKind.API_KEY,)
