import { type Check, compare } from './check.ts';

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
    sql: `select ${compare("'customer ' || id", "'nothing planned'", "'a planned statement'")} from (
            select c.account_id, c.id from customer c join account a on a.id = c.account_id
            where coalesce(c.statement_day, a.settings ->> 'statement_day', 'off') <> 'off'
              and c.merged_into_id is null and c.anonymized_at is null
              and not exists (select 1 from wakeup w where w.account_id = c.account_id and w.process = 'chasing' and w.subject_id = c.id
                and w.rule in ('statement', 'chase_plan', 'problem'))
              and not exists (select 1 from statement_planning p where p.account_id = c.account_id and p.planning_after is not null)) x`,
  },
];
