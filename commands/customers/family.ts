import { type CustomerLock, lockSeveralCustomers } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { descendantsAmong } from '../../db/queries/customers/tree.ts';
import { ownersOf } from '../../db/queries/invoices/paidParts.ts';
import type { Caller } from '../kernel/caller.ts';
import {
  type LockedCustomer,
  lockedCustomer,
  lockedNamedCustomer,
  lockNamedCustomer,
  retryOnOwnerChange,
} from '../kernel/lockedCustomer.ts';

interface CustomerIds {
  caller: Caller;
  ids: readonly number[];
}

/** Locks customers in the order of their ids, with as many statements as one customer takes. Throws what `lockCustomer` throws. */
export async function lockCustomers(
  em: EntityManager,
  { caller, ids }: CustomerIds,
  systemNow: Date,
): Promise<Map<number, LockedCustomer>> {
  const locked = await lockAll(em, { caller, ids }, systemNow);
  const sorted = [...new Set(ids)].sort((one, other) => one - other);
  return new Map(
    sorted.map((id) => [id, lockedCustomer({ caller, customerId: id }, locked.get(id) ?? null, systemNow)]),
  );
}

async function lockAll(
  em: EntityManager,
  { caller, ids }: CustomerIds,
  systemNow: Date,
): Promise<Map<number, CustomerLock>> {
  const locked = await lockSeveralCustomers(em, { accountId: caller.account.id, ids }, systemNow);
  return new Map(locked.map((one) => [one.customer.id, one]));
}

/**
 * Locks the paying customer and those descendants whose invoices it pays, in the order of their ids. Refuses a payer that
 * `lockNamedCustomer` refuses.
 */
export function lockPayer(
  em: EntityManager,
  who: { caller: Caller; customerId: number; invoiceIds: readonly number[] },
  systemNow: Date,
): Promise<LockedCustomer> {
  const { caller, customerId, invoiceIds } = who;
  const accountId = caller.account.id;
  return retryOnOwnerChange(async () => {
    const owners = await ownersOf(em, { accountId, invoiceIds, besides: customerId });
    const below = await descendantsAmong(em, { accountId, id: customerId, among: owners });
    if (below.length === 0) return lockNamedCustomer(em, who, systemNow);
    const locked = await lockAll(em, { caller, ids: [customerId, ...below] }, systemNow);
    const payer = lockedNamedCustomer(who, locked.get(customerId) ?? null, systemNow);
    const member = (id: number) => lockedCustomer({ caller, customerId: id }, locked.get(id) ?? null, systemNow);
    return { ...payer, family: new Map(below.map((id) => [id, member(id)])) };
  });
}
