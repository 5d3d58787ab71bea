import { chargeDrifts, money, paymentBalance } from './chargeDrifts.ts';
import { collectionDrifts } from './collectionDrifts.ts';
import { earlyDiscountDrifts } from './earlyDiscountDrifts.ts';

/** A change that the audit has to report. */
export interface Planted {
  check: string;
  /** A statement that changes data without the product. */
  drift: string;
  /** Other checks that also have to report the drift. */
  also?: string[];
}

const receivable = 'receivable in the ledger is the balance of the invoice';
const unapplied = 'unapplied money in the ledger is the balance of the payment';
const paidWhenNothingIsOwed = 'an invoice is paid when, and only when, nothing of it is owed';
const counted = 'no event of an object is missing at the end';
const logged = 'every event is in the log or on its way to it';
export const invoiceBalance = 'invoice balance is total less what is applied';
const subtotal = 'invoice: subtotal is the sum of the lines without the taxes in them';
const identity = 'invoice: total is subtotal less discounts and with taxes';
const earned = 'invoice: total is what its lines earn and its taxes';
const booked = 'revenue and tax payable in the ledger are those of the invoice';
const badDebt = 'bad debt in the ledger is what was given up of invoices, less the tax that it took back';
const closed = 'an invoice is closed when it is paid, given up or voided, and only then';
const noNumber = (table: string) => `update ${table} set number = null, number_key = null`;
const chargePayment = 'a charge that succeeded has one payment of its amount, every other has none that counts';
const periods = 'the periods of a subscription are billed without a gap';
const asMany = 'a subscription has as many invoices as it counts';

/** Payments of the customer without a discount for early payment. */
const notEarly = "customer_id <> (select customer_id from invoice where number = 'EARLY-1')";
const noted = 'credit notes in the ledger are what is left of them';
const deposits = 'the deposit of an estimate is what payments put aside for it, less what has paid its invoice';
const aside = 'deposits in the ledger are what payments put aside';
const estimateStatus = 'the status of an estimate is what the rest of it says';
const installments = 'the installments of a payment plan are what is owed of its invoice';
const filled = 'payments fill the installments of a payment plan in their order';
const finished = 'a payment plan is finished when, and only when, nothing of its invoice is owed';
const goesOn = 'what goes on has its wake-up';
const caused = 'each change of a credit balance has its cause, and each cause its change';

