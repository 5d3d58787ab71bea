import type { EntityManager } from '../orm.ts';
import type { ClockKey } from './clocks.ts';

/** Ids of what the customers of clock $1, $2 own, by table. */
const customers = 'select id from customer where account_id = $1 and test_clock_id = $2';
const owned = (table: string): string =>
  `select id from ${table} where account_id = $1 and customer_id in (${customers})`;

/** What events are about, and processes look after: type and id as they name it. */
const subjects = [
  `select 'customer' as type, id from (${customers}) x`,
  ...[
    'subscription',
    'estimate',
    'invoice',
    'payment',
    'charge',
    'payment_source',
    'credit_balance_adjustment',
    'credit_note',
    'contact',
    'note',
    'task',
  ].map((table) => `select '${table}' as type, id from (${owned(table)}) x`),
].join(' union all ');
const waiters = [
  `select 'charge' as type, id from (${owned('attempt')}) x`,
  ...['subscription', 'estimate', 'invoice'].map((table) => `select '${table}' as type, id from (${owned(table)}) x`),
].join(' union all ');

const events = `select e.id from event e join (${subjects}) s on e.subject_type = s.type and e.subject_id = s.id::text where e.account_id = $1`;

const erase = (table: string, where: string): string => `delete from ${table} where account_id = $1 and (${where})`;
const ofCustomers = (table: string): string => erase(table, `customer_id in (${customers})`);
const ofWaiters = (column: string): string => `(${column}, subject_id) in (${waiters})`;

/** In this order: first what nothing refers to. */
const statements = [
  // The books are never rewritten: what its customers had in them is taken back.
  `with p as materialized (select gen_random_uuid() as posting)
   insert into ledger_entry (account_id, posting, ledger_account, currency, amount, reason, document_at, posted_at)
   select e.account_id, p.posting, e.ledger_account, e.currency, -sum(e.amount), 'test_clock_deleted', $3, $3
   from ledger_entry e cross join p
   where e.account_id = $1 and (e.invoice_id in (${owned('invoice')}) or e.payment_id in (${owned('payment')})
     or (e.invoice_id is null and e.payment_id is null and e.customer_id in (${customers})))
   group by e.account_id, p.posting, e.ledger_account, e.currency having sum(e.amount) <> 0`,
  // Waits for the relay that has some of them in hand; from here on none takes any.
  erase('outbox', `topic = 'event' and event_id in (${events})`),
  `with gone as (delete from event where account_id = $1 and id in (${events}) returning id),
        logged as (delete from event_log where account_id = $1 and event_id in (select id from gone)),
        attempted as (delete from webhook_attempt where account_id = $1 and event_id in (select id from gone))
   delete from webhook_delivery d using webhook w, gone
   where w.account_id = $1 and d.account_id = $1 and d.webhook_id = w.id and d.event_id = gone.id`,
  `delete from webhook_lane l using webhook w, (${subjects}) s
   where w.account_id = $1 and l.account_id = $1 and l.webhook_id = w.id and l.subject_type = s.type and l.subject_id = s.id::text`,
  erase('outbox', `clock_id = $2 or ${ofWaiters('topic')}`),
  erase('wakeup', `clock_id = $2 or ${ofWaiters('process')}`),
  erase('problem', `clock_id = $2`),
  ofCustomers('email'),
  ofCustomers('note'),
  ofCustomers('task'),
  ofCustomers('contact'),
  ofCustomers('credit_balance_change'),
  ofCustomers('credit_balance_adjustment'),
  erase('payment_application', `payment_id in (${owned('payment')})`),
  ofCustomers('payment'),
  ofCustomers('charge'),
  ofCustomers('attempt'),
  ofCustomers('estimate'),
  ofCustomers('credit_note'),
  ofCustomers('invoice'),
  ofCustomers('subscription'),
  `update customer set default_source_id = null, parent_id = null, merged_into_id = null where account_id = $1 and test_clock_id = $2`,
  ofCustomers('payment_source'),
  erase('customer', 'test_clock_id = $2'),
  erase('test_clock', 'id = $2'),
];

const LONGEST_MILLISECONDS = 30_000;

/**
 * Deletes a locked clock with its customers and all they own, ten years of them if need be. False, and nothing is done, while an
 * attempt of theirs has no answer.
 */
export async function deleteClockRows(
  em: EntityManager,
  { accountId, id }: ClockKey,
  systemNow: Date,
): Promise<boolean> {
  const [open] = await em.execute(
    `select 1 from attempt where account_id = ? and clock_id = ? and state in ('open', 'unknown') limit 1`,
    [accountId, id],
  );
  if (open) return false;
  await em.flush();
  await em.execute(`set local statement_timeout = ${LONGEST_MILLISECONDS}`);
  for (const statement of statements) {
    const values: unknown[] = [];
    const sql = statement.replace(/\$([123])/g, (_, place: string) => {
      values.push([accountId, id, systemNow][Number(place) - 1]);
      return '?';
    });
    await em.execute(sql, values);
  }
  em.clear();
  return true;
}
