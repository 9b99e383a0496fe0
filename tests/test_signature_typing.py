"""Signatures: typing, enum, dataclasses, the standard library's classes, text hints in every place."""
from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import json
import pathlib
import sys
import types
import typing
import uuid

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcplite.content import jsonable
from mcplite.schema import Validator
from mcplite.signature import UnresolvedHint, parse_signature

HEAD = """
import collections, dataclasses, datetime, decimal, enum, pathlib, typing, uuid, os
from dataclasses import dataclass, field
from typing import *
"""
FUTURE = "from __future__ import annotations\n"
loaded = []


def load(source, future=True, name=None):
    """A module from source, known to sys.modules as a real one is."""
    module = types.ModuleType(name or "hinted_%d" % len(loaded))
    loaded.append(module)
    sys.modules[module.__name__] = module
    exec(compile((FUTURE if future else "") + HEAD + source, "hinted", "exec", dont_inherit=True), module.__dict__)
    return module


@pytest.fixture(autouse=True)
def unload():
    yield
    while loaded:
        sys.modules.pop(loaded.pop().__name__, None)


def message_of(function, *arguments):
    with pytest.raises(ValueError) as caught:
        function(*arguments)
    return type(caught.value).__name__ + ": " + str(caught.value)


def parse(source, name="f", future=True, kind="tool"):
    return parse_signature(getattr(load(source, future), name), kind)


def property_of(hint, before="", future=True):
    found = parse("%s\ndef f(x: %s): ..." % (before, hint), future=future).input_schema
    return found["properties"]["x"]


def converted(hint, value, before=""):
    """The value of the parameter, and its module."""
    module = load("%s\ndef f(x: %s): ..." % (before, hint))
    found = parse_signature(module.f)
    assert Validator(found.input_schema).problems({"x": value}) == []
    made = found.convert({"x": value}) if found.convert is not None else {"x": value}
    return made["x"], module


STRING, INTEGER, NULL = {"type": "string"}, {"type": "integer"}, {"type": "null"}


# --- hints that are written in every Python -------------------------------------------------------------------------

COLOR = "class Color(enum.Enum):\n    RED = 'red'\n    BLUE = 'blue'"
HINTS = [
    ("Any", "", {}),
    ("Optional[int]", "", {"anyOf": [INTEGER, NULL]}),
    ("Union[int, str]", "", {"anyOf": [INTEGER, STRING]}),
    ("Union[int, Optional[str]]", "", {"anyOf": [INTEGER, STRING, NULL]}),
    ("Union[int, Any]", "", {}),
    ("Optional[Any]", "", {}),
    ("List", "", {"type": "array"}), ("Dict", "", {"type": "object"}), ("Tuple", "", {"type": "array"}),
    ("Set", "", {"type": "array"}),
    ("tuple", "", {"type": "array"}), ("set", "", {"type": "array"}), ("frozenset", "", {"type": "array"}),
    ("List[int]", "", {"type": "array", "items": INTEGER}),
    ("Sequence[str]", "", {"type": "array", "items": STRING}),
    ("Iterable[str]", "", {"type": "array", "items": STRING}),
    ("Set[str]", "", {"type": "array", "items": STRING}),
    ("FrozenSet[str]", "", {"type": "array", "items": STRING}),
    ("AbstractSet[str]", "", {"type": "array", "items": STRING}),
    ("Dict[str, int]", "", {"type": "object", "additionalProperties": INTEGER}),
    ("Mapping[str, Any]", "", {"type": "object"}),
    ("Dict[Any, int]", "", {"type": "object", "additionalProperties": INTEGER}),
    ("Tuple[int, ...]", "", {"type": "array", "items": INTEGER}),
    ("Tuple[int, int]", "", {"type": "array", "items": INTEGER, "minItems": 2, "maxItems": 2}),
    ("Tuple[int, str]", "", {"type": "array", "prefixItems": [INTEGER, STRING], "minItems": 2, "maxItems": 2}),
    ("Tuple[()]", "", {"type": "array", "minItems": 0, "maxItems": 0}),
    ("Literal['a', 'b']", "", {"type": "string", "enum": ["a", "b"]}),
    ("Literal[1, 2]", "", {"type": "integer", "enum": [1, 2]}),
    ("Literal[-1]", "", {"type": "integer", "enum": [-1]}),
    ("Literal['a', 1, True, None]", "", {"enum": ["a", 1, True, None]}),
    ("Literal['a', Literal['b', 'a']]", "", {"type": "string", "enum": ["a", "b"]}),
    ("Optional[Literal['a']]", "", {"anyOf": [{"type": "string", "enum": ["a"]}, NULL]}),
    ("Union[Literal['a'], Literal['b', 'a']]", "", {"type": "string", "enum": ["a", "b"]}),
    ("Color", COLOR, {"type": "string", "enum": ["red", "blue"]}),
    ("Optional[Color]", COLOR, {"anyOf": [{"type": "string", "enum": ["red", "blue"]}, NULL]}),
    ("Literal[Color.RED]", COLOR, {"type": "string", "enum": ["red"]}),
    ("Dict[Color, int]", COLOR, {"type": "object", "propertyNames": {"enum": ["red", "blue"]}, "additionalProperties": INTEGER}),
    ("Dict[Literal['a'], Any]", "", {"type": "object", "propertyNames": {"enum": ["a"]}}),
    ("Level", "class Level(enum.IntEnum):\n    LOW = 1", {"type": "integer", "enum": [1]}),
    ("Mixed", "class Mixed(enum.Enum):\n    A = 1\n    B = 'b'\n    C = None\n    D = False", {"enum": [1, "b", None, False]}),
    ("datetime.datetime", "", {"type": "string", "format": "date-time"}),
    ("datetime.date", "", {"type": "string", "format": "date"}),
    ("datetime.time", "", {"type": "string", "format": "time"}),
    ("datetime.timedelta", "", {"type": "number", "description": "seconds"}),
    ("uuid.UUID", "", {"type": "string", "format": "uuid"}),
    ("decimal.Decimal", "", {"anyOf": [{"type": "number"}, STRING]}),
    ("pathlib.Path", "", STRING), ("pathlib.PurePosixPath", "", STRING), ("os.PathLike", "", STRING),
    ("Union[str, 'os.PathLike[str]']", "", STRING),
    ("UserId", "UserId = NewType('UserId', int)", INTEGER),
    ("UserId", "class UserId(str): ...", STRING),
    ("T", "T = TypeVar('T')", {}), ("T", "T = TypeVar('T', bound=int)", INTEGER),
    ("T", "T = TypeVar('T', int, str)", {"anyOf": [INTEGER, STRING]}),
    ("Alias", "Alias = Optional[List[int]]", {"anyOf": [{"type": "array", "items": INTEGER}, NULL]}),
    ("Text", "", STRING),
    ("Final[int]", "", INTEGER),
]


