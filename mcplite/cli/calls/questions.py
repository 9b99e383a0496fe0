"""Questions of a server, answered from the command line, by a person at the terminal, or not at all.

Here: forms (client/elicitation), pages to visit, messages of a model (client/sampling). Not here: what is done with the
answer (`client`). Rules:

1. An answer on the command line (--answer, --sample) comes first; what it leaves open is asked at the terminal.
2. Without a terminal nobody is asked: a form that needs more ends the command with the words that would have answered.
3. Every value is checked against its field before it is sent, and asked again when it does not fit.
4. The user can always refuse (/decline) or walk away (/cancel, end of input): both are answers.
"""
from __future__ import annotations

import sys

from ...schema import SchemaError, Validator, problem_text
from ..terminal import CliError, printable
from .arguments import BOOLEAN_WORDS, parse_pair, parse_strict_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .screen import CallScreen

SAMPLE_MODEL = "none: written by hand"
NOTHING_GIVEN = object()


class LeaveForm(Exception):
    """The user refuses, or walks away; the text is the action."""


class FormField:
    """One field of a form: its name, what it is called, its schema, whether it is needed, and its choices."""

    def __init__(self, name: str, schema: Any, needed: bool) -> None:
        self.name, self.needed = name, needed
        self.schema = schema if isinstance(schema, dict) else {}
        title = self.schema.get("title")
        self.title = title if isinstance(title, str) and title else name
        self.is_list = self.schema.get("type") == "array"
        source = self.schema.get("items") if self.is_list else self.schema
        self.choices = form_choices(source if isinstance(source, dict) else {})
        self.default = self.schema.get("default", NOTHING_GIVEN)

    def problem(self, value: Any) -> str:
        """What is wrong with a value; empty when nothing is."""
        try:
            problems = Validator(self.schema, formats=True).problems(value)
        except (SchemaError, TypeError):
            return ""
        return problem_text(problems) if problems else ""

    def parse(self, text: str) -> Any:
        """The value that was typed. Raises ValueError with a text for people."""
        value = self.parse_list(text) if self.is_list else self.parse_one(text)
        problem = self.problem(value)
        if problem:
            raise ValueError(problem)
        return value

    def parse_list(self, text: str) -> list[Any]:
        if text.lstrip().startswith("["):
            try:
                whole = parse_strict_json(text)
            except ValueError:
                whole = None
            if isinstance(whole, list):
                return whole
        return [self.parse_one(part.strip()) for part in text.split(",") if part.strip()]

    def parse_one(self, text: str) -> Any:
        if self.choices:
            return pick_choice(text, self.choices)
        kind = self.schema.get("type")
        if kind == "boolean":
            words = dict(BOOLEAN_WORDS, y=True, n=False)
            if text.strip().lower() not in words:
                raise ValueError("answer yes or no")
            return words[text.strip().lower()]
        if kind in ("integer", "number"):
            try:
                return parse_strict_json(text.strip())
            except ValueError:
                raise ValueError("a number is needed") from None
        return text

    def describe(self) -> str:
        """What may be typed, in brackets after the title."""
        schema, words = self.schema, []
        kind = schema.get("type")
        if kind == "boolean":
            words.append("yes or no")
        elif kind in ("integer", "number"):
            words.append("whole number" if kind == "integer" else "number")
            words.append(range_words(schema.get("minimum"), schema.get("maximum"), ""))
        elif kind == "string" and not self.choices:
            words += [str(schema["format"]) if "format" in schema else "",
                      range_words(schema.get("minLength"), schema.get("maxLength"), " characters")]
        elif self.is_list:
            words += ["several, with commas", range_words(schema.get("minItems"), schema.get("maxItems"), " choices")]
        if self.default is not NOTHING_GIVEN:
            words.append("empty for %s" % show_value(self.default))
        elif not self.needed:
            words.append("may be empty")
        return ", ".join(word for word in words if word)


def form_choices(schema: dict[str, Any]) -> list[tuple[Any, str]]:
    """(value, what it is called) of an enum, in any of its forms."""
    for keyword in ("oneOf", "anyOf"):
        options = schema.get(keyword)
        if isinstance(options, list) and options and all(isinstance(option,
                                                                    dict) and "const" in option for option in options):
            return [(option["const"], str(option.get("title", option["const"]))) for option in options]
    values, names = schema.get("enum"), schema.get("enumNames")
    if not isinstance(values, list):
        return []
    names = names if isinstance(names, list) and len(names) == len(values) else values
    return [(value, str(name)) for value, name in zip(values, names)]


def pick_choice(text: str, choices: list[tuple[Any, str]]) -> Any:
    """A choice by its value, its title, or its number in the list."""
    typed = text.strip()
    for value, title in choices:
        if typed in (str(value), title):
            return value
    close = [value for value, title in choices if typed.lower() in (str(value).lower(), title.lower())]
    if len(close) == 1:
        return close[0]
    if typed.isdigit() and 1 <= int(typed) <= len(choices):
        return choices[int(typed) - 1][0]
    raise ValueError("choose one of: %s" % ", ".join(str(value) for value, _ in choices))


def range_words(low: Any, high: Any, unit: str) -> str:
    if low is not None and high is not None:
        return "%s to %s%s" % (low, high, unit)
    limit = high if high is not None else low
    if limit is None:
        return ""
    return "at %s %s%s" % ("most" if high is not None else "least", limit, unit.rstrip("s") if limit == 1 else unit)


def show_value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(show_value, value))
    return printable(str(value))


