import type { EntityManager } from '../../db/orm.ts';
import type { Answer } from './api.ts';

/** Fields in which a document that was issued differs from one that a dry run shows. */
const OWN = ['id', 'number', 'url', 'payment_url', 'pdf_url', 'subscription'];

/** An invoice or credit note without its identity and that of its parts: a dry run shows all other fields as they will be. */
export function withoutIdentity(document: Answer['body']): Answer['body'] {
  const kept = Object.entries(document).filter(([name]) => !OWN.includes(name));
  const { discounts, taxes } = document;
  const items = document.items.map(withoutIds);
  return { ...Object.fromEntries(kept), items, discounts: discounts.map(withoutId), taxes: taxes.map(withoutId) };
}

/** A credit note without its identity. It names the invoice that it corrects only if that is one of `existing`, as in a dry run. */
export function creditNoteWithoutIdentity(note: Answer['body'], existing: readonly Answer['body'][]): Answer['body'] {
  const invoice = existing.some(({ id }) => id === note.invoice) ? note.invoice : null;
  return { ...withoutIdentity(note), invoice };
}

function withoutIds({ discounts, taxes, ...line }: Answer['body']): Answer['body'] {
  return { ...withoutId(line), discounts: discounts.map(withoutId), taxes: taxes.map(withoutId) };
}

function withoutId({ id: _, ...rest }: Answer['body']): Answer['body'] {
  return rest;
}

/** A subscription without the ids of its add-ons: a new one has none before it exists. */
export function withoutAddonIds({ addons, ...rest }: Answer['body']) {
  return { ...rest, addons: addons.map((addon: Answer['body']) => ({ ...addon, id: null })) };
}

/** Every id and number in a document and its parts. */
export function identityOf(document: Answer['body']): unknown[] {
  const { id, number, url, payment_url = null, pdf_url, items, discounts, taxes } = document;
  const parts = [...items, ...items.flatMap((line: Answer['body']) => [...line.discounts, ...line.taxes])];
  return [id, number, url, payment_url, pdf_url, ...[...parts, ...discounts, ...taxes].map((part) => part.id)];
}

/** Tables that every request may change, even one that is refused: the use of keys and of the rate limit. */
const USED = ['api_key', 'rate_limit_bucket'];

/** The rows of each table as a hash. Equal hashes show that nothing was stored in between. */
export async function storedRows(em: EntityManager): Promise<Record<string, string>> {
  const tables = await em
    .fork()
    .execute<{ name: string }[]>(`select tablename as name from pg_tables where schemaname = 'public' order by 1`);
  const hashes = tables.flatMap(({ name }) => (USED.includes(name) ? [] : [hashOf(name)]));
  const [row = {}] = await em.fork().execute<Record<string, string>[]>(`select ${hashes.join(', ')}`);
  return row;
}

function hashOf(table: string): string {
  const rows = `string_agg(t::text, '|' order by t::text)`;
  return `(select md5(coalesce(${rows}, '')) from "${table}" t) as "${table}"`;
}
