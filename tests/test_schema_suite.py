"""The official JSON Schema test suite for 2020-12, whole, judged in every way we can judge."""
import os

import pytest
from schema_helpers import SUITE, judge, load_json, make_hot, need_shared, remote_documents

from mcplite.schema import Validator

FOLDER = os.path.join(SUITE, "draft2020-12")
need_shared(FOLDER)
FILES = sorted(name for name in os.listdir(FOLDER) if name.endswith(".json"))
DOCUMENTS = remote_documents(os.path.join(SUITE, "remotes"))


def groups(name):
    return load_json(FOLDER, name)


def test_the_suite_is_all_there():
    assert len(FILES) == 46
    assert sum(len(group["tests"]) for name in FILES for group in groups(name)) == 1299


@pytest.mark.parametrize("name", FILES)
def test_every_required_test_is_judged_right(name):
    wrong = []
    for group in groups(name):
        validator = Validator(group["schema"], documents=DOCUMENTS)
        for test in group["tests"]:
            if judge(validator, test["data"]) is not test["valid"]:
                wrong.append("%s: %s" % (group["description"], test["description"]))
    assert wrong == []


@pytest.mark.parametrize("name", FILES)
def test_a_hot_validator_says_the_same(name):
    for group in groups(name):
        cold, hot = (Validator(group["schema"], documents=DOCUMENTS) for _ in range(2))
        make_hot(hot)
        for test in group["tests"]:
            assert hot.problems(test["data"]) == cold.problems(test["data"]), test["description"]
            assert hot.is_valid(test["data"]) is test["valid"], test["description"]


def test_without_documents_a_remote_schema_is_refused_not_fetched():
    from mcplite.schema import SchemaError

    for group in groups("refRemote.json"):
        uri = "localhost:1234"
        with pytest.raises(SchemaError) as error:
            Validator(group["schema"])
        assert uri in error.value.reason and "never fetched" in error.value.reason