@pytest.mark.parametrize("hint, before, expected", HINTS)
@pytest.mark.parametrize("future", [False, True], ids=["objects", "text"])
def test_fr_037_the_same_schema_as_objects_and_as_text(hint, before, expected, future):
    assert property_of(hint, before, future) == expected


@pytest.mark.parametrize("hint, before, expected", [
    ("List[int | None]", "", {"type": "array", "items": {"anyOf": [INTEGER, NULL]}}),
    ("Optional[list[int]]", "", {"anyOf": [{"type": "array", "items": INTEGER}, NULL]}),
    ("typing.Optional[tuple[int, str]]", "",
     {"anyOf": [{"type": "array", "prefixItems": [INTEGER, STRING], "minItems": 2, "maxItems": 2}, NULL]}),
    ("tuple[()]", "", {"type": "array", "minItems": 0, "maxItems": 0}),
    ("dict[str, tuple[int, ...]]", "", {"type": "object", "additionalProperties": {"type": "array", "items": INTEGER}}),
    ("collections.abc.Sequence[str]", "import collections.abc", {"type": "array", "items": STRING}),
    ("set[Literal['a'] | None]", "", {"type": "array", "items": {"anyOf": [{"type": "string", "enum": ["a"]}, NULL]}}),
    ("Color | None", COLOR, {"anyOf": [{"type": "string", "enum": ["red", "blue"]}, NULL]}),
    ("'Color' | None", COLOR, {"anyOf": [{"type": "string", "enum": ["red", "blue"]}, NULL]}),
    ("list['Color']", COLOR, {"type": "array", "items": {"type": "string", "enum": ["red", "blue"]}}),
    ("List['Color']", COLOR, {"type": "array", "items": {"type": "string", "enum": ["red", "blue"]}}),
])
def test_new_spelling_as_text_on_every_python(hint, before, expected):
    assert property_of(hint, before) == expected


def test_names_imported_for_type_checkers_only():
    module = types.ModuleType("bare")
    exec("from __future__ import annotations\ndef f(x: Optional[List[int]], y: Literal['a'], z: Any): ...", module.__dict__)
    assert parse_signature(module.f).input_schema["properties"] == {
        "x": {"anyOf": [{"type": "array", "items": INTEGER}, NULL]}, "y": {"type": "string", "enum": ["a"]}, "z": {}}


ANNOTATED = """
try:
    from typing import Annotated
except ImportError:
    from typing_extensions import Annotated
"""


@pytest.fixture
def annotated():
    if sys.version_info < (3, 9):
        pytest.importorskip("typing_extensions", reason="Annotated on Python 3.8 needs typing_extensions")
    return ANNOTATED


@pytest.mark.parametrize("hint, expected", [
    ("Annotated[int, 'how many']", {"type": "integer", "description": "how many"}),
    ("Annotated[int, {'minimum': 0}, 'how many']", {"type": "integer", "minimum": 0, "description": "how many"}),
    ("List[Annotated[int, {'minimum': 0}]]", {"type": "array", "items": {"type": "integer", "minimum": 0}}),
    ("Annotated[Optional[int], 'doc']", {"anyOf": [INTEGER, NULL], "description": "doc"}),
    ("Optional[Annotated[int, 'doc']]", {"anyOf": [{"type": "integer", "description": "doc"}, NULL]}),
    ("Annotated[str, object(), 1]", STRING),
    ("Annotated['int', 'int']", {"type": "integer", "description": "int"}),
    ("Annotated[str, 'Two\\n    lines.']", {"type": "string", "description": "Two\nlines."}),
    ("Annotated[Any, {'type': 'string', 'pattern': '^a'}]", {"type": "string", "pattern": "^a"}),
])
@pytest.mark.parametrize("future", [False, True], ids=["objects", "text"])
def test_annotated(hint, expected, future, annotated):
    assert property_of(hint, annotated, future) == expected


def test_annotated_with_a_default(annotated):
    found = parse(annotated + "def f(x: Annotated[int, {'minimum': 0}] = 3): ...").input_schema
    assert found["properties"]["x"] == {"type": "integer", "minimum": 0, "default": 3}


def test_annotated_descriptions_of_prompt_arguments(annotated):
    found = parse(annotated + "def f(x: Annotated[str, 'doc'], n: Annotated[int, {'minimum': 2}] = 3): ...", kind="prompt")
    assert found.prompt_arguments == [{"name": "x", "description": "doc", "required": True}, {"name": "n", "required": False}]
    assert found.convert({"x": "a", "n": "2"}) == {"x": "a", "n": 2}
    assert message_of(found.convert, {"x": "a", "n": "1"}).startswith("ArgumentError: /n: ")


