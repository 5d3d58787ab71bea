import { addressKey, type SuppressionReason } from '../../billing/mail/mailEvents.ts';
import type { EntityManager } from '../../db/orm.ts';
import { suppress } from '../../db/queries/bounces/bounces.ts';
import { addressHashOf } from '../kernel/addressHash.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { askForAddress, plainOf } from './suppressions.ts';
import { tellOfTeamAddress } from './teamAddresses.ts';

/** A recipient that gets no mail any more. */
export interface DeadAddress {
  accountId: number;
  address: string;
  reason: SuppressionReason;
  /** Words of the mail server or the provider. */
  detail: string;
  occurredAt: Date;
  /** The customer of the mail; null: it has none. */
  at: LockedCustomer | null;
}

/**
 * Stops mail to an address, unless it was allowed again after the event. Makes the task to correct the address of a customer, and makes an
 * address of the team known.
 */
export async function suppressAddress(em: EntityManager, dead: DeadAddress, systemNow: Date): Promise<void> {
  const { accountId, reason, detail, occurredAt, at } = dead;
  const address = addressKey(dead.address);
  const addressHash = addressHashOf(accountId, address);
  const plain = plainOf(at, { address, detail });
  const id = await suppress(em, { accountId, addressHash, reason, ...plain, occurredAt, now: systemNow });
  if (id === null) return;
  if (at) await askForAddress(em, at, { id, address, reason });
  await tellOfTeamAddress(em, { accountId, id, address, reason }, systemNow);
}
