"""Hooks of schemathesis."""

import uuid

import schemathesis


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


@schemathesis.hook
def filter_query(context, query):
    """An empty parameter is an absent one, whatever its type: a schema cannot say so."""
    return not has_empty_text(query)


@schemathesis.hook
def filter_body(context, body):
    """An empty text is null, whatever the type of its field: to say so, every schema would have to be a union."""
    return not has_empty_text(body)
