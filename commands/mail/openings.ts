import { randomBytes } from 'node:crypto';
import type { EntityManager } from '../../db/orm.ts';
import { storeOpening } from '../../db/queries/mail/emails.ts';
import type { Opening } from '../../db/schema/email.ts';

/** A random token for a tracking picture. */
export function newOpenToken(): string {
  return randomBytes(24).toString('base64url');
}

/** Records an opening of the email with this token in its tracking picture. Does nothing if there is none. */
export async function recordOpening(
  em: EntityManager,
  opened: { accountId: number; token: string; ip: string; userAgent: string | null },
  systemNow: Date,
): Promise<void> {
  const { accountId, token, ip, userAgent } = opened;
  const opening: Opening = { timestamp: Math.floor(systemNow.getTime() / 1000), ip, user_agent: userAgent };
  await storeOpening(em, { accountId, token, opening }, systemNow);
}
