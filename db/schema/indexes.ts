/** An index that holds some of a table's rows. The statement that wants it must name the same condition. */
export function partialIndex(table: string, name: string, [columns, where]: [columns: string, where: string]) {
  return { name, expression: `create index "${name}" on "${table}" (${columns}) where ${where}` };
}

/**
 * Of metadata, for `@>` below the account's id: one account's values are nowhere near another's. Objects without metadata, which are
 * most, are not in it and cost nothing.
 */
export function metadataIndex(table: string) {
  const name = `${table}_metadata`;
  return {
    name,
    expression: `create index "${name}" on "${table}" using gin (${METADATA} jsonb_path_ops) where ${HAS_METADATA}`,
  };
}

/** The metadata of a row as a document below its account: {"17": {"key": "value"}}. */
export const METADATA = "jsonb_set('{}', array[account_id::text], metadata)";
export const HAS_METADATA = "metadata <> '{}'";
