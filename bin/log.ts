import { type DestinationStream, type Logger, pino } from 'pino';
import { describeFailure } from '../db/failure.ts';

/** Creates the log: one JSON object per line, to standard output by default. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = { level, base: { pid: process.pid }, serializers: { err: loggedError } };
  return destination ? pino(options, destination) : pino(options);
}

/** An error as it may be logged: with its origin, without the row values that PostgreSQL repeats. */
function loggedError(error: unknown): object {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const places = stack.split('\n').filter((line) => line.startsWith('    at '));
  return { message: describeFailure(error), stack: places.join('\n') };
}
