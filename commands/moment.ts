import { lockCustomer } from '../db/lock.ts';
import type { EntityManager } from '../db/orm.ts';
import type { Customer } from '../db/schema/customer.ts';
import type { Caller } from './caller.ts';
import { Missing } from './missing.ts';
import type { Moment } from './record.ts';

export interface CustomerMoment {
  customer: Customer;
  moment: Moment;
  clockId: number | null;
}

/** Locks the customer that a command is about and tells its time. Throws Missing when the account has no such customer. */
export async function lockMoment(
  em: EntityManager,
  who: { caller: Caller; customerId: number },
  systemNow: Date,
): Promise<CustomerMoment> {
  const { caller, customerId } = who;
  const locked = await lockCustomer(em, { accountId: caller.account.id, customerId }, systemNow);
  if (!locked) throw new Missing('Customer', customerId);
  return { customer: locked.customer, clockId: locked.clockId, moment: { caller, now: locked.now, systemNow } };
}

/** The moment of a command about something that belongs to the account, not to a customer: real time. */
export function accountMoment(caller: Caller, systemNow: Date): Moment {
  return { caller, now: systemNow, systemNow };
}
