import { eventTypes } from '../../../billing/eventTypes.ts';
import type { Presented } from '../../../billing/json.ts';
import { endedStatuses } from '../../../billing/subscriptions/subscription.ts';
import type { EntityManager } from '../../orm.ts';
import { undecided } from '../../schema/attempt.ts';
import { quoted } from '../../schema/columns.ts';
import { subjectTables } from '../../schema/customerTables.ts';
import { FORMER_CUSTOMER } from '../../schema/event.ts';
import { WAITS } from '../../schema/textMessage.ts';

/**
 * SQL: the lines with which the invoices among `subjects` were created, as subjects. Lines that were pending have events of their own, even
 * if they have left the invoice since. `account`: the statement's parameter for the account.
 */
export function linesOfInvoices(subjects: string, account: '?' | '$1'): string {
  return `select 'line_item' as type, line ->> 'id' as id from event i
    join (${subjects}) s on s.type = 'invoice' and i.subject_type = s.type and i.subject_id = s.id
    cross join json_array_elements(i.object -> 'items') line where i.account_id = ${account} and i.type = 'invoice.created'`;
}

/** Types of deletion events, quoted for SQL. */
export const deletionTypes = eventTypes
  .filter((type) => type.endsWith('.deleted'))
  .map((type) => `'${type}'`)
  .join();

interface Key {
  accountId: number;
  id: number;
}

const LONGEST_MILLISECONDS = 60_000;

/** Ids of all customers merged into one, directly or not: their remaining rows are about the same people. */
export async function mergedInto(em: EntityManager, { accountId, id }: Key): Promise<number[]> {
  const rows = await em.execute<{ id: number }[]>(
    `with recursive merged as (
       select id from customer where account_id = ? and merged_into_id = ?
       union select c.id from merged m join customer c on c.account_id = ? and c.merged_into_id = m.id
     ) select id from merged order by id`,
    [accountId, id, accountId],
  );
  return rows.map((row) => row.id);
}

/**
 * Ids of all events about customers and the objects that they have or had. Deleted objects are found by their last event. Objects given to
 * other customers are found by the event that reported the change.
 */
export async function eventIdsOf(em: EntityManager, accountId: number, ids: readonly number[]): Promise<number[]> {
  const customers = `{${ids.join()}}`;
  const owned = subjectTables.map(
    (table) => `union select '${table}', id::text from ${table} where account_id = ? and customer_id = any(?::int[])`,
  );
  const gone = [accountId, customers];
  await em.execute(`set local statement_timeout = ${LONGEST_MILLISECONDS}`);
  const rows = await em.execute<{ id: number }[]>(
    `with named as (
       select 'customer' as type, unnest(?::text[]) as id ${owned.join(' ')}
       union select subject_type, subject_id from event where account_id = ? and type in (${deletionTypes})
         and (object -> 'customer' ->> 'id')::int = any(?::int[])
       union select subject_type, subject_id from event where account_id = ?
         and (${FORMER_CUSTOMER}) = any(?::text[]) and (${FORMER_CUSTOMER}) is not null
     ), subjects as (select * from named union ${linesOfInvoices('table named', '?')})
     select e.id from subjects s join event e on e.account_id = ? and e.subject_type = s.type and e.subject_id = s.id`,
    [customers, ...subjectTables.flatMap(() => [accountId, customers]), ...gone, ...gone, accountId, accountId],
  );
  return rows.map((row) => row.id);
}

export interface EventBody {
  id: number;
  type: string;
  object: Presented;
  previous: Presented | null;
}

export function readEvents(em: EntityManager, accountId: number, ids: readonly number[]): Promise<EventBody[]> {
  return em.execute<EventBody[]>(
    'select id, type, object, previous from event where account_id = ? and id = any(?::bigint[])',
    [accountId, `{${ids.join()}}`],
  );
}

/** Replaces the bodies of events; no other part of an event ever changes. */
export async function rewriteEvents(em: EntityManager, accountId: number, events: readonly EventBody[]): Promise<void> {
  const rows = events.map(({ id, object, previous }) => ({
    id,
    object: JSON.stringify(object),
    previous: previous && JSON.stringify(previous),
  }));
  await em.execute(
    `update event e set object = v.object::json, previous = v.previous::json
     from jsonb_to_recordset(?::jsonb) as v(id bigint, object text, previous text) where e.account_id = ? and e.id = v.id`,
    [JSON.stringify(rows), accountId],
  );
}

const DRAFT = 'where account_id = ? and customer_id = ? and issued_at is null and deleted_at is null';

/** Reasons why a customer is still needed, in words, each with the rows that give it. */
const reasons: readonly [words: string, from: string][] = [
  [
    'running subscriptions',
    `subscription where account_id = ? and customer_id = ? and status not in (${quoted(endedStatuses)})`,
  ],
  ['drafts', `invoice ${DRAFT}`],
  ['drafts', `estimate ${DRAFT}`],
  ['drafts', `credit_note ${DRAFT}`],
  ['open invoices', `invoice where account_id = ? and customer_id = ? and not closed`],
  ['pending line items', `line_item where account_id = ? and customer_id = ?`],
  ['charges under way', `attempt where account_id = ? and customer_id = ? and state in (${undecided})`],
  ['a stored payment source', `payment_source where account_id = ? and customer_id = ? and deleted_at is null`],
];

