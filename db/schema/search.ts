import { ROUTINE_SCHEMA } from '../routines.ts';

/** What searches find, as SQL over the columns of a row. */
export const CUSTOMER_NAMES = "name || ' ' || coalesce(email, '')";
export const INVOICE_WORDS = "name || ' ' || coalesce(number, '') || ' ' || coalesce(purchase_order, '')";

/** Keys of the numbers of customers have a kind of their own: invoices are found by the name of their customer, not by its number. */
export const NUMBER_KIND = '#';

export const CUSTOMER_KEYS = `(${keysOf(CUSTOMER_NAMES)} || ${keysOf('number', NUMBER_KIND)})`;
export const INVOICE_KEYS = keysOf(INVOICE_WORDS);

/** The words as the index of searches has them: each behind the account, without accents and in lower case. */
function keysOf(words: string, kind = ''): string {
  return `${ROUTINE_SCHEMA}.search_keys(account_id, '${kind}', ${words})`;
}

/** An index of the words of a row, keyed by account. Its entries are written at once, so that no search has to read a list of late ones. */
export function searchIndex(table: string, keys: string) {
  const name = `${table}_search`;
  return { name, expression: `create index "${name}" on "${table}" using gin (${keys}) with (fastupdate = off)` };
}
