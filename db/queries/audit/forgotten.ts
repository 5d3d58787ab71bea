import { stepTexts } from '../../../billing/stepTexts.ts';
import { endedStatuses } from '../../../billing/subscriptions/subscription.ts';
import { quoted } from '../../schema/columns.ts';
import { ACTIVE_PLAN, ASKED_FOR, OF_CUSTOMER } from '../chasing/chased.ts';
import type { Sql } from '../kernel/sql.ts';
import { type Check, compare } from './check.ts';

/** SQL: objects that go on, and have no wake-up for their next step. */
export const WITHOUT_STEP = `select account_id, process, subject_id, rule from (
  select account_id, 'subscription' as process, id as subject_id, array['bill', 'begin', 'trial', 'finish', 'pause', 'resume', 'renew', 'await_renewal', 'cancel'] as rules, 'the next step' as rule
  from subscription where status not in (${quoted(endedStatuses)})
    and (not paused or resume_at is not null or cycles_billed >= cycles) and (not pending_renewal or cancel_at_period_end)
  union all select account_id, 'estimate', id, array['expire'], 'the end of its time'
  from estimate where issued_at is not null and not closed and approved_at is null and deleted_at is null
    and expires_at is not null and deposit_received = 0
  union all select account_id, 'invoice', id, array['past_due'], 'past due'
  from invoice where not closed and issued_at is not null and due_at is not null and not past_due
  union all select account_id, 'invoice', id, array['late_fee'], 'the next late fee'
  from invoice where not closed and past_due and late_fee_at is not null
  union all select account_id, 'invoice', id, array['promise'], 'the end of the promised day'
  from invoice i where not closed and issued_at is not null and promise = 'promised' and not exists (
    select 1 from attempt_invoice a where a.account_id = i.account_id and a.invoice_id = i.id and a.undecided)
  union all select account_id, 'invoice', id, array['discount'], 'the end of its early-payment discount'
  from invoice i where not closed and issued_at is not null and jsonb_path_exists(discounts, '$[*].percent')
    and not exists (select 1 from payment_plan p where p.account_id = i.account_id and p.id = i.payment_plan_id
      and p.status in ('pending_signup', 'active'))
    and not exists (select 1 from attempt_invoice a where a.account_id = i.account_id and a.invoice_id = i.id and a.undecided)
  union all select account_id, 'invoice', id, array['discount_review'], 'early-payment discount decided again'
  from invoice where discount_review_at is not null and issued_at is not null
  union all select account_id, 'invoice', id, array['late_fee_review'], 'late fees computed again'
  from invoice where late_fee_review_at is not null and issued_at is not null
  union all select account_id, 'invoice', id, array['attempt'], 'the next attempt'
  from invoice i where not closed and next_payment_attempt_at is not null and not exists (
    select 1 from attempt_invoice a where a.account_id = i.account_id and a.invoice_id = i.id and a.undecided)) goes_on
  where not exists (select 1 from wakeup w where w.account_id = goes_on.account_id and w.process = goes_on.process
              and w.subject_id = goes_on.subject_id and w.rule = any(goes_on.rules))`;

/** SQL: customers who owe something past due, have steps of their cadence left, and have none planned. */
const CUSTOMERS_WITHOUT_CHASING = `select c.account_id, c.id, i.currency from customer c
  join chase k on k.account_id = c.account_id and k.id = c.id
  join chasing_cadence d on d.account_id = k.account_id and d.id = k.cadence_id and not d.paused and d.planning_after is null
  join invoice i on i.account_id = c.account_id and i.customer_id = c.id and i.past_due and i.promise is distinct from 'promised'
  left join ${ACTIVE_PLAN}
  where c.chase and not c.credit_hold and ${ASKED_FOR} and ${OF_CUSTOMER} and (d.steps -> -1 ->> 'id')::int <> all(k.taken)
    and not exists (select 1 from wakeup w where w.account_id = c.account_id and w.process = 'chasing' and w.subject_id = c.id)
    and not exists (select 1 from payment m where m.account_id = c.account_id and m.customer_id = c.id and m.balance > 0)
    and not exists (select 1 from credit_note n where n.account_id = c.account_id and n.customer_id = c.id and n.status = 'open')
    and not c.has_credit
  group by c.account_id, c.id, i.currency, d.min_balance having sum(i.balance) >= d.min_balance`;

