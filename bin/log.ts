import { type DestinationStream, type Logger, pino } from 'pino';
import { describeFailure } from '../db/failure.ts';
import { currentCause, traceIdOf } from '../db/tracing.ts';

/** Creates the logger. It writes one JSON object per line, by default to standard output. Lines of a request have its id and its trace. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = { level, base: { pid: process.pid }, serializers: { err: loggedError }, mixin: cause };
  return pino(options, destination ?? standardOutput());
}

/** Bytes of lines that wait while none can be written. */
const MOST_WAITING = 1024 * 1024;

/** While lines cannot be written, because the disk is full, they wait, and further ones are lost. The process goes on. */
function standardOutput(): DestinationStream {
  return pino.destination({ dest: 1, maxLength: MOST_WAITING }).on('error', () => undefined);
}

function cause() {
  const { requestId, traceparent } = currentCause();
  return { ...(requestId ? { request: requestId } : {}), ...(traceparent ? { trace: traceIdOf(traceparent) } : {}) };
}

/** An error in a form that may be logged: its message and stack, without the row values that PostgreSQL's messages repeat. */
function loggedError(error: unknown): object {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const places = stack.split('\n').filter((line) => line.startsWith('    at '));
  return { message: describeFailure(error), stack: places.join('\n') };
}
