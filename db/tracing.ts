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

/** The cause of the current work, with its own place in the trace if spans are recorded. */
export function currentCause(): Cause {
  const cause = causes.getStore() ?? NO_CAUSE;
  const traceparent = tracer?.current();
  return traceparent ? { requestId: cause.requestId, traceparent } : cause;
}

/** Where a request comes from, as the audit log shows it. */
export interface Origin {
  /** Address of the client. */
  ip: string | null;
  userAgent: string | null;
}

const NO_ORIGIN: Origin = { ip: null, userAgent: null };
const origins = new AsyncLocalStorage<Origin>();

/** Runs the work of a request. The rows of the audit log that it writes name its origin. */
export function comingFrom<T>(origin: Origin, work: () => T): T {
  return origins.run(origin, work);
}

export const currentOrigin = (): Origin => origins.getStore() ?? NO_ORIGIN;

/** The id of a trace, as logs show it. */
export const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35);

const REQUEST_ID = /^(?!.*\d{13})[\w.:=+/-]{1,128}$/;
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/**
 * The id that a client gives its request. Null: it is too long, has characters that do not belong in a line of a log, or
 * could be an address or the number of a card.
 */
export const readRequestId = (header: string): string | null => (REQUEST_ID.test(header) ? header : null);

/** The place in a trace that a client sends. Null: it is malformed, of a later version, or sent twice. */
export const readTraceparent = (header: string): string | null => (TRACEPARENT.test(header) ? header : null);

/** A part of a trace: what, and whose part. */
export interface SpanStart {
  name: string;
  kind: 'server' | 'client' | 'consumer';
  /** The place in a trace under which it belongs. Null: the current work. */
  parent: string | null;
}

export interface Span {
  /** Completes the span once more is known. */
  describe(told: { name?: string; attributes?: Record<string, string | number>; isFailure?: boolean }): void;
}

/** Records spans and sends them to a collector; see bin/tracing.ts. */
export interface Tracer {
  /** The place of the current work. Null: it belongs to no trace. */
  current(): string | null;
  span<T>(start: SpanStart, work: (span: Span) => Promise<T>): Promise<T>;
  /** The same for a statement. Its text has no values. */
  statement<T>(text: string, send: () => Promise<T>): Promise<T>;
}

let tracer: Tracer | null = null;

/** Records spans from now on. A process has one tracer, or none. */
export function setTracer(next: Tracer | null): void {
  tracer = next;
}

const UNTRACED: Span = { describe: () => undefined };

/** Runs work as a span. Without a tracer it only runs. */
export function inSpan<T>(start: SpanStart, work: (span: Span) => Promise<T>): Promise<T> {
  return tracer ? tracer.span(start, work) : work(UNTRACED);
}

/** Sends a statement, as a span of the current work. */
export function inStatement<T>(text: string, send: () => Promise<T>): Promise<T> {
  return tracer ? tracer.statement(text, send) : send();
}
