"""Signatures: plain hints, defaults, callables, prompts, raw handlers."""
from __future__ import annotations

import functools
import inspect
import subprocess
import sys
import typing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcplite.catalog_pages import wrap_output_schema
from mcplite.context import Context
from mcplite.errors import RegistrationError
from mcplite.signature import ArgumentError, UnresolvedHint, clean_docstring, parse_signature


def message_of(function, *arguments):
    with pytest.raises(ValueError) as caught:
        function(*arguments)
    return type(caught.value).__name__ + ": " + str(caught.value)


def define(source, name="f", **names):
    """A function from source: the tests themselves must be readable by Python 3.8."""
    namespace = dict(names, __name__="defined_in_a_test")
    exec("from __future__ import annotations\n" + source, namespace)
    return namespace[name]


def schema_of(source, **names):
    return parse_signature(define(source, **names)).input_schema


def property_of(hint, **names):
    return schema_of("def f(x: %s): ..." % hint, **names)["properties"]["x"]


# --- the schema -----------------------------------------------------------------------------------------------------

def test_a_plain_function():
    def check_inventory(sku: str, warehouse: str = "all", *, limit: int = 5, exact: bool = False, price: float = 1.5):
        """Look it up.

        Else:
            Indented.
        """

    found = parse_signature(check_inventory)
    assert found.name == "check_inventory"
    assert found.description == "Look it up.\n\nElse:\n    Indented."
    assert found.input_schema == {
        "type": "object",
        "properties": {
            "sku": {"type": "string"},
            "warehouse": {"type": "string", "default": "all"},
            "limit": {"type": "integer", "default": 5},
            "exact": {"type": "boolean", "default": False},
            "price": {"type": "number", "default": 1.5},
        },
        "required": ["sku"],
        "additionalProperties": False,
    }
    assert list(found.input_schema["properties"]) == ["sku", "warehouse", "limit", "exact", "price"]
    assert (found.parameters, found.required) == (("sku", "warehouse", "limit", "exact", "price"), ("sku",))
    assert found.output_schema is None and found.context_name is None and found.function is check_inventory


def test_no_parameters():
    found = parse_signature(lambda: None)
    assert found.input_schema == {"type": "object", "properties": {}, "additionalProperties": False}
    assert (found.name, found.description, found.convert) == (None, None, None)


