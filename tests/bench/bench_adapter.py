"""mcplite's validator as the laboratory wants one: a callable that raises, with the message, on a bad instance."""
from mcplite.schema import Validator, problem_text


def judge(schema):
    validator = Validator(schema)

    def check(value):
        if not validator.is_valid(value):
            raise ValueError(problem_text(validator.problems(value)))

    return check
