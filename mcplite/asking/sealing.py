"""requestState: what a server keeps between the rounds of one request, carried by the client under a seal.

Here: sealing and opening a state, digests of requests and questions, the memory of states that were used. Not here:
what is in a state and when one is made (``rounds``). Pure: key, clock and randomness are arguments.

Pages: basic/patterns/mrtr of 2026-07-28 ("Server Requirements", "Security Considerations"); RFC 2104, RFC 4648.

The text: ``m1.`` + content + ``.`` + HMAC-SHA256 of all before it, both base64url without padding. The content is JSON,
readable by anybody: nothing secret belongs into it. With it are sealed an expiry, the digest of the request, and a
number used once.

1. What comes back is an attacker's: nothing in it is read before its HMAC was found right, in constant time.
2. A state is good for one request (method, params and server name), for a limited time, and in one process for one use.
   Without memory shared by processes the last cannot be promised: who needs exactly once keeps books of their own.
3. Equal JSON has equal digests, whatever the order of members and the spelling of numbers.
"""
from __future__ import annotations

from ..codec import decode, encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict

STATE_FORMAT = "m1"
STATE_PURPOSE = b"mcplite requestState "    # no HMAC made elsewhere with the same key is a seal of ours
STATE_LIMIT = 4 * 1024 * 1024               # characters: some clients close the connection at lines of 10 MB
USED_LIMIT = 1000                           # used states remembered; the oldest are forgotten first
ROUND_MEMBERS = ("_meta", "inputResponses", "requestState")     # what differs between the rounds of one request


class StateError(ValueError):
    """A requestState that must be refused, or one that cannot be made; the text says why in one line."""


class Sealer:
    """Seals and opens the states of one server.

    ``key``: bytes; ``seconds``: how long a state stays good; ``clock``: returns the time in seconds since the epoch (a
    restarted process must agree with it); ``random_bytes``: ``random_bytes(n)`` returns n random bytes.
    """

    def __init__(self, key: bytes, seconds: float, clock: Callable[[], float],
                 random_bytes: Callable[[int], bytes]) -> None:
        self.key, self.seconds, self.clock, self.random_bytes = key, seconds, clock, random_bytes
        self.used: Dict[str, bool] = {}     # numbers of used states, oldest first (2)

    def new_token(self) -> str:
        """Return a text that nobody can guess and that never comes twice."""
        return encode_base64url(self.random_bytes(16))

    def seal(self, content: Dict[str, Any], request: str) -> str:
        """Return the state that carries ``content`` (JSON) for the request with this digest. Raises ``StateError``."""
        whole = dict(content, number=self.new_token(), request=request, expires=round(self.clock() + self.seconds, 3))
        try:
            body = encode(whole)
        except (TypeError, ValueError) as error:
            raise StateError("answers and once() results cannot be kept: %s" % error) from None
        text = "%s.%s" % (STATE_FORMAT, encode_base64url(body.encode("ascii")))
        if len(text) > STATE_LIMIT:
            raise StateError("answers and once() results are too much to keep: %d characters, at most %d"
                             % (len(text), STATE_LIMIT))
        return "%s.%s" % (text, new_seal(self.key, text))

    def unseal(self, text: Any, request: str) -> Dict[str, Any]:
        """Return the content of a state that came back with the request ``request``; raises ``StateError`` (1, 2)."""
        if text.__class__ is not str:
            raise StateError("requestState must be a string")
        signed, _, seal = text.rpartition(".")
        if len(text) > STATE_LIMIT + 100 or not text.isascii() or not signed.startswith(STATE_FORMAT + "."):
            raise StateError("requestState is none of this server's")
        from hmac import compare_digest

        if not compare_digest(new_seal(self.key, signed), seal):
            raise StateError("requestState is none of this server's, or was changed")
        content: Dict[str, Any] = decode(decode_base64url(signed[len(STATE_FORMAT) + 1:]))
        if self.clock() > content["expires"]:
            raise StateError("requestState has expired: send the request again without it")
        if not compare_digest(content["request"], request):
            raise StateError("requestState belongs to another request")
        if content["number"] in self.used:
            raise StateError("requestState was used already: send the request again without it")
        return content

    def use(self, number: str) -> None:
        """Remember that the state with this number was used."""
        self.used[number] = True
        if len(self.used) > USED_LIMIT:
            del self.used[next(iter(self.used))]


def new_seal(key: bytes, text: str) -> str:
    from hmac import new

    return encode_base64url(new(key, STATE_PURPOSE + text.encode("ascii"), "sha256").digest())


def digest_request(method: str, params: Dict[str, Any], server_name: str) -> str:
    """Return the digest of all that stays the same over the rounds of a request. Raises ``ValueError``."""
    salient = {name: value for name, value in params.items() if name not in ROUND_MEMBERS}
    return digest_json({"method": method, "params": salient, "server": server_name})


def digest_json(value: Any) -> str:
    """Return the SHA-256 of a JSON value in one canonical form (3). Raises ``ValueError`` for one nested too deeply."""
    from hashlib import sha256

    try:
        canonical = encode(sort_members(value))
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return encode_base64url(sha256(canonical.encode("ascii")).digest())


def sort_members(value: Any) -> Any:
    """Return a copy with the members of every object sorted, and numbers without a fraction as integers."""
    if isinstance(value, dict):
        return {name: sort_members(value[name]) for name in sorted(value)}
    if isinstance(value, (list, tuple)):
        return [sort_members(item) for item in value]
    return int(value) if value.__class__ is float and value.is_integer() else value


def encode_base64url(data: bytes) -> str:
    from binascii import b2a_base64

    return b2a_base64(data, newline=False).rstrip(b"=").translate(TO_BASE64URL).decode("ascii")


def decode_base64url(text: str) -> bytes:
    """Only for texts under a seal, which we wrote ourselves."""
    from binascii import a2b_base64

    return a2b_base64(text.encode("ascii").translate(FROM_BASE64URL) + b"=" * (-len(text) % 4))


TO_BASE64URL = bytes.maketrans(b"+/", b"-_")
FROM_BASE64URL = bytes.maketrans(b"-_", b"+/")