class Questioner:
    """Answers the questions of a server."""

    def __init__(self, command: str, screen: CallScreen, answers: list[str], decline: bool, sample: str | None,
                 at_terminal: bool) -> None:
        self.command, self.screen = command, screen
        self.decline, self.sample = decline, sample
        self.at_terminal = at_terminal
        self.model_refused = False
        self.answers: dict[str, list[tuple[bool, Any]]] = {}
        for word in answers:
            key, is_json, value = parse_pair(command, word)
            self.answers.setdefault(key, []).append((is_json, value))

    # Forms

    def on_elicit(self, params: dict[str, Any]) -> Any:
        message = printable(str(params.get("message", "")))
        if self.decline:
            self.screen.note("question", message + " -- declined")
            return "decline"
        fields = form_fields_of(params)
        self.screen.clear_bar()
        if self.at_terminal:
            self.screen.note("question", message)
        try:
            values = {}
            for field in fields:
                value = self.answer_field(field, message)
                if value is not NOTHING_GIVEN:
                    values[field.name] = value
            if not fields and self.at_terminal:
                self.ask_consent("Agree?")
        except LeaveForm as leaving:
            return str(leaving)
        if not self.at_terminal:
            self.screen.note("question", message + " -- answered")
        return {"action": "accept", "content": values}

    def answer_field(self, field: FormField, message: str) -> Any:
        """Rule 1, and 2."""
        given = self.answers.get(field.name)
        if given:
            is_json, text = given.pop(0) if len(given) > 1 else given[0]
            try:
                if not is_json:
                    return field.parse(text)
                if field.problem(text):
                    raise ValueError(field.problem(text))
                return text
            except ValueError as error:
                if not self.at_terminal:
                    raise CliError("%s: --answer %s does not fit the question \"%s\": %s"
                                   % (self.command, field.name, message, error), status=2) from None
                self.screen.note("question", "--answer %s: %s" % (field.name, error))
        if self.at_terminal:
            return self.ask_field(field)
        if field.needed and field.default is NOTHING_GIVEN:
            choices = " (%s)" % ", ".join(show_value(value) for value, _ in field.choices) if field.choices else ""
            raise CliError('%s: the server asks "%s" and nobody is there to answer: add --answer %s=...%s, or --decline'
                           % (self.command, message, field.name, choices), status=2)
        return NOTHING_GIVEN

    def ask_field(self, field: FormField) -> Any:
        """Ask until the answer fits (3)."""
        description = field.schema.get("description")
        if isinstance(description, str) and description:
            self.screen.write_line("  " + printable(description))
        for number, (_, title) in enumerate(field.choices, 1):
            self.screen.write_line("  %d. %s" % (number, printable(title)))
        details = field.describe()
        while True:
            text = self.ask_line("  %s%s: " % (printable(field.title), " (%s)" % details if details else ""))
            if not text.strip() and (field.default is not NOTHING_GIVEN or not field.needed):
                return field.default
            try:
                return field.parse(text)
            except ValueError as error:
                self.screen.write_line("  %s; /decline refuses, /cancel leaves" % error)

    def ask_consent(self, prompt: str) -> None:
        while True:
            word = self.ask_line("  %s (yes or no): " % prompt).strip().lower()
            if word in ("y", "yes"):
                return
            if word in ("n", "no"):
                raise LeaveForm("decline")

    def ask_line(self, prompt: str) -> str:
        """One line from the terminal. Raises LeaveForm (4)."""
        self.screen.stream.write(prompt)
        self.screen.stream.flush()
        line = sys.stdin.readline()
        if not line:
            self.screen.stream.write("\n")
            raise LeaveForm("cancel")
        if line.strip() in ("/decline", "/cancel"):
            raise LeaveForm(line.strip()[1:])
        return line.rstrip("\r\n")

    # Pages and models

    def on_elicit_url(self, params: dict[str, Any]) -> Any:
        """A page to visit: shown whole, opened by nobody but the user."""
        self.screen.note("question", str(params.get("message", "")))
        self.screen.note("open this page", str(params.get("url", "")))
        if self.decline or not self.at_terminal:
            self.screen.note("question", "declined%s" % ("" if self.decline else ": nobody is there to open it"))
            return "decline"
        try:
            self.ask_consent("Do you open it?")
        except LeaveForm as leaving:
            return str(leaving)
        return "accept"

    def on_sample(self, params: dict[str, Any]) -> Any:
        """A message that a model should write."""
        for message in params.get("messages") or []:
            if isinstance(message, dict):
                self.screen.note("for the model", "%s: %s" % (message.get("role"),
                                                              content_line(message.get("content"))))
        if self.sample is not None:
            return new_written_sample(self.sample)
        if self.at_terminal and not self.decline:
            try:
                text = self.ask_line("  Answer in the model's place (empty refuses): ")
            except LeaveForm:
                text = ""
            if text.strip():
                return new_written_sample(text)
        self.model_refused = True
        self.screen.note("for the model", "refused: there is no model here; --sample TEXT answers in its place")
        return None


def new_written_sample(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": {"type": "text", "text": text}, "model": SAMPLE_MODEL,
            "stopReason": "endTurn"}


def content_line(content: Any) -> str:
    """The texts of a message's content; what is no text by its type."""
    blocks = content if isinstance(content, list) else [content]
    return "\n".join(str(block.get("text", "(%s)" % block.get("type"))) for block in blocks if isinstance(block, dict))


def form_fields_of(params: dict[str, Any]) -> list[FormField]:
    schema = params.get("requestedSchema")
    schema = schema if isinstance(schema, dict) else {}
    properties, needed = schema.get("properties"), schema.get("required")
    needed = needed if isinstance(needed, list) else []
    if not isinstance(properties, dict):
        return []
    return [FormField(name, field, name in needed) for name, field in properties.items()]
