import { appendFileSync } from 'node:fs';
import { setImmediate as immediate } from 'node:timers/promises';

/** The file, named by the variable, to which a worker of Jest writes an error that came after the end of a test file: a JSON line each. */
export const LATE_VARIABLE = 'PERENNIAL_TEST_LATE';

export interface Late {
  path: string;
  error: string;
}

const found = new Map<unknown, unknown>();
const state = { path: '', isRunning: false, isWatching: false };

/** From here to `endStrays` an error that nobody waits for is the file's. */
export function beginStrays(path: string): void {
  if (!state.isWatching) watch();
  Object.assign(state, { path, isRunning: true });
}

/** The errors that the file has left, those of its very last act among them. What comes later is written down as late. */
export async function endStrays(): Promise<string[]> {
  await immediate();
  state.isRunning = false;
  const errors = [...found.values()].map(wordsOf);
  found.clear();
  return errors;
}

/** For the life of the process: Jest's own listener would end it, and nobody would be told. */
function watch(): void {
  state.isWatching = true;
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', (error) => note(error, error));
  process.on('unhandledRejection', (reason, promise) => note(promise, reason));
  process.on('rejectionHandled', (promise) => void found.delete(promise));
}

function note(key: unknown, error: unknown): void {
  if (state.isRunning) {
    found.set(key, error);
    return;
  }
  const late: Late = { path: state.path, error: wordsOf(error) };
  process.exitCode = 1; // where Jest runs the files in its own process
  process.stderr.write(`after the end of ${late.path}: ${late.error}\n`);
  const file = process.env[LATE_VARIABLE];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(late)}\n`);
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
