"""The seal of requestState: what comes back changed, late, elsewhere or twice is refused."""
import base64
import json

import pytest

from mcplite.asking.sealing import (
    STATE_LIMIT,
    USED_LIMIT,
    Sealer,
    StateError,
    digest_json,
    digest_request,
    encode_base64url,
)

KEY = b"0123456789abcdef"
REQUEST = digest_request("tools/call", {"name": "order", "arguments": {"n": 1}}, "shop")
CONTENT = {"asked": {"q1": "d"}, "answers": {}, "kept": {"paid": 7}}


class Clock:
    now = 1000.0

    def __call__(self):
        return self.now


def numbers():
    count = 0

    def random_bytes(size):
        nonlocal count
        count += 1
        return count.to_bytes(size, "big")
    return random_bytes


def new_sealer(key=KEY, seconds=60.0, clock=None, random_bytes=None):
    return Sealer(key, seconds, clock or Clock(), random_bytes or numbers())


def refuse(sealer, state, request=REQUEST):
    with pytest.raises(StateError) as caught:
        sealer.unseal(state, request)
    return str(caught.value)


def test_what_was_sealed_comes_back():
    sealer = new_sealer()
    content = sealer.unseal(sealer.seal(CONTENT, REQUEST), REQUEST)
    assert {name: content[name] for name in CONTENT} == CONTENT


def test_the_state_is_url_safe_ascii_and_names_its_format():
    state = new_sealer().seal({"text": "ÿ\u2028\U0001f600" * 30}, REQUEST)
    assert state.startswith("m1.")
    assert set(state) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")


def test_another_process_with_the_same_key_reads_it():
    assert new_sealer().unseal(new_sealer().seal(CONTENT, REQUEST), REQUEST)["kept"] == {"paid": 7}


def test_another_key_does_not():
    state = new_sealer().seal(CONTENT, REQUEST)
    assert refuse(new_sealer(b"another key, 16+"), state) == "requestState is none of this server's, or was changed"


def test_every_changed_character_is_noticed():
    sealer = new_sealer()
    state = sealer.seal(CONTENT, REQUEST)
    for place in range(len(state)):
        changed = state[:place] + ("A" if state[place] != "A" else "B") + state[place + 1:]
        assert refuse(sealer, changed).startswith("requestState is none of this server's"), changed


def test_every_truncation_is_noticed():
    sealer = new_sealer()
    state = sealer.seal(CONTENT, REQUEST)
    for length in range(len(state)):
        assert refuse(sealer, state[:length]).startswith("requestState is none of this server's")
        assert refuse(sealer, state[length + 1:] or ".").startswith("requestState is none of this server's")


def test_other_spellings_of_the_seal_are_refused():
    """base64 has spare bits and padding: only the one spelling that was written is taken."""
    sealer = new_sealer()
    state = sealer.seal(CONTENT, REQUEST)
    for other in (state + "=", state + "==", state + "A", state + " ", state + "\n", state.replace("m1.", "m1..")):
        assert refuse(sealer, other).startswith("requestState is none of this server's")


def test_content_written_by_somebody_else_is_refused():
    forged = json.dumps(dict(CONTENT, number="x", request=REQUEST, expires=9e9)).encode()
    body = "m1." + encode_base64url(forged)
    for state in (body, body + ".", body + "." + encode_base64url(b"0" * 32)):
        assert refuse(new_sealer(), state).startswith("requestState is none of this server's")


@pytest.mark.parametrize("garbage", [
    "", ".", "..", "m1", "m1.", "m1..", "a.b.c", "m1.é.ü", "m2.aa.bb", "\ud800", "m1." + "A" * 100])
def test_garbage_is_refused(garbage):
    assert refuse(new_sealer(), garbage).startswith("requestState is none of this server's")


@pytest.mark.parametrize("value", [None, 1, True, [], {}, 1.5, b"m1.a.b"])
def test_what_is_no_string_is_refused(value):
    assert refuse(new_sealer(), value) == "requestState must be a string"