def test_documentation_of_typing_extensions(annotated):
    pytest.importorskip("typing_extensions", reason="Doc is of typing_extensions")
    assert property_of("Annotated[int, Doc('how many')]", annotated + "from typing_extensions import Doc") == {
        "type": "integer", "description": "how many"}


# --- values ---------------------------------------------------------------------------------------------------------

UTC = datetime.timezone.utc
EAST = datetime.timezone(datetime.timedelta(hours=5, minutes=30))


@pytest.mark.parametrize("hint, value, expected", [
    ("datetime.datetime", "2026-01-31T15:30:00Z", datetime.datetime(2026, 1, 31, 15, 30, tzinfo=UTC)),
    ("datetime.datetime", "2026-01-31t15:30:00.1z", datetime.datetime(2026, 1, 31, 15, 30, 0, 100000, UTC)),
    ("datetime.datetime", "2026-01-31 15:30", datetime.datetime(2026, 1, 31, 15, 30)),
    ("datetime.datetime", "2026-01-31T15:30:00.123456789+05:30", datetime.datetime(2026, 1, 31, 15, 30, 0, 123456, EAST)),
    ("datetime.date", "2026-01-31", datetime.date(2026, 1, 31)),
    ("datetime.time", "15:30:00", datetime.time(15, 30)), ("datetime.time", "15:30Z", datetime.time(15, 30, tzinfo=UTC)),
    ("datetime.timedelta", 1.5, datetime.timedelta(seconds=1.5)),
    ("uuid.UUID", "00000000-0000-0000-0000-000000000001", uuid.UUID(int=1)),
    ("decimal.Decimal", 0.1, decimal.Decimal("0.1")), ("decimal.Decimal", "0.10", decimal.Decimal("0.10")),
    ("decimal.Decimal", 3, decimal.Decimal(3)),
    ("pathlib.Path", "/a", pathlib.Path("/a")), ("os.PathLike", "/a", pathlib.Path("/a")),
    ("Set[int]", [1, 1.0, 2], {1, 2}), ("FrozenSet[str]", ["a"], frozenset("a")), ("set", [1], {1}),
    ("frozenset", [1], frozenset([1])),
    ("Tuple[int, ...]", [1.0], (1,)), ("Tuple[int, str]", [1.0, "a"], (1, "a")), ("Tuple[Any, ...]", [1], (1,)),
    ("tuple", [1], (1,)),
    ("Tuple[()]", [], ()),
    ("Sequence[int]", [1.0], [1]), ("Optional[datetime.date]", None, None),
    ("Optional[datetime.date]", "2026-01-31", datetime.date(2026, 1, 31)),
    ("Union[datetime.date, str]", "2026-01-31", datetime.date(2026, 1, 31)), ("Union[datetime.date, str]", "soon", "soon"),
    ("Union[int, datetime.date]", 3.0, 3), ("Union[List[datetime.date], List[int]]", [1.0], [1]),
    ("Union[float, int]", 3, 3), ("Union[int, float]", 3.0, 3.0),
    ("Literal[1, True]", 1.0, 1), ("Literal[1, True]", True, True), ("Literal['a']", "a", "a"),
    ("Dict[str, datetime.date]", {"a": "2026-01-31"}, {"a": datetime.date(2026, 1, 31)}),
    ("T", 3.0, 3), ("Annotated_", 3.0, 3),
])
def test_values_arrive_as_their_types(hint, value, expected):
    made, _ = converted(hint, value, "T = TypeVar('T', bound=int)\nAnnotated_ = NewType('Annotated_', int)")
    assert (made, type(made)) == (expected, type(expected))
    if isinstance(made, (list, tuple)):
        assert [type(item) for item in made] == [type(item) for item in expected]


@pytest.mark.parametrize("hint, value, message", [
    ("datetime.date", "2026-13-45", '/x: expected a date as "2026-01-31", got "2026-13-45"'),
    ("datetime.date", "20260131", '/x: expected a date as "2026-01-31", got "20260131"'),
    ("datetime.date", "٢٠٢٦-01-31", '/x: expected a date as "2026-01-31", got "٢٠٢٦-01-31"'),
    ("datetime.datetime", "2026-01-31", '/x: expected a date and time as "2026-01-31T15:30:00Z", got "2026-01-31"'),
    ("datetime.datetime", "2026-01-31T25:00", '/x: expected a date and time as "2026-01-31T15:30:00Z", got "2026-01-31T25:00"'),
    ("datetime.datetime", "2026-01-31X15:00", '/x: expected a date and time as "2026-01-31T15:30:00Z", got "2026-01-31X15:00"'),
    ("datetime.datetime", "2026-01-31T15:00+0500",
     '/x: expected a date and time as "2026-01-31T15:30:00Z", got "2026-01-31T15:00+0500"'),
    ("datetime.time", "15:30.5", '/x: expected a time as "15:30:00", got "15:30.5"'),
    ("datetime.time", "15", '/x: expected a time as "15:30:00", got "15"'),
    ("datetime.time", "15:30:00+24:00", '/x: expected a time as "15:30:00", got "15:30:00+24:00"'),
    ("datetime.timedelta", 1e300, "/x: the number of seconds is too large"),
    ("uuid.UUID", "1", '/x: expected a UUID as "123e4567-e89b-12d3-a456-426614174000", got "1"'),
    ("decimal.Decimal", "1,5", '/x: expected a decimal number as "12.50", got "1,5"'),
    ("decimal.Decimal", "NaN", '/x: expected a decimal number as "12.50", got "NaN"'),
    ("List[datetime.date]", ["2026-01-31", "x"], '/x/1: expected a date as "2026-01-31", got "x"'),
    ("Tuple[int, datetime.date]", [1, "x"], '/x/1: expected a date as "2026-01-31", got "x"'),
    ("Dict[str, datetime.date]", {"a/b": "x"}, '/x/a~1b: expected a date as "2026-01-31", got "x"'),
    ("Dict[E, datetime.date]", {"a": "x"}, '/x/a: expected a date as "2026-01-31", got "x"'),
    ("Union[datetime.date, uuid.UUID]", "x", '/x: expected a date as "2026-01-31", got "x"'),
    ("Set[Any]", [[1]], "/x: the items of a set must be strings, numbers, booleans or null"),
])
def test_values_that_the_schema_allows_and_the_type_does_not(hint, value, message):
    assert message_of(converted, hint, value, "class E(enum.Enum):\n    A = 'a'") == "ArgumentError: " + message


