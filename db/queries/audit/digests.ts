import { type Check, compare } from './check.ts';
import { ACCOUNTS_WITHOUT_DIGEST } from './withoutStep.ts';

/** Checks of digests: none is forgotten. */
export const digestChecks: Check[] = [
  {
    name: 'an account whose team gets a digest has a planned one',
    sql: `select ${compare("'digest'", "'nothing planned'", "'a planned digest'")} from (${ACCOUNTS_WITHOUT_DIGEST}) x`,
  },
];
