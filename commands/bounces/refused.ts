import { addressKey } from '../../billing/mailEvents.ts';
import type { EntityManager } from '../../db/orm.ts';
import { suppress } from '../../db/queries/bounces/bounces.ts';
import { recordUnsent } from '../mail/mail.ts';
import { askForAddress, digestOf, lockOwnerOfMail, plainOf } from './suppressions.ts';

/** A mail whose recipient the mail server does not know. */
export interface RefusedMail {
  accountId: number;
  id: number;
  toAddress: string;
  customerId: number | null;
  reason: string;
}

/** Records that the mail server refused the recipient of a mail: nothing is sent to the address any more, and a task asks to correct it. */
export async function recordRefused(em: EntityManager, mail: RefusedMail, systemNow: Date): Promise<void> {
  const { accountId, id, toAddress, customerId, reason: detail } = mail;
  const at = customerId === null ? null : await lockOwnerOfMail(em, { accountId, id }, systemNow);
  await recordUnsent(em, { accountId, id, result: { status: 'refused', reason: detail } }, systemNow);
  const address = addressKey(toAddress);
  const reason = 'hard_bounce';
  const suppressionId = await suppress(em, {
    accountId,
    digest: digestOf(accountId, toAddress),
    reason,
    ...plainOf(at, { address, detail }),
    occurredAt: systemNow,
    now: systemNow,
  });
  if (suppressionId !== null && at) await askForAddress(em, at, { id: suppressionId, address, reason });
}