def test_a_long_value_is_cut_in_errors():
    assert message_of(converted, "datetime.date", "x" * 100).endswith('got "' + "x" * 56 + "...")


def test_enums_arrive_as_members():
    made, module = converted("Dict[Color, List[Color]]", {"red": ["blue"]}, COLOR)
    assert made == {module.Color.RED: [module.Color.BLUE]}
    made, module = converted("Union[int, Color]", "red", COLOR)
    assert made is module.Color.RED


def test_an_enum_of_true_and_one():
    before = "class E(enum.Enum):\n    ONE = 1\n    YES = 'yes'"
    made, module = converted("E", 1.0, before)
    assert made is module.E.ONE


# --- objects --------------------------------------------------------------------------------------------------------

LEG = """
@dataclass
class Leg:
    port: str
    when: datetime.date = datetime.date(2026, 1, 31)
    tags: List[str] = field(default_factory=list)
    key: int = field(default=0, init=False)
    shared: ClassVar[int] = 0
    def __post_init__(self):
        if self.port == "nowhere":
            raise ValueError("no such port\\nat all")
"""
LEG_SCHEMA = {
    "type": "object",
    "properties": {"port": STRING, "when": {"type": "string", "format": "date", "default": "2026-01-31"},
                   "tags": {"type": "array", "items": STRING}},
    "required": ["port"], "additionalProperties": False}
LEG_OUTPUT = {
    "type": "object",
    "properties": {"port": STRING, "when": {"type": "string", "format": "date"}, "tags": {"type": "array", "items": STRING},
                   "key": INTEGER},
    "required": ["port", "when", "tags", "key"], "additionalProperties": False}


@pytest.mark.parametrize("future", [False, True], ids=["objects", "text"])
def test_dataclass(future):
    assert property_of("Leg", LEG, future) == LEG_SCHEMA
    assert parse(LEG + "def f() -> Leg: ...", future=future).output_schema == LEG_OUTPUT


def test_fr_036_a_class_used_twice_is_inlined_twice():
    found = parse(LEG + "def f(a: Leg, b: List[Leg]): ...").input_schema
    assert found["properties"] == {"a": LEG_SCHEMA, "b": {"type": "array", "items": LEG_SCHEMA}}
    assert "$defs" not in found


def test_dataclass_values():
    made, module = converted("List[Leg]", [{"port": "x"}, {"port": "y", "when": "2026-02-01", "tags": ["t"]}], LEG)
    assert made == [module.Leg("x"), module.Leg("y", datetime.date(2026, 2, 1), ["t"])]


@pytest.mark.parametrize("value, message", [
    ({"port": "x", "when": "soon"}, '/x/when: expected a date as "2026-01-31", got "soon"'),
    ({"port": "nowhere"}, "/x: no such port"),
])
def test_dataclass_errors(value, message):
    assert message_of(converted, "Leg", value, LEG) == "ArgumentError: " + message


def test_a_dataclass_with_an_initvar_and_a_docstring():
    before = "@dataclass\nclass A:\n    'What it is.'\n    a: int\n    b: dataclasses.InitVar[int] = 3\n" \
        "    def __post_init__(self, b): self.a += b"
    assert property_of("A", before) == {
        "type": "object", "description": "What it is.", "properties": {"a": INTEGER, "b": {"type": "integer", "default": 3}},
        "required": ["a"], "additionalProperties": False}
    assert converted("A", {"a": 1, "b": 1.0}, before)[0].a == 2
    assert list(parse(before + "\ndef f() -> A: ...").output_schema["properties"]) == ["a"]


def test_a_field_of_a_class_in_another_module():
    other = load("class Color(enum.Enum):\n    GREEN = 'green'\n@dataclass\nclass Base:\n    color: Color", name="other_module")
    source = COLOR + "\nfrom other_module import Base\n@dataclass\nclass Leg(Base):\n    mine: Color\ndef f(x: Leg): ..."
    found = parse(source).input_schema["properties"]["x"]["properties"]
    assert found == {"color": {"type": "string", "enum": ["green"]}, "mine": {"type": "string", "enum": ["red", "blue"]}}
    assert other.Base


POINT = "class Point(NamedTuple):\n    x: int\n    y: 'Optional[int]' = None"


@pytest.mark.parametrize("future", [False, True], ids=["objects", "text"])
def test_named_tuple(future):
    assert property_of("Point", POINT, future) == {
        "type": "object", "properties": {"x": INTEGER, "y": {"anyOf": [INTEGER, NULL], "default": None}}, "required": ["x"],
        "additionalProperties": False}
    assert parse(POINT + "\ndef f() -> Point: ...", future=future).output_schema == {
        "type": "object", "properties": {"x": INTEGER, "y": {"anyOf": [INTEGER, NULL]}}, "required": ["x", "y"],
        "additionalProperties": False}


