/** Part of a statement: SQL with `?` for its values. */
export interface Condition {
  sql: string;
  values: readonly unknown[];
}

export function condition(sql: string, ...values: unknown[]): Condition {
  return { sql, values };
}

/** All of several conditions; true when there is none. */
export function all(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? condition('true') : joined(conditions, ' and ');
}

/** Any of several conditions. */
export function any(conditions: readonly Condition[]): Condition {
  const { sql, values } = joined(conditions, ' or ');
  return { sql: `(${sql})`, values };
}

function joined(conditions: readonly Condition[], by: string): Condition {
  return {
    sql: conditions.map(({ sql }) => sql).join(by),
    values: conditions.flatMap(({ values }) => values),
  };
}
