import type { Environment } from '../../../billing/environments.ts';
import type { EntityManager } from '../../orm.ts';

export interface KeptGrant {
  key: string;
  environment: Environment;
  clientId: string;
  memberId: number;
  scope: string;
  expiresAt: Date;
}

/**
 * Stores a grant to the account of a member in an environment, or its new scope and expiry. False if there is no such member or
 * application.
 */
export async function keepGrant(em: EntityManager, grant: KeptGrant, systemNow: Date): Promise<boolean> {
  const { key, environment, clientId, memberId, scope, expiresAt } = grant;
  const kept = await em.execute(
    `insert into oauth_grant (account_id, key, application_account_id, application_id, client_id, application_name,
       member_account_id, member_id, granted_by, scope, expires_at, created_at)
     select a.id, ?, o.account_id, o.id, o.client_id, o.name, m.account_id, m.id, m.email, ?, ?, ? from member m
     join account a on a.environment = ? and (a.id = m.account_id or a.twin_id = m.account_id)
     join oauth_application o on o.client_id = ? where m.id = ?
     on conflict (key) do update set scope = excluded.scope, expires_at = excluded.expires_at returning 1`,
    [key, scope, expiresAt, systemNow, environment, clientId, memberId],
  );
  return kept.length > 0;
}

export interface FoundGrant {
  clientId: string;
  memberId: number;
  scope: string;
  expiresAt: Date;
}

export async function findGrant(em: EntityManager, key: string, systemNow: Date): Promise<FoundGrant | null> {
  const [row] = await em.execute<{ client_id: string; member_id: number; scope: string; expires_at: string }[]>(
    'select client_id, member_id, scope, expires_at from oauth_grant where key = ? and expires_at > ?',
    [key, systemNow],
  );
  if (!row) return null;
  return {
    clientId: row.client_id,
    memberId: row.member_id,
    scope: row.scope,
    expiresAt: new Date(row.expires_at),
  };
}

/** Deletes a grant and its tokens. */
export async function deleteGrant(em: EntityManager, key: string): Promise<void> {
  await em.execute('delete from oauth_grant where key = ?', [key]);
}
