import { ROUTINE_SCHEMA } from '../routines.ts';

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

/** What searches find, as SQL over the columns of a row. */
export const CUSTOMER_NAMES = "name || ' ' || coalesce(email, '')";
export const DOCUMENT_WORDS = "name || ' ' || coalesce(number, '') || ' ' || coalesce(purchase_order, '')";
/** The texts of the words by their fields. */
export const DOCUMENT_COLUMNS = {
  name: 'name',
  number: "coalesce(number, '')",
  purchase_order: "coalesce(purchase_order, '')",
};

/** Of an item, a plan or a coupon. */
export const CATALOG_WORDS = "name || ' ' || code";

/** A customer's number has keys of a kind of its own: an invoice is found by its customer's name, but not by its customer's number. */
export const NUMBER_KIND = '#';

export const CUSTOMER_KEYS = `(${keysOf(CUSTOMER_NAMES)} || ${keysOf('number', NUMBER_KIND)})`;
export const DOCUMENT_KEYS = keysOf(DOCUMENT_WORDS);
/** The digits of a telephone number from its end, without a zero in parentheses, as searches compare them. */
export const PHONE_DIGITS = String.raw`reverse(regexp_replace(phone, '\(0\)|[^0-9]', '', 'g'))`;

/** An index of the rows of a table by the ends of their telephone numbers. */
export const phoneIndex = (table: string) =>
  partialIndex(table, `${table}_by_phone`, [`account_id, ${PHONE_DIGITS}`, 'phone is not null']);

/** Contacts have the same columns as customers. */
export const CONTACT_KEYS = keysOf(CUSTOMER_NAMES);
export const CATALOG_KEYS = keysOf(CATALOG_WORDS);
export const NAME_KEYS = keysOf('name');

/** The words as the index of searches has them: each behind the account, without accents and in lower case. */
function keysOf(words: string, kind = ''): string {
  return `${ROUTINE_SCHEMA}.search_keys(account_id, '${kind}', ${words})`;
}

/** An index of each row's words, keyed by account. Entries are written at once, so that no search has to read a list of late ones. */
export function searchIndex(table: string, keys: string) {
  const name = `${table}_search`;
  return { name, expression: `create index "${name}" on "${table}" using gin (${keys}) with (fastupdate = off)` };
}