def test_named_tuple_values():
    made, module = converted("Point", {"x": 1.0}, POINT)
    assert made == module.Point(1) and type(made) is module.Point and type(made.x) is int
    made, module = converted("P", {"x": 1, "y": 2}, "P = collections.namedtuple('P', 'x y')")
    assert made == module.P(1, 2)


@pytest.mark.parametrize("future", [False, True], ids=["objects", "text"])
def test_typed_dict(future):
    before = "class Part(TypedDict, total=False):\n    'A part.'\n    a: int\n    b: 'datetime.date'"
    assert property_of("Part", before, future) == {
        "type": "object", "description": "A part.", "properties": {"a": INTEGER, "b": {"type": "string", "format": "date"}},
        "additionalProperties": False}
    assert property_of("Whole", before.replace("Part", "Whole").replace(", total=False", ""), future)["required"] == ["a", "b"]


def test_typed_dict_values():
    before = "class Part(TypedDict, total=False):\n    a: int\n    b: datetime.date\nclass Plain(TypedDict):\n    a: str"
    assert converted("Part", {"a": 1.0, "b": "2026-01-31"}, before)[0] == {"a": 1, "b": datetime.date(2026, 1, 31)}
    assert converted("Part", {}, before)[0] == {}
    assert parse(before + "\ndef f(x: Plain, y: Optional[List[Plain]] = None): ...").convert is None


QUALIFIERS = """
try:
    from typing import Required, NotRequired
except ImportError:
    from typing_extensions import Required, NotRequired, TypedDict
class Base(TypedDict):
    a: Required[int]
    b: NotRequired[int]
class Part(Base, total=False):
    c: 'Required[int]'
    d: int
    e: NotRequired['int']
"""


@pytest.mark.parametrize("future", [False, True], ids=["objects", "text"])
def test_typed_dict_qualifiers(future):
    if sys.version_info < (3, 11):
        pytest.importorskip("typing_extensions", reason="Required before Python 3.11 needs typing_extensions")
    found = property_of("Part", QUALIFIERS, future)
    assert found["required"] == ["a", "c"]
    assert list(found["properties"]) == ["a", "b", "c", "d", "e"]
    assert all(item == INTEGER for item in found["properties"].values())


def test_typed_dict_fields_with_descriptions(annotated):
    before = annotated + "class Part(TypedDict):\n    a: Annotated[int, 'how many']"
    assert property_of("Part", before)["properties"] == {"a": {"type": "integer", "description": "how many"}}


def test_read_only_in_any_order(annotated):
    pytest.importorskip("typing_extensions", reason="ReadOnly before Python 3.13 needs typing_extensions")
    before = annotated + "from typing_extensions import ReadOnly, NotRequired, TypedDict\nclass Part(TypedDict):\n" \
        "    a: Annotated[ReadOnly[NotRequired[int]], 'doc']\n    b: ReadOnly[int]"
    found = property_of("Part", before)
    assert found["properties"] == {"a": {"type": "integer", "description": "doc"}, "b": INTEGER}
    assert found["required"] == ["b"]


# --- recursion ------------------------------------------------------------------------------------------------------

TREE = "class Tree(TypedDict):\n    n: int\n    kids: List['Tree']"
TREE_SCHEMA = {"type": "object", "properties": {"n": INTEGER, "kids": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}},
               "required": ["n", "kids"], "additionalProperties": False}


@pytest.mark.parametrize("future", [False, True], ids=["objects", "text"])
def test_fr_036_recursion_makes_definitions(future):
    found = parse(TREE + "\ndef f(x: Tree, y: Tree) -> Tree: ...", future=future)
    assert found.input_schema["properties"] == {"x": {"$ref": "#/$defs/Tree"}, "y": {"$ref": "#/$defs/Tree"}}
    assert found.input_schema["$defs"] == {"Tree": TREE_SCHEMA}
    assert found.output_schema == dict(TREE_SCHEMA, **{"$defs": {"Tree": TREE_SCHEMA}})
    value = {"n": 1.0, "kids": [{"n": 2.0, "kids": []}]}
    assert Validator(found.input_schema).is_valid({"x": value, "y": value})
    assert repr(found.convert({"x": value, "y": value})["x"]) == "{'n': 1, 'kids': [{'n': 2, 'kids': []}]}"


def test_mutual_recursion():
    before = "@dataclass\nclass A:\n    b: 'Optional[B]' = None\n@dataclass\nclass B:\n    a: A"
    made, module = converted("B", {"a": {"b": {"a": {}}}}, before)
    assert made == module.B(module.A(module.B(module.A())))


def test_definitions_of_one_name():
    other = load(TREE, name="other_trees")
    source = TREE + "\nimport other_trees\ndef f(x: Tree, y: other_trees.Tree): ..."
    found = parse(source).input_schema
    assert sorted(found["$defs"]) == ["Tree", "Tree_2"]
    assert found["$defs"]["Tree_2"]["properties"]["kids"] == {"type": "array", "items": {"$ref": "#/$defs/Tree_2"}}
    assert other.Tree


def test_a_union_with_itself():
    made, module = converted("Node", {"next": {"next": None}}, "@dataclass\nclass Node:\n    next: 'Union[Node, None]'")
    assert made == module.Node(module.Node(None))


# --- generics -------------------------------------------------------------------------------------------------------

