import { ACTIVE_PLAN, ASKED_FOR, OF_CUSTOMER } from '../chasing/chased.ts';
import { type Check, compare } from './check.ts';

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
    sql: `select ${compare("'customer ' || id", "'nothing planned'", "'a planned step'")} from (
            select c.account_id, c.id, i.currency from customer c
            join chase k on k.account_id = c.account_id and k.id = c.id
            join chasing_cadence d on d.account_id = k.account_id and d.id = k.cadence_id and not d.paused and d.planning_after is null
            join invoice i on i.account_id = c.account_id and i.customer_id = c.id and i.past_due and i.promise is distinct from 'promised'
            left join ${ACTIVE_PLAN}
            where c.chase and not c.credit_hold and ${ASKED_FOR} and ${OF_CUSTOMER} and (d.steps -> -1 ->> 'id')::int <> all(k.taken)
              and not exists (select 1 from wakeup w where w.account_id = c.account_id and w.process = 'chasing' and w.subject_id = c.id)
              and not exists (select 1 from payment m where m.account_id = c.account_id and m.customer_id = c.id and m.balance > 0)
              and not exists (select 1 from credit_note n where n.account_id = c.account_id and n.customer_id = c.id and n.status = 'open')
              and not c.has_credit
            group by c.account_id, c.id, i.currency, d.min_balance having sum(i.balance) >= d.min_balance) x`,
  },
  {
    name: 'a customer has a planned step while an invoice on a cadence has a step left after its due date',
    sql: `select ${compare("'invoice ' || id", "'nothing planned'", "'a planned step'")} from (
            select i.account_id, i.id from invoice i
            join customer c on c.account_id = i.account_id and c.id = i.customer_id and c.chase and not c.credit_hold
            join chasing_cadence d on d.account_id = i.account_id and d.id = i.chasing_cadence_id and not d.paused and d.planning_after is null
            left join ${ACTIVE_PLAN}
            where ${ASKED_FOR} and not ${OF_CUSTOMER} and i.due_at is not null and exists (
                select 1 from jsonb_array_elements(d.steps) s where s ->> 'schedule' like 'after_due:%'
                  and not coalesce(i.taken_steps, '[]') @> jsonb_build_array(jsonb_build_object('id', s -> 'id')))
              and not exists (select 1 from wakeup w where w.account_id = c.account_id and w.process = 'chasing' and w.subject_id = c.id)) x`,
  },
];
