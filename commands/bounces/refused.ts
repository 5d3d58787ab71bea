import { addressKey } from '../../billing/mailEvents.ts';
import type { EntityManager } from '../../db/orm.ts';
import { recordSent, recordUnsent } from '../mail/mail.ts';
import type { MailResult, RefusedRecipient } from '../ports.ts';
import { suppressAddress } from './suppressing.ts';
import { lockOwnerOfMail } from './suppressions.ts';

/** A mail of which the mail server refused recipients for good. */
export interface RefusedMail {
  accountId: number;
  id: number;
  toAddress: string;
  customerId: number | null;
  result: MailResult & { refused: RefusedRecipient[] };
}

/**
 * Records what became of a mail, and which of its recipients the mail server does not know: nothing is sent to them any more, and a task asks
 * to correct them. A mail that only blind copies received is bounced.
 */
export async function recordRefused(em: EntityManager, mail: RefusedMail, systemNow: Date): Promise<void> {
  const { accountId, id, toAddress, customerId, result } = mail;
  const unknown = result.refused.filter(({ isUnknown }) => isUnknown);
  const key = { accountId, id };
  const at = customerId === null || unknown.length === 0 ? null : await lockOwnerOfMail(em, key, systemNow);
  const own = result.refused.find(({ address }) => addressKey(address) === addressKey(toAddress));
  if (result.status !== 'sent') await recordUnsent(em, { ...key, result }, systemNow);
  else if (own) await recordUnsent(em, { ...key, result: { status: 'permanent', reason: own.reason } }, systemNow);
  else await recordSent(em, key, systemNow);
  for (const { address, reason: detail } of unknown) {
    const dead = { accountId, address, reason: 'hard_bounce' as const, detail, occurredAt: systemNow, at };
    await suppressAddress(em, dead, systemNow);
  }
}
