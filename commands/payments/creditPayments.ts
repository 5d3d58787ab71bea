import { type Money, sum } from '../../billing/money/money.ts';
import type { CreditUse } from '../../billing/payments/creditSpending.ts';
import { reserveSeveralIds } from '../../db/ids.ts';
import type { EntityManager } from '../../db/orm.ts';
import { writeCreditChanges } from '../../db/queries/credit/creditBalance.ts';
import { Payment } from '../../db/schema/payment.ts';
import { creditKeyOf, recomputeCredit } from '../credit/creditBalance.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';

/** The most applications of a payment. */
const MOST_APPLICATIONS = 1000;

/** A payment without money, and the uses of credit that it applies. */
export interface CreditPayment {
  payment: Payment;
  uses: CreditUse[];
}

/** Creates the payments for uses of credit: one for each date. */
export async function newCreditPayments(
  em: EntityManager,
  locked: LockedCustomer,
  { uses, currency }: { uses: readonly CreditUse[]; currency: string },
): Promise<CreditPayment[]> {
  const groups = [...Map.groupBy(uses, (use) => use.at)].flatMap(([date, ofDate]) => {
    const count = Math.ceil(ofDate.length / MOST_APPLICATIONS);
    const parts = Array.from({ length: count }, (_, n) =>
      ofDate.slice(n * MOST_APPLICATIONS, (n + 1) * MOST_APPLICATIONS),
    );
    return parts.map((own) => ({ date: new Date(date), own }));
  });
  const ids = await reserveSeveralIds(em, 'payment', groups.length);
  return groups.map(({ date, own }, index) => {
    const of = { id: ids[index] ?? 0, amount: totalOf(own, currency), currency, date };
    return { uses: own, payment: newCreditPayment(em, locked, of) };
  });
}

/** Creates a payment from credit, without money. */
export function newCreditPayment(
  em: EntityManager,
  { customer, moment }: LockedCustomer,
  { id, amount, currency, date }: { id: number; amount: Money; currency: string; date: Date },
): Payment {
  return em.create(Payment, {
    refunds: [],
    accountId: customer.accountId,
    id,
    customer,
    currency,
    amount,
    balance: amount,
    credit: '0',
    date,
    method: 'other',
    source: 'api',
    voided: false,
    matched: false,
    metadata: {},
    createdAt: moment.now,
    updatedAt: moment.now,
  });
}

/** Writes and recomputes the credit balance after payments spent it. */
export async function recomputeSpent(
  em: EntityManager,
  { customer }: LockedCustomer,
  payments: CreditPayment[],
): Promise<void> {
  const spending = payments
    .filter(({ uses }) => uses.some(({ noteId }) => noteId === null))
    .map(({ payment }) => payment);
  const [first] = spending;
  if (!first) return;
  const { currency } = first;
  await em.write();
  const key = creditKeyOf(customer, currency);
  await writeCreditChanges(
    em,
    key,
    spending.map(({ id }) => id),
  );
  const from = new Date(Math.min(...spending.map(({ date }) => date.getTime())));
  const refuse = () => {
    throw new Error(`payment ${first.id} spent more credit than there was`);
  };
  await recomputeCredit(em, customer, { currency, from, refuse });
}

/** The sum of amounts of a currency. */
export function totalOf(parts: readonly { amount: Money }[], currency: string): Money {
  return sum(
    parts.map(({ amount }) => amount),
    currency,
  );
}