/** SQL: invoices on a cadence that have a step left after their due date, whose customers have none planned. */
const INVOICES_WITHOUT_CHASING = `select i.account_id, i.id, i.customer_id from invoice i
  join customer c on c.account_id = i.account_id and c.id = i.customer_id and c.chase and not c.credit_hold
  join chasing_cadence d on d.account_id = i.account_id and d.id = i.chasing_cadence_id and not d.paused and d.planning_after is null
  left join ${ACTIVE_PLAN}
  where ${ASKED_FOR} and not ${OF_CUSTOMER} and i.due_at is not null and exists (
      select 1 from jsonb_array_elements(d.steps) s where s ->> 'schedule' like 'after_due:%'
        and not coalesce(i.taken_steps, '[]') @> jsonb_build_array(jsonb_build_object('id', s -> 'id')))
    and not exists (select 1 from wakeup w where w.account_id = c.account_id and w.process = 'chasing' and w.subject_id = c.id)`;

/** SQL: customers with a day for their statement, and none planned. */
const CUSTOMERS_WITHOUT_STATEMENT = `select c.account_id, c.id from customer c join account a on a.id = c.account_id
  where coalesce(c.statement_day, a.settings ->> 'statement_day', 'off') <> 'off'
    and c.merged_into_id is null and c.anonymized_at is null
    and not exists (select 1 from wakeup w where w.account_id = c.account_id and w.process = 'chasing' and w.subject_id = c.id
      and w.rule in ('statement', 'chase_plan', 'problem'))
    and not exists (select 1 from statement_planning p where p.account_id = c.account_id and p.planning_after is not null)`;

/** SQL: accounts whose team gets a digest, and have none planned. */
const ACCOUNTS_WITHOUT_DIGEST = `select a.id as account_id from account a
  where coalesce((a.settings ->> 'alert_digest')::boolean, true) and jsonb_array_length(coalesce(a.settings -> 'alert_recipients', '[]')) > 0
    and not exists (select 1 from wakeup w where w.account_id = a.id and w.process = 'digest' and w.subject_id = a.id)`;

/**
 * Lets the processes come that lack the wake-up of their next step, such as after an earlier version has deleted what it did not know. They plan
 * it anew. Returns their number.
 */
export async function planWithoutStep(sql: Sql, now: Date): Promise<number> {
  const planned = await sql.query(
    `insert into wakeup (account_id, process, subject_id, rule, at, step, time_base, put_at)
     select distinct account_id, process, subject_id, 'problem', $1::timestamptz, '${stepTexts.plan_own}', 'real', $1::timestamptz from (
       select account_id, process, subject_id from (${WITHOUT_STEP}) s
       union all select account_id, 'chasing', id from (${CUSTOMERS_WITHOUT_CHASING}) c
       union all select account_id, 'chasing', customer_id from (${INVOICES_WITHOUT_CHASING}) i
       union all select account_id, 'chasing', id from (${CUSTOMERS_WITHOUT_STATEMENT}) t
       union all select account_id, 'digest', account_id from (${ACCOUNTS_WITHOUT_DIGEST}) d) missing
     on conflict do nothing returning 1`,
    [now],
  );
  return planned.length;
}

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

/** Checks of digests: none is forgotten. */
export const digestChecks: Check[] = [
  {
    name: 'an account whose team gets a digest has a planned one',
    sql: `select ${compare("'digest'", "'nothing planned'", "'a planned digest'")} from (${ACCOUNTS_WITHOUT_DIGEST}) x`,
  },
];

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
