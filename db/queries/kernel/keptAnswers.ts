import type { EntityManager } from '../../orm.ts';

/** An answer stored under its Idempotency-Key. */
export interface KeptAnswer {
  credential_id: number;
  key: string;
  /** JSON text. */
  body: string;
}

type Place = Pick<KeptAnswer, 'credential_id' | 'key'>;

/** Keys of stored answers that contain data of customers, except sealed ones. The answer about a child may contain its expanded parent. */
export function answersAbout(em: EntityManager, accountId: number, customerIds: readonly number[]): Promise<Place[]> {
  const ids = `{${customerIds.join()}}`;
  return em.execute<Place[]>(
    `select credential_id, key from idempotency
     where account_id = ? and customer_id = any(?::int[]) and body is not null and not sealed
     union all
     select i.credential_id, i.key from customer c join idempotency i on i.account_id = ? and i.customer_id = c.id
     where c.account_id = ? and c.parent_id = any(?::int[]) and i.body like '%"parent_customer":{%' and not i.sealed`,
    [accountId, ids, accountId, accountId, ids],
  );
}

export function readAnswers(em: EntityManager, accountId: number, places: readonly Place[]): Promise<KeptAnswer[]> {
  return em.execute<KeptAnswer[]>(
    `select i.credential_id, i.key, i.body from jsonb_to_recordset(?::jsonb) as v(credential_id int, key text)
     join idempotency i on i.account_id = ? and i.credential_id = v.credential_id and i.key = v.key`,
    [JSON.stringify(places), accountId],
  );
}

/** Replaces the bodies of stored answers; their requests stay idempotent. */
export async function rewriteAnswers(
  em: EntityManager,
  accountId: number,
  answers: readonly KeptAnswer[],
): Promise<void> {
  await em.execute(
    `update idempotency i set body = v.body from jsonb_to_recordset(?::jsonb) as v(credential_id int, key text, body text)
     where i.account_id = ? and i.credential_id = v.credential_id and i.key = v.key`,
    [JSON.stringify(answers), accountId],
  );
}

/** Claims an Idempotency-Key. Waits for a concurrent claim of the same key. False: it has been claimed. */
export async function insertKey(
  em: EntityManager,
  claim: { accountId: number; credentialId: number; key: string; fingerprint: string },
  systemNow: Date,
): Promise<boolean> {
  const { accountId, credentialId, key, fingerprint } = claim;
  const inserted = await em.execute(
    `insert into idempotency (account_id, credential_id, key, fingerprint, sealed, created_at) values (?, ?, ?, ?, false, ?)
     on conflict do nothing returning 1`,
    [accountId, credentialId, key, fingerprint, systemNow],
  );
  return inserted.length > 0;
}
