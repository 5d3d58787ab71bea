import { add, compare, isPositive, minimum, roundMoney, subtract } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import { setting } from '../../billing/settings.ts';
import type { EntityManager } from '../../db/orm.ts';
import { wakeHeldBills } from '../../db/queries/bills/bills.ts';
import { availableCredit } from '../../db/queries/credit/creditBalance.ts';
import { owedBy } from '../../db/queries/customers/statement.ts';
import type { Caller } from '../kernel/caller.ts';
import { type LockedCustomer, lockNamedCustomer } from '../kernel/lockedCustomer.ts';
import { wakeProcess } from '../kernel/waking.ts';

/** Locks the customer that a request bills. Refuses an inactive customer, and one that `lockNamedCustomer` refuses. */
export async function lockBillable(
  em: EntityManager,
  who: { caller: Caller; customerId: number },
  systemNow: Date,
): Promise<LockedCustomer> {
  const locked = await lockNamedCustomer(em, who, systemNow);
  checkBillable(locked);
  return locked;
}

/** Refuses a customer that is not active. */
export function checkBillable({ customer }: LockedCustomer): void {
  if (!customer.active) throw new Refusal('state_conflict', `Customer ${customer.id} is not active`, 'customer');
}

/**
 * Refuses to issue an invoice by request to a customer on credit hold, or to one that would then owe more than its credit limit. The limit
 * applies only to the customer's own currency. Call it after the invoice is written and credit is applied to it.
 */
export async function checkCreditLimit(em: EntityManager, locked: LockedCustomer, currency: string): Promise<void> {
  const { customer } = locked;
  if (customer.creditHold)
    throw new Refusal(
      'state_conflict',
      `Customer ${customer.id} is on credit hold: nothing can be issued to it`,
      'customer',
    );
  const { creditLimit, accountId, id: customerId } = customer;
  if (!creditLimit || currency !== currencyOf(locked)) return;
  await em.write();
  const { outstanding } = await owedBy(em, { accountId, customerId, currency });
  const reason = overLimit(locked, outstanding);
  if (reason !== null) throw new Refusal('state_conflict', reason, 'customer');
}

/**
 * The reason to hold a bill for review; null: none. The customer is on credit hold, or would owe more than its credit limit after its
 * credit is applied.
 */
export async function holdReasonOf(
  em: EntityManager,
  locked: LockedCustomer,
  bill: { currency: string; total: string },
): Promise<string | null> {
  const { customer, moment } = locked;
  const { currency, total } = bill;
  if (customer.creditHold) return `Customer ${customer.id} is on credit hold`;
  const { creditLimit } = customer;
  if (!creditLimit || currency !== currencyOf(locked)) return null;
  const key = { accountId: customer.accountId, customerId: customer.id, currency };
  const usesCredit = customer.hasCredit && setting(moment.caller.account, 'apply_credits_at_issue');
  const credit = usesCredit ? await availableCredit(em, key, moment.now) : '0';
  const unpaid = subtract(total, minimum(credit, total));
  const { outstanding } = await owedBy(em, key);
  return isPositive(unpaid) ? overLimit(locked, add(outstanding, unpaid)) : null;
}

/** The message that a debt exceeds the credit limit; null: it does not. */
function overLimit(locked: LockedCustomer, owed: string): string | null {
  const { id, creditLimit } = locked.customer;
  if (!creditLimit || compare(owed, creditLimit) <= 0) return null;
  const currency = currencyOf(locked);
  const [sum, limit] = [roundMoney(owed, currency), roundMoney(creditLimit, currency)];
  return `Customer ${id} would owe ${sum} ${currency}, more than its credit limit of ${limit}`;
}

/** Currency of the credit limit. */
function currencyOf({ customer, moment }: LockedCustomer): string {
  return customer.currency ?? moment.caller.account.currency;
}

/** Retries the customer's held bills at once. For a change of its credit hold or limit. */
export async function retryHeldBills(em: EntityManager, { customer, moment }: LockedCustomer): Promise<void> {
  const { accountId, id } = customer;
  const ids = await wakeHeldBills(em, { accountId, customerId: id, at: moment.systemNow });
  for (const subjectId of ids)
    wakeProcess(em, moment, { process: 'invoice', subjectId, clockId: null, at: moment.systemNow });
}
