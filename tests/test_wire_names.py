"""Names on the wire lead to code: who searches the package for one finds first, in the order of reading, what does it.

A name is defined by the function or class whose docstring begins with it in double backticks (``tools/call``: ...; several stand
side by side; a keyword may stand in an example, ``{"enum": [1]}``); an error code by the constant that has it; a keyword of JSON
Schema also by its row in a table of the schema folder.
"""
import ast
import os
import re

import pytest
from test_house_rules import LAYERS, PACKAGE, layer, modules, parse

from mcplite import revisions

FOLDERS = {"schema": ("tree", "keywords", "vocabulary"), "asking": ("questions", "adapting", "rounds", "waiting", "sealing")}


def reading_order():
    """The modules as one reads them: by the table of layers, in a folder by its head; the command line is another story."""
    there = [module for module in modules() if layer(module) in LAYERS]

    def place(module):
        folder, _, name = module.partition(".")
        inside = FOLDERS.get(folder, ())
        return LAYERS.index(layer(module)), inside.index(name) if name in inside else len(inside), module
    return sorted(there, key=place)


NAME = r'``(?:\{")?([$\w/]+)(?:"[^`]*)?``'


def definitions(module):
    """(line, name on the wire, the function, constant or table) of what ``module`` defines."""
    tree = parse(module)
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            beginning = re.match("(?:%s(?:, )?)*" % NAME, ast.get_docstring(node) or "").group()
            for name in re.findall(NAME, beginning):
                yield node.lineno, name, node.name
    for node in tree.body:
        value = getattr(node, "value", None)
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if isinstance(target, ast.Name) and isinstance(value, ast.UnaryOp) and isinstance(value.operand, ast.Constant):
            yield node.lineno, -value.operand.value, target.id
        if isinstance(target, ast.Name) and layer(module) == "schema" and value is not None:
            for table in ast.walk(value):
                for key in table.keys if isinstance(table, ast.Dict) else ():
                    if isinstance(key, ast.Constant):
                        yield key.lineno, key.value, target.id


FIRST = {}
for each in reading_order():
    for _, wire_name, owner in sorted(definitions(each), key=lambda found: found[0]):
        FIRST.setdefault(wire_name, (each, owner))


def snake(name):
    """tools/call → tools_call, logging/setLevel → logging_set_level, $ref → ref."""
    return re.sub(r"([A-Z])", lambda found: "_" + found.group().lower(), name.replace("/", "_").replace("$", ""))


@pytest.mark.parametrize("method", sorted(revisions.CORE_REQUESTS))
def test_a_method_leads_to_the_function_named_after_it(method):
    assert FIRST.get(method) == ("server" if method == "initialize" else "handlers", snake(method))


@pytest.mark.parametrize(("name", "owner"), [
    ("notifications/cancelled", ("peer", "take_cancelled")),
    ("notifications/message", ("context", "log")),
    ("notifications/progress", ("context", "progress")),
    ("progressToken", ("context", "progress")),
    ("notifications/resources/updated", ("server", "resource_updated")),
    ("notifications/elicitation/complete", ("asking.questions", "new_elicitation_complete")),
    ("notifications/subscriptions/acknowledged", ("subscriptions", "listen")),
    ("elicitation/create", ("asking.questions", "check_elicit")),
    ("sampling/createMessage", ("asking.questions", "check_sample")),
    ("roots/list", ("asking.questions", "check_roots")),
    ("requestState", ("asking.rounds", "read_params")),
    ("inputResponses", ("asking.rounds", "read_params")),
    ("inputRequests", ("asking.rounds", "reply")),
    ("isError", ("outcomes", "map_tool_error")),
    ("structuredContent", ("outcomes", "check_structured")),
    ("ttlMs", ("handlers", "add_cache_hints")),
    ("cacheScope", ("handlers", "add_cache_hints")),
    ("nextCursor", ("catalog_pages", "new_cursor")),
    ("cursor", ("catalog_pages", "parse_cursor")),
])
def test_a_notification_question_or_member_leads_to_its_function(name, owner):
    assert FIRST.get(name) == owner


@pytest.mark.parametrize("code", sorted(name for _, name, _ in definitions("errors") if name.__class__ is int))
def test_an_error_code_leads_to_its_line(code):
    module, owner = FIRST[code]
    assert module == "errors" and owner.isupper()


def test_there_are_error_codes():
    assert {-32700, -32002, -32021} <= FIRST.keys()


# What asserts something in 2020-12 and draft-07; the rest of the vocabulary annotates, or names places.
ASSERTING = """additionalItems additionalProperties allOf anyOf const contains dependencies dependentRequired dependentSchemas enum
exclusiveMaximum exclusiveMinimum if items maxContains maxItems maxLength maxProperties maximum minContains minItems minLength
minProperties minimum multipleOf not oneOf pattern patternProperties prefixItems properties propertyNames required type
unevaluatedItems unevaluatedProperties uniqueItems $ref $dynamicRef"""


@pytest.mark.parametrize("keyword", ASSERTING.split())
def test_a_keyword_leads_to_its_function_or_row(keyword):
    module, owner = FIRST[keyword]
    assert module in ("schema.keywords", "schema.vocabulary", "schema.places")
    assert owner.rstrip("_") == snake(keyword) or owner.isupper()


def test_the_order_of_reading_names_modules_that_exist():
    for folder, names in FOLDERS.items():
        for name in names:
            assert os.path.exists(os.path.join(PACKAGE, folder, name + ".py"))
