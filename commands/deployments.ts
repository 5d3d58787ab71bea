import { randomBytes } from 'node:crypto';
import type { EntityManager } from '../db/orm.ts';
import { Deployment } from '../db/schema/deployment.ts';

/** The stored secrets were sealed with another encryption key than the one that was given. */
export class WrongEncryptionKey extends Error {
  override readonly name = 'WrongEncryptionKey';
}

/** The deployment that this database belongs to, written at its first start. Throws WrongEncryptionKey when the key is another's. */
export async function ensureDeployment(
  em: EntityManager,
  keyFingerprint: string,
  systemNow: Date,
): Promise<Deployment> {
  await em.execute(
    `insert into deployment (singleton, id, key_fingerprint, created_at) values (1, ?, ?, ?) on conflict do nothing`,
    [`p${randomBytes(4).toString('hex')}`, keyFingerprint, systemNow],
  );
  const deployment = await em.findOneOrFail(Deployment, { singleton: 1 });
  if (deployment.keyFingerprint === keyFingerprint) return deployment;
  throw new WrongEncryptionKey(
    'The database was written with another encryption key: webhook secrets and open tokens in it can only be read with that one. ' +
      'Give it as PERENNIAL_ENCRYPTION_KEY or put its file encryption.key back into the data folder. ' +
      'If it is lost, invoices, payments and books are unharmed, but every webhook needs a new secret.',
  );
}

/** Remembers which Temporal namespace holds the processes. */
export async function keepNamespace(em: EntityManager, temporalNamespaceId: string): Promise<void> {
  await em.nativeUpdate(Deployment, { singleton: 1 }, { temporalNamespaceId });
}
