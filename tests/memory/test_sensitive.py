# ruff: noqa: E501
"""Secrets and personal data: found by form and checksum, and their look-alikes left alone."""

from __future__ import annotations

import random
import string
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.checksums import chinese_identity, iban, luhn, verhoeff
from memory.sensitive import find_sensitive, mask
from tests.memory.private_values import FIRST, FIRST_ALIKE, SECOND, SECOND_ALIKE

_NUMBERS = random.Random(20261101)


def _from(alphabet: str, length: int) -> str:
    return "".join(_NUMBERS.choice(alphabet) for _ in range(length))


_WORD = string.ascii_letters + string.digits
_HEX = "0123456789abcdef"

CARD_VALUES = [
    "4111111111111111", "4111-1111-1111-1111", "5555 5555 5555 4444", "378282246310005", "6011111111111117",
    "3530111333300000", "3782 822463 10005", "4526018159083012", "4661 3186 0913 9090", "5378657975432311",
    "5394-8757-4911-8624", "2221971147104971", "374650752917039", "6268599528907863", "6266617603137215908",
    "6521109281590139",
]  # fmt: skip
IBANS = [
    "DE89370400440532013000", "DE89 3704 0044 0532 0130 00", "GB82WEST12345698765432", "GB82 WEST 1234 5698 7654 32",
    "FR1420041010050500013M02606", "FR14 2004 1010 0505 0001 3M02 606", "NL91ABNA0417164300", "CH9300762011623852957",
    "ES9121000418450200051332", "AE070331234567890123456", "NO9386011117947", "BE68 5390 0754 7034",
]  # fmt: skip
SSNS = [
    "219-09-9999",
    "078-05-1120",
    "SSN 536 22 1234",
    "Social Security Number: 457555462",
    "899-45-6789",
    "001-01-0001",
]
AADHAARS = [
    "9999 4105 7058",
    "824595711771",
    "9741 2154 7285",
    "238528084143",
    "2385-2808-4143",
    "563387500478",
    "639575513135",
]
PANS = ["ABCPE1234F", "AAACB5343E", "BNZPM2501F", "AAAFG7777K", "AFZPK7190K"]
CHINESE = [
    "11010519491231002X", "110105194912317619", "440308198511179694", "310101200002290867", "510104199207047423",
    "330106197803151622", "420111199909091746", "11010519491231002x",
]  # fmt: skip
PHONES = [
    "+1 415 555 2671", "+14155552671", "(415) 555-2671", "415-555-2671", "415.555.2671", "1-800-356-9377",
    "+44 20 7946 0958", "+44 (20) 7946 0958", "07700 900123", "+91 98765 43210", "+919876543210", "98765 43210",
    "09876543210", "+86 138 1234 5678", "13812345678", "138-1234-5678", "139 1234 5678", "电话：010-62345678",
    "+49 30 901820", "+33 6 12 34 56 78", "call 9876543210", "phone: 022 2765 4321", "Mobile no. 8045671239",
    "+61 2 9374 4000", "+81 3-3224-9999", "+971 50 123 4567", "+55 11 91234-5678", "手机 15912345678",
]  # fmt: skip
EMAILS = [
    "ana@example.com", "first.last+tag@sub.example.co.uk", "o_neil-99@mail.example.org", "李雷 lilei@qq.com",
    "write to CEO@STARTUP.IO today", "<ben@fund.vc>", "(cfo@acme.in)", "mailto:info@acme.de", "a@b.co", "x.y@z-1.dev",
    "team@payments.app,", "founder@paisa.money;", "“hello@moss.cn”", "name%dept@corp.com",
]  # fmt: skip
URL_PASSWORDS = [
    "postgres://app:S3cr3tPw9@db.internal:5432/main", "https://ana:hunter22@example.com/x", "redis://:p4ssw0rd!x@cache:6379/0",
    "mongodb+srv://root:Zx81kk@cluster0.abc.mongodb.net", "amqp://guest:gu3st0@mq:5672", "mysql://u:a%40b9@10.0.0.5/db",
    "ftp://deploy:Winter2024@files.example.com", "smtp://bot:K9-mail@smtp.example.com:587",
]  # fmt: skip
ASSIGNED = [
    'password = "Tr0ub4dor&3x"', "PASSWORD='c0rrecthorse7'", 'api_key: "9f8e7d6c5b4a39281706"', "password is Winter2024!",
    "密码：Abc12345678", '"client_secret": "Gq7x-PpL2mN9"', "pwd: s3cr3tpass99", 'auth_token = "a1b2c3d4e5f6a7b8"',
]  # fmt: skip
KEYS = [
    "AKIA" + _from("ABCDEFGHJKLMNPQRSTUVWXYZ234567", 16), "ASIA" + _from("ABCDEFGHJKLMNPQRSTUVWXYZ234567", 16),
    "ghp_" + _from(_WORD, 36), "gho_" + _from(_WORD, 36), "ghs_" + _from(_WORD, 36),
    "github_pat_" + _from(_WORD, 22) + "_" + _from(_WORD, 59), "glpat-" + _from(_WORD, 20),
    "sk-" + _from(_WORD, 48), "sk-proj-" + _from(_WORD + "_-", 60) + "a", "sk-ant-api03-" + _from(_WORD + "_-", 92) + "A",
    "sk-or-v1-" + _from(_HEX, 64), "gsk_" + _from(_WORD, 52), "hf_" + _from(string.ascii_letters, 34),
    "AIza" + _from(_WORD + "_", 34) + "b", "GOCSPX-" + _from(_WORD, 28), "sk_live_" + _from(_WORD, 24), "rk_live_" + _from(_WORD, 24),
    "sk_test_" + _from(_WORD, 24), "xoxb-" + _from(string.digits, 12) + "-" + _from(_WORD, 24), "xoxp-" + _from(_WORD, 40),
    "npm_" + _from(_WORD, 36), "pypi-AgE" + _from(_WORD, 80), "SG." + _from(_WORD, 22) + "." + _from(_WORD, 43),
    "SK" + _from(_HEX, 32), _from(_HEX, 32) + "-us12", "dop_v1_" + _from(_HEX, 64), "shpat_" + _from(_HEX, 32),
    "dckr_pat_" + _from(_WORD, 27), "hvs." + _from(_WORD, 90), "rzp_live_" + _from(_WORD, 14), "LTAI" + _from(_WORD, 20),
    "AKID" + _from(_WORD, 32), _from("123456789", 9) + ":AA" + _from(_WORD, 33), "xai-" + _from(_WORD, 80),
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0." + _from(_WORD + "-_", 42) + "x",
    "aws_secret_access_key = " + _from(_WORD + "/+", 40), "AccountKey=" + _from(_WORD + "/+", 86) + "==",
    "https://hooks.slack.com/services/" + "T" + _from(_WORD.upper()[:30], 9) + "/B" + _from("ABCDEFGH123", 9) + "/" + _from(_WORD, 24),
    "whsec_" + _from(_WORD, 32), "ya29." + _from(_WORD, 60), "key-" + _from(_HEX, 32), "sq0atp-" + _from(_WORD, 22),
]  # fmt: skip
PRIVATE = [
    f"-----BEGIN {kind}PRIVATE KEY-----\n{_from(_WORD, 64)}\n{_from(_WORD, 30)}==\n-----END {kind}PRIVATE KEY-----"
    for kind in ("RSA ", "EC ", "", "OPENSSH ", "ENCRYPTED ")
] + ["-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQOYBF" + _from(_WORD, 50), "-----BEGIN RSA PRIVATE KEY-----\nMIIEow"]