def test_a_state_that_is_too_long_is_refused_unread():
    assert refuse(new_sealer(), "m1." + "A" * (STATE_LIMIT + 200) + ".x") == "requestState is none of this server's"


def test_a_state_that_would_be_too_long_is_not_made():
    with pytest.raises(StateError, match=r"^answers and once\(\) results are too much to keep: \d+ characters, at most 4194304$"):
        new_sealer().seal({"kept": "x" * STATE_LIMIT}, REQUEST)


def test_it_is_good_to_its_last_moment_and_no_longer():
    clock = Clock()
    sealer = new_sealer(seconds=60, clock=clock)
    state = sealer.seal(CONTENT, REQUEST)
    clock.now = 1060.0
    assert sealer.unseal(state, REQUEST)
    clock.now = 1060.001
    assert refuse(sealer, state) == "requestState has expired: send the request again without it"


def test_it_belongs_to_its_request():
    sealer = new_sealer()
    state = sealer.seal(CONTENT, REQUEST)
    for other in (digest_request("tools/call", {"name": "order", "arguments": {"n": 2}}, "shop"),
                  digest_request("tools/call", {"name": "other", "arguments": {"n": 1}}, "shop"),
                  digest_request("prompts/get", {"name": "order", "arguments": {"n": 1}}, "shop"),
                  digest_request("tools/call", {"name": "order", "arguments": {"n": 1}}, "bank"),
                  digest_request("tools/call", {"name": "order"}, "shop")):
        assert refuse(sealer, state, other) == "requestState belongs to another request"


def test_what_differs_between_rounds_is_not_part_of_the_request():
    params = {"name": "order", "arguments": {"n": 1}, "_meta": {"progressToken": 5}, "requestState": "x",
              "inputResponses": {"q1": {}}}
    assert digest_request("tools/call", params, "shop") == REQUEST


def test_a_used_state_is_refused():
    sealer = new_sealer()
    state = sealer.seal(CONTENT, REQUEST)
    sealer.use(sealer.unseal(state, REQUEST)["number"])
    assert refuse(sealer, state) == "requestState was used already: send the request again without it"


def test_the_memory_of_used_states_is_bounded():
    sealer = new_sealer()
    for number in range(USED_LIMIT + 5):
        sealer.use(str(number))
    assert len(sealer.used) == USED_LIMIT
    assert "4" not in sealer.used and "5" in sealer.used and str(USED_LIMIT + 4) in sealer.used


def test_two_states_of_the_same_content_differ():
    sealer = new_sealer()
    assert sealer.seal(CONTENT, REQUEST) != sealer.seal(CONTENT, REQUEST)


def test_equal_json_has_equal_digests():
    assert digest_json({"b": [1, {"y": 2.0, "x": None}], "a": -0.0}) == digest_json({"a": 0, "b": [1.0, {"x": None, "y": 2}]})


@pytest.mark.parametrize("one, other", [
    ({"a": 1}, {"a": True}), ({"a": 1}, {"a": "1"}), ({"a": None}, {}), ([1, 2], [2, 1]), ([[1], 2], [1, [2]]), ("", None),
    ({"a": 1.5}, {"a": 1}), ({"a": {"b": 1}}, {"a": 1, "b": 1}), (0, False)])
def test_other_json_has_other_digests(one, other):
    assert digest_json(one) != digest_json(other)


def test_a_value_too_deep_for_a_digest_is_a_value_error():
    deep = []
    for _ in range(100000):
        deep = [deep]
    with pytest.raises(ValueError, match="^nested too deeply"):
        digest_json(deep)


def test_the_seal_is_hmac_sha256_over_purpose_and_text():
    import hashlib
    import hmac

    state = new_sealer().seal(CONTENT, REQUEST)
    signed, seal = state.rsplit(".", 1)
    expected = hmac.new(KEY, b"mcplite requestState " + signed.encode(), hashlib.sha256).digest()
    assert base64.urlsafe_b64decode(seal + "=") == expected
