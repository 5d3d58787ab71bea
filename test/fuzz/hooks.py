"""Hooks of schemathesis."""

import uuid

import schemathesis


@schemathesis.hook
def before_call(context, case, kwargs):
    """Each request has a key of its own: one that was used before is answered as before, and has no effect."""
    key = (case.headers or {}).get("Idempotency-Key")
    if key is not None and 1 <= len(key) <= 255:
        case.headers["Idempotency-Key"] = str(uuid.uuid4())
