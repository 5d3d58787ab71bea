import type { EntityManager } from '../db/orm.ts';
import { thoseBelow } from '../db/queries/customerTree.ts';
import { ownersOf } from '../db/queries/invoiceOwners.ts';
import type { Caller } from './caller.ts';
import { type CustomerMoment, following, lockMoment, lockNamed } from './moment.ts';

/** Locks customers, the lower id first. */
export async function lockCustomers(
  em: EntityManager,
  who: { caller: Caller; ids: readonly number[] },
  systemNow: Date,
): Promise<Map<number, CustomerMoment>> {
  const locked = new Map<number, CustomerMoment>();
  const ids = [...new Set(who.ids)].sort((one, other) => one - other);
  for (const customerId of ids)
    locked.set(customerId, await lockMoment(em, { caller: who.caller, customerId }, systemNow));
  return locked;
}

/**
 * Locks the customer that is to pay, and those below it whose invoices it pays; the lower id first. Refuses one that there is not, or
 * that was merged into another.
 */
export function lockPayer(
  em: EntityManager,
  who: { caller: Caller; customerId: number; invoiceIds: readonly number[] },
  systemNow: Date,
): Promise<CustomerMoment> {
  const { caller, customerId, invoiceIds } = who;
  const accountId = caller.account.id;
  return following(async () => {
    const owners = await ownersOf(em, { accountId, invoiceIds, besides: customerId });
    const below = await thoseBelow(em, { accountId, id: customerId, among: owners });
    const lower = await lockCustomers(em, { caller, ids: below.filter((id) => id < customerId) }, systemNow);
    const payer = await lockNamed(em, { caller, customerId }, systemNow);
    const higher = await lockCustomers(em, { caller, ids: below.filter((id) => id > customerId) }, systemNow);
    return { ...payer, family: new Map([...lower, ...higher]) };
  });
}
