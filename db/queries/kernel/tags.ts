import type { EntityManager } from '../../orm.ts';
import { type RowClass, tableOf } from './plain.ts';
import type { Condition } from './sql.ts';

/** The row of an object, and what its ETag is made of. */
export interface Stored {
  accountId: number;
  row: RowClass<object>;
  /** Replaces the table: a subquery in parentheses. */
  from?: string | undefined;
  where: Condition;
  /** Whether the object may exist without a row, with its defaults. */
  mayBeAbsent?: boolean;
  /** Keeps the object from changing until the end of the transaction. Absent: the row is locked. */
  lock?: (em: EntityManager) => Promise<void>;
}

/**
 * Columns that the work of processes and visits changes, and no request: without them, a tag stays as long as nothing changes that a request
 * could overwrite.
 */
const UNTOLD = [
  'updated_at',
  'event_count',
  'token',
  // customers
  'has_credit',
  'has_pending_lines',
  'next_chase_step_id',
  // documents
  'snapshot_id',
  'viewed_at',
  'attempt_count',
  'next_payment_attempt_at',
  'late_fee_at',
  'late_fee_review_at',
  'late_fees_planned',
  'discount_review_at',
  'credit_review_at',
  // settings and people
  'planning_after',
  'planned_count',
  'failing_since',
  'looked_at',
  'next_look_at',
  'misses',
  'last_seen_at',
  'last_day',
  'last_run',
];

/** Tables whose rows are parts of an object, by the table of the object: the table and its column with the object's id. */
const PARTS: Readonly<Record<string, readonly (readonly [table: string, column: string])[]>> = {
  invoice: [
    ['line_item', 'invoice_id'],
    ['attachment', 'invoice_id'],
  ],
  estimate: [
    ['line_item', 'estimate_id'],
    ['attachment', 'estimate_id'],
  ],
  credit_note: [
    ['line_item', 'credit_note_id'],
    ['attachment', 'credit_note_id'],
  ],
  payment: [['payment_application', 'payment_id']],
  subscription: [['subscription_addon', 'subscription_id']],
  task: [['task_invoice', 'task_id']],
};

const told = (alias: string) => `(to_jsonb(${alias}) - '{${UNTOLD.join()}}'::text[])::text`;

/**
 * The tag of an object: a hash of its row and of the rows of its parts. It is the same in all versions of the API and with all expansions,
 * and differs after each change that a request could overwrite. Null: there is no such object.
 */
export async function tagOf(em: EntityManager, stored: Stored): Promise<string | null> {
  const { name, columns } = tableOf(em, stored.row);
  const parts = (PARTS[name] ?? []).map(
    ([table, column]) =>
      `(select string_agg(${told('part')}, ',' order by part.id) from ${table} part where part.account_id = t.account_id and part.${column} = t.id)`,
  );
  const { sql, values } = ofAccount(stored, columns);
  const text = [told('t'), ...parts].join(', ');
  const [found] = await em.execute<{ tag: string }[]>(
    `select left(encode(sha256(convert_to(concat_ws('|', '${name}', ${text}), 'UTF8')), 'hex'), 32) as tag
     from ${stored.from === undefined ? name : stored.from} t where ${sql}`,
    [...values],
  );
  return found?.tag ?? (stored.mayBeAbsent ? 'default' : null);
}

/** Keeps an object from changing until the end of the transaction. */
export async function lockStored(em: EntityManager, stored: Stored): Promise<void> {
  if (stored.lock) return stored.lock(em);
  const { name, columns } = tableOf(em, stored.row);
  const { sql, values } = ofAccount(stored, columns);
  await em.execute(`select 1 from ${name} where ${sql} for no key update`, [...values]);
}

/** The customer that an object belongs to, which is locked before it; null: it belongs to none. */
export async function ownerOfStored(em: EntityManager, stored: Stored): Promise<number | null> {
  const { name, columns } = tableOf(em, stored.row);
  const column = name === 'customer' ? 'id' : 'customer_id';
  if (!columns.has(column)) return null;
  const { sql, values } = ofAccount(stored, columns);
  const [found] = await em.execute<{ id: number | null }[]>(
    `select ${column} as id from ${stored.from === undefined ? name : stored.from} t where ${sql}`,
    [...values],
  );
  return found?.id ?? null;
}

/** The row of the account itself has no other account. */
function ofAccount({ accountId, where }: Stored, columns: ReadonlySet<string>): Condition {
  const account = columns.has('account_id') ? 'account_id' : 'id';
  return { sql: `${account} = ? and (${where.sql})`, values: [accountId, ...where.values] };
}
