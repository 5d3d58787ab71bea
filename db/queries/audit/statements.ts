import { type Check, compare } from './check.ts';
import { CUSTOMERS_WITHOUT_STATEMENT } from './withoutStep.ts';

/** Checks of scheduled statements: none without its mail or task, and no customer that is forgotten. */
export const statementChecks: Check[] = [
  {
    name: 'a scheduled statement has its mail or its task',
    sql: `select ${compare("'statement ' || id", "'nothing'", "'a mail or a task'")} from (
            select s.account_id, s.id from scheduled_statement s where s.task_id is null and not exists (
              select 1 from email e where e.account_id = s.account_id and e.template = 'statement_email'
                and e.cause = 'statement:' || s.id)) x`,
  },
  {
    name: 'a customer with a day for its statement has a planned one',
    sql: `select ${compare("'customer ' || id", "'nothing planned'", "'a planned statement'")} from (${CUSTOMERS_WITHOUT_STATEMENT}) x`,
  },
];
