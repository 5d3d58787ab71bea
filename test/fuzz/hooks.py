"""Hooks of schemathesis."""

import uuid

import schemathesis
from hypothesis.internal import lambda_sources
from schemathesis.specs.openapi.checks import negative_data_rejection

# CPython 3.11 can fail to parse source at great depth: "AST constructor recursion depth mismatch". Hypothesis parses the source of lambdas,
# only to describe them in messages.
lambda_sources.lambda_description = lambda function: "lambda"


@schemathesis.hook
def before_call(context, case, kwargs):
    """Gives each request a new idempotency key. A repeated key would replay the first answer and have no effect."""
    key = (case.headers or {}).get("Idempotency-Key")
    if key is not None and 1 <= len(key) <= 255:
        case.headers["Idempotency-Key"] = str(uuid.uuid4())


def has_empty_text(value):
    if isinstance(value, dict):
        return any(has_empty_text(member) for member in value.values())
    if isinstance(value, (list, tuple)):
        return any(has_empty_text(member) for member in value)
    return value == ""


@schemathesis.check
def refused_unless_empty(ctx, response, case):
    """Requests that violate the document are refused. Requests with an empty parameter or an empty text are exempt: the API treats an
    empty parameter as absent and an empty text as null, which a schema could only express with a union in every field."""
    if has_empty_text(case.query) or has_empty_text(case.body):
        return None
    return negative_data_rejection(ctx, response, case)
