import { Refusal } from '../../billing/refusal.ts';
import { customerIdOf, type LockedCustomer, lockCustomer, lockOwner } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Customer } from '../../db/schema/customer.ts';
import { API_USER, type Caller, systemCallerOf } from './caller.ts';
import { Missing } from './missing.ts';
import type { Moment } from './record.ts';

/** The customer was merged into another, which has all it had. */
export class MergedCustomer extends Refusal {
  constructor({ id, mergedInto }: Customer) {
    super(`Customer ${id} was merged into customer ${mergedInto?.id}`);
  }
}

/** A draft was given to another customer after it had been looked up whose it is. */
class GivenAway extends Error {
  override readonly name = 'GivenAway';
}

/** Throws where an object that was locked behind a customer is another's by now: `following` looks again. */
export function checkOwner({ customer }: CustomerMoment, row: { customer: { id: number } }): void {
  if (row.customer.id !== customer.id) throw new GivenAway(`not of customer ${customer.id} any more`);
}

const MOST_TRIES = 5;

/**
 * Work that looks up whose an object is and locks that customer, and the object behind it: once more if the customer was merged into
 * another in between, or the object was given to another.
 */
export async function following<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const isOther = error instanceof MergedCustomer || error instanceof GivenAway;
      if (!isOther || tries === MOST_TRIES) throw error;
    }
  }
}

export interface CustomerMoment {
  customer: Customer;
  moment: Moment;
  clockId: number | null;
  /** Which advance of its test clock is under way; null: none. */
  advance: number | null;
  /** By id: other customers, locked with it, whose invoices it pays. */
  family?: ReadonlyMap<number, CustomerMoment>;
}

/**
 * Locks the customer that a command is about and tells its time. Throws Missing when the account has no such customer, MergedCustomer
 * when it is another's by now, and refuses requests while its test clock advances: only what is due happens then.
 */
export async function lockMoment(em: EntityManager, who: Who, systemNow: Date): Promise<CustomerMoment> {
  return momentOf(who, await lockWho(em, who, systemNow), systemNow);
}

/**
 * The same for the product itself and the customer that an object belongs to: one statement. Throws Missing when the account has no such
 * object; `following` looks again when it is another customer's by then.
 */
export async function lockOwnerMoment(
  em: EntityManager,
  about: Parameters<typeof lockOwner>[1],
  systemNow: Date,
): Promise<CustomerMoment> {
  const locked = await lockOwner(em, about, systemNow);
  if (!locked) throw new Missing(about.table, about.id);
  const { account, customer } = locked;
  return momentOf({ caller: systemCallerOf(account), customerId: customer.id }, locked, systemNow);
}

/**
 * Locks the customer that an object belongs to, looked up unless it is given. Throws Missing when the account has no such object; `following`
 * looks again when it is another customer's by then.
 */
export async function lockMomentOf(
  em: EntityManager,
  of: { caller: Caller; table: Parameters<typeof customerIdOf>[1]; id: number; customerId?: number | undefined },
  systemNow: Date,
): Promise<CustomerMoment> {
  const { caller, table, id } = of;
  const customerId = of.customerId ?? (await customerIdOf(em, table, { accountId: caller.account.id, id }));
  if (customerId === null) throw new Missing(nameOf(table), id);
  return lockMoment(em, { caller, customerId }, systemNow);
}

/** "Credit note" of `credit_note`. */
function nameOf(table: string): string {
  return `${table.charAt(0).toUpperCase()}${table.slice(1).replaceAll('_', ' ')}`;
}

interface Who {
  caller: Caller;
  customerId: number;
}

function lockWho(em: EntityManager, { caller, customerId }: Who, systemNow: Date): Promise<LockedCustomer | null> {
  return lockCustomer(em, { accountId: caller.account.id, customerId }, systemNow);
}

/** The moment of a customer that was locked with others; null: there is none. Throws as `lockMoment` does. */
export function momentOf({ caller, customerId }: Who, locked: LockedCustomer | null, systemNow: Date): CustomerMoment {
  if (!locked) throw new Missing('Customer', customerId);
  const { customer, clockId, advance } = locked;
  if (customer.mergedInto) throw new MergedCustomer(customer);
  if (advance !== null && caller.userId === API_USER) throw new Refusal(whileAdvancing(clockId));
  return { customer, clockId, advance, moment: { caller, now: locked.now, systemNow } };
}

/** What was erased is not written down again. `param`: where a request says it. */
export function refuseAnonymous({ id, anonymizedAt }: Customer, param?: string): void {
  if (anonymizedAt) throw new Refusal(`Customer ${id} was anonymized and can no longer be changed`, param);
}

/** Locks the customer that a request names in a field. Refuses one that there is not, that was merged into another, or anonymized. */
export async function lockNamed(em: EntityManager, who: Who, systemNow: Date): Promise<CustomerMoment> {
  return momentOfNamed(who, await lockWho(em, who, systemNow), systemNow);
}

/** The same of one that was locked with others. */
export function momentOfNamed(who: Who, locked: LockedCustomer | null, systemNow: Date): CustomerMoment {
  try {
    const at = momentOf(who, locked, systemNow);
    refuseAnonymous(at.customer, 'customer');
    return at;
  } catch (error) {
    const isGone = error instanceof Missing || error instanceof MergedCustomer;
    throw isGone ? new Refusal(error.message, 'customer') : error;
  }
}

/** Why a request about a customer of an advancing clock is refused. */
export function whileAdvancing(clockId: number | null): string {
  return `Test clock ${clockId} is advancing: its customers can be changed when it has got there`;
}

/** The moment of a command about something that belongs to the account, not to a customer: real time. */
export function accountMoment(caller: Caller, systemNow: Date): Moment {
  return { caller, now: systemNow, systemNow };
}
