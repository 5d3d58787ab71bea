import { AsyncLocalStorage } from 'node:async_hooks';

/** What caused a piece of work: a request, by the id that its client knows, and its place in the trace of the client. */
export interface Cause {
  requestId: string | null;
  /** In the form of W3C Trace Context, version 00. */
  traceparent: string | null;
}

const NO_CAUSE: Cause = { requestId: null, traceparent: null };
const causes = new AsyncLocalStorage<Cause>();

/** Runs work that a request caused. The rows of events and of the outbox that it writes name the request. */
export function causedBy<T>(cause: Cause, work: () => T): T {
  return causes.run(cause, work);
}

/** The cause of the current work. */
export function currentCause(): Cause {
  return causes.getStore() ?? NO_CAUSE;
}

/** The id of a trace, as logs show it. */
export const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35);

const REQUEST_ID = /^[\w.:@=+/-]{1,128}$/;
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The id that a client gives its request. Null: it is too long, or has characters that do not belong in a line of a log. */
export const readRequestId = (header: string): string | null => (REQUEST_ID.test(header) ? header : null);

/** The place in a trace that a client sends. Null: it is malformed, of a later version, or sent twice. */
export const readTraceparent = (header: string): string | null => (TRACEPARENT.test(header) ? header : null);
