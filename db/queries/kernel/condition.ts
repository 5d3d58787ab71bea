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