def test_generic_dataclass():
    before = "T = TypeVar('T')\n@dataclass\nclass Box(Generic[T]):\n    item: T\n    more: List[T]"
    assert property_of("Box[int]", before)["properties"] == {"item": INTEGER, "more": {"type": "array", "items": INTEGER}}
    assert property_of("Box", before)["properties"] == {"item": {}, "more": {"type": "array"}}
    found = parse(before + "\ndef f(a: Box[int], b: Box[str]): ...").input_schema["properties"]
    assert [item["properties"]["item"] for item in found.values()] == [INTEGER, STRING]
    assert converted("Box[Box[int]]", {"item": {"item": 1.0, "more": []}, "more": []}, before)[0].item.item == 1


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the type statement needs Python 3.12")
@pytest.mark.parametrize("future", [False, True], ids=["objects", "text"])
def test_type_statements(future):
    before = "type Ids = list[int]\ntype Json = dict[str, Json] | list[Json] | str\ntype Pair[T] = tuple[T, T]"
    assert property_of("Ids", before, future) == {"type": "array", "items": INTEGER}
    assert property_of("Pair[int]", before, future) == {"type": "array", "items": INTEGER, "minItems": 2, "maxItems": 2}
    found = parse(before + "\ndef f(x: Json): ...", future=future).input_schema
    assert found["properties"]["x"] == {"$ref": "#/$defs/Json"}
    assert found["$defs"]["Json"] == {"anyOf": [
        {"type": "object", "additionalProperties": {"$ref": "#/$defs/Json"}},
        {"type": "array", "items": {"$ref": "#/$defs/Json"}}, STRING]}
    assert parse(before + "\ndef f[T: int](x: T): ...", future=future).input_schema["properties"]["x"] == INTEGER


# --- FR-037: where names are looked up ------------------------------------------------------------------------------

def test_a_class_defined_below():
    found = parse("def f(x: Color): ...\n" + COLOR).input_schema
    assert found["properties"]["x"]["enum"] == ["red", "blue"]


def test_a_class_defined_below_is_there_at_the_retry():
    module = load("import mcplite.signature as s\ndef f(x: Color): ...\n"
                  "try: s.parse_signature(f)\nexcept s.UnresolvedHint as error: caught = error\n" + COLOR)
    assert module.caught.retry().input_schema["properties"]["x"]["enum"] == ["red", "blue"]


LOCAL = """
import mcplite.signature as s
def outer():
    %s
    class Color(enum.Enum):
        RED = "local"
    %s
    return found
found = outer()
"""


def test_a_local_class():
    module = load(COLOR + LOCAL % ("pass", "def f(x: Color, y: List['Color']): ...\n    found = s.parse_signature(f)"))
    assert module.found.input_schema["properties"]["x"]["enum"] == ["local"]


def test_a_local_class_in_a_closure():
    module = load(COLOR + LOCAL % ("pass", "def f(x: Color): return Color\n    found = f"))
    assert parse_signature(module.found).input_schema["properties"]["x"]["enum"] == ["local"]


def test_a_local_class_two_functions_out():
    module = load(LOCAL
                  % ("pass",
                     "def inner():\n        def f(x: Color): ...\n        return s.parse_signature(f)\n    found = inner()"))
    assert module.found.input_schema["properties"]["x"]["enum"] == ["local"]


def test_a_local_class_defined_below():
    source = LOCAL % ("def f(x: Color): ...\n    try: s.parse_signature(f)\n    except s.UnresolvedHint as error: found = error",
                      "pass")
    assert load(source).found.retry().input_schema["properties"]["x"]["enum"] == ["local"]


def test_a_local_dataclass_with_local_fields():
    module = load(LOCAL % ("pass", "@dataclass\n    class Leg:\n        color: Color\n    def f(x: Leg): ...\n"
                                   "    found = s.parse_signature(f)"))
    assert module.found.input_schema["properties"]["x"]["properties"]["color"]["enum"] == ["local"]


def test_a_decorator_of_another_module():
    load("import functools\nclass Color(enum.Enum):\n    GREEN = 'green'\ndef deco(function):\n    @functools.wraps(function)\n"
         "    def wrapper(*args, **kwargs): return function(*args, **kwargs)\n    return wrapper", name="decorating")
    found = parse(COLOR + "\nfrom decorating import deco\n@deco\ndef f(x: Color): ...").input_schema
    assert found["properties"]["x"]["enum"] == ["red", "blue"]


def test_a_class_inside_the_class_of_a_method():
    source = "class Box:\n    class Color(enum.Enum):\n        RED = 'inner'\n    def f(self, x: Color): ...\nf = Box().f"
    assert parse(source).input_schema["properties"]["x"]["enum"] == ["inner"]


def test_a_name_that_a_field_lacks():
    module = load("@dataclass\nclass Leg:\n    port: List[Port]\ndef f(x: Leg): ...")
    with pytest.raises(UnresolvedHint) as caught:
        parse_signature(module.f)
    assert str(caught.value) == (
        'function "f", parameter "x": the name "Port" in its hint "List[Port]" is not defined; define or import it before the '
        'first request (field "port" of Leg)')
    module.Port = str
    assert caught.value.retry().input_schema["properties"]["x"]["properties"]["port"] == {"type": "array", "items": STRING}