TRUE = [
    *CARD_VALUES, *IBANS, *SSNS, *AADHAARS, *PANS, *CHINESE, *PHONES, *EMAILS, *URL_PASSWORDS, *ASSIGNED, *KEYS, *PRIVATE,
]  # fmt: skip

LOOK_ALIKES = [
    # numbers that fail their checksum or belong to no issuer
    "4111111111111112", "5555 5555 5555 4445", "1234567890123456", "9999999999999999", "0000 0000 0000 0000",
    "7111111111111111", "378282246310006", "DE89370400440532013001", "GB82WEST12345698765433", "XX89370400440532013000",
    "NL91ABNA0417164301", "FR1420041010050500013M02607", "9999 4105 7059", "824595711772", "123456789012", "0999 4105 7058",
    "110105194912310021", "110105194913310027", "440308198511179695", "000-12-3456", "666-12-3456", "912-34-5678",
    "123-00-4567", "123-45-0000", "ABCDE1234F", "ABCXE1234F", "abcpe1234f", "ABCPE12345",
    # identifiers and codes
    "550e8400-e29b-41d4-a716-446655440000", "d41d8cd98f00b204e9800998ecf8427e", "8199be6f699a395f99f89df973f9dc5285fbcfcd",
    "order 20231105123456", "invoice INV-2022-0001937", "ticket JIRA-12345", "CVE-2021-44228", "CWE-89", "RFC 7231",
    "ISBN 978-3-16-148410-0", "978-0-13-468599-1", "EAN 4006381333931", "tracking 1Z999AA10123456784", "VIN 1HGCM82633A004352",
    "build 20240131.4", "v1.2.3-rc.4", "10.0.19045.3570", "commit 30b7764", "sha256:4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "urn:isbn:0451450523", "A1B2-C3D4-E5F6", "SKU 4417-1234-5678", "MAC 00:1A:2B:3C:4D:5E", "port 54321", "HTTP 404-500-503",
    # dates, times, amounts, ranges, measures
    "2019-2023", "2022-11-30 12:45:10", "20221130124510", "1700000000", "1700000000000", "2022-11-30T12:45:10.123Z",
    "1,234,567,890", "$12,345,678.90", "₹50,00,000", "3.14159265358979", "12345678.1234", "0.0000123456789",
    "100-200-3000", "13800000 users", "13812345678 rows", "¥13812345678", "400,000 users in 18 months", "1e-10",
    "24/7", "9-5", "1990-1991-1992", "GPS 51.5074, -0.1278", "52.5200066, 13.4049540", "100%", "x=12345678901",
    "2147483647", "9223372036854775807", "4294967296", "0xDEADBEEF12345678", "1 000 000 000", "Q3 2022 - Q4 2023",
    "12-34-5678", "1234-56-789", "12/31/2022", "31.12.2022", "192.168.100.200", "255.255.255.0", "2001:db8::8a2e:370:7334",
    "room 415-555", "pages 100-250", "ratio 1:1000000", "id=9876543210", "#9876543210", "uid 9876543210", "98765432100",
    # at signs that are no addresses
    "@app.route('/login')", "git@github.com:org/repo.git", "lodash@4.17.21", "logo@2x.png", "icon@3x.jpg", "user@localhost",
    "@media (max-width: 600px)", "foo@bar", "@Override", "a @ b", "price @ 5.00", "@types/node@20.1.0", "x@y.z1",
    "docker.io/image@sha256:abc", "Meet @ana.lee on Friday", "matrix A@B.T", "npm i react@latest", "user@", "@example.com",
    # addresses, connections and settings without a secret
    "https://example.com:8080/path@2x", "postgres://localhost:5432/main", "postgres://app@db/main", "http://user@host/x",
    "redis://cache:6379", "postgres://user:${DB_PASSWORD}@db/main", "https://user:<password>@host", "mysql://user:password@host/db",
    "amqp://u:%PASS%@mq", "http://a:b/c", "password = os.environ['PASSWORD']", "password: required", "password = getpass()",
    'password = ""', "password: str", 'password = "your-password-here"', 'api_key = "YOUR_API_KEY"', "token = None",
    "reset your password here", "the password was too short", "password_hash = bcrypt.hash(password)", 'token = "csrf_token"',
    "secret sauce: great service", 'pwd = "changeme"', "api_key=settings.api_key", "Bearer <token>", "the passphrase is long",
    # keys that are no keys
    "sk-learn", "sk-xxxxxxxxxxxxxxxxxxxxxxxx", "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "AKIA1234", "sk_live_...",
    "gsk_your_key_here", "hf_transfer", "xoxb-your-token", "npm_config_registry", "AIzaSy...", "eyJhbGciOiJIUzI1NiJ9",
    "-----BEGIN PUBLIC KEY-----\nMIIBIjANBg\n-----END PUBLIC KEY-----", "-----BEGIN CERTIFICATE-----\nMIID\n-----END CERTIFICATE-----",
    "task-based", "risk-adjusted-return-on-capital", "ask-me-anything", "SG.1", "key-value", "AccountKey", "rk_test",
    "https://hooks.slack.com/services/", "disk-usage-monitoring-dashboard", "pypi-server", "shpat_token",
]  # fmt: skip


