import { undecided } from '../../schema/attempt.ts';
import { subjectTables } from '../../schema/customerTables.ts';
import { disputeChecks, feeChecks, refundChecks } from './charges.ts';
import { type Check, compare } from './check.ts';
import { creditChecks } from './credit.ts';
import { documentChecks, estimateChecks } from './documents.ts';
import { chasingChecks, digestChecks, statementChecks, WITHOUT_STEP } from './forgotten.ts';
import { earlyDiscountChecks, lateFeeChecks, paymentPlanChecks } from './invoiceTerms.ts';
import { pastDayChecks } from './pastDays.ts';
import { usageChecks } from './usage.ts';

/** Objects whose events carry their id, with their own event count. */
const counts = ['customer', ...subjectTables]
  .map(
    (table) =>
      `select account_id, '${table}' as subject_type, id::text as subject_id, event_count as counted from ${table}`,
  )
  .join(' union all ');

/** SQL: the part of payment p that is credit, not money. */
const SPENT = `coalesce((select sum(s.amount) from payment_application s
  where s.account_id = p.account_id and s.payment_id = p.id and (s.type in ('applied_credit', 'deposit') or s.credit_note_id is not null)), 0)`;

/** SQL: money of payment p with charge c in the books. A voided payment has none, unless more was refunded or lost than was charged. */
const MONEY = `case when c.status = 'pending' or (p.voided and p.refunded_own + p.refund_expense = 0) then 0
  when p.voided then coalesce(c.amount, p.refunded_own + p.refund_expense) - p.refunded_own - p.refund_expense
  else p.amount - ${SPENT} - p.refunded_own - p.refund_expense end`;

/** SQL: money of the charge of payment p that open disputes hold. */
const DISPUTED_OPEN = `coalesce((select sum(d.amount) from dispute d
  where d.account_id = p.account_id and d.charge_id = p.charge_id and d.status = 'open'), 0)`;

