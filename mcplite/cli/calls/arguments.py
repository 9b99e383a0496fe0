"""Arguments from the command line: `key=value` typed by the tool's schema, `key:=json`, `@file`, and their check.

Here: words in, a dict of arguments out. Not here: how they are sent (`command`). The rules for a word:

1. `key=value`: a text where the schema allows one, else what fits of: the value as JSON, yes or no, one item of a list.
   What fits nothing stays as it is, so that the check says what was expected. A list takes the key several times.
2. `key:=json`: exactly that.
3. `key=@file`: the file's text as the value, by rule 1; `key:=@file`: the file's JSON.
4. `@file`: the file's JSON object, all its members; so does a word that is an object, and --arguments. A key beside it
   wins. `@-` is standard input.
"""
from __future__ import annotations

import sys

from ...schema import SchemaError, Validator, problem_text
from ..terminal import CliError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    ArgumentPair = tuple[str, bool, Any]            # key, whether the value is JSON, the value

BOOLEAN_WORDS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False,
                 "0": False}
SHARED_KEYWORDS = ("$schema", "$defs", "definitions")


class ArgumentWords:
    """The words of the command line, read: `whole` (members of JSON objects) and `pairs` (in their order)."""

    def __init__(self, command: str) -> None:
        self.command = command
        self.whole: dict[str, Any] = {}
        self.pairs: list[ArgumentPair] = []


def parse_argument_words(command: str, words: list[str], json_text: str | None) -> ArgumentWords:
    """Read the words without knowing any schema. Raises CliError with status 2."""
    found = ArgumentWords(command)
    if json_text is not None:
        found.whole.update(parse_json_object(command, "--arguments", json_text))
    for word in words:
        if word.startswith("@"):
            found.whole.update(parse_json_object(command, word, read_argument_file(command, word, word[1:])))
        elif word.startswith("{"):      # call add --json '{"a": 1}': --json is for the answer, the object for the question
            found.whole.update(parse_json_object(command, "the object of arguments", word))
        else:
            found.pairs.append(parse_pair(command, word))
    return found


def parse_pair(command: str, word: str) -> ArgumentPair:
    """`key=value`, `key:=json`, `key=@file`, `key:=@file`."""
    key, equals, value = word.partition("=")
    is_json = key.endswith(":")
    if is_json:
        key = key[:-1]
    if not equals or not key:
        raise CliError("%s: %r is no argument: write key=value, key:=json, '{...}', or @file for a file with a JSON object"
                       % (command, word), status=2)
    if value.startswith("@"):
        value = read_argument_file(command, word, value[1:])
    return key, is_json, parse_json_value(command, word, value) if is_json else value


def read_argument_file(command: str, word: str, path: str) -> str:
    try:
        if path == "-":
            data = sys.stdin.buffer.read()
        else:
            with open(path, "rb") as file:
                data = file.read()
        return data.decode("utf-8")
    except OSError as error:
        raise CliError("%s: cannot read the file of %s: %s" % (command, word, error.strerror), status=2) from None
    except UnicodeDecodeError:
        raise CliError("%s: the file of %s is not UTF-8 text; a tool that takes bytes takes them as base64" % (command,
                                                                                                               word),
                       status=2) from None


def refuse_json_number(name: str) -> Any:
    raise ValueError("%s is not JSON" % name)


def parse_strict_json(text: str) -> Any:
    """JSON, and nothing that only Python takes for it. Raises ValueError."""
    import json

    return json.loads(text, parse_constant=refuse_json_number)


def parse_json_value(command: str, word: str, text: str) -> Any:
    try:
        return parse_strict_json(text)
    except (ValueError, RecursionError) as error:
        raise CliError("%s: the value of %s is not JSON: %s (a text needs quotes: %s)"
                       % (command, word, error, "key:='\"text\"', or key=text"), status=2) from None


def parse_json_object(command: str, where: str, text: str) -> dict[str, Any]:
    try:
        value = parse_strict_json(text)
    except (ValueError, RecursionError) as error:
        raise CliError("%s: %s is not JSON: %s" % (command, where, error), status=2) from None
    if not isinstance(value, dict):
        raise CliError("%s: %s must be a JSON object, as in {\"key\": \"value\"}" % (command, where), status=2)
    return value


# With a schema

def fill_arguments(words: ArgumentWords, schema: Any) -> dict[str, Any]:
    """The arguments, typed by the tool's input schema (rule 1)."""
    found = dict(words.whole)
    properties = schema.get("properties") if isinstance(schema, dict) else None
    properties = properties if isinstance(properties, dict) else {}
    given: dict[str, list[ArgumentPair]] = {}
    for pair in words.pairs:
        given.setdefault(pair[0], []).append(pair)
    for key, pairs in given.items():
        judge = property_judge(schema, properties.get(key, True))
        values = [value if is_json else typed_value(value, judge) for _, is_json, value in pairs]
        if len(pairs) == 1:
            found[key] = values[0]
            continue
        items = [value if is_json else typed_item(value, judge) for _, is_json, value in pairs]
        if not judge([]) and not judge(items):
            raise CliError("%s: %s is given %d times, and takes one value" % (words.command, key, len(pairs)), status=2)
        found[key] = items
    return found


def property_judge(schema: Any, prop: Any) -> Any:
    """A function that says whether a value fits one property; everything fits a schema that cannot be used."""
    if isinstance(prop, dict):
        prop = dict({name: schema[name] for name in SHARED_KEYWORDS if name in schema}, **prop)
    try:
        return Validator(prop).is_valid
    except SchemaError:
        return lambda value: True


def typed_value(text: str, judge: Any) -> Any:
    """Rule 1 for one word. What fits nothing stays a text, but for a number, a list or an object: the check then says
    what is wrong with that."""
    if judge(text):
        return text
    candidates: list[Any] = []
    nearest: Any = text
    try:
        candidates.append(parse_strict_json(text))
        nearest = candidates[0] if isinstance(candidates[0], (int, float, list, dict)) else text
    except (ValueError, RecursionError):
        pass
    if text.lower() in BOOLEAN_WORDS:
        candidates.append(BOOLEAN_WORDS[text.lower()])
    candidates += [[candidate] for candidate in [text] + candidates]
    for candidate in candidates:
        if judge(candidate):
            return candidate
    return nearest


def typed_item(text: str, judge: Any) -> Any:
    """Rule 1 for one of several words of a key: an item of a list."""
    return typed_value(text, lambda candidate: judge([candidate]))


def check_call_arguments(command: str, tool: str, schema: Any, arguments: dict[str, Any]) -> str | None:
    """Check before anything is sent; the text is the one that a server of ours would answer.

    Returns a remark where the schema itself cannot be used. Raises CliError with status 2."""
    try:
        problems = Validator(schema if schema is not None else True).problems(arguments)
    except SchemaError as error:
        return "the arguments are sent unchecked, since the tool's schema cannot be used: %s" % error
    if problems:
        raise CliError("%s: Invalid arguments for tool %s: %s (see: mcplite tools %s -- CMD; --no-check sends them "
                       "anyway)"
                       % (command, tool, problem_text(problems), tool), status=2)
    return None
