import { type Check, compare } from './check.ts';

/** Checks of digests: none is forgotten. */
export const digestChecks: Check[] = [
  {
    name: 'an account whose team gets a digest has a planned one',
    sql: `select ${compare("'digest'", "'nothing planned'", "'a planned digest'")} from (
            select a.id as account_id from account a
            where coalesce((a.settings ->> 'alert_digest')::boolean, true) and jsonb_array_length(coalesce(a.settings -> 'alert_recipients', '[]')) > 0
              and not exists (select 1 from wakeup w where w.account_id = a.id and w.process = 'digest' and w.subject_id = a.id)) x`,
  },
];
