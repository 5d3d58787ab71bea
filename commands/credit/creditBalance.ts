import { checkAmount } from '../../billing/limits.ts';
import { isNegative, type Money, negate, roundMoney, subtract, zero } from '../../billing/money/money.ts';
import { firstUncovered } from '../../billing/payments/credit.ts';
import { Refusal } from '../../billing/refusal.ts';
import { failpoint } from '../../db/failpoint.ts';
import type { EntityManager } from '../../db/orm.ts';
import {
  type CreditKey,
  runCreditBalance,
  type Shortage,
  writeCreditChanges,
} from '../../db/queries/credit/creditBalance.ts';
import type { Customer } from '../../db/schema/customer.ts';
import type { Payment } from '../../db/schema/payment.ts';

/** A change of a credit balance that takes effect at a date (`from`). */
export interface CreditChange {
  currency: string;
  from: Date;
  /** Throws the Refusal for a balance that would be negative at some time. */
  refuse(shortage: Shortage): never;
}

/** Recomputes the credit balance after each of its changes from `from` on. Refuses when one is negative. */
export async function recomputeCredit(em: EntityManager, customer: Customer, change: CreditChange): Promise<void> {
  customer.hasCredit = true; // also when the balance is zero: the next issued invoice reads the balance and clears the flag
  await em.write();
  const shortage = await runCreditBalance(em, creditKeyOf(customer, change.currency), change.from);
  if (shortage) {
    checkAmount(roundMoney(shortage.balance, change.currency), 'amount');
    change.refuse(shortage);
  }
  await failpoint('credit.recomputed');
}

/** Rewrites the changes of a credit balance that the applications of payments make, then recomputes the balance. */
export async function recomputeCreditOfPayments(
  em: EntityManager,
  customer: Customer,
  { payments, ...change }: CreditChange & { payments: readonly Payment[] },
): Promise<void> {
  await em.write();
  const ids = payments.map(({ id }) => id);
  await writeCreditChanges(em, creditKeyOf(customer, change.currency), ids);
  await recomputeCredit(em, customer, change);
}

/** The same for payments that use the credit that was read while the customer was locked: there is enough of it. */
export async function recomputeUsedCredit(
  em: EntityManager,
  customer: Customer,
  payments: readonly Payment[],
): Promise<void> {
  const [first] = payments;
  if (!first) return;
  const from = new Date(Math.min(...payments.map(({ date }) => date.getTime())));
  const refuse = () => {
    throw new Error(`payment ${first.id} would make the credit balance negative`);
  };
  await recomputeCreditOfPayments(em, customer, { payments, currency: first.currency, from, refuse });
}

/** Truncates a time to whole seconds, the precision of credit balances and of responses. */
export function toWholeSecond(at: Date): Date {
  return new Date(Math.floor(at.getTime() / 1000) * 1000);
}

/** Key of a customer's credit balance in a currency. */
export function creditKeyOf(customer: Customer, currency: string): CreditKey {
  return { accountId: customer.accountId, customerId: customer.id, currency };
}

interface CreditShortage {
  shortage: Shortage;
  currency: string;
  param?: string;
}

/** Refuses applications that spend more credit than there is. Names the first one that is not covered. */
export function refuseOverspending(
  spending: readonly { amount: string; param: string }[],
  { shortage, currency }: CreditShortage,
): never {
  const parts = spending.map(({ amount }) => roundMoney(amount, currency));
  const unpaid = firstUncovered(parts, amountShort({ shortage, currency }), currency);
  const first = spending[unpaid.index];
  return refuseInsufficientCredit(unpaid.wanted, {
    currency,
    shortage: { at: shortage.at, balance: subtract(unpaid.left, unpaid.wanted) },
    ...(first ? { param: `${first.param}[amount]` } : {}),
  });
}

/** Refuses a change that spends more credit than there is. */
export function refuseInsufficientCredit(spent: Money, { shortage, currency, param }: CreditShortage): never {
  const wanted = roundMoney(spent, currency);
  const left = leftOf(wanted, { shortage, currency });
  throw new Refusal(
    'insufficient_credit',
    `Customer has ${left} ${currency} of credit on ${inWords(shortage.at)}, less than ${wanted}`,
    param,
  );
}

/** Refuses a change that reverses credit, or moves it to another date, because the credit has been spent. */
export function refuseSpentCredit(reversed: Money, { shortage, currency, param }: CreditShortage): never {
  const left = leftOf(reversed, { shortage, currency });
  throw new Refusal(
    'insufficient_credit',
    `${reversed} ${currency} of credit cannot be taken back: only ${left} is left on ${inWords(shortage.at)}`,
    param,
  );
}

function leftOf(wanted: Money, { shortage, currency }: CreditShortage): Money {
  const left = subtract(wanted, amountShort({ shortage, currency }));
  return isNegative(left) ? zero(currency) : left;
}

function amountShort({ shortage, currency }: CreditShortage): Money {
  return roundMoney(negate(shortage.balance), currency);
}

function inWords(at: Date): string {
  return at
    .toISOString()
    .replace('T', ' ')
    .replace(/(\.\d+)?Z$/, ' UTC');
}
