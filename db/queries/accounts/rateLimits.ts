import type { Bucket } from '../../../billing/rateLimit.ts';
import type { EntityManager } from '../../orm.ts';
import type { Sql } from '../kernel/sql.ts';

export interface CredentialKey {
  accountId: number;
  /** SHARED_BUCKET: the bucket that all credentials of the account share. */
  credentialId: number;
}

/** Stands for all credentials of an account: no key or token has this id. */
export const SHARED_BUCKET = 0;

/** A bucket as it was read; version 0: there was none. */
export interface SeenBucket extends Bucket {
  version: number;
}

/** The bucket of a credential; null: it is full. */
export async function findBucket(em: EntityManager, key: CredentialKey): Promise<SeenBucket | null> {
  const [row] = await em.execute<{ tokens: number; at: string; version: number }[]>(
    `select tokens, extract(epoch from refilled_at) * 1000 as at, version from rate_limit_bucket
     where account_id = ? and credential_id = ?`,
    [key.accountId, key.credentialId],
  );
  return row ? { tokens: Number(row.tokens), at: Number(row.at), version: row.version } : null;
}

/** Replaces a bucket if it still has the version that was read. Returns its new version; null if another process changed it meanwhile. */
export async function replaceBucket(
  em: EntityManager,
  key: CredentialKey,
  { seen, bucket }: { seen: number; bucket: Bucket },
): Promise<number | null> {
  const [row] = await em.execute<{ version: number }[]>(
    `insert into rate_limit_bucket (account_id, credential_id, tokens, refilled_at, version) values (?, ?, ?, ?, 1)
     on conflict (account_id, credential_id) do update
     set tokens = excluded.tokens, refilled_at = excluded.refilled_at, version = rate_limit_bucket.version + 1
     where rate_limit_bucket.version = ? returning version`,
    [key.accountId, key.credentialId, bucket.tokens, new Date(bucket.at), seen],
  );
  return row?.version ?? null;
}

/** Deletes up to `limit` buckets that have not changed since `before`: they are full again. */
export async function forgetBuckets(sql: Sql, at: { before: Date; limit: number }): Promise<void> {
  await sql.query(
    `delete from rate_limit_bucket where (account_id, credential_id) in (
       select account_id, credential_id from rate_limit_bucket where refilled_at < $1 limit $2)`,
    [at.before, at.limit],
  );
}
