import { compare, roundMoney } from '../billing/money.ts';
import { Refusal } from '../billing/refusal.ts';
import type { EntityManager } from '../db/orm.ts';
import { owedBy } from '../db/queries/balances.ts';
import type { Caller } from './caller.ts';
import { type CustomerMoment, lockNamed } from './moment.ts';

/** Locks the customer that a request wants to bill. Refuses one that the account does not have, or that is not active. */
export async function lockBillable(
  em: EntityManager,
  who: { caller: Caller; customerId: number },
  systemNow: Date,
): Promise<CustomerMoment> {
  const at = await lockNamed(em, who, systemNow);
  checkBillable(at);
  return at;
}

/** Refuses a customer that is not active. */
export function checkBillable({ customer }: CustomerMoment): void {
  if (!customer.active) throw new Refusal(`Customer ${customer.id} is not active`, 'customer');
}

/**
 * Refuses an issue by request to a customer on hold, or one that leaves it owing more than its limit, which is in its own currency.
 * Call it when the document is written and credits are applied to it.
 */
export async function checkCreditLimit(em: EntityManager, at: CustomerMoment, currency: string): Promise<void> {
  const { customer, moment } = at;
  if (customer.creditHold)
    throw new Refusal(`Customer ${customer.id} is on credit hold: nothing can be issued to it`, 'customer');
  const { creditLimit, accountId, id: customerId } = customer;
  if (!creditLimit || currency !== (customer.currency ?? moment.caller.account.currency)) return;
  await em.flush();
  const { outstanding } = await owedBy(em, { accountId, customerId, currency });
  if (compare(outstanding, creditLimit) <= 0) return;
  const [owed, limit] = [roundMoney(outstanding, currency), roundMoney(creditLimit, currency)];
  throw new Refusal(
    `Customer ${customerId} would owe ${owed} ${currency}, more than its credit limit of ${limit}`,
    'customer',
  );
}
