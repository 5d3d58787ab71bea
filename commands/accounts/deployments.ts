import { randomBytes } from 'node:crypto';
import type { EntityManager } from '../../db/orm.ts';
import { addDeployment } from '../../db/queries/accounts/accounts.ts';
import { Deployment } from '../../db/schema/deployment.ts';

/**
 * Reads the deployment that this database belongs to; the first start writes it. Its fingerprint identifies the key that encrypts the
 * stored secrets.
 */
export async function ensureDeployment(
  em: EntityManager,
  keyFingerprint: string,
  systemNow: Date,
): Promise<Deployment> {
  const id = `p${randomBytes(4).toString('hex')}`;
  await addDeployment(em, { id, keyFingerprint, createdAt: systemNow });
  return em.findOneOrFail(Deployment, { singleton: 1 });
}

/** Stores the id of the Temporal namespace in which the processes run. */
export async function storeNamespaceId(em: EntityManager, temporalNamespaceId: string): Promise<void> {
  await em.nativeUpdate(Deployment, { singleton: 1 }, { temporalNamespaceId });
}
