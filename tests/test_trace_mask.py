"""Secrets stay out of recordings, and what is no secret stays in."""
from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcplite.cli.trace.mask import MASKED, Masker
from mcplite.cli.trace.recording import new_line_record

SECRETS = ["api_key", "apiKey", "X-Api-Key", "OPENAI_API_KEY", "Authorization", "proxy-authorization", "password",
           "dbPassword", "passwd",
           "passphrase", "client_secret", "clientSecret", "secret", "private_key", "access_token", "refreshToken",
           "id_token", "token",
           "GITHUB_TOKEN", "SOME_KEY", "Cookie", "Set-Cookie", "credentials"]
NO_SECRETS = ["progressToken", "nextCursor", "cursor", "requestState", "maxTokens", "key", "tokenCount", "author",
              "keyboard", "secretary",
              "sessionId", "name", "io.modelcontextprotocol/protocolVersion"]


def mask_message(value, *names, defaults=True):
    text, count = Masker(names, defaults).mask_json(json.dumps(value), value)
    return json.loads(text), count


@pytest.mark.parametrize("key", SECRETS)
def test_values_under_names_of_secrets(key):
    assert mask_message({"a": [{key: "hush"}, {key: 12345}]}) == ({"a": [{key: MASKED}, {key: MASKED}]}, 2)


@pytest.mark.parametrize("key", NO_SECRETS)
def test_values_under_other_names(key):
    assert mask_message({"params": {key: "hush"}}) == ({"params": {key: "hush"}}, 0)


@pytest.mark.parametrize("value", [{"type": "string"}, ["a"], True, None, ""])
def test_a_schema_is_no_secret(value):
    assert mask_message({"properties": {"password": value}}) == ({"properties": {"password": value}}, 0)


@pytest.mark.parametrize("text, masked", [
    ("Authorization: Bearer abcdef123456", "Authorization: Bearer [masked]"),
    ("basic dXNlcjpwYXNzd29yZA==", "basic [masked]"),
    ("the key sk-abcdefghijklmnop1234 is", "the key [masked] is"),
    ("ghp_0123456789abcdefghij0123", "[masked]"),
    ("xoxb-1234567890-abc", "[masked]"),
    ("AKIAABCDEFGHIJKLMNOP", "[masked]"),
    ("eyJhbGciOiJI.eyJzdWIiOiIx.c2ln", "[masked]"),
    ("postgres://bob:hush@host/db", "postgres://bob:[masked]@host/db"),
    ("https://x/?api_key=hush&q=1", "https://x/?api_key=[masked]&q=1"),
    ("export DB_PASSWORD='hush'", "export DB_PASSWORD='[masked]'"),
    ('{"password": "hush"}', '{"password": "[masked]"}'),
    ('{\\"password\\": \\"hush\\"}', '{\\"password\\": \\"[masked]\\"}'),
    ("-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----",
     "-----BEGIN RSA PRIVATE KEY-----[masked]-----END RSA PRIVATE KEY-----"),
])
def test_secrets_in_text(text, masked):
    assert Masker().mask_text(text) == (masked, 1)
    assert mask_message({"text": text}) == ({"text": masked}, 1)


@pytest.mark.parametrize("text", [
    "password: the user's password", "a secret garden", "Basic understanding of tasks", "task-list of the disk-usage",
    "api key needed",
    "https://example.org/a@b", "mail me@example.org", "a = b", "progressToken=5", "the bearer of news",
])
def test_prose_stays(text):
    assert Masker().mask_text(text) == (text, 0)


def test_names_of_ones_own():
    value = {"sku": {"a": 1}, "SKU": [1], "x": "sku=5 sku: 7", "other": "sku"}
    assert mask_message(value,
                        "sku") == ({"sku": MASKED, "SKU": MASKED, "x": "sku=[masked] sku: [masked]", "other": "sku"}, 4)


def test_names_with_a_star():
    assert mask_message({"customerName": "a", "customer_id": 1, "name": "b"}, "customer*") == (
        {"customerName": MASKED, "customer_id": MASKED, "name": "b"}, 2)


def test_masking_can_be_turned_off():
    assert mask_message({"password": "hush", "x": "Bearer abcdef123456"},
                        defaults=False) == ({"password": "hush", "x": "Bearer abcdef123456"}, 0)
    assert mask_message({"password": "hush", "y": 1}, "y", defaults=False) == ({"password": "hush", "y": MASKED}, 1)


def test_request_state_is_needed_to_link_rounds():
    state = "eyJhbGciOiJI.eyJzdWIiOiIx.c2ln"
    assert mask_message({"requestState": state}) == ({"requestState": state}, 0)
    assert mask_message({"requestState": state}, "requestState") == ({"requestState": MASKED}, 1)


def test_escaped_keys_are_seen_through():
    text = '{"p\\u0061ssword":"hush"}'
    assert Masker().mask_json(text, json.loads(text)) == ('{"password":"[masked]"}', 1)


def test_command_lines():
    words = ["server", "--api-key", "hush", "--token=hush", "API_KEY=hush", "--verbose", "x", "-k", "--password",
             "--other"]
    assert Masker().mask_command(words) == [
        "server", "--api-key", MASKED, "--token=" + MASKED, "API_KEY=" + MASKED, "--verbose", "x", "-k", "--password",
        "--other"]


def test_lines_without_secrets_are_kept_to_the_letter():
    line = b'{ "b" : 1.0, "a":1e5, "a": "\xe2\x82\xac" }\n'
    assert new_line_record("host", line, len(line),
                           Masker()).encode() == b'"from":"host","bytes":%d,"message":' % len(line) + line[:-1]


def test_bad_utf8_with_a_secret_is_not_kept_as_base64():
    line = b"\xff password=hush\n"
    assert new_line_record("host", line, len(line),
                           Masker()) == r'"from":"host","bytes":16,"masked":1,"text":"\\xff password=[masked]"'


@settings(max_examples=200, deadline=None)
@given(st.recursive(st.one_of(st.none(), st.booleans(), st.floats(allow_nan=False), st.text()), lambda inner: st.one_of(
    st.lists(inner), st.dictionaries(st.one_of(st.text(), st.sampled_from(SECRETS)), inner)), max_leaves=15),
       st.text(max_size=10))
def test_the_result_is_json_and_holds_no_secret(value, name):
    masker = Masker([name] if name else [])
    masked = json.loads(masker.mask_json(json.dumps(value), value)[0])

    def check(part):
        if isinstance(part, dict):
            for key, item in part.items():
                assert not (masker.is_secret_name(key) and isinstance(item, str) and item not in ("", MASKED))
                check(item)
        elif isinstance(part, list):
            for item in part:
                check(item)
    check(masked)


@pytest.mark.parametrize("text", ["a" * 1000000, "a=" * 300000, "password" * 100000, "-" * 1000000,
                                  "://" + "a" * 1000000 + "@", "eyJ" + "a." * 300000,
                                  "Basic " + "a" * 500000, "Bearer " * 100000, "-----BEGIN PRIVATE KEY-----" * 2000])
def test_long_lines_take_linear_time(text):
    start = time.process_time()
    Masker(["x*y*z"]).mask_text(text)
    assert time.process_time() - start < 5
