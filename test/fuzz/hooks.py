"""Hooks of schemathesis."""

import uuid

import schemathesis
from schemathesis.specs.openapi.checks import negative_data_rejection


@schemathesis.hook
def before_call(context, case, kwargs):
    """Each request has a key of its own: one that was used before is answered as before, and has no effect."""
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
    """What breaks the document is refused. An empty parameter is an absent one and an empty text is null, whatever the type: a schema
    cannot say so without every field being a union, so what holds one is sent and answered as all else, but need not be refused."""
    if has_empty_text(case.query) or has_empty_text(case.body):
        return None
    return negative_data_rejection(ctx, response, case)
