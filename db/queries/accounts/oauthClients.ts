import type { Environment } from '../../../billing/environments.ts';
import type { EntityManager } from '../../orm.ts';

export interface OauthClient {
  clientId: string;
  name: string;
  /** The business that registered it. */
  business: string;
  redirectUris: string[];
  secretHash: string | null;
  createdAt: Date;
}

/** The application with this client id in an environment, whichever business registered it. */
export async function findClient(
  em: EntityManager,
  of: { clientId: string; environment: Environment },
): Promise<OauthClient | null> {
  const [row] = await em.execute<
    { name: string; business: string; redirect_uris: string[]; secret_hash: string | null; created_at: string }[]
  >(
    `select o.name, a.name as business, o.redirect_uris, o.secret_hash, o.created_at from oauth_application o
     join account a on a.id = o.account_id where o.client_id = ? and a.environment = ?`,
    [of.clientId, of.environment],
  );
  if (!row) return null;
  const { name, business, redirect_uris: redirectUris, secret_hash: secretHash } = row;
  return { clientId: of.clientId, name, business, redirectUris, secretHash, createdAt: new Date(row.created_at) };
}
