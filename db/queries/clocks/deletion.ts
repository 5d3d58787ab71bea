import { documentTables } from '../../../billing/documents/document.ts';
import { customerProcesses } from '../../../billing/processes.ts';
import type { EntityManager } from '../../orm.ts';
import { unanswered } from '../../schema/attempt.ts';
import { customerTables, subjectTables } from '../../schema/customerTables.ts';
import { giveBackRedemptions } from '../catalog/couponRedemptions.ts';
import { deletionTypes, linesOfInvoices } from '../customers/erasure.ts';
import { noteGaps } from '../documents/numbers.ts';
import type { ClockKey } from './clocks.ts';

/** SQL: the customers on clock $2 in account $1, and the ids of their rows in a table. */
const customers = 'select id from customer where account_id = $1 and test_clock_id = $2';
const owned = (table: string): string =>
  `select id from ${table} where account_id = $1 and customer_id in (${customers})`;

/** SQL: subjects of events, and of processes below, by type and id. */
const named = [
  `select 'customer' as type, id::text as id from (${customers}) x`,
  ...subjectTables.map((table) => `select '${table}', id::text from (${owned(table)}) x`),
  // Deleted objects are found by their last event.
  `select subject_type, subject_id from event where account_id = $1 and type in (${deletionTypes})
   and (object -> 'customer' ->> 'id')::int in (${customers})`,
  `select subject_type, subject_id from event where account_id = $1 and type = 'customer.deleted' and (object ->> 'test_clock')::int = $2`,
].join(' union ');
const subjects = `${named} union ${linesOfInvoices(named, '$1')}`;
const waiters = customerProcesses
  .map(({ process, table }) => `select '${process}' as type, id from (${owned(table)}) x`)
  .join(' union all ');

const events = `select e.id from event e join (${subjects}) s on e.subject_type = s.type and e.subject_id = s.id where e.account_id = $1`;

/** SQL: documents, and other objects that can have coupons. */
const linesOf = documentTables.map((table) => `or ${table}_id in (${owned(table)})`).join(' ');
const redeemers = [
  ...[...documentTables, 'subscription'].map((table) => `select '${table}' as type, id from (${owned(table)}) x`),
  `select 'line_item', id from line_item where account_id = $1 and (customer_id in (${customers}) ${linesOf})`,
].join(' union all ');
const printed = [...documentTables, 'payment']
  .map((table) => `select '${table}' as type, id from (${owned(table)}) x`)
  .join(' union all ');

const erase = (table: string, where: string): string => `delete from ${table} where account_id = $1 and (${where})`;
const ofCustomers = (table: string): string => erase(table, `customer_id in (${customers})`);
const ofWaiters = (column: string): string => `(${column}, subject_id) in (${waiters})`;

/**
 * In the order of deletion: rows that nothing refers to come first. Foreign keys with `deleteRule('cascade')` delete more: steps of the
 * clock, invoices of attempts, attachments, add-ons.
 */
const statements = [
  // The ledger is append-only: entries of the clock's customers are reversed, object by object.
  `with p as materialized (select gen_random_uuid() as posting)
   insert into ledger_entry (account_id, posting, ledger_account, currency, amount, reason,
     customer_id, invoice_id, payment_id, credit_note_id, document_at, posted_at)
   select e.account_id, p.posting, e.ledger_account, e.currency, -sum(e.amount), 'test_clock_deleted',
     e.customer_id, e.invoice_id, e.payment_id, e.credit_note_id, $3, $3
   from ledger_entry e cross join p
   where e.account_id = $1 and (e.invoice_id in (${owned('invoice')}) or e.payment_id in (${owned('payment')})
     or (e.invoice_id is null and e.payment_id is null and e.customer_id in (${customers})))
   group by e.account_id, p.posting, e.ledger_account, e.currency, e.customer_id, e.invoice_id, e.payment_id, e.credit_note_id
   having sum(e.amount) <> 0`,
  // Waits for the relay, which may have leased some of these rows; afterwards no relay takes any.
  erase('outbox', `topic = 'event' and event_id in (${events})`),
  `delete from webhook_lane l using webhook w, (${subjects}) s
   where w.account_id = $1 and l.account_id = $1 and l.webhook_id = w.id and l.subject_type = s.type and l.subject_id = s.id`,
  `with gone as (delete from event where account_id = $1 and id in (${events}) returning id),
        logged as (delete from event_log where account_id = $1 and event_id in (select id from gone)),
        attempted as (delete from webhook_attempt where account_id = $1 and event_id in (select id from gone))
   delete from webhook_delivery d using webhook w, gone
   where w.account_id = $1 and d.account_id = $1 and d.webhook_id = w.id and d.event_id = gone.id`,
  erase('outbox', `clock_id = $2 or ${ofWaiters('topic')}`),
  erase('wakeup', `clock_id = $2 or ${ofWaiters('process')}`),
  // Problems of PDFs have no clock: they name only the document.
  erase('problem', `clock_id = $2 or (subject_type, subject_id) in (select type || '_pdf', id from (${printed}) x)`),
  erase('document_pdf', `(document_type, document_id) in (${printed})`),
  // Records why these numbers are missing in their series.
  ...[...documentTables, 'receipt' as const].map((series) =>
    noteGaps(series, { whose: `d.customer_id in (${customers})`, reason: 'clock_deleted', account: '$1', now: '$3' }),
  ),
  `update customer set default_source_id = null, parent_id = null, merged_into_id = null where account_id = $1 and test_clock_id = $2`,
  // These have no foreign keys.
  erase('mail_event', `email_id in (${owned('email')})`),
  erase('usage_record', `subscription_id in (${owned('subscription')})`),
  ...customerTables.flatMap((table) =>
    table === 'payment'
      ? [erase('payment_application', `payment_id in (${owned('payment')})`), ofCustomers(table)]
      : [ofCustomers(table)],
  ),
  erase('customer', 'test_clock_id = $2'),
  erase('test_clock', 'id = $2'),
];

const LONGEST_MILLISECONDS = 30_000;

/**
 * Deletes a locked clock with its customers and all that is theirs, even ten years of it: documents, payments, charges, subscriptions, line
 * items, credit balances, contacts, payment sources, tasks, notes and mails (`customerTables`), and their events, deliveries, wake-ups,
 * problems, usage and PDFs. Ledger entries are reversed; they, gaps of numbers, snapshots of printed parties and stored answers stay. Returns
 * false and does nothing while one of their attempts has no answer.
 */
export async function deleteClockRows(
  em: EntityManager,
  { accountId, id }: ClockKey,
  systemNow: Date,
): Promise<boolean> {
  const [open] = await em.execute(
    `select 1 from attempt where account_id = ? and clock_id = ? and state in (${unanswered}) limit 1`,
    [accountId, id],
  );
  if (open) return false;
  await em.write();
  await em.execute(`set local statement_timeout = ${LONGEST_MILLISECONDS}`);
  const filled = (text: string) => {
    const values: unknown[] = [];
    const sql = text.replace(/\$([123])/g, (_, place: string) => {
      values.push([accountId, id, systemNow][Number(place) - 1]);
      return '?';
    });
    return { sql, values };
  };
  const { sql: condition, values } = filled(`(redeemer_type, redeemer_id) in (${redeemers})`);
  await giveBackRedemptions(em, accountId, { condition, values });
  for (const { sql, values } of statements.map(filled)) await em.execute(sql, values);
  em.clear();
  return true;
}
