import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Webhook } from '../../db/schema/webhook.ts';
import { Missing } from '../kernel/missing.ts';
import type { Cipher } from '../ports/ports.ts';
import { newSecret, type WebhookKey } from './webhooks.ts';

/** Time for which the old secret also signs after a rotation, so that the receiver can be updated. */
const OVERLAP_MILLISECONDS = 86_400_000;

/**
 * Rotates an endpoint's secret. Returns the new one; the database stores it encrypted. The old one also signs for 24 hours, unless another
 * rotation replaces it. Throws Missing.
 */
export async function rotateSecret(
  em: EntityManager,
  { caller, id, cipher }: WebhookKey & { cipher: Cipher },
  systemNow: Date,
): Promise<{ webhook: Webhook; secret: string }> {
  const webhook = await lockRow(em, Webhook, { accountId: caller.account.id, id });
  if (!webhook || webhook.deletedAt) throw new Missing('Webhook', id);
  const secret = newSecret();
  Object.assign(webhook, {
    sealedOldSecret: webhook.sealedSecret,
    oldSecretEndsAt: new Date(systemNow.getTime() + OVERLAP_MILLISECONDS),
    sealedSecret: cipher.encrypt(secret),
    updatedAt: systemNow,
  });
  return { webhook, secret };
}

/** The secrets that sign for an endpoint now, newest first. */
export function secretsOf(
  webhook: Pick<Webhook, 'sealedSecret' | 'sealedOldSecret' | 'oldSecretEndsAt'>,
  cipher: Cipher,
  systemNow: Date,
): string[] {
  const { sealedSecret, sealedOldSecret: old, oldSecretEndsAt: endsAt } = webhook;
  const sealed = old && endsAt && endsAt > systemNow ? [sealedSecret, old] : [sealedSecret];
  return sealed.map((one) => cipher.decrypt(one));
}