/** Checks that recompute every balance from its parts. They read everything: run them on a replica if the database is large. */
export const auditChecks: Check[] = [
  {
    name: 'every posting sums to zero',
    sql: `select ${compare("'posting ' || posting", 'sum(amount)', '0')} from ledger_entry
          group by account_id, posting, currency having sum(amount) <> 0`,
  },
  {
    name: 'payment balance is its amount less what is applied or refunded',
    sql: `select ${compare("'payment ' || id", 'balance', 'left_over')} from (
            select p.account_id, p.id, p.balance,
                   case when p.voided or c.status = 'pending' then 0 else p.amount - p.refunded_own - coalesce(sum(a.amount), 0) end as left_over
            from payment p left join charge c on c.account_id = p.account_id and c.id = p.charge_id
            left join payment_application a on a.account_id = p.account_id and a.payment_id = p.id
            group by p.account_id, p.id, p.balance, p.voided, p.amount, p.refunded_own, c.status) x where balance <> left_over`,
  },
  {
    name: 'unapplied money in the ledger is the balance of the payment',
    sql: `select ${compare("'payment ' || id", 'balance', 'unapplied')} from (
            select p.account_id, p.id, p.balance, -coalesce(sum(e.amount), 0) as unapplied
            from payment p left join ledger_entry e
              on e.account_id = p.account_id and e.payment_id = p.id and e.ledger_account = 'unapplied'
            group by p.account_id, p.id, p.balance) x where balance <> unapplied`,
  },
  {
    name: 'money of a payment in the ledger is its amount less the credit that it spends and its refunds',
    sql: `select ${compare("'payment ' || id", 'money', 'booked')} from (
            select p.account_id, p.id, ${MONEY} - coalesce(c.gateway_fee, 0) - ${DISPUTED_OPEN} as money,
                   coalesce((select sum(e.amount) from ledger_entry e where e.account_id = p.account_id and e.payment_id = p.id
                     and (e.ledger_account = 'cash' or e.ledger_account like 'clearing:%')), 0) as booked
            from payment p left join charge c on c.account_id = p.account_id and c.id = p.charge_id) x where money <> booked`,
  },
  {
    name: 'credit of a payment is what pays in it without money',
    sql: `select ${compare("'payment ' || id", 'credit', 'spent')} from (
            select p.account_id, p.id, p.credit, ${SPENT} as spent from payment p) x where credit <> spent`,
  },
  ...documentChecks,
  ...creditChecks,
  ...estimateChecks,
  ...usageChecks,
  ...refundChecks,
  ...disputeChecks,
  ...feeChecks,
  ...paymentPlanChecks,
  ...lateFeeChecks,
  ...earlyDiscountChecks,
  ...chasingChecks,
  ...statementChecks,
  ...digestChecks,
  ...pastDayChecks,
  {
    name: 'a charge that succeeded has one payment of its amount, every other has none that counts',
    sql: `select ${compare("'charge ' || id", 'counted', 'expected')} from (
            select c.account_id, c.id, coalesce(sum(p.amount - ${SPENT}) filter (where not p.voided), 0) as counted,
                   case when (c.status = 'failed' and c.amount_lost = 0) or (c.amount_refunded + c.amount_lost >= c.amount and bool_and(p.voided)) then 0 else c.amount end as expected
            from charge c left join payment p on p.account_id = c.account_id and p.charge_id = c.id
            group by c.account_id, c.id, c.status, c.amount, c.amount_lost, c.amount_refunded) x where counted <> expected`,
  },
  {
    name: 'an attempt reserves an invoice only while it has no outcome',
    sql: `select ${compare("'attempt ' || a.id", 'ai.undecided', `a.state in (${undecided})`).replace('account_id', 'a.account_id')}
          from attempt_invoice ai join attempt a on a.account_id = ai.account_id and a.id = ai.attempt_id
          where ai.undecided <> (a.state in (${undecided}))`,
  },
  {
    name: 'the periods of a subscription are billed without a gap',
    sql: `select ${compare("'subscription ' || subscription_id || ' segment ' || segment", 'count(*)', 'max(period) - min(period) + 1')}
          from invoice i where subscription_id is not null and not exists (
            select 1 from subscription s where s.account_id = i.account_id and s.id = i.subscription_id and s.has_usage) and not exists (
            select 1 from event e where e.account_id = i.account_id and e.subject_type = 'subscription'
              and e.subject_id = i.subscription_id::text and ((e.previous ->> 'paused')::boolean or e.reason = 'customer_inactive'))
          group by account_id, subscription_id, segment having count(*) <> max(period) - min(period) + 1`,
  },
  {
    // A period that is billed ahead is counted when it begins. One that was paused throughout, which has a line without time, is not counted.
    // A first period in an earlier segment, in arrears, is not known to be short. A period that began with only usage has no invoice.
    name: 'a subscription has as many invoices as it counts',
    sql: `select ${compare("'subscription ' || id", 'cycles_billed', 'invoices')} from (
            select s.account_id, s.id, s.cycles_billed, s.has_usage, count(i.id) as invoices from subscription s
            left join invoice i on i.account_id = s.account_id and i.subscription_id = s.id
              and (i.segment, i.period) >= (s.contract_segment, s.contract_period)
              and not (i.period = 0 and case when i.segment = s.segment then s.starts_short else exists (
                select 1 from line_item l where l.account_id = i.account_id and l.invoice_id = i.id and l.prorated and l.swept_at is null) end)
              and not (s.bill_in = 'advance' and s.period_open and i.segment = s.segment and i.period = s.next_period - 1)
              and not (s.bill_in = 'arrears' and exists (
                select 1 from line_item l where l.account_id = i.account_id and l.invoice_id = i.id and l.swept_at is null
                  and l.prorated and l.period_start_at = l.period_end_at))
            where not (s.bill_in = 'arrears' and s.segment > s.contract_segment)
            group by s.account_id, s.id, s.cycles_billed, s.has_usage) x where cycles_billed < invoices or (cycles_billed > invoices and not has_usage)`,
  },
  {
    name: 'a subscription with add-ons is marked as one',
    sql: `select ${compare("'subscription ' || id", 'has_addons', 'found')} from (
            select s.account_id, s.id, s.has_addons, exists (select 1 from subscription_addon a
              where a.account_id = s.account_id and a.subscription_id = s.id and a.removed_at is null) as found
            from subscription s) x where has_addons <> found`,
  },
  {
    name: 'what goes on has its wake-up',
    sql: `select ${compare("process || ' ' || subject_id", "'none'", 'rule')} from (${WITHOUT_STEP}) x`,
  },
  {
    name: 'an open invoice waits for something: a wake-up, an attempt, an approval, or somebody who is past due',
    sql: `select ${compare("'invoice ' || number", "'nothing'", "'a wait'")} from invoice i
          where not paid and not closed and status not in ('voided', 'draft') and not past_due
            and not exists (select 1 from wakeup w where w.account_id = i.account_id and w.process = 'invoice' and w.subject_id = i.id)
            and not exists (select 1 from attempt_invoice a where a.account_id = i.account_id and a.invoice_id = i.id and a.undecided)
            and not exists (select 1 from payment_plan p where p.account_id = i.account_id and p.id = i.payment_plan_id
              and p.status = 'pending_signup' and p.approval_token is not null and p.approval is null)`,
  },
  {
    name: 'the events of an object are numbered without a gap',
    sql: `select ${compare("subject_type || ' ' || subject_id", 'max(sequence)', 'count(*)')} from event
          group by account_id, subject_type, subject_id having max(sequence) <> count(*)`,
  },
  {
    name: 'every event is in the log or on its way to it',
    sql: `select ${compare("'event ' || e.id", "'lost'", "'logged'").replace('account_id', 'e.account_id')} from event e
          where not exists (select 1 from event_log l where l.account_id = e.account_id and l.event_id = e.id)
            and not exists (select 1 from outbox o where o.account_id = e.account_id and o.event_id = e.id)`,
  },
  {
    name: 'no event of an object is missing at the end',
    sql: `select ${compare("subject_type || ' ' || subject_id", 'counted', 'events')} from (
            select o.*, coalesce(e.events, 0) as events from (${counts}) o
            left join (select account_id, subject_type, subject_id, count(*) as events from event group by 1, 2, 3) e
              using (account_id, subject_type, subject_id)) x where counted <> events`,
  },
  {
    name: 'a lane of an endpoint is due when, and only when, something waits on it',
    sql: `select ${compare("'webhook ' || webhook_id || ', ' || subject_type || ' ' || subject_id", 'due_at is not null', 'waits')} from (
            select l.*, exists (select 1 from webhook_delivery d where d.account_id = l.account_id and d.webhook_id = l.webhook_id
              and d.subject_type = l.subject_type and d.subject_id = l.subject_id and d.state = 'waiting') as waits
            from webhook_lane l) x where (due_at is not null) <> waits`,
  },
];