export const planted: readonly Planted[] = [
  {
    check: 'all entries of a posting count on the same day, so that the books add up to zero on every day',
    drift: `update ledger_entry set document_at = document_at - interval '1 day'
      where id = (select min(id) from ledger_entry where ledger_account = 'revenue')`,
  },
  {
    check: 'aging, unapplied and credits are the balances of the ledger, now and at random times',
    drift: `update ledger_entry set invoice_id = 900 where id = (select min(id) from ledger_entry where ledger_account = 'receivable')`,
  },
  {
    check: 'after each event of a subscription, its movements so far add up to the revenue that the event says',
    drift: 'delete from mrr_movement where id = (select min(id) from mrr_movement)',
  },
  {
    check: 'each movement of revenue has its event, with the same times and currency',
    drift: `insert into mrr_movement (account_id, subscription_id, event_id, currency, amount, occurred_at, created_at)
      select account_id, subscription_id, 900000, currency, amount, occurred_at, created_at from mrr_movement order by id limit 1`,
  },
  {
    check: 'each movement of revenue has its event, with the same times and currency',
    drift: `update mrr_movement set occurred_at = now() + interval '1 day' where id = (select min(id) from mrr_movement)`,
  },
  {
    check: 'every posting sums to zero',
    drift: `update ledger_entry set amount = amount + 1 where id = (select min(id) from ledger_entry where ledger_account = 'revenue')`,
  },
  {
    check: subtotal,
    drift: `update invoice set total = 11, subtotal = 11, balance = 11 where id = (select max(id) from invoice)`,
    also: [receivable, earned],
  },
  { check: identity, drift: `update invoice set subtotal = 11 where id = (select max(id) from invoice)` },
  {
    check: earned,
    drift: `update line_item set net = 9 where invoice_id is not null and position = 0`,
    also: [booked],
  },
  {
    check: booked,
    drift: `update ledger_entry set ledger_account = 'revenue:other' where ledger_account = 'revenue'`,
  },
  {
    check: badDebt,
    drift: `update invoice set written_off_at = now() where id = (select max(id) from invoice)`,
    also: [receivable, closed],
  },
  {
    check: 'what is written off of an open or paid invoice is the sum of its write-offs',
    drift: `update write_off set amount = amount + 1 where kind = 'part'`,
  },
  { check: closed, drift: `update invoice set closed = true where id = (select max(id) from invoice)` },
  {
    check: 'an issued invoice has a number and a snapshot',
    drift: `${noNumber('invoice')} where id = (select max(id) from invoice)`,
  },
  {
    check: 'line amount is quantity x unit cost, rounded',
    drift:
      'update line_item set unit_cost = 9.99 where id = (select max(id) from line_item where invoice_id is not null)',
  },
  {
    check: 'invoice: every number that the series has passed is that of a document, or it is known why not',
    drift: `update numbering set next = next + 1 where series = 'invoice'`,
  },
  {
    check: 'credit_note: every number that the series has passed is that of a document, or it is known why not',
    drift: `update numbering set next = next + 1 where series = 'credit_note'`,
  },
  {
    check: 'receipt: every number that the series has passed is that of a document, or it is known why not',
    drift: `update numbering set next = next + 1 where series = 'receipt'`,
  },
  {
    check: invoiceBalance,
    drift: 'update invoice set balance = 4 where id = (select max(id) from invoice)',
    also: [receivable],
  },
  { check: invoiceBalance, drift: 'delete from payment_application', also: [paymentBalance] },
  {
    check: 'what a customer owes in a currency is the balances of its open invoices',
    drift: 'update customer_balance set overdue = overdue + 1',
  },
  {
    check: receivable,
    drift: `update ledger_entry set amount = amount / 2 where invoice_id = (select max(id) from invoice)`,
  },
  { check: paidWhenNothingIsOwed, drift: `update invoice set status = 'not_sent', paid = false where paid` },
  { check: paymentBalance, drift: `update payment set balance = 5 where ${notEarly}`, also: [unapplied] },
  { check: unapplied, drift: `update ledger_entry set amount = amount * 2 where reason = 'receipt'` },
  { check: chargePayment, drift: `update payment set amount = 9, balance = 0`, also: [paymentBalance] },
  {
    check: 'credit of a payment is what pays in it without money',
    drift: `update payment set credit = credit + 1 where ${notEarly}`,
  },
  {
    check: money,
    drift: `update payment_application set type = 'applied_credit' where type = 'invoice'`,
    also: [caused],
  },
  { check: money, drift: `update ledger_entry set ledger_account = 'other' where ledger_account = 'cash'` },
  {
    check: 'credit balance in the ledger is that of its changes',
    drift: `update ledger_entry set amount = amount * 2 where ledger_account = 'customer_credits'`,
  },
  {
    check: 'a credit balance runs through its changes, and is never below zero',
    drift:
      'update credit_balance_change set balance = balance + 1 where id = (select max(id) from credit_balance_change)',
  },
  { check: caused, drift: 'update credit_balance_adjustment set amount = 6' },
  { check: caused, drift: 'delete from credit_balance_change where adjustment_id is null' },
  {
    check: 'credit note balance is its total less what is applied of it',
    drift: 'update credit_note set balance = 2 where forfeited_at is null and early_discount_until is null',
    also: [noted],
  },
  {
    check: installments,
    drift: `update payment_plan set installments = jsonb_set(installments, '{1,balance}', '"2"')`,
    also: [filled],
  },
  {
    check: filled,
    drift: `update payment_plan set installments = jsonb_set(jsonb_set(installments, '{0,balance}', '"3"'), '{1,balance}', '"2"')`,
  },
  { check: finished, drift: `update payment_plan set status = 'finished'` },
  {
    check: 'AutoPay charges no invoice whose payment plan waits for approval',
    drift: `update payment_plan set status = 'pending_signup', approval_token = 'planted'`,
  },
  {
    check: 'a payment plan that is running is the latest of its invoice',
    drift: 'update invoice set payment_plan_id = 77 where payment_plan_id is not null',
  },
  {
    check: 'late fees are booked once, on the invoice that charges them',
    drift: `update ledger_entry set amount = amount * 2 where reason = 'late_fee'`,
  },
  { check: goesOn, drift: `delete from wakeup where rule = 'late_fee'` },
  { check: noted, drift: `update ledger_entry set credit_note_id = 9 where ledger_account = 'customer_credits:notes'` },
  {
    check: 'revenue and tax payable in the ledger are what a credit note gives back',
    drift: `update ledger_entry set ledger_account = 'revenue:other' where credit_note_id is not null and ledger_account = 'revenue'`,
  },
  {
    check: 'an invoice that a credit note corrects is not voided',
    drift: 'update credit_note set invoice_id = (select id from invoice where voided_at is not null)',
  },
  { check: 'an issued credit note has a number and a snapshot', drift: noNumber('credit_note') },
  {
    check: 'the status of a credit note is what the rest of it says',
    drift: `update credit_note set status = 'open' where status = 'closed'`,
  },
  {
    check: 'credit_note: subtotal is the sum of the lines without the taxes in them',
    drift: 'update credit_note set subtotal = 5',
  },
  { check: 'credit_note: total is subtotal less discounts and with taxes', drift: 'update credit_note set total = 5' },
  {
    check: 'credit_note: total is what its lines earn and its taxes',
    drift: 'update line_item set net = 3 where credit_note_id is not null',
  },
  ...[
    'subtotal is the sum of the lines without the taxes in them',
    'total is subtotal less discounts and with taxes',
  ].map((name) => ({ check: `estimate: ${name}`, drift: 'update estimate set subtotal = 5' })),
  {
    check: 'estimate: total is what its lines earn and its taxes',
    drift: 'update line_item set net = 3 where estimate_id is not null',
  },
  { check: deposits, drift: 'update estimate set deposit_left = 2 where deposit_received = 3' },
  { check: deposits, drift: `delete from payment_application where type = 'estimate'`, also: [aside] },
  {
    check: aside,
    drift: `update ledger_entry set amount = amount * 2 where ledger_account = 'customer_credits:deposits'`,
  },
  { check: estimateStatus, drift: `update estimate set status = 'sent' where deposit_paid` },
  { check: estimateStatus, drift: 'update estimate set deposit_paid = false where deposit_paid' },
  { check: 'an issued estimate has a number and a snapshot', drift: 'update estimate set snapshot_id = null' },
  { check: goesOn, drift: `delete from wakeup where process = 'estimate'` },
  { check: 'a customer with pending lines is marked as one', drift: 'update customer set has_pending_lines = false' },
  { check: 'a customer with credit is marked as one', drift: 'update customer set has_credit = false' },
  {
    check: 'an attempt reserves an invoice only while it has no outcome',
    drift: 'update attempt_invoice set undecided = true',
  },
  { check: periods, drift: 'delete from invoice where period = 1', also: [asMany] },
  { check: asMany, drift: 'delete from invoice where period = 2' },
  { check: 'a subscription with add-ons is marked as one', drift: 'update subscription set has_addons = true' },
  { check: goesOn, drift: `delete from wakeup where process = 'subscription'` },
  {
    check: 'an open invoice waits for something: a wake-up, an attempt, an approval, or somebody who is past due',
    drift: `delete from wakeup where process = 'invoice'`,
  },
  {
    check: 'the events of an object are numbered without a gap',
    drift: `update event set sequence = 9 where id = (select max(id) from event where subject_type = 'invoice')`,
  },
  { check: logged, drift: 'delete from event_log where position = (select max(position) from event_log)' },
  { check: counted, drift: `delete from event where id = (select max(id) from event where type = 'invoice.paid')` },
  {
    check: 'a lane of an endpoint is due when, and only when, something waits on it',
    drift: `update webhook_delivery set state = 'waiting' where id = (select max(id) from webhook_delivery)`,
  },
  {
    check: 'a usage total is the sum of its records',
    drift: `insert into usage_total (account_id, rate_id, turn, start_at, end_at, quantity, records, amount, free, created_at)
      select account_id, id, 0, now(), now(), 1, 1, 1, false, now() from usage_rate`,
  },
  {
    check: 'billed usage has its total',
    drift: `insert into usage_record (account_id, subscription_id, quantity, used_at, key, total_id, created_at)
      select account_id, id, 1, now(), 'k', 77, now() from subscription`,
  },
  ...chargeDrifts,
  ...earlyDiscountDrifts,
  ...collectionDrifts,
];

/** The table that a drift changes, with its schema. */
export const tableOf = ({ drift }: Planted) => {
  const [, table = ''] = /^(?:update|insert into|delete from) (\S+)/.exec(drift) ?? [];
  return table.includes('.') ? table : `public.${table}`;
};
