import type { NoteFacts } from '../../../billing/documents/creditNoteStory.ts';
import type { EntityManager } from '../../orm.ts';
import type { Sql } from '../kernel/sql.ts';

/** Credit notes of an account. `until`: what came later does not count; null: everything counts. */
export interface NotesAsked {
  accountId: number;
  ids: readonly number[];
  until: Date | null;
}

/** Most uses that are read of a credit note, and of each credit that it added. The others are in the sums. */
const MOST = 20;

/** SQL: what a note paid itself. */
const PAID = `select coalesce(sum(amount), 0)::text as "paidSum",
    coalesce(json_agg(json_build_object('of', 'invoice', 'number', number, 'amount', amount::text) order by place)
      filter (where place <= ${MOST}), '[]') as paid
  from (select part.amount, invoice.number, row_number() over (order by part.id) as place
    from payment_application part
    join payment on payment.account_id = part.account_id and payment.id = part.payment_id
    join invoice on invoice.account_id = part.account_id and invoice.id = part.invoice_id
    where part.account_id = note.account_id and part.credit_note_id = note.id and part.type = 'credit_note'
      and (note.until is null or payment.date < note.until)) part`;

/** SQL: what a note added to a credit balance, by applications or by adjustments for its excess. */
const CHANGES = `select change.*, false as is_excess from payment_application part
    join credit_balance_change change on change.account_id = part.account_id and change.application_id = part.id
    where part.account_id = note.account_id and part.credit_note_id = note.id and part.type = 'credit'
  union all
  select change.*, true from credit_balance_adjustment adjustment
    join credit_balance_change change on change.account_id = adjustment.account_id and change.adjustment_id = adjustment.id
    where adjustment.account_id = note.account_id and adjustment.credit_note_id = note.id`;

/** SQL: the uses of the balance after an addition, with what was used before each. In a second, uses come after additions. */
const LATER = `select *, sum(amount) over (order by at, id) - amount as before from (
    select use.at, use.id, -use.amount as amount, use.application_id from credit_balance_change use
    where use.account_id = added.account_id and use.customer_id = added.customer_id and use.currency = added.currency
      and use.at >= added.at and use.amount < 0 and (note.until is null or use.at < note.until)) use`;

/** SQL: the uses of an addition as one row. */
const USED = `select coalesce(sum(use.amount), 0)::text as used,
    coalesce(json_agg(json_build_object('before', use.before::text, 'amount', use.amount::text,
        'of', case when part.invoice_id is not null then 'invoice' when part.estimate_id is not null then 'deposit' else 'adjustment' end,
        'number', coalesce(invoice.number, estimate.number)) order by use.at, use.id) filter (where use.place <= ${MOST}), '[]') as uses
  from (select *, case when isBeyond then row_number() over (partition by isBeyond order by at, id) end as place
    from (select *, before + amount > added.balance - added.amount and before < added.balance as isBeyond from (${LATER}) later) marked) use
  left join payment_application part on part.account_id = added.account_id and part.id = use.application_id and use.place <= ${MOST}
  left join invoice on invoice.account_id = part.account_id and invoice.id = part.invoice_id
  left join estimate on estimate.account_id = part.account_id and estimate.id = part.estimate_id`;

const STORIES = `select note.id, note.status, note.currency, note.total::text as total, paid.*, added.added
  from (select note.account_id, note.id, note.status, note.currency, note.total, (asked.of ->> 'until')::timestamptz as until
    from (select $1::jsonb as of) asked
    join credit_note note on note.account_id = (asked.of ->> 'accountId')::int
      and note.id = any(array(select jsonb_array_elements_text(asked.of -> 'ids')::int))) note,
  lateral (${PAID}) paid,
  lateral (select coalesce(json_agg(json_build_object('amount', added.amount::text, 'older', (added.balance - added.amount)::text,
      'isExcess', added.is_excess, 'used', used.used, 'uses', used.uses) order by added.at, added.id), '[]') as added
    from (${CHANGES}) added, lateral (${USED}) used where note.until is null or added.at < note.until) added`;

/** What became of credit notes, by id. One statement. */
export async function factsOfNotes(em: EntityManager, asked: NotesAsked): Promise<Map<number, NoteFacts>> {
  if (asked.ids.length === 0) return new Map();
  const query = <Row>(text: string, values: readonly unknown[] = []) => {
    return em.execute<Row[]>(text.replace('$1', '?'), [...values]);
  };
  return readFacts({ query }, asked);
}

/** The same on a connection. */
export async function readFacts(sql: Sql, asked: NotesAsked): Promise<Map<number, NoteFacts>> {
  const rows = await sql.query<NoteFacts & { id: number }>(STORIES, [JSON.stringify(asked)]);
  return new Map(rows.map(({ id, ...facts }) => [id, facts]));
}
