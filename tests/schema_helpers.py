"""What the schema tests share: where the official suite is, and the three ways one validator judges."""
import json
import os

import pytest

from mcplite.schema import Validator
from mcplite.schema.generated import generate_test

REPO = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SHARED = os.environ.get("MCPLITE_SHARED", os.path.join(REPO, "..", "shared"))
SUITE = os.path.join(SHARED, "json-schema-test-suite")
DRAFT_07 = "http://json-schema.org/draft-07/schema#"


def need_shared(path):
    """Skip, with a reason, where the material of the project is not at hand."""
    if not os.path.exists(path):
        pytest.skip("not here: %s" % os.path.relpath(path, os.path.join(REPO, "..")), allow_module_level=True)


def load_json(*parts):
    with open(os.path.join(*parts), encoding="utf-8") as file:
        return json.load(file)


def remote_documents(folder):
    """The suite's remote schemas by the URI they are served under."""
    documents = {}
    for where, _, files in os.walk(folder):
        for name in files:
            path = os.path.join(where, name)
            documents["http://localhost:1234/" + os.path.relpath(path, folder).replace(os.sep, "/")] = load_json(path)
    return documents


def judge(validator, value):
    """The verdict on a value, after the plain functions, the generated code, ``problems`` plain and ``problems`` hot
    have all been asked and agree."""
    tree = validator._tree
    root = tree.node(tree.root)
    plain = validator.is_valid(value)
    assert generate_test(tree, root)(value) is plain, "generated code differs"
    found = validator.problems(value)
    assert (found == []) is plain, "problems differs: %r" % (found,)
    return plain


def make_hot(validator):
    """Let every part have its generated code, as after many failures."""
    from mcplite.schema.explain import explainer_of, make_part_fast, new_problem_finder

    validator.problems(None)
    for node in list(validator._tree.nodes.values()):
        explainer_of(node)
        make_part_fast(node)
    validator.problems = new_problem_finder(validator._tree, validator)


def texts(schema, value, **options):
    """What ``problems`` says, one line each: path, keyword, message."""
    return ["%s %s %s" % (problem["path"], problem["keyword"], problem["message"])
            for problem in Validator(schema, **options).problems(value)]
