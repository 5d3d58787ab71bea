/** A connection, or a transaction on one, that runs statements with $1, $2, … and returns rows. */
export interface Sql {
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** An array of texts as one value. The statement stays the same for any number of texts, so it is planned once. */
export function textArray(texts: Iterable<string>): string {
  return `{${[...texts].map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/** An array of numbers, ids or decimal texts as one value of a statement. */
export function numberArray(numbers: Iterable<number | string>): string {
  return `{${[...numbers].join(',')}}`;
}

/** Part of a statement: SQL with `?` for its values. */
export interface Condition {
  sql: string;
  values: readonly unknown[];
}

export function condition(sql: string, ...values: unknown[]): Condition {
  return { sql, values };
}

/** Joins conditions with `and`; true if there are none. */
export function all(conditions: readonly Condition[]): Condition {
  if (conditions.length === 0) return condition('true');
  return {
    sql: conditions.map(({ sql }) => `(${sql})`).join(' and '),
    values: conditions.flatMap(({ values }) => values),
  };
}

/** PostgreSQL keeps the plan for one id. For an array it assumes ten ids, finds the kept plan more expensive, and plans anew each time. */
export function hasId(ids: readonly number[]): Condition {
  return ids.length === 1 ? condition('id = ?', ids[0]) : condition('id = any(?::bigint[])', numberArray(ids));
}

/** SQL: an invoice `i` is not of a payment link, whose payer nobody knows: it may be somebody else than the customer with its email. */
export const OF_NO_LINK =
  'not exists (select 1 from link_payment l where l.account_id = i.account_id and l.invoice_id = i.id)';
