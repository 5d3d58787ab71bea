import type { EntityManager } from '../../db/orm.ts';
import { recordAttempt } from '../mail/mail.ts';
import type { MailResult } from '../ports/ports.ts';
import { suppressAddress } from './suppressing.ts';
import { lockOwnerOfMail } from './suppressions.ts';

/** A mail that an attempt did not deliver to everybody. */
export interface RefusedMail {
  accountId: number;
  id: number;
  customerId: number | null;
  /** Number of the attempts before. */
  before: number;
  result: MailResult;
}

/**
 * Records what became of a mail, and which of its recipients the mail server does not know: nothing is sent to them any more, and a task asks
 * to correct them.
 */
export async function recordRefused(em: EntityManager, mail: RefusedMail, systemNow: Date): Promise<void> {
  const { accountId, id, customerId, before, result } = mail;
  const unknown = (result.refused ?? []).filter(({ isUnknown }) => isUnknown);
  const key = { accountId, id };
  const at = customerId === null || unknown.length === 0 ? null : await lockOwnerOfMail(em, key, systemNow);
  await recordAttempt(em, { ...key, before, result }, systemNow);
  for (const { address, reason: detail } of unknown) {
    const dead = { accountId, address, reason: 'hard_bounce' as const, detail, occurredAt: systemNow, at };
    await suppressAddress(em, dead, systemNow);
  }
}
