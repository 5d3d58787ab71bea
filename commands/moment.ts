import { Refusal } from '../billing/refusal.ts';
import { lockCustomer } from '../db/lock.ts';
import type { EntityManager } from '../db/orm.ts';
import type { Customer } from '../db/schema/customer.ts';
import { API_USER, type Caller } from './caller.ts';
import { Missing } from './missing.ts';
import type { Moment } from './record.ts';

export interface CustomerMoment {
  customer: Customer;
  moment: Moment;
  clockId: number | null;
  /** Which advance of its test clock is under way; null: none. */
  advance: number | null;
}

/**
 * Locks the customer that a command is about and tells its time. Throws Missing when the account has no such customer, and refuses
 * requests while its test clock advances: only what is due happens then.
 */
export async function lockMoment(
  em: EntityManager,
  who: { caller: Caller; customerId: number },
  systemNow: Date,
): Promise<CustomerMoment> {
  const { caller, customerId } = who;
  const locked = await lockCustomer(em, { accountId: caller.account.id, customerId }, systemNow);
  if (!locked) throw new Missing('Customer', customerId);
  const { customer, clockId, advance } = locked;
  if (advance !== null && caller.userId === API_USER) throw new Refusal(whileAdvancing(clockId));
  return { customer, clockId, advance, moment: { caller, now: locked.now, systemNow } };
}

/** Why a request about a customer of an advancing clock is refused. */
export function whileAdvancing(clockId: number | null): string {
  return `Test clock ${clockId} is advancing: its customers can be changed when it has got there`;
}

/** The moment of a command about something that belongs to the account, not to a customer: real time. */
export function accountMoment(caller: Caller, systemNow: Date): Moment {
  return { caller, now: systemNow, systemNow };
}
