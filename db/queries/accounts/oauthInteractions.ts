import type { Environment } from '../../../billing/environments.ts';
import type { EntityManager } from '../../orm.ts';

export interface KeptInteraction {
  hash: string;
  clientId: string;
  payload: object;
  expiresAt: Date;
}

/** Stores an authorization that waits for a person, or its new payload and expiry. */
export async function keepInteraction(em: EntityManager, interaction: KeptInteraction): Promise<void> {
  const { hash, clientId, payload, expiresAt } = interaction;
  await em.execute(
    `insert into oauth_interaction (account_id, application_id, hash, payload, expires_at)
     select account_id, id, ?, ?::jsonb, ? from oauth_application where client_id = ?
     on conflict (hash) do update set payload = excluded.payload, expires_at = excluded.expires_at`,
    [hash, JSON.stringify(payload), expiresAt, clientId],
  );
}

export async function findInteraction(
  em: EntityManager,
  of: { hash: string; environment: Environment },
  systemNow: Date,
): Promise<object | null> {
  const [row] = await em.execute<{ payload: object }[]>(
    `select i.payload from oauth_interaction i join account a on a.id = i.account_id
     where i.hash = ? and a.environment = ? and i.expires_at > ?`,
    [of.hash, of.environment, systemNow],
  );
  return row?.payload ?? null;
}

export async function deleteInteraction(em: EntityManager, hash: string): Promise<void> {
  await em.execute('delete from oauth_interaction where hash = ?', [hash]);
}
