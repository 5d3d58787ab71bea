import type { ErrorCode } from '../../billing/errorCodes.ts';
import { Refusal } from '../../billing/refusal.ts';
import { type CustomerLock, lockSeveralCustomers } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { descendantsAmong, levelsBelow, lineOf } from '../../db/queries/customers/tree.ts';
import { ownersOf } from '../../db/queries/invoices/paidParts.ts';
import { Customer } from '../../db/schema/customer.ts';
import type { Caller } from '../kernel/caller.ts';
import {
  type LockedCustomer,
  lockedCustomer,
  lockedNamedCustomer,
  lockNamedCustomer,
  retryOnOwnerChange,
} from '../kernel/lockedCustomer.ts';

/** Maximum number of levels of a family, the top and the bottom included. */
export const MOST_LEVELS = 10;

/**
 * Finds and checks the new parent of a customer. The caller has locked the tree. `id` null: the customer is new. Refuses an unknown parent,
 * one on another test clock, a loop, and more than ten levels.
 */
export async function parentFor(
  em: EntityManager,
  child: { accountId: number; id: number | null; clockId: number | null },
  parentId: number,
): Promise<Customer> {
  const { accountId, id, clockId } = child;
  const refuse = (code: ErrorCode, message: string): never => {
    throw new Refusal(code, message, 'parent_customer');
  };
  const parent = await em.findOne(Customer, { accountId, id: parentId });
  if (!parent) return refuse('resource_missing', `Customer was not found: ${parentId}`);
  if ((parent.testClock?.id ?? null) !== clockId)
    return refuse(
      'state_conflict',
      `Customer ${parentId} is on another test clock: a parent and its children must have the same one`,
    );
  const line = await lineOf(em, { accountId, id: parentId });
  if (id !== null && line.includes(id))
    return refuse(
      'state_conflict',
      `Customer ${parentId} is ${parentId === id ? 'the customer itself' : `a descendant of customer ${id}`}`,
    );
  const levels = line.length + (id === null ? 1 : await levelsBelow(em, { accountId, id }));
  if (levels > MOST_LEVELS)
    return refuse('limit_exceeded', `A family can have at most ${MOST_LEVELS} levels, not ${levels}`);
  return parent;
}

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
