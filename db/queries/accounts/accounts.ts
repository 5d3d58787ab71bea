import type { EntityManager } from '../../orm.ts';
import type { PaymentMethod } from '../../schema/paymentMethod.ts';

/** Stores the deployment that this database belongs to, unless it is known. */
export async function addDeployment(
  em: EntityManager,
  { id, keyFingerprint, createdAt }: { id: string; keyFingerprint: string; createdAt: Date },
): Promise<void> {
  await em.execute(
    'insert into deployment (singleton, id, key_fingerprint, created_at) values (1, ?, ?, ?) on conflict do nothing',
    [id, keyFingerprint, createdAt],
  );
}

/** Makes changes of the payment methods of an account wait for each other. */
export async function lockPaymentMethods(em: EntityManager, accountId: number): Promise<void> {
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, ?))', ['payment_method', accountId]);
}

/** Stores how an account offers a payment method. */
export async function storePaymentMethod(
  em: EntityManager,
  row: Omit<PaymentMethod, 'createdAt' | 'updatedAt'>,
  systemNow: Date,
): Promise<void> {
  const { accountId, method, enabled, position, min, max, currency, instructions, glAccount } = row;
  await em.execute(
    `insert into payment_method (account_id, method, enabled, position, min, max, currency, instructions, gl_account, created_at, updated_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (account_id, method) do update set enabled = excluded.enabled, position = excluded.position, min = excluded.min,
       max = excluded.max, currency = excluded.currency, instructions = excluded.instructions, gl_account = excluded.gl_account, updated_at = excluded.updated_at`,
    [accountId, method, enabled, position, min, max, currency, instructions, glAccount, systemNow, systemNow],
  );
}

/** SQL: accounts with the prefixes of their numbers. The next numbers are no part: each document takes one. */
export const accountsWithPrefixes = `(select a.*,
    (select string_agg(n.prefix, ',' order by n.series) from numbering n where n.account_id = a.id) as prefixes from account a)`;
