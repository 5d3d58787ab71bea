import { isLoginRefused } from '../db/failure.ts';
import { TablesLocked } from '../db/migrate.ts';
import { LaterDatabase } from '../db/migrations/forecast.ts';
import { ForeignDatabase } from '../db/migrations/initial.ts';
import { MissingRight } from '../db/rights.ts';
import { ConfigError } from './configError.ts';

/** The text to print for a failure. Only the message for an error that advises the operator, else the stack. */
export function explainFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isLoginRefused(error)) return `PostgreSQL refuses the login: ${error.message}. ${REFUSED_LOGIN}`;
  const isForOperators = [ConfigError, ForeignDatabase, LaterDatabase, MissingRight, TablesLocked].some(
    (kind) => error instanceof kind,
  );
  return isForOperators ? error.message : (error.stack ?? error.message);
}

const REFUSED_LOGIN =
  'Only `migrate` logs in with the user and password of DATABASE_URL, which must be those of the database owner. All other commands use ' +
  'logins that `migrate` creates, with passwords derived from the encryption key. Run `migrate` with the current key ' +
  '(PERENNIAL_ENCRYPTION_KEY, or encryption.key in the data folder), or set the key that `migrate` was run with.';
