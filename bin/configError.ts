import { ForeignDatabase } from '../db/migrations/initial.ts';

/** Something in the environment is wrong, or does not fit the database: its message is for the operator and needs no stack. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** What to print of a failure: the message alone where it says what to do, everything where it is a surprise. */
export function explainFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof ConfigError || error instanceof ForeignDatabase
    ? error.message
    : (error.stack ?? error.message);
}