def test_the_sets_are_large_enough() -> None:
    assert len(set(TRUE)) >= 150
    assert len(set(LOOK_ALIKES)) >= 150


def test_recall_and_precision_over_true_values_and_look_alikes() -> None:
    sentences = ("{}", "It says {} in the deck.", "x = {}\ny = 1", "请看 {} 。")
    missed = [(shape, value) for value in TRUE for shape in sentences if not find_sensitive(shape.format(value))]
    false = [(shape, value) for value in LOOK_ALIKES for shape in sentences if find_sensitive(shape.format(value))]
    true_finds = len(TRUE) * len(sentences) - len(missed)
    recall = true_finds / (len(TRUE) * len(sentences))
    precision = true_finds / (true_finds + len(false))
    assert recall >= 0.98, missed
    assert precision >= 0.95, false


@pytest.mark.parametrize(("true", "alike"), [(FIRST, FIRST_ALIKE), (SECOND, SECOND_ALIKE)])
def test_recall_and_precision_over_two_sets_of_many_kinds_in_prose_tables_and_code(
    true: dict[str, list[str]], alike: list[str]
) -> None:
    shapes = ("{}", "We wrote down {} in the notes.", "| name | {} |", "x = '{}'", "请看{}。")

    def found(value: str) -> list[str]:
        fits = [shape for shape in shapes if "'" not in shape or not set("'\n") & set(value)]
        return [shape for shape in fits if find_sensitive(shape.format(value))]

    missed = {(kind, value) for kind, values in true.items() for value in values if len(found(value)) < len(shapes) - 1}
    false = {value for value in alike if found(value)}
    total = sum(map(len, true.values()))
    assert min(total, len(alike)) >= 150
    assert 1 - len(missed) / total >= 0.98, missed
    assert (total - len(missed)) / (total - len(missed) + len(false)) >= 0.95, false
    assert all(len([it for it in missed if it[0] == kind]) <= 1 for kind in true), missed


