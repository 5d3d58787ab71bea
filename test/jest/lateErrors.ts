import { appendFileSync } from 'node:fs';

/** The variable with the path of the file in which Jest's workers record late errors, one JSON line each. */
export const LATE_VARIABLE = 'PERENNIAL_TEST_LATE';

/** An error that nobody caught after the end of a test file, such as in a timer that it left behind. It fails that file. */
export interface LateError {
  path: string;
  error: string;
}

/** Path of the test file that ended last. */
let last: string | null = null;

/** Attributes late errors to this test file until the next one ends. */
export function blameFile(path: string): void {
  if (last === null) watch();
  last = path;
}

/** Replaces Jest's listener, which would end the process without a report. While tests run, Jest puts its own listeners in place of these. */
function watch(): void {
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', note);
  process.on('unhandledRejection', note);
}

function note(error: unknown): void {
  const late: LateError = {
    path: last ?? '',
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  };
  process.exitCode = 1; // where Jest runs the files in its own process
  process.stderr.write(`after the end of ${late.path}: ${late.error}\n`);
  const file = process.env[LATE_VARIABLE];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(late)}\n`);
}
