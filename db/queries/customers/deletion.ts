import { documentTables } from '../../../billing/documents/document.ts';
import type { EntityManager } from '../../orm.ts';
import { undecided } from '../../schema/attempt.ts';
import { giveBackRedemptions } from '../catalog/couponRedemptions.ts';
import { noteGaps } from '../documents/numbers.ts';

interface Key {
  accountId: number;
  id: number;
}

/** Reasons for keeping a customer, in words, each with the rows that give it. */
const reasons: readonly [words: string, from: string][] = [
  ['issued invoices', `invoice where account_id = ? and customer_id = ? and status <> 'draft'`],
  ['issued estimates', `estimate where account_id = ? and customer_id = ? and status <> 'draft'`],
  ['issued credit notes', `credit_note where account_id = ? and customer_id = ? and status <> 'draft'`],
  ['payments', `payment where account_id = ? and customer_id = ?`],
  ['charges', `attempt where account_id = ? and customer_id = ? and kind = 'charge'`],
  ['a payment source', `payment_source where account_id = ? and customer_id = ? and deleted_at is null`],
  [
    'a payment source that is on its way',
    `attempt where account_id = ? and customer_id = ? and state in (${undecided})`,
  ],
  [
    'a sign-up whose payment source is being stored',
    `sign_up where account_id = ? and customer_id = ? and (state in ('storing', 'waiting') or stored_reference is not null)`,
  ],
  ['subscriptions', `subscription where account_id = ? and customer_id = ?`],
  ['a credit balance', `credit_balance_adjustment where account_id = ? and customer_id = ?`],
  ['customers below it', `customer where account_id = ? and parent_id = ?`],
  ['customers that were merged into it', `customer where account_id = ? and merged_into_id = ?`],
];

/** Reason why a customer cannot be deleted, in words; null: it can. One statement. */
export async function reasonToKeep(em: EntityManager, { accountId, id }: Key): Promise<string | null> {
  const cases = reasons.map(([words, from]) => `when exists (select 1 from ${from}) then '${words}'`);
  const values = reasons.flatMap(() => [accountId, id]);
  const [row] = await em.execute<{ reason: string | null }[]>(`select case ${cases.join(' ')} end as reason`, values);
  return row?.reason ?? null;
}

/** In the order of deletion: rows that nothing refers to come first. Contacts, notes and tasks are deleted with the customer by cascade. */
const owned = [
  'reminder',
  'scheduled_statement',
  'chase',
  'email',
  'text_message',
  'line_item',
  'estimate',
  'credit_note',
  'invoice',
  'attempt',
];

/** SQL: drafts and pending lines, whose coupons and PDFs have no foreign key to them. */
const drafts = ['line_item', ...documentTables]
  .map((table) => `select '${table}' as type, id from ${table} where account_id = ? and customer_id = ?`)
  .join(' union all ');

export interface DraftIds {
  invoice: number[];
  estimate: number[];
  creditNote: number[];
}

/** Ids of the drafts that are deleted with a customer. */
export async function draftsOf(em: EntityManager, { accountId, id }: Key): Promise<DraftIds> {
  const idsIn = (table: string) =>
    `array(select id from ${table} where account_id = ? and customer_id = ? and deleted_at is null order by id)`;
  const [row] = await em.execute<DraftIds[]>(
    `select ${idsIn('invoice')} as invoice, ${idsIn('estimate')} as estimate, ${idsIn('credit_note')} as "creditNote"`,
    [accountId, id, accountId, id, accountId, id],
  );
  if (!row) throw new Error('no row');
  return row;
}

/** Deletes a locked customer with its few rows. Records the numbers of its drafts as gaps. */
export async function deleteCustomerRows(
  em: EntityManager,
  { accountId, id, now }: Key & { now: Date },
): Promise<void> {
  const values = [accountId, id, accountId, id, accountId, id, accountId, id];
  await giveBackRedemptions(em, accountId, { condition: `(redeemer_type, redeemer_id) in (${drafts})`, values });
  await em.execute(`delete from document_pdf where account_id = ? and (document_type, document_id) in (${drafts})`, [
    accountId,
    ...values,
  ]);
  await em.execute(
    `delete from problem where account_id = ? and (subject_type, subject_id) in (select type || '_pdf', id from (${drafts}) x)`,
    [accountId, ...values],
  );
  const gaps = {
    whose: 'd.customer_id = ? and d.deleted_at is null',
    reason: 'draft_deleted',
    account: '?',
    now: '?',
  } as const;
  for (const table of documentTables) await em.execute(noteGaps(table, gaps), [now, accountId, id]);
  await em.execute(
    'delete from mail_event where account_id = ? and email_id in (select id from email where account_id = ? and customer_id = ?)',
    [accountId, accountId, id],
  );
  for (const table of owned)
    await em.execute(`delete from ${table} where account_id = ? and customer_id = ?`, [accountId, id]);
  await em.execute(`delete from wakeup where account_id = ? and process = 'chasing' and subject_id = ?`, [
    accountId,
    id,
  ]);
  await em.execute('update customer set default_source_id = null where account_id = ? and id = ?', [accountId, id]);
  await em.execute('delete from payment_source where account_id = ? and customer_id = ?', [accountId, id]);
  await em.execute('delete from customer where account_id = ? and id = ?', [accountId, id]);
  em.clear();
}