# --- refused --------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("hint, before, message", [
    ("bytes", "", "bytes have no JSON form: take a str that holds base64, or a Path"),
    ("complex", "", 'the class "complex" has no JSON form: use a dataclass, TypedDict or NamedTuple, or give the schema yourself '
                    "(input_schema=)"),
    ("List[A]", "class A: ...",
     'the class "A" has no JSON form: use a dataclass, TypedDict or NamedTuple, or give the schema yourself '
                                "(input_schema=)"),
    ("Callable[[int], str]", "", "the hint Callable[[int], str] has no JSON form"),
    ("Type[int]", "", "the hint Type[int] has no JSON form"),
    ("3", "", "the hint 3 has no JSON form"),
    ("Dict[int, str]", "", "the keys of int are not strings, and those of a JSON object are: hint dict[str, ...]"),
    ("E", "class E(enum.Enum):\n    A = (1, 2)",
     "the value of E.A is a tuple, and only strings, numbers, booleans and null have a JSON form"),
    ("E", "class E(enum.Enum): ...", 'the Enum "E" has no members'),
    ("Literal[b'a']", "", "the literal b'a' has no JSON form"),
    ("List[Context]", "from mcplite import Context", "the Context can only be a parameter of its own"),
])
def test_hints_that_are_refused(hint, before, message):
    assert message_of(property_of, hint, before, False) == 'RegistrationError: function "f", parameter "x": ' + message


@pytest.mark.parametrize("hint, message", [
    ("Callable[[int], list[str] | None]", "the hint Callable[[int], list[str] | None] has no JSON form"),
    ("type[int] | None", "the hint type[int] has no JSON form"),
    ("list[bytes]", "bytes have no JSON form: take a str that holds base64, or a Path"),
])
def test_hints_as_text_that_are_refused(hint, message):
    found = message_of(property_of, hint).replace("[<class 'int'>]", "[int]")
    if hint.startswith("Callable") and "Callable" in found:
        found = found.partition("the hint ")[0] + message  # each Python shows it in its own way
    assert found == 'RegistrationError: function "f", parameter "x": ' + message


@pytest.mark.parametrize("parameter, before, message", [
    ("x: Color = 'red'", COLOR, "its default 'red' does not fit its hint Color"),
    ("x: Color = 'green'", COLOR, "its default 'green' does not fit its hint Color"),
    ("x: datetime.date = 'soon'", "", "its default 'soon' does not fit its hint datetime.date"),
    ("x: Sequence[bool] | None = 3", "", "its default 3 does not fit its hint Sequence[bool] | None"),
    ("x: datetime.date = '2026-01-31'", "", "its default '2026-01-31' does not fit its hint datetime.date"),
    ("x: Path = '.'", "from pathlib import Path", "its default '.' does not fit its hint Path"),
    ("x: Optional[int] = 'a'", "", "its default 'a' does not fit its hint Optional[int]"),
    ("x: Literal['a'] = 'b'", "", "its default 'b' does not fit its hint Literal['a']"),
    ("x: Tuple[int, int] = (1,)", "", "its default (1,) does not fit its hint Tuple[int, int]"),
])
def test_defaults_that_do_not_fit(parameter, before, message):
    assert message_of(parse, "%s\ndef f(%s): ..." % (before, parameter)) == (
        'RegistrationError: function "f", parameter "x": ' + message)


@pytest.mark.parametrize("parameter, before, expected", [
    ("x: Color = Color.RED", COLOR, "red"), ("x: Optional[Color] = None", COLOR, None),
    ("x: List[Color] = (Color.RED,)", COLOR, ["red"]),
    ("x: datetime.date = datetime.date(2026, 1, 31)", "", "2026-01-31"), ("x: pathlib.Path = pathlib.Path('.')", "", "."),
    ("x: Set[int] = {2, 1}", "", [1, 2]), ("x: FrozenSet[int] = frozenset()", "", []), ("x: Literal['a', 'b'] = 'b'", "", "b"),
    ("x: Leg = Leg('a')", LEG, {"port": "a", "when": "2026-01-31", "tags": []}),
    ("x: decimal.Decimal = decimal.Decimal('1.5')", "", "1.5"), ("x: Optional[Literal['a']] = None", "", None),
    ("x: Literal['a', None] = None", "", None),
])
def test_published_defaults(parameter, before, expected):
    if "Leg" in parameter:
        before = before.replace("    key: int = field(default=0, init=False)\n", "")
    assert parse("%s\ndef f(%s): ..." % (before, parameter)).input_schema["properties"]["x"]["default"] == expected


# --- results --------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("hint, before, expected", [
    ("List[int]", "", {"type": "array", "items": INTEGER}),
    ("Tuple[int, str]", "", {"type": "array", "prefixItems": [INTEGER, STRING], "minItems": 2, "maxItems": 2}),
    ("Dict[int, str]", "", {"type": "object", "additionalProperties": STRING}),
    ("Dict[datetime.date, str]", "", {"type": "object", "additionalProperties": STRING}),
    ("List[datetime.datetime]", "", {"type": "array", "items": STRING}),
    ("List[decimal.Decimal]", "", {"type": "array", "items": STRING}),
    ("Union[A, B]", "class A(TypedDict):\n    a: int\nclass B(TypedDict):\n    b: int", {"type": "object", "anyOf": [
        {"type": "object", "properties": {"a": INTEGER}, "required": ["a"], "additionalProperties": False},
        {"type": "object", "properties": {"b": INTEGER}, "required": ["b"], "additionalProperties": False}]}),
    ("Optional[List[int]]", "", None), ("Union[List[int], str]", "", None), ("List[Any]", "", None),
    ("List[Dict[str, Any]]", "", None),
    ("Color", COLOR, None), ("datetime.date", "", None), ("Any", "", None), ("T", "T = TypeVar('T')", None),
    ("NoReturn", "", None),
    ("List", "", None), ("Dict[str, Any]", "", None), ("uuid.UUID", "", None), ("Union[ToolResult, List[int]]",
                                                                               "from mcplite.content import ToolResult", None),
])
@pytest.mark.parametrize("future", [False, True], ids=["objects", "text"])
def test_output_schemas(hint, before, expected, future):
    assert parse("%s\ndef f() -> %s: ..." % (before, hint), future=future).output_schema == expected


