import type { Sql } from '../db/queries/kernel/sql.ts';
import { numberOf } from './database.ts';
import { sandboxAccount } from './sampleData.ts';

const BATCH = 50_000;
/** Invoices per customer, and per subscription. */
const INVOICES_EACH = 10;

/**
 * Fills the tables that a renewal accesses until there are this many invoices, each with a line, ledger entries and an event. Then vacuums.
 */
export async function growTo(sql: Sql, invoices: number): Promise<void> {
  await sql.query(`set session_replication_role = 'replica'`); // no foreign keys and triggers for generated rows
  for (let have = await numberOf(sql, 'select count(*) from invoice'); have < invoices; ) {
    const count = Math.min(BATCH, invoices - have);
    await addHistory(sql, await sandboxAccount(sql), count);
    have += count;
  }
  await sql.query(`set session_replication_role = 'origin'`);
  await sql.query('vacuum (analyze, freeze)');
}

async function addHistory(sql: Sql, accountId: number, count: number): Promise<void> {
  const customers = Math.ceil(count / INVOICES_EACH);
  const values = [accountId, count];
  const first = async (table: string, rows: number) => {
    const next = 1 + (await numberOf(sql, `select nextval('${table}_id_seq')`));
    await sql.query(`select setval('${table}_id_seq', $1)`, [next + rows]);
    return next;
  };
  const customer = await first('customer', customers);
  const subscription = await first('subscription', customers);
  const invoice = await first('invoice', count);
  const of = `generate_series(0, $2::int - 1) n`;
  const past = `now() - (n % 1000) * interval '1 day'`;
  await sql.query(
    `insert into customer (account_id, id, name, number, number_key, autopay, autopay_delay_days, type, metadata, created_at, updated_at)
     select $1, $3 + n, 'Customer ' || n, 'G-' || ($3 + n), 'G-' || ($3 + n), false, -1, 'company', '{}', ${past}, ${past} from ${of}`,
    [accountId, customers, customer],
  );
  await sql.query(
    `insert into subscription (account_id, id, customer_id, plan_id, status, quantity, anchor_at, time_zone, next_period, cycles_billed,
       cancel_at_period_end, paused, discounts, taxes, recurring_total, mrr, metadata, created_at, updated_at)
     select $1, $3 + n, $4 + n, 1, 'active', 1, ${past}, 'UTC', 10, 10, false, false, '[]', '[]', 10, 10, '{}', ${past}, ${past} from ${of}`,
    [accountId, customers, subscription, customer],
  );
  await sql.query(
    `insert into wakeup (account_id, process, subject_id, rule, at, step, time_base)
     select $1, 'subscription', $3 + n, 'bill', now() + interval '30 days', 'renewal 11', 'real' from ${of}`,
    [accountId, customers, subscription],
  );
  await sql.query(
    `insert into invoice (account_id, id, customer_id, subscription_id, segment, period, name, number, number_key, currency, status, autopay, date,
       issued_at, time_zone, subtotal, total, balance, paid, closed, metadata, event_count, created_at, updated_at)
     select $1, $3 + n, $4 + n / ${INVOICES_EACH}, $5 + n / ${INVOICES_EACH}, 0, n % ${INVOICES_EACH}, 'Plan', 'G-' || ($3 + n), 'G-' || ($3 + n), 'usd',
       'paid', true, ${past}, ${past}, 'UTC', 10, 10, 0, true, true, '{}', 1, ${past}, ${past} from ${of}`,
    [...values, invoice, customer, subscription],
  );
  await sql.query(
    `insert into line_item (account_id, invoice_id, position, name, currency, quantity, unit_cost, amount, net, discountable,
       taxable, discounts, taxes, metadata, created_at, updated_at)
     select $1, $3 + n, 0, 'Plan', 'usd', 1, 10, 10, 10, true, true, '[]', '[]', '{}', ${past}, ${past} from ${of}`,
    [...values, invoice],
  );
  await sql.query(
    `insert into ledger_entry (account_id, posting, ledger_account, currency, amount, reason, customer_id, invoice_id, document_at, posted_at)
     select $1, gen_random_uuid(), side.name, 'usd', side.amount, 'issue', $4 + n / ${INVOICES_EACH}, $3 + n, ${past}, ${past}
     from ${of}, (values ('receivable', 10), ('revenue', -10)) side (name, amount)`,
    [...values, invoice, customer],
  );
  await sql.query(
    `with added as (
       insert into event (account_id, type, subject_type, subject_id, sequence, object, user_id, occurred_at, created_at)
       select $1, 'invoice.created', 'invoice', ($3 + n)::text, 1, '{"object": "invoice"}', -1, ${past}, ${past} from ${of}
       returning account_id, id
     ) insert into event_log (account_id, event_id) select account_id, id from added`,
    [...values, invoice],
  );
  await sql.query(
    `with tried as (
       insert into attempt (account_id, customer_id, kind, origin, state, key, gateway, reference, amount, currency, method, started_at,
         ended_at, created_at, updated_at)
       select $1, $4 + n / ${INVOICES_EACH}, 'charge', 'autopay', 'succeeded', gen_random_uuid(), 'test', 'grown_' || ($3 + n), 10, 'usd',
         'credit_card', ${past}, ${past}, ${past}, ${past} from ${of}
       returning account_id, id, customer_id, reference, started_at
     ), linked as (
       insert into attempt_invoice (account_id, attempt_id, invoice_id, amount, undecided)
       select account_id, id, substr(reference, 7)::int, 10, false from tried
     ), charged as (
       insert into charge (account_id, attempt_id, customer_id, currency, amount, gateway, gateway_id, status, created_at, updated_at)
       select account_id, id, customer_id, 'usd', 10, 'test', reference, 'succeeded', started_at, started_at from tried
       returning account_id, id, customer_id, gateway_id, created_at
     ), paid as (
       insert into payment (account_id, customer_id, charge_id, date, currency, amount, balance, method, reference, source, voided,
         metadata, created_at, updated_at)
       select account_id, customer_id, id, created_at, 'usd', 10, 0, 'credit_card', gateway_id, 'api', false, '{}', created_at, created_at
       from charged returning account_id, id, reference, created_at
     )
     insert into payment_application (account_id, payment_id, invoice_id, type, amount, created_at)
     select account_id, id, substr(reference, 7)::int, 'invoice', 10, created_at from paid`,
    [...values, invoice, customer],
  );
}