@pytest.mark.parametrize("hint, expected", [
    ("str", {"type": "string"}), ("int", {"type": "integer"}), ("float", {"type": "number"}), ("bool", {"type": "boolean"}),
    ("dict", {"type": "object"}), ("list", {"type": "array"}), ("object", {}), ("None", {"type": "null"}),
    ("list[str]", {"type": "array", "items": {"type": "string"}}),
    ("list[object]", {"type": "array"}),
    ("list[list[int]]", {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}}),
    ("dict[str, float]", {"type": "object", "additionalProperties": {"type": "number"}}),
    ("dict[str, object]", {"type": "object"}),
    ("dict[str, list[bool]]", {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "boolean"}}}),
    ("int | None", {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
    ("None | int", {"anyOf": [{"type": "null"}, {"type": "integer"}]}),
    ("list[str] | None", {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]}),
    ("list[int | None]", {"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}),
    ("list[int] | list[str]", {"anyOf": [{"type": "array", "items": {"type": "integer"}},
                                         {"type": "array", "items": {"type": "string"}}]}),
    ("dict[str, int] | list[str | None]", {"anyOf": [{"type": "object", "additionalProperties": {"type": "integer"}},
                                                     {"type": "array",
                                                      "items": {"anyOf": [{"type": "string"}, {"type": "null"}]}}]}),
    ("int | str", {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
    ("int | str | None", {"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]}),
    ("object | None", {}),
    (" int ", {"type": "integer"}),
    ("'int'", {"type": "integer"}),
])
def test_text_hints_on_every_python(hint, expected):
    assert property_of(hint) == expected


@pytest.mark.skipif(sys.version_info < (3, 10), reason="hints as objects need Python 3.10")
@pytest.mark.parametrize("hint", ["str", "int", "float", "bool", "dict", "list", "object", "None", "list[str]", "list[object]",
                                  "list[list[int]]", "dict[str, float]", "dict[str, object]", "dict[str, list[bool]]",
                                  "int | None",
                                  "None | int", "list[str] | None", "list[int | None]", "list[int] | list[str]",
                                  "int | str | None"])
def test_hints_as_objects_give_the_same_as_text(hint):
    namespace = {}
    exec(compile("def f(x: %s): ..." % hint, "hints", "exec", dont_inherit=True), namespace)
    assert parse_signature(namespace["f"]).input_schema["properties"]["x"] == property_of(hint)


def test_a_builtin_name_with_another_meaning_in_the_module():
    assert property_of("int", int=str) == {"type": "string"}
    assert property_of("list[int]", int=str) == {"type": "array", "items": {"type": "string"}}
    assert property_of("str | None", str=float) == {"anyOf": [{"type": "number"}, {"type": "null"}]}


def test_unannotated_parameters_take_anything():
    assert schema_of("def f(x, y=3): ...") == {
        "type": "object", "properties": {"x": {}, "y": {"default": 3}}, "required": ["x"], "additionalProperties": False}


def test_schemas_are_not_shared():
    def f(a: str, b: str): ...

    first, second = parse_signature(f).input_schema, parse_signature(f).input_schema
    first["properties"]["a"]["description"] = "changed"
    assert second["properties"] == {"a": {"type": "string"}, "b": {"type": "string"}}
    assert "description" not in first["properties"]["b"]


@pytest.mark.parametrize("doc", [
    None, "", " ", "One.", "  One. ", "One.\n\n    Two.\n      Three.\n    ", "\n    One.\n\tTwo.\n", "\n\n", "a\n\n\n  b\n \n",
    "\tx\n\ty",
    "a\n", "   \n  a\n b"])
def test_docstrings_are_cleaned_as_inspect_does(doc):
    assert clean_docstring(doc) == (inspect.cleandoc(doc) if doc is not None and doc.strip() else None)


@settings(max_examples=50, deadline=None)
@given(st.text(alphabet="ab \t\n", max_size=25))
def test_any_docstring_is_cleaned_as_inspect_does(doc):
    assert clean_docstring(doc) == (inspect.cleandoc(doc) if doc.strip() else None)


# --- defaults -------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("parameter, expected", [
    ("x=None", {"default": None}),
    ("x: int = None", {"type": "integer"}),
    ("x: int | None = None", {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None}),
    ("x: int | None = 5", {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": 5}),
    ("x: float = 1", {"type": "number", "default": 1}),
    ("x: float = float('inf')", {"type": "number"}),
    ("x: list[str] = []", {"type": "array", "items": {"type": "string"}, "default": []}),
    ("x: list[str] = ()", {"type": "array", "items": {"type": "string"}, "default": []}),
    ("x: dict = {'a': 1}", {"type": "object", "default": {"a": 1}}),
    ("x: str = object()", {"type": "string"}),
    ("x: str = ...", {"type": "string"}),
    ("x=b'ab'", {}),
    ("x: bool = True", {"type": "boolean", "default": True}),
])
def test_published_defaults(parameter, expected):
    found = parse_signature(define("def f(%s): ..." % parameter))
    assert found.input_schema["properties"]["x"] == expected
    assert found.required == ()


@pytest.mark.parametrize("parameter, message", [
    ("x: int = 'x'", "its default 'x' does not fit its hint int"),
    ("x: int = 1.5", "its default 1.5 does not fit its hint int"),
    ("x: int = True", "its default True does not fit its hint int"),
    ("x: str = 1", "its default 1 does not fit its hint str"),
    ("x: bool = 0", "its default 0 does not fit its hint bool"),
    ("x: list[int] = ['a']", "its default ['a'] does not fit its hint list[int]"),
    ("x: list[str] = 'abc'", "its default 'abc' does not fit its hint list[str]"),
    ("x: int | None = 'a'", "its default 'a' does not fit its hint int | None"),
])
def test_defaults_that_do_not_fit(parameter, message):
    assert message_of(parse_signature, define("def f(%s): ..." % parameter)) == (
        'RegistrationError: function "f", parameter "x": ' + message)


def test_a_published_default_does_not_follow_the_functions_own():
    def f(x: list = [1]):  # noqa: B006
        x.append(2)

    found = parse_signature(f)
    f()
    assert found.input_schema["properties"]["x"]["default"] == [1]


# --- conversion -----------------------------------------------------------------------------------------------------

def converted(source, arguments, **names):
    found = parse_signature(define(source, **names))
    return found.convert(arguments) if found.convert is not None else arguments


@pytest.mark.parametrize("hint, given_, expected", [
    ("int", 3.0, 3), ("int", 3, 3), ("int", 2.0 ** 70, 2 ** 70), ("int | None", 3.0, 3), ("int | None", None, None),
    ("float", 3, 3.0), ("float", 2.5, 2.5), ("float | None", None, None), ("float | None", 1, 1.0),
    ("list[int]", [1.0, 2], [1, 2]), ("list[int] | None", None, None), ("dict[str, float]", {"a": 1}, {"a": 1.0}),
    ("dict[str, list[int]]", {"a": [1.0]}, {"a": [1]}), ("list[int | None]", [None, 1.0], [None, 1]),
    ("object", 3.0, 3.0), ("dict", {"a": 3.0}, {"a": 3.0}),
    ("int | str", 3.0, 3), ("int | str", "a", "a"), ("int | float", 3.0, 3.0), ("int | float", 3, 3), ("float | int", 3, 3),
])
def test_values_arrive_as_their_types(hint, given_, expected):
    made = converted("def f(x: %s): ..." % hint, {"x": given_})["x"]
    assert (made, type(made)) == (expected, type(expected))
    if isinstance(made, list):
        assert [type(item) for item in made] == [type(item) for item in expected]


def test_fr_033_a_whole_number_is_an_int():
    def f(n: int):
        return list(range(n))

    assert f(**parse_signature(f).convert({"n": 3.0})) == [0, 1, 2]


def test_fr_030_optional_parameters():
    found = parse_signature(define("def f(q: str, after: int | None = None, n: int = 5): ..."))
    assert found.input_schema["required"] == ["q"]
    assert found.convert({"q": "a", "after": None}) == {"q": "a", "after": None}
    assert found.convert({"q": "a"}) == {"q": "a"}
    assert found.input_schema["properties"]["n"] == {"type": "integer", "default": 5}


@pytest.mark.parametrize("parameters, value", [
    ("x: int", 3.0), ("x: int, y: float = 1", 3.0), ("x: float", 3), ("x: int, ctx, **kw", 3.0), ("x: list[int]", [1.0])])
def test_convert_does_not_change_its_arguments(parameters, value):
    given_ = {"x": value}
    made = parse_signature(define("def f(%s): ..." % parameters)).convert(given_)
    assert made is not given_
    assert given_ == {"x": value} and given_["x"] is value


def test_no_convert_where_json_is_python():
    assert parse_signature(define("def f(a: str, b: bool, c: dict, d: list[str], e, g: str | None): ...")).convert is None


def test_a_number_too_large_for_a_float():
    assert message_of(converted, "def f(x: list[float]): ...", {"x": [1, 10 ** 400]}) == (
        "ArgumentError: /x/1: the number is too large for a float")


def test_the_place_of_an_error_is_a_json_pointer():
    assert message_of(converted, "def f(x: dict[str, float]): ...", {"x": {"a/b~": 10 ** 400}}) == (
        "ArgumentError: /x/a~1b~0: the number is too large for a float")


# --- **kw -----------------------------------------------------------------------------------------------------------

def test_fr_039_keywords():
    found = parse_signature(define("def h(x, **kw): ...", "h"))
    assert found.input_schema == {"type": "object", "properties": {"x": {}}, "required": ["x"], "additionalProperties": True}
    assert found.convert is None


def test_keywords_with_a_hint():
    found = parse_signature(define("def h(x: str, **kw: int): ...", "h"))
    assert found.input_schema["additionalProperties"] == {"type": "integer"}
    assert found.convert({"x": "a", "y": 3.0}) == {"x": "a", "y": 3}


def test_keywords_whose_values_cannot_be_converted():
    found = parse_signature(define("def h(**kw: list[float]): ...", "h"))
    assert message_of(found.convert, {"a/b": [10 ** 400]}) == "ArgumentError: /a~1b/0: the number is too large for a float"


def test_keywords_with_an_unusual_hint():
    found = parse_signature(define("def h(x: int | str, **kw: int | str): ...", "h"))
    assert found.input_schema["additionalProperties"] == {"anyOf": [{"type": "integer"}, {"type": "string"}]}


def test_keywords_never_let_the_context_or_bound_names_in():
    found = parse_signature(functools.partial(define("def h(x, y, ctx, **kw): ...", "h"), y=1))
    assert found.parameters == ("x",)
    assert found.convert({"x": 1, "z": 2}) == {"x": 1, "z": 2}
    for name in ("ctx", "y"):
        assert message_of(found.convert, {"x": 1, name: 2}) == (
            "ArgumentError: /%s: this argument is set by the server; leave it out" % name)


# --- callables ------------------------------------------------------------------------------------------------------

class Box:
    def method(self, x: int): "Doc."

    def other(this, x: int): ...

    @staticmethod
    def static(x: int): ...

    @classmethod
    def of_class(cls, x: int): ...

    def __call__(self, y: str): "Call doc."


ONLY_X = {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"], "additionalProperties": False}


@pytest.mark.parametrize("function", [Box().method, Box().other, Box.static, Box().static, Box.of_class, Box().of_class,
                                      vars(Box)["static"], functools.lru_cache(maxsize=2)(Box.static)])
def test_methods(function):
    found = parse_signature(function)
    assert found.input_schema == ONLY_X
    assert found.name in ("method", "other", "static", "of_class")


def test_a_callable_object():
    found = parse_signature(Box())
    assert found.input_schema["required"] == ["y"]
    assert (found.name, found.description) == (None, "Call doc.")


def test_a_partial_shows_its_free_parameters():
    def k(x: int, y: int, z: int = 1):
        "Doc."
        return x, y, z

    bound = functools.partial(k, y=10)
    found = parse_signature(bound)
    assert found.parameters == ("x", "z")
    assert (found.name, found.description, found.required) == ("k", "Doc.", ("x",))
    assert bound(**found.convert({"x": 2.0})) == (2, 10, 1)
    assert parse_signature(functools.partial(k, 1)).parameters == ("y", "z")
    assert parse_signature(functools.partial(functools.partial(k, 1), 2)).parameters == ("z",)
    assert parse_signature(functools.partial(Box().method, x=1)).parameters == ()


def test_a_decorator_that_passes_everything_on():
    def inner(x: int): "Doc."

    @functools.wraps(inner)
    def outer(*args, **kwargs):
        return inner(*args, **kwargs)

    found = parse_signature(outer)
    assert found.input_schema == ONLY_X
    assert (found.name, found.description) == ("inner", "Doc.")


def test_a_decorator_with_parameters_of_its_own():
    def inner(x: int, y: int): ...

    @functools.wraps(inner)
    def outer(x):
        return inner(x, 1)

    assert parse_signature(outer).input_schema == ONLY_X


async def asynchronous(): ...


async def asynchronous_generator():
    yield


def generator():
    yield


@pytest.mark.parametrize("function, message", [
    (define("def g(*a): ...", "g"),
     'function "g", parameter "*a": JSON arguments have names; name each parameter, or take one list'),
    (define("def g(x, *, y, **k): ...\ndef h(x, /): ...", "h"),
     'function "h", parameter "x" is positional-only, and JSON arguments have names: remove the "/"'),
    (Box.method, 'function "Box.method", parameter "self": a method of no object; register it from an instance, '
                 "as in server.tool(obj.method)"),
    (Box.other, 'function "Box.other", parameter "this": a method of no object; register it from an instance, '
                "as in server.tool(obj.method)"),
    (vars(Box)["of_class"], "a classmethod object is bound to no class yet: register it as Class.method"),
    (Box, '"Box" is a class: register a function or a method'),
    (len, '"len" is built in, and its parameters cannot be read: wrap it in a def'),
    (7, "int is not callable: register a function"),
    (asynchronous, 'function "asynchronous" is async, and mcplite has one thread and no event loop: write a plain def'),
    (asynchronous_generator,
     'function "asynchronous_generator" is async, and mcplite has one thread and no event loop: write a plain def'),
    (generator, 'function "generator" is a generator: return a list instead of yielding'),
    (define("def g(ctx, c: Context): ...", "g", Context=Context),
     'function "g", parameters "ctx" and "c" both take the Context: keep one'),
])
def test_what_is_refused(function, message):
    assert message_of(parse_signature, function) == "RegistrationError: " + message


def test_a_wrapped_chain_that_does_not_end():
    def f(**kwargs): ...

    f.__wrapped__ = f
    assert message_of(parse_signature, f).endswith("does not end")


# --- the context ----------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("parameter",
                         ["ctx", "ctx: object", "c: Context", "c: 'Context'", "c: Context | None = None", "c: mcplite.Context",
                                       "c: Optional[Context] = None"])
def test_the_context_is_no_argument(parameter):
    import mcplite

    found = parse_signature(define("def f(x: int, %s): ..." % parameter, Context=Context, mcplite=mcplite))
    assert found.input_schema == ONLY_X
    assert found.context_name == parameter.partition(":")[0]


@pytest.mark.parametrize("hint", ["Context", "mcplite.Context", "Context | None", "Optional[Context]"])
def test_a_context_imported_for_type_checkers_only(hint):
    assert parse_signature(define("def f(c: %s): ..." % hint)).context_name == "c"


def test_a_context_that_is_a_class_of_ones_own():
    class Context(dict): ...

    assert message_of(parse_signature, define("def f(c: Context): ...", Context=Context)).startswith(
        'RegistrationError: function "f", parameter "c": the class ')


@pytest.mark.parametrize("parameters, arguments_name, context_name", [
    ("arguments: dict, ctx: Context", "arguments", "ctx"), ("arguments", "arguments", None), ("ctx, a", "a", "ctx"),
    ("", None, None),
    ("c: Context", None, "c"), ("a, b=1", "a", None), ("a: 'Nope', c: 'Context | None'", "a", "c"),
])
def test_raw_handlers(parameters, arguments_name, context_name):
    found = parse_signature(define("def f(%s): 'Doc.'" % parameters, Context=Context), "raw")
    assert (found.arguments_name, found.context_name, found.description) == (arguments_name, context_name, "Doc.")


def test_raw_handlers_with_hints_as_objects():
    def handler(a, c): ...

    handler.__annotations__ = {"a": None, "c": Context}
    assert parse_signature(handler, "raw").context_name == "c"
    handler.__annotations__ = {"a": dict, "c": typing.Optional[Context]}
    assert parse_signature(handler, "raw").context_name == "c"
    handler.__annotations__ = {"a": "Context[", "c": "Context"}
    assert parse_signature(handler, "raw").arguments_name == "a"


def test_a_raw_handler_that_is_partial():
    found = parse_signature(functools.partial(define("def f(a, b): ..."), b=1), "raw")
    assert found.arguments_name == "a"


def test_a_raw_handler_with_too_many_parameters():
    assert message_of(parse_signature, define("def f(a, b): ..."), "raw") == (
        'RegistrationError: function "f", parameter "b": a handler with an explicit schema takes the arguments as one dict, '
        "and ctx")


# --- names that are not there yet -----------------------------------------------------------------------------------

def test_a_name_that_is_not_defined():
    with pytest.raises(UnresolvedHint) as caught:
        parse_signature(define("def f(x: list[Nope]): ..."))
    assert str(caught.value) == ('function "f", parameter "x": the name "Nope" in its hint "list[Nope]" is not defined; '
                                 "define or import it before the first request")
    assert isinstance(caught.value, RegistrationError)


def test_a_name_that_is_defined_later():
    function = define("def f(x: Later): ...")
    with pytest.raises(UnresolvedHint) as caught:
        parse_signature(function)
    function.__globals__["Later"] = int
    assert caught.value.retry().input_schema == ONLY_X


def test_a_result_that_is_not_defined():
    assert message_of(parse_signature, define("def f() -> list[Nope]: ...")) == (
        'UnresolvedHint: function "f", result: the name "Nope" in its hint "list[Nope]" is not defined; '
        "define or import it before the first request")


def test_a_hint_that_is_no_expression():
    def f(x: "int int"): ...  # noqa: F722

    f.__annotations__["x"] = "int int"
    assert message_of(parse_signature, f).endswith('parameter "x": the hint "int int" is not a Python expression')


@pytest.mark.parametrize("hint, name", [("sys.Nope | int", "Nope"), ("int | nope(3)", "nope"), ("list[nope.x]", "nope")])
def test_names_inside_a_hint_that_are_not_defined(hint, name):
    assert message_of(parse_signature, define("def f(x: %s): ..." % hint, sys=sys)) == (
        'UnresolvedHint: function "f", parameter "x": the name "%s" in its hint "%s" is not defined; '
        "define or import it before the first request" % (name, hint))


def test_a_hint_that_names_itself():
    assert message_of(parse_signature, define("def f(x: X): ...", X="X")) == (
        'RegistrationError: function "f", parameter "x": the hint "X" names itself')


def test_a_closure_that_is_not_filled_yet():
    def outer():
        def f(x: Late): return Late
        try:
            parse_signature(f)
        except UnresolvedHint as error:
            caught = error
        Late = int
        return caught.retry(), Late

    assert outer()[0].input_schema == ONLY_X


def test_a_hint_that_cannot_be_evaluated():
    assert message_of(parse_signature, define("def f(x: 1 // 0): ...")) == (
        'RegistrationError: function "f", parameter "x": the hint "1 // 0" cannot be evaluated: '
        "integer division or modulo by zero")


# --- prompts and resources ------------------------------------------------------------------------------------------

def test_prompt_arguments():
    found = parse_signature(define("def p(topic: str, n: int = 3): ...", "p"), "prompt")
    assert found.prompt_arguments == [{"name": "topic", "required": True}, {"name": "n", "required": False}]
    assert found.output_schema is None


@pytest.mark.parametrize("arguments, expected", [
    ({"topic": "x", "n": "7"}, {"topic": "x", "n": 7}),
    ({"topic": ""}, {"topic": ""}),
    ({"topic": "x", "n": ""}, {"topic": "x"}),
    ({"topic": "x", "n": " 007 "}, {"topic": "x", "n": 7}),
    ({"topic": "x", "n": "7.0"}, {"topic": "x", "n": 7}),
    ({"topic": "x", "n": "-7"}, {"topic": "x", "n": -7}),
])
def test_fr_051_prompt_arguments_are_converted(arguments, expected):
    made = parse_signature(define("def p(topic: str, n: int = 3): ...", "p"), "prompt").convert(arguments)
    assert made == expected and type(made.get("n", 0)) is int


@pytest.mark.parametrize("arguments, message", [
    ({"topic": "x", "n": 7}, "/n: expected a string, got an integer"),
    ({"n": "7"}, "/topic: required argument is missing"),
    ({"topic": "x", "n": "seven"}, '/n: expected an integer, got "seven"'),
    ({"topic": "x", "n": "7.5"}, '/n: expected an integer, got "7.5"'),
    ({"topic": "x", "n": "٧"}, '/n: expected an integer, got "٧"'),
    ({"topic": "x", "n": "1_000"}, '/n: expected an integer, got "1_000"'),
    ({"topic": "x", "n": "9" * 5000}, '/n: expected an integer, got "' + "9" * 56 + "..."),
    ({"topic": "x", "N": "7"}, "/N: unknown argument; known are topic, n"),
    ({"topic": None}, "/topic: expected a string, got null"),
    ({"topic": ["x"]}, "/topic: expected a string, got an array"),
])
def test_fr_051_prompt_arguments_are_refused(arguments, message):
    if "9" * 5000 in arguments.values() and not hasattr(sys, "get_int_max_str_digits"):
        pytest.skip("this Python converts integers of any length")
    found = parse_signature(define("def p(topic: str, n: int = 3): ...", "p"), "prompt")
    assert message_of(found.convert, arguments) == "ArgumentError: " + message


@pytest.mark.parametrize("hint, given_, expected", [
    ("str", " 7 ", " 7 "), ("float", "1e3", 1000.0), ("float", "7", 7.0), ("bool", "true", True), ("bool", "False", False),
    ("int | None", "7", 7), ("int | None", "null", None), ("int | None", "", None), ("str | None", "null", "null"),
    ("int | str", "7", 7), ("int | str", "a", "a"), ("str | int", "7", "7"),
    ("list[int]", "[1, 2.0]", [1, 2]), ("dict[str, float]", '{"a": 1}', {"a": 1.0}), ("object", "7", "7"), ("list", "[]", []),
])
def test_texts_become_values(hint, given_, expected):
    made = parse_signature(define("def p(x: %s): ..." % hint, "p"), "prompt").convert({"x": given_})["x"]
    assert (made, type(made)) == (expected, type(expected))


@pytest.mark.parametrize("hint, given_, message", [
    ("bool", "yes", 'expected "true" or "false", got "yes"'), ("bool", "", 'expected "true" or "false", got ""'),
    ("float", "NaN", 'expected a number, got "NaN"'), ("float", "1e999", 'expected a number, got "1e999"'),
    ("list[int]", "1, 2", 'expected the JSON text of an array, got "1, 2"'),
    ("list[int]", '["a"]', 'expected the JSON text of an array, got "[\\"a\\"]"'),
    ("dict", "[]", 'expected the JSON text of an object, got "[]"'),
    ("int | bool", "x", 'expected an integer or "true" or "false", got "x"'),
    ("int | None", "x", 'expected an integer or "null", got "x"'),
])
def test_texts_that_are_no_values(hint, given_, message):
    found = parse_signature(define("def p(x: %s): ..." % hint, "p"), "prompt")
    assert message_of(found.convert, {"x": given_}) == "ArgumentError: /x: " + message


def test_a_resource_takes_the_lists_of_exploded_variables():
    found = parse_signature(define("def r(path: list[str], ids: list[int], n: int = 0): ...", "r"), "resource")
    assert found.convert({"path": ["a", "b"], "ids": ["1", "2"]}) == {"path": ["a", "b"], "ids": [1, 2]}
    assert message_of(found.convert, {"path": [], "ids": "[]", "n": ["1"]}) == (
        'ArgumentError: /n: expected an integer, got ["1"]')
    assert message_of(found.convert, {"path": [], "ids": ["x"]}) == 'ArgumentError: /ids/0: expected an integer, got "x"'


def test_a_prompt_without_parameters_refuses_arguments():
    found = parse_signature(define("def p(): ...", "p"), "prompt")
    assert message_of(found.convert, {"x": "1"}) == "ArgumentError: /x: unknown argument; there are none"


def test_a_prompt_with_keywords_takes_any():
    found = parse_signature(define("def p(**kw): ...", "p"), "prompt")
    assert found.convert({"x": "1"}) == {"x": "1"}


def test_the_keywords_of_a_prompt_are_converted_as_their_hint_says():
    found = parse_signature(define("def p(**kw: list[int]): ...", "p"), "prompt")
    assert found.convert({"x": "[1, 2.0]"}) == {"x": [1, 2]}
    assert message_of(found.convert, {"x": "one"}) == (
        'ArgumentError: /x: expected the JSON text of an array, got "one"')


# --- results --------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("hint, expected", [
    ("str", None), ("int", None), ("None", None), ("dict", None), ("list", None), ("dict[str, Any]", None), ("list[dict]", None),
    ("list[dict[str, Any]]", None), ("Any", None), ("int | None", None), ("list[str] | None", None), ("object", None),
    ("bytes", None),
    ("list[int]", {"type": "array", "items": {"type": "integer"}}),
    ("dict[str, int]", {"type": "object", "additionalProperties": {"type": "integer"}}),
    ("dict[str, list[str]]", {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}}),
    ("list[object]", None), ("TextContent", None), ("list[TextContent]", None), ("wiretypes.CallToolResult", None),
])
def test_output_schemas(hint, expected):
    if hint == "list[TextContent]":
        import mcplite

        package = type("TextContent", (dict,), {"__module__": mcplite.__name__ + ".wiretypes"})
        assert parse_signature(define("def f() -> %s: ..." % hint, TextContent=package)).output_schema is None
        return
    assert parse_signature(define("def f() -> %s: ..." % hint)).output_schema == expected


@pytest.mark.parametrize("schema, expected", [
    ({"type": "object"}, {"type": "object"}),
    ({"type": "array", "items": {"$ref": "#/$defs/A"}, "$defs": {"A": {"items": {"$ref": "#/items"}}}, "$schema": "s"},
     {"$schema": "s", "type": "object", "properties": {"result": {"type": "array", "items": {"$ref": "#/$defs/A"}}},
      "required": ["result"], "$defs": {"A": {"items": {"$ref": "#/properties/result/items"}}}}),
    ({"type": ["array", "null"], "items": {"$ref": "#"}, "default": {"$ref": "#"}, "anyOf": [{"$id": "x", "$ref": "#"}, True]},
     {"type": "object", "properties": {"result": {
         "type": ["array", "null"], "items": {"$ref": "#/properties/result"}, "default": {"$ref": "#"},
         "anyOf": [{"$id": "x", "$ref": "#"}, True]}}, "required": ["result"]}),
])
def test_wrapped_output_schemas(schema, expected):
    before = repr(schema)
    assert wrap_output_schema(schema) == expected
    assert repr(schema) == before


# --- cost -----------------------------------------------------------------------------------------------------------

def test_plain_functions_import_nothing():
    source = (
        "from __future__ import annotations\nimport sys\n"
        "from mcplite.signature import parse_signature\n"
        "def f(a: int, b: str = 'x', c: list[str] | None = None, d: dict[str, float] | None = None, ctx=None) -> dict: 'Doc.'\n"
        "s = parse_signature(f); s.convert({'a': 1.0})\n"
        "print(sorted(m for m in sys.modules if m in ('typing', 're', 'json', 'inspect', 'enum', 'mcplite.signature.hints')))")
    import mcplite

    if mcplite.__name__ not in sys.modules or not hasattr(mcplite, "__path__"):
        pytest.skip("the single file is one module")
    import os

    root = os.path.dirname(os.path.dirname(os.path.abspath(mcplite.__file__)))
    out = subprocess.run([sys.executable, "-S", "-c", source], cwd=root, capture_output=True, text=True, timeout=30)
    assert (out.stdout.strip(), out.stderr) == ("[]", "")


def test_argument_error_of_the_whole():
    error = ArgumentError("", "no")
    assert (str(error), error.path, error.message) == ("no", "", "no")


def test_a_union_of_plain_classes_is_described_without_typing():
    """`int | str` loads nothing, and says the same as the long way does (it is what 3.8's typing.Union gives)."""
    if sys.version_info < (3, 10):
        pytest.skip("the | of classes needs Python 3.10")
    from typing import Union

    for members in ((int, str), (str, int), (bool, str, int), (int, str, type(None)), (str, bool, type(None))):
        def plain(a): pass
        def typed(a): pass
        joined = members[0]
        for member in members[1:]:
            joined = joined | member
        plain.__annotations__["a"], typed.__annotations__["a"] = joined, Union[members]
        one, two = parse_signature(plain), parse_signature(typed)
        assert one.input_schema == two.input_schema
        for value in (3.0, 3, "x", True, None):
            converted = [(signature.convert or dict)({"a": value})["a"] for signature in (one, two)
                         if value is not None or type(None) in members]
            assert all(repr(item) == repr(converted[0]) for item in converted)