def test_digits_of_other_scripts_and_widths_are_read_and_masked_in_place() -> None:
    assert mask("手机１３９１２３４５６７８，卡号４１１１１１１１１１１１１１１１") == (
        "手机[phone number]，卡号[card number]",
        ("phone number", "card number"),
    )


def test_masking_names_what_was_there_and_leaves_the_rest() -> None:
    text = "Ana (ana@example.com, +91 98765 43210) paid with 4111 1111 1111 1111; db postgres://app:S3cr3tPw9@db/main."
    masked, names = mask(text)
    assert masked == (
        "Ana ([e-mail address], [phone number]) paid with [card number]; db postgres://app:[password]@db/main."
    )
    assert names == ("e-mail address", "phone number", "card number", "password")


@given(st.text(max_size=400))
def test_masking_twice_changes_nothing_and_leaves_nothing(text: str) -> None:
    masked, _ = mask(text)
    assert mask(masked)[0] == masked


@pytest.mark.parametrize(
    "hostile",
    [
        "1" * 20_000,
        "a@" * 10_000,
        "+1 (" * 5_000,
        "x://" + ":" * 20_000,
        "-----BEGIN PRIVATE KEY-----" * 300,
        "A1" * 10_000,
        "password: " * 2_000,
        "eyJ" * 6_000,
        "tel " * 5_000,
        "a." * 10_000 + "@",
    ],
)
def test_hostile_text_takes_no_time(hostile: str) -> None:
    start = time.process_time()
    find_sensitive(hostile)
    assert time.process_time() - start < 2


def test_checksums_refuse_each_single_changed_digit() -> None:
    for right, check in (
        ("4111111111111111", luhn),
        ("999941057058", verhoeff),
        ("11010519491231002X", chinese_identity),
    ):
        assert check(right)
        for place in range(len(right) - 1):
            changed = right[:place] + str((int(right[place]) + 1) % 10) + right[place + 1 :]
            assert not check(changed)
    assert iban("GB82 WEST 1234 5698 7654 32")
    assert not iban("GB82 WEST 1234 5698 7654 23")
