import { type DestinationStream, type Logger, pino } from 'pino';
import { describeFailure } from '../db/failure.ts';

/** The log: a JSON object per line, to standard output unless said otherwise. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = { level, base: { pid: process.pid }, serializers: { err: loggedError } };
  return destination ? pino(options, destination) : pino(options);
}

/** An error as it may stand in a log: where it came from, without the rows that PostgreSQL repeats. */
function loggedError(error: unknown): object {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const places = stack.split('\n').filter((line) => line.startsWith('    at '));
  return { message: describeFailure(error), stack: places.join('\n') };
}