@pytest.mark.parametrize("hint, message", [
    ("List[bytes]", "bytes have no JSON form: take a str that holds base64, or a Path"),
    ("Dict[Tuple[int, int], str]",
     "the keys of Tuple[int, int] are not strings, and those of a JSON object are: hint dict[str, ...]"),
])
def test_results_that_are_refused(hint, message):
    assert message_of(parse, "def f() -> %s: ..." % hint) == 'RegistrationError: function "f", result: ' + message


# --- texts for prompts ----------------------------------------------------------------------------------------------

@pytest.mark.parametrize("hint, given_, expected", [
    ("Literal['a', 1, True, None]", "1", 1), ("Literal['a', 1, True, None]", "true", True),
    ("Literal['a', 1, None]", "null", None),
    ("datetime.date", "2026-01-31", datetime.date(2026, 1, 31)), ("decimal.Decimal", "1.10", decimal.Decimal("1.10")),
    ("Optional[datetime.date]", "", None), ("Optional[pathlib.Path]", "/a", pathlib.Path("/a")), ("Set[int]", "[1, 1]", {1}),
    ("Union[int, datetime.date]", "2026-01-31", datetime.date(2026, 1, 31)), ("Any", "1", "1"),
])
def test_texts_become_values(hint, given_, expected):
    made = parse("def f(x: %s): ..." % hint, kind="prompt").convert({"x": given_})["x"]
    assert (made, type(made)) == (expected, type(expected))


def test_texts_become_objects():
    module = load(LEG + TREE + "\ndef f(x: Leg, y: Tree): ...")
    made = parse_signature(module.f, "prompt").convert({"x": '{"port": "a"}', "y": '{"n": 1, "kids": []}'})
    assert made == {"x": module.Leg("a"), "y": {"n": 1, "kids": []}}


@pytest.mark.parametrize("hint, given_, message", [
    ("Literal['a', 1]", "b", 'expected one of "a", 1, got "b"'),
    ("datetime.date", "soon", 'expected a date as "2026-01-31", got "soon"'),
    ("Leg", '{"port": 1}', 'expected the JSON text of an object, got "{\\"port\\": 1}"'),
    ("Tree", "x", 'expected the JSON text of an object, got "x"'),
])
def test_texts_that_are_no_values(hint, given_, message):
    found = parse(LEG + TREE + "\ndef f(x: %s): ..." % hint, kind="prompt")
    assert message_of(found.convert, {"x": given_}) == "ArgumentError: /x: " + message


# --- there and back -------------------------------------------------------------------------------------------------

class Suit(enum.Enum):
    CLUBS = "c"
    HEARTS = "h"


@dataclasses.dataclass(frozen=True)
class Card:
    suit: Suit
    rank: int
    seen: typing.Optional[datetime.date] = None


class Deal(typing.NamedTuple):
    cards: typing.Tuple[Card, ...]
    stake: decimal.Decimal
    by_name: typing.Dict[str, Card]
    tags: typing.FrozenSet[str]
    at: datetime.datetime
    key: uuid.UUID
    pause: datetime.timedelta


CARDS = st.builds(Card, st.sampled_from(Suit), st.integers(), st.none() | st.dates())
DEALS = st.builds(Deal, st.lists(CARDS, max_size=3).map(tuple), st.decimals(allow_nan=False, allow_infinity=False),
                  st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), max_size=3), CARDS, max_size=2),
                  st.frozensets(st.text(st.characters(exclude_categories=["Cs"]), max_size=3), max_size=3),
                  st.datetimes(timezones=st.sampled_from([None, UTC, EAST])), st.uuids(),
                  st.integers(-10 ** 9, 10 ** 9).map(lambda n: datetime.timedelta(milliseconds=n)))


def deal_again(deal: Deal) -> Deal: ...


@settings(max_examples=50, deadline=None)
@given(DEALS)
def test_what_is_written_fits_the_schemas_and_is_read_back(deal):
    found = parse_signature(deal_again)
    written = json.loads(json.dumps(jsonable(deal)))
    assert Validator(found.output_schema).problems(written) == []
    assert Validator(found.input_schema).problems({"deal": written}) == []
    assert found.convert({"deal": written}) == {"deal": deal}


JSON_VALUES = st.recursive(st.none() | st.booleans() | st.integers(-5,
                                                                   5) | st.sampled_from([1.0, 2.5, "c", "h", "a", "2026-01-31"]),
                           lambda inner: st.lists(inner,
                                                  max_size=3) | st.dictionaries(st.sampled_from(["suit", "rank", "n", "kids"]),
                                                                                inner),
                           max_leaves=8)


@settings(max_examples=50, deadline=None)
@given(JSON_VALUES)
@pytest.mark.parametrize("hint", [
    "Union[int, List[datetime.date], Literal['a', 1]]", "Optional[Tree]", "Union[Tuple[int, str], Set[float], None]",
    "Dict[str, Union[int, datetime.date, bool]]", "Dict[Literal['n'], List[Optional[int]]]"])
def test_the_judge_of_a_hint_agrees_with_the_validator(hint, value):
    from mcplite.signature.judge import HintJudge

    if not hasattr(test_the_judge_of_a_hint_agrees_with_the_validator, hint):
        schema = parse(TREE + "\ndef f(x: %s): ..." % hint).input_schema
        setattr(test_the_judge_of_a_hint_agrees_with_the_validator, hint, (schema, Validator(schema)))
    schema, validator = getattr(test_the_judge_of_a_hint_agrees_with_the_validator, hint)
    assert HintJudge(schema, schema.get("$defs", {})).fits({"x": value}) == validator.is_valid({"x": value})
