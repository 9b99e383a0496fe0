"""Keeping secrets out of a recording. Pure: text in, text out.

Recordings end up in bug reports, so what is certainly a secret is masked without being asked:

1. the string or number under a key that names a secret (`api_key`, `Authorization`, `clientSecret`, `GITHUB_TOKEN`, ...),
   and `NAME=value` with such a name, in messages, junk lines, stderr and the server's command line;
2. what looks like a secret wherever it stands: `Bearer ...`, the tokens of well-known services, private keys, a JSON
   web token, the password in a URL.

`--mask NAME` adds names, whose whole value is masked whatever it is; `*` in them stands for anything. `--no-mask` turns
1 and 2 off. `progressToken`, cursors and `requestState` stay: the protocol cannot be read without them.
A schema's `properties` are not secrets: under a name of rule 1 objects, lists, booleans and null stay.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterable

MASKED = "[masked]"
LARGEST_FLOAT = 1.7976931348623157e308

# Names of secrets, lower case and without separators: a key ends in one of them (`OPENAI_API_KEY`, `dbPassword`).
SECRET_NAME_ENDINGS = (
    "apikey", "authorization", "password", "passwd", "passphrase", "secret", "secretkey", "privatekey", "accesskey", "accesstoken",
    "refreshtoken", "idtoken", "authtoken", "bearertoken", "sessiontoken", "cookie", "credential", "credentials",
)
SECRET_ENVIRONMENT_ENDINGS = ("_TOKEN", "_KEY", "_SECRET", "_PASSWORD", "_PASS", "_PAT")

# One of these stands in every line that rules 1 or 2 can change, and most lines have none: a look for plain strings is
# what keeps a megabyte of base64 cheap. Lower case.
SECRET_HINTS = (
    "apikey", "api_key", "api-key", "api key", "authorization", "passw", "passphrase", "secret", "cookie", "credential",
    "privatekey", "private_key", "private-key", "private key", "accesskey", "access_key", "access-key", "_key", "_pass", "_pat",
    '"token"', "accesstoken", "refreshtoken", "idtoken", "authtoken", "bearertoken", "sessiontoken", "_token", "-token", "token=",
    "bearer ", "basic ", "sk-", "pk-", "rk-", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "glpat-", "xox", "akia", "eyj", "\\u00",
)

# Rule 2, as regular expressions; what is in the group named `secret` is masked.
SECRET_SHAPES = (
    r"(?i:\bBearer)\s+(?P<secret>[\w.~+/=-]{8,})",
    r"(?i:\bBasic)\s+(?P<secret>(?=[\w+/]*[0-9=])[\w+/]{8,}={0,2})",
    r"(?P<secret>\b[spr]k-[\w-]{16,})",
    r"(?P<secret>\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bxox[abposr]-[\w-]{10,}|\bAKIA[0-9A-Z]{16}\b)",
    r"(?P<secret>\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)",
    r"(?s:-----BEGIN [A-Z ]*PRIVATE KEY-----(?P<secret>.*?)(?:-----END|\Z))",
    r"://[^/\s:@]+:(?P<secret>[^/\s@]+)@",
)
# A name starts where a word starts: otherwise a long word would be tried from each of its letters.
NAME_AND_VALUE = r"""(?<![\w.-])(?P<name>[\w-][\w.-]*)(?P<between>\s?=\s?["']?|\\?["']\s*:\s*\\?["'])(?P<value>[^\s"'&;,\\]+)"""
NAME_COLON_VALUE = r"""(?<![\w.-])(?P<name>[\w-][\w.-]*)(?P<between>:\s*)(?P<value>[^\s"'&;,\\]+)"""


class Masker:
    """Masks secrets; `names` are those of `--mask`, `defaults` says whether rules 1 and 2 hold."""

    def __init__(self, names: Iterable[str] = (), defaults: bool = True) -> None:
        import re

        self.names = list(names)
        self.defaults = defaults
        globs = "|".join(".*".join(map(re.escape, bare_key_name(name, keep="*").split("*"))) for name in self.names)
        self.named = re.compile("(?:%s)" % globs) if self.names else None
        self.shapes = [re.compile(shape) for shape in SECRET_SHAPES] if defaults else []
        self.pairs = re.compile(NAME_AND_VALUE)
        self.colon_pairs = re.compile(NAME_COLON_VALUE)

    def may_hold_secret(self, text: str) -> bool:
        """False when no rule can change `text`; cheap."""
        if self.named is not None or not self.defaults:
            return self.named is not None
        lowered = text.lower()
        return any(hint in lowered for hint in SECRET_HINTS) or ("://" in text and "@" in text)

    def mask_json(self, text: str, value: Any) -> tuple[str, int]:
        """`text`, which is the JSON of `value`, with its secrets masked, and how many there were."""
        if not self.may_hold_secret(text):
            return text, 0
        import json

        count = [0]
        try:
            masked = json.dumps(self.mask_value(value, count), separators=(",", ":"), allow_nan=False)
        except (ValueError, RecursionError):  # nested beyond reason
            return self.mask_text(text)
        return (masked, count[0]) if count[0] else (text, 0)

    def mask_value(self, value: Any, count: list[int]) -> Any:
        if isinstance(value, dict):
            return {key: self.mask_member(key, member, count) for key, member in value.items()}
        if isinstance(value, list):
            return [self.mask_value(item, count) for item in value]
        if isinstance(value, str) and value:
            masked, found = self.mask_text(value)
            count[0] += found
            return masked
        if isinstance(value, float) and value - value != 0:  # 1e999 is JSON, but cannot be written again
            return LARGEST_FLOAT if value > 0 else -LARGEST_FLOAT
        return value

    def mask_member(self, key: str, value: Any, count: list[int]) -> Any:
        scalar = isinstance(value, (str, int, float)) and not isinstance(value, bool)
        if self.is_named(key) or (scalar and value != "" and self.is_secret_name(key)):
            count[0] += 1
            return MASKED
        if isinstance(value, str) and (key == "requestState" or (key in ("data", "blob") and is_long_word(value))):
            return value
        return self.mask_value(value, count)

    def mask_text(self, text: str) -> tuple[str, int]:
        """Any text with its secrets masked, and how many there were."""
        if not self.may_hold_secret(text):
            return text, 0
        count = [0]

        def mask_shape(match: Any) -> str:
            count[0] += 1
            whole, start = match.group(0), match.start(0)
            return str(whole[:match.start("secret") - start] + MASKED + whole[match.end("secret") - start:])

        def mask_pair(match: Any) -> str:
            name, value = match.group("name"), match.group("value")
            if value == MASKED or not (self.is_named(name) or (colon is False and self.is_secret_name(name))):
                return str(match.group(0))
            count[0] += 1
            return str(name + match.group("between") + MASKED)

        for shape in self.shapes:
            text = shape.sub(mask_shape, text)
        colon = False
        text = self.pairs.sub(mask_pair, text)
        if self.named is not None:
            colon = True
            text = self.colon_pairs.sub(mask_pair, text)
        return text, count[0]

    def mask_command(self, words: Iterable[str]) -> list[str]:
        """A command line: `NAME=value`, `--name=value`, and the word that follows `--name`."""
        masked: list[str] = []
        after_secret = False
        for word in words:
            option = word.startswith("-")
            masked.append(MASKED if after_secret and not option else self.mask_text(word)[0])
            after_secret = option and "=" not in word and len(word) > 2 and (self.is_named(word) or self.is_secret_name(word))
        return masked

    def is_named(self, key: str) -> bool:
        return self.named is not None and self.named.fullmatch(bare_key_name(key)) is not None

    def is_secret_name(self, key: str) -> bool:
        name = bare_key_name(key)
        return self.defaults and (name.endswith(SECRET_NAME_ENDINGS) or name == "token"
                                  or (key.isupper() and key.endswith(SECRET_ENVIRONMENT_ENDINGS)))


def is_long_word(text: str) -> bool:
    """True for what must be base64: long, and its beginning without a space."""
    return len(text) > 256 and not any(letter.isspace() for letter in text[:256])


def bare_key_name(name: str, keep: str = "") -> str:
    """A name without case and separators: `X-Api-Key`, `x_api_key` and `xApiKey` are one."""
    return "".join(letter for letter in name.lower() if letter.isalnum() or letter in keep)
