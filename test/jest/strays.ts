import { appendFileSync } from 'node:fs';

/** The file, named by the variable, to which a worker of Jest writes an error that came after the end of a test file: a JSON line each. */
export const LATE_VARIABLE = 'PERENNIAL_TEST_LATE';

export interface Late {
  path: string;
  error: string;
}

let last: string | null = null;

/** From the end of a test file to the begin of the next one, an error that nobody waits for is told as one of that file. */
export function follow(path: string): void {
  if (last === null) watch();
  last = path;
}

/** For the life of the process: Jest's own listener would end it, and nobody would be told. While tests run, Jest listens in place of this. */
function watch(): void {
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', note);
  process.on('unhandledRejection', note);
}

function note(error: unknown): void {
  const late: Late = {
    path: last ?? '',
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  };
  process.exitCode = 1; // where Jest runs the files in its own process
  process.stderr.write(`after the end of ${late.path}: ${late.error}\n`);
  const file = process.env[LATE_VARIABLE];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(late)}\n`);
}
