/** A partial index. A statement that uses it must name the same condition. */
export function partialIndex(table: string, name: string, [columns, where]: [columns: string, where: string]) {
  return { name, expression: `create index "${name}" on "${table}" (${columns}) where ${where}` };
}

/**
 * An index of metadata for `@>`, keyed by account: each account's values are stored together. Most objects have no metadata and are not in
 * it.
 */
export function metadataIndex(table: string) {
  const name = `${table}_metadata`;
  return {
    name,
    expression: `create index "${name}" on "${table}" using gin (${METADATA} jsonb_path_ops) where ${HAS_METADATA}`,
  };
}

/** A row's metadata as a document under its account: {"17": {"key": "value"}}. */
export const METADATA = "jsonb_set('{}', array[account_id::text], metadata)";
export const HAS_METADATA = "metadata <> '{}'";
