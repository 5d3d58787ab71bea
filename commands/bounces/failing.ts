import type { EntityManager } from '../../db/orm.ts';
import { failSuppressedMail, type Suppressed } from '../../db/queries/bounces/bounces.ts';
import { askForAddress, lockOwnerOfMail, SUPPRESSED_BECAUSE } from './suppressions.ts';
import { tellOfTeamAddress } from './teamAddresses.ts';

/** A queued mail to a suppressed address. */
export interface SuppressedMail {
  accountId: number;
  id: number;
  toAddress: string;
  customerId: number | null;
  suppressed: Suppressed;
}

/** Fails a queued mail to a suppressed address, and makes the task to correct the address. Does nothing if the address is allowed again. */
export async function failSuppressed(em: EntityManager, mail: SuppressedMail, systemNow: Date): Promise<void> {
  const { accountId, id, toAddress, customerId, suppressed } = mail;
  const at = customerId === null ? null : await lockOwnerOfMail(em, { accountId, id }, systemNow);
  const reason = `Nothing is sent to this address any more: ${SUPPRESSED_BECAUSE[suppressed.reason]}`;
  const failed = { accountId, id, suppressionId: suppressed.id, reason, now: systemNow };
  if (!(await failSuppressedMail(em, failed))) return;
  if (at) await askForAddress(em, at, { address: toAddress, ...suppressed });
  await tellOfTeamAddress(em, { accountId, ...suppressed, address: toAddress }, systemNow);
}
