import { Refusal } from '../../billing/refusal.ts';
import { type CustomerLock, customerIdOf, lockCustomerRow, lockOwnerRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Customer } from '../../db/schema/customer.ts';
import { type Caller, type Moment, SYSTEM_USER, systemCallerOf } from './caller.ts';
import { Missing } from './missing.ts';

/** The customer was merged into another one, which now owns everything it had. */
export class MergedCustomer extends Refusal {
  constructor({ id, mergedInto }: Customer) {
    super('state_conflict', `Customer ${id} was merged into customer ${mergedInto?.id}`);
  }
}

/** An object moved to another customer between the lookup of its owner and the lock. */
class OwnerChanged extends Error {
  override readonly name = 'OwnerChanged';
}

/** Throws if a locked object does not belong to the locked customer. `retryOnOwnerChange` then retries. */
export function checkOwner({ customer }: LockedCustomer, row: { customer: { id: number } }): void {
  if (row.customer.id !== customer.id) throw new OwnerChanged(`not of customer ${customer.id} any more`);
}

const MOST_TRIES = 5;

/**
 * Runs work that looks up an object's owner and locks customer and object. Retries when the customer was merged meanwhile, or the object
 * moved to another customer: at most five tries in all.
 */
export async function retryOnOwnerChange<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const isOther = error instanceof MergedCustomer || error instanceof OwnerChanged;
      if (!isOther || tries === MOST_TRIES) throw error;
    }
  }
}

/** A locked customer, with the caller and the times of the command. Locked documents and subscriptions extend it. */
export interface LockedCustomer {
  customer: Customer;
  moment: Moment;
  /** Id of its test clock; null: real time. */
  clockId: number | null;
  /** Ordinal of the running advance of its test clock; null: none is running. */
  advance: number | null;
  /** Whether its account has chasing cadences. */
  hasCadences: boolean;
  /** The other locked customers whose invoices it pays, by id. */
  family?: ReadonlyMap<number, LockedCustomer>;
}

/**
 * Locks the customer of a command and reads its time. Throws Missing if the account has no such customer, and MergedCustomer if it was
 * merged. Refuses API requests while its test clock advances, because only due steps run then.
 */
export async function lockCustomer(em: EntityManager, who: Who, systemNow: Date): Promise<LockedCustomer> {
  return lockedCustomer(who, await lockWho(em, who, systemNow), systemNow);
}

/**
 * Locks the owner of an object in one statement, with the product itself as caller. Throws Missing when the account has no such object.
 * Call it within `retryOnOwnerChange`, which retries when the owner changed.
 */
export async function lockOwnerAsSystem(
  em: EntityManager,
  about: Parameters<typeof lockOwnerRow>[1],
  systemNow: Date,
): Promise<LockedCustomer> {
  const locked = await lockOwnerRow(em, about, systemNow);
  if (!locked) throw new Missing(about.table, about.id);
  const { account, customer } = locked;
  return lockedCustomer({ caller: systemCallerOf(account), customerId: customer.id }, locked, systemNow);
}

/**
 * Locks the owner of an object. Looks the owner up unless `customerId` is given. Throws Missing when the account has no such object. Call
 * it within `retryOnOwnerChange`, which retries when the owner changed.
 */
export async function lockOwner(
  em: EntityManager,
  of: { caller: Caller; table: Parameters<typeof customerIdOf>[1]; id: number; customerId?: number | undefined },
  systemNow: Date,
): Promise<LockedCustomer> {
  const { caller, table, id } = of;
  const customerId = of.customerId ?? (await customerIdOf(em, table, { accountId: caller.account.id, id }));
  if (customerId === null) throw new Missing(nameOf(table), id);
  return lockCustomer(em, { caller, customerId }, systemNow);
}

/** Name of a table in messages: `credit_note` is "Credit note". */
function nameOf(table: string): string {
  return `${table.charAt(0).toUpperCase()}${table.slice(1).replaceAll('_', ' ')}`;
}

interface Who {
  caller: Caller;
  customerId: number;
}

function lockWho(em: EntityManager, { caller, customerId }: Who, systemNow: Date): Promise<CustomerLock | null> {
  return lockCustomerRow(em, { accountId: caller.account.id, customerId }, systemNow);
}

/** The LockedCustomer for an existing lock. `locked` null: there is no such customer. Throws what `lockCustomer` throws. */
export function lockedCustomer(
  { caller, customerId }: Who,
  locked: CustomerLock | null,
  systemNow: Date,
): LockedCustomer {
  if (!locked) throw new Missing('Customer', customerId);
  const { customer, clockId, advance, hasCadences } = locked;
  if (customer.mergedInto) throw new MergedCustomer(customer);
  if (advance !== null && caller.userId !== SYSTEM_USER) throw new Refusal('busy', advancingMessage(clockId));
  return { customer, clockId, advance, hasCadences, moment: { caller, now: locked.now, systemNow } };
}

/** Refuses to write personal data of an anonymized customer. `param`: the field of the request. */
export function refuseAnonymous({ id, anonymizedAt }: Customer, param?: string): void {
  if (anonymizedAt)
    throw new Refusal('state_conflict', `Customer ${id} was anonymized and can no longer be changed`, param);
}

/** Locks the customer that a request names in the field `customer`. Refuses one that does not exist, was merged or was anonymized. */
export async function lockNamedCustomer(em: EntityManager, who: Who, systemNow: Date): Promise<LockedCustomer> {
  return lockedNamedCustomer(who, await lockWho(em, who, systemNow), systemNow);
}

/** The LockedCustomer for an existing lock. Refuses what `lockNamedCustomer` refuses. */
export function lockedNamedCustomer(who: Who, lock: CustomerLock | null, systemNow: Date): LockedCustomer {
  try {
    const locked = lockedCustomer(who, lock, systemNow);
    refuseAnonymous(locked.customer, 'customer');
    return locked;
  } catch (error) {
    const isGone = error instanceof Missing || error instanceof MergedCustomer;
    throw isGone
      ? new Refusal(error instanceof Missing ? 'resource_missing' : 'state_conflict', error.message, 'customer')
      : error;
  }
}

/** The message that a customer's test clock is advancing. */
export function advancingMessage(clockId: number | null): string {
  return `Test clock ${clockId} is advancing: its customers can be changed once it has arrived`;
}