/** Reason why a customer's data cannot be erased yet, in words; null: it can. One statement. */
export async function reasonToRemember(em: EntityManager, { accountId, id }: Key): Promise<string | null> {
  const cases = reasons.map(([words, from]) => `when exists (select 1 from ${from}) then '${words}'`);
  const values = reasons.flatMap(() => [accountId, id]);
  const [row] = await em.execute<{ reason: string | null }[]>(`select case ${cases.join(' ')} end as reason`, values);
  return row?.reason ?? null;
}

/**
 * Erases personal data in a customer's emails and their suppressed addresses, texts, estimates, payments, receipts, attempts, charges, consents, adjustments, subscriptions and
 * add-ons. A queued email is marked as failed and not sent, a queued text as canceled.
 */
export async function eraseRows(em: EntityManager, { accountId, id, now }: Key & { now: Date }): Promise<void> {
  const of = [accountId, id] as const;
  await em.execute(
    `update suppression set address = null, detail = null, updated_at = ? where account_id = ?
       and address in (select lower(to_address) from email where account_id = ? and customer_id = ?)`,
    [now, accountId, ...of],
  );
  await em.execute(
    `update email set to_name = '', to_address = '', bcc = '[]', message = '', subject = '', html = '', text = '', view = null, progress = null, files = '[]',
       openings = '[]', open_token = null, unsubscribe_url = null, updated_at = ?,
       state = case state when 'queued' then 'failed' else state end, next_attempt_at = null,
       failure_reason = case when state = 'queued' or failure_reason is not null then 'its customer was anonymized' end
     where account_id = ? and customer_id = ?`,
    [now, ...of],
  );
  await em.execute(
    `update text_message set number = '', message = '', updated_at = ?, next_attempt_at = null,
       state = case when ${WAITS} then 'canceled' else state end,
       failure_reason = case when ${WAITS} or failure_reason is not null then 'its customer was anonymized' end
     where account_id = ? and customer_id = ?`,
    [now, ...of],
  );
  await eraseEstimates(em, of);
  await em.execute(
    'update invoice set disputed_lines = null where account_id = ? and customer_id = ? and disputed_lines is not null',
    [...of],
  );
  await em.execute('update payment set notes = null where account_id = ? and customer_id = ?', [...of]);
  await em.execute('update credit_balance_adjustment set notes = null where account_id = ? and customer_id = ?', [
    ...of,
  ]);
  await em.execute(
    `update subscription set metadata = '{}', ship_to = null, pending_change = null, past_prices = null, cancellation_comment = null, customers_choices = null
     where account_id = ? and customer_id = ?`,
    [...of],
  );
  await em.execute(
    `update subscription_addon set description = null where account_id = ?
       and subscription_id in (select id from subscription where account_id = ? and customer_id = ?)`,
    [of[0], ...of],
  );
  await em.execute(
    `update usage_rate set component = component || '{"description": null}' where account_id = ?
       and subscription_id in (select id from subscription where account_id = ? and customer_id = ?)`,
    [of[0], ...of],
  );
  await em.execute(
    'update attempt set receipt_name = null, receipt_email = null, payer = null where account_id = ? and customer_id = ?',
    [...of],
  );
  await em.execute('update charge set receipt_email = null where account_id = ? and customer_id = ?', [...of]);
  await em.execute('update payment_plan set approval = null where account_id = ? and customer_id = ?', [...of]);
  await em.execute(
    `update sign_up set details = null, ip = null, user_agent = null, payer = null, sealed_token = null, trial_key = null, is_hidden = true
     where account_id = ? and customer_id = ?`,
    [...of],
  );
  await em.execute(
    `update link_payment set fields = '[]', ip = null, user_agent = null, is_hidden = true where account_id = ? and customer_id = ?`,
    [...of],
  );
  await em.execute(
    'update payment_consent set email = null, ip = null, user_agent = null where account_id = ? and customer_id = ?',
    [...of],
  );
  await em.execute(
    `update gateway_event set body = '' where account_id = ?
       and attempt_id in (select id from attempt where account_id = ? and customer_id = ?)`,
    [of[0], ...of],
  );
  // Receipts have no snapshot: they are printed anew from the remaining data.
  await erasePdfs(em, of, { table: 'payment', condition: '' });
}

/** Deletes stored PDFs and the problems of failed ones, because the printed content has changed. */
async function erasePdfs(
  em: EntityManager,
  [accountId, id]: readonly [accountId: number, customerId: number],
  { table, condition }: { table: 'payment' | 'estimate'; condition: string },
): Promise<void> {
  const ids = `select id from ${table} where account_id = ? and customer_id = ? ${condition}`;
  const values = [accountId, table, accountId, id];
  await em.execute(
    `delete from document_pdf where account_id = ? and document_type = ? and document_id in (${ids})`,
    values,
  );
  await em.execute(
    `delete from problem where account_id = ? and subject_type = ? || '_pdf' and subject_id in (${ids})`,
    values,
  );
}

/** Erases who answered estimates. Estimates without an invoice also lose their shipping address and the PDFs that show it. */
async function eraseEstimates(em: EntityManager, of: readonly [accountId: number, customerId: number]): Promise<void> {
  await erasePdfs(em, of, { table: 'estimate', condition: 'and invoice_id is null and ship_to is not null' });
  await em.execute(
    `update estimate set answer = null, ship_to = case when invoice_id is null then null else ship_to end
     where account_id = ? and customer_id = ?`,
    [...of],
  );
}
