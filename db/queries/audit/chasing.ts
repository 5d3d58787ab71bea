import { type Check, compare } from './check.ts';
import { CUSTOMERS_WITHOUT_CHASING, INVOICES_WITHOUT_CHASING } from './withoutStep.ts';

/** Checks of chasing: no reminder without its mail or task, and nobody who is forgotten. */
export const chasingChecks: Check[] = [
  {
    name: 'a reminder has its mail, its text or its task',
    sql: `select ${compare("'reminder ' || id", "'nothing'", "'a mail, a text or a task'")} from (
            select r.account_id, r.id from reminder r where r.task_id is null and not exists (
              select 1 from email e where e.account_id = r.account_id and e.template = 'late_payment_reminder_email'
                and e.cause = 'reminder:' || r.id) and not exists (
              select 1 from email e where e.account_id = r.account_id and e.customer_id = r.customer_id
                and e.kind = 'late_payment_reminder_email' and e.cause = 'reminder:' || r.id) and not exists (
              select 1 from text_message t where t.account_id = r.account_id and t.reminder_id = r.id)) x`,
  },
  {
    name: 'an invoice that was mailed at its issue has its mail',
    sql: `select ${compare("'invoice ' || id", "'nothing'", "'a mail'")} from (
            select i.account_id, i.id from invoice i where i.issue_mailed_at = i.issued_at and not exists (
              select 1 from email e where e.account_id = i.account_id and e.template = 'new_invoice_email'
                and e.cause = 'issue:' || i.id) and not exists (
              select 1 from reminder r where r.account_id = i.account_id and r.customer_id = i.customer_id
                and r.cadence_id = i.chasing_cadence_id and r.channel = 'email' and r.created_at = i.issued_at)) x`,
  },
  {
    name: 'a task asks for invoices of its customer',
    sql: `select ${compare("'task ' || id", "'an invoice of another customer'", "'invoices of its customer'")} from (
            select t.account_id, t.id from task_invoice a join task t on t.account_id = a.account_id and t.id = a.task_id
            join invoice i on i.account_id = a.account_id and i.id = a.invoice_id where i.customer_id <> t.customer_id) x`,
  },
  {
    name: 'a customer with steps left has a planned one while it owes something that is past due',
    sql: `select ${compare("'customer ' || id", "'nothing planned'", "'a planned step'")} from (${CUSTOMERS_WITHOUT_CHASING}) x`,
  },
  {
    name: 'a customer has a planned step while an invoice on a cadence has a step left after its due date',
    sql: `select ${compare("'invoice ' || id", "'nothing planned'", "'a planned step'")} from (${INVOICES_WITHOUT_CHASING}) x`,
  },
];
