import { documentTypes } from '../../../billing/documents/document.ts';
import type { EntityManager } from '../../orm.ts';
import { NEW_TOKEN } from '../../schema/columns.ts';
import { numberArray } from '../kernel/sql.ts';
import { mergedInto } from './erasure.ts';

interface Key {
  accountId: number;
  id: number;
}

/** Deletes the addresses that got reminders about a customer, so that their links lead nowhere. */
export async function deleteReminderAddresses(em: EntityManager, { accountId, id }: Key): Promise<void> {
  await em.execute('delete from reminder_address where account_id = ? and customer_id = ?', [accountId, id]);
}

/** Gives new links to the addresses that got reminders about a customer. The links from before lead nowhere. */
export async function renewReminderLinks(em: EntityManager, { accountId, id }: Key, now: Date): Promise<void> {
  await em.execute(
    `update reminder_address set token = ${NEW_TOKEN}, updated_at = ? where account_id = ? and customer_id = ?`,
    [now, accountId, id],
  );
}

/** SQL: a new token of an uploaded file: 32 random bytes as base64url. */
const NEW_FILE_TOKEN = `rtrim(translate(
  encode(sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')), 'base64'), '+/', '-_'), '=')`;

/**
 * Gives new addresses to all documents and receipts of a locked customer, and to the files that its documents carry. Pictures of its mails lead
 * nowhere from now on.
 */
export async function renewDocumentAddresses(em: EntityManager, { accountId, id }: Key, now: Date): Promise<void> {
  const whose = [accountId, id];
  for (const table of documentTypes)
    await em.execute(
      `update ${table} set token = ${NEW_TOKEN}, updated_at = ? where account_id = ? and customer_id = ?`,
      [now, ...whose],
    );
  await em.execute(
    `update file set token = ${NEW_FILE_TOKEN}, updated_at = ? where account_id = ? and token is not null and id in (
       select a.file_id from attachment a
         left join invoice i on i.account_id = a.account_id and i.id = a.invoice_id
         left join estimate e on e.account_id = a.account_id and e.id = a.estimate_id
         left join credit_note n on n.account_id = a.account_id and n.id = a.credit_note_id
       where a.account_id = ? and coalesce(i.customer_id, e.customer_id, n.customer_id) = ?)`,
    [now, accountId, ...whose],
  );
  await em.execute(
    'update email set open_token = null where account_id = ? and customer_id = ? and open_token is not null',
    whose,
  );
}

/** Gives new addresses to the customers that were merged into one, directly or not: their pages lead to it. */
export async function renewMergedAddresses(em: EntityManager, { accountId, id }: Key, now: Date): Promise<void> {
  const ids = await mergedInto(em, { accountId, id });
  if (ids.length === 0) return;
  await em.execute(
    `update customer set token = ${NEW_TOKEN}, updated_at = ? where account_id = ? and id = any(?::int[]) and token is not null`,
    [now, accountId, numberArray(ids)],
  );
}

/** The primary contacts of a customer, in the order of their creation. */
export function primaryContacts(
  em: EntityManager,
  { accountId, id }: Key,
): Promise<{ name: string; email: string | null }[]> {
  return em.execute<{ name: string; email: string | null }[]>(
    'select name, email from contact where account_id = ? and customer_id = ? and is_primary order by id',
    [accountId, id],
  );
}

/** The secret part of the URLs of a customer's pages. A customer from before such pages gets `fresh`. Null: there is no such customer. */
export async function keepPageToken(em: EntityManager, { accountId, id }: Key, fresh: string): Promise<string | null> {
  const [row] = await em.execute<{ token: string }[]>(
    'update customer set token = coalesce(token, ?) where account_id = ? and id = ? returning token',
    [fresh, accountId, id],
  );
  return row?.token ?? null;
}
