import { isSpentCredit } from '../billing/credit.ts';
import { add, isPositive, type Money, minimum, negate, roundMoney, subtract, sum, zero } from '../billing/money.ts';
import type { EntityManager } from '../db/orm.ts';
import { spendableCredit } from '../db/queries/creditBalance.ts';
import { AttemptCredit } from '../db/schema/attemptCredit.ts';
import type { Payment } from '../db/schema/payment.ts';
import { applyCredit, applyPayment, type Part } from './applying.ts';
import { creditKeyOf, refuseSpending, settleCreditOf } from './creditBalance.ts';
import type { InvoiceMoment } from './invoiceMoment.ts';
import type { CustomerMoment } from './moment.ts';
import type { AttemptMoment } from './outcomes.ts';
import type { NamedApplication } from './paymentApplications.ts';

/** Refuses to plan to spend credit that is not there. */
export async function checkCredit(
  em: EntityManager,
  at: CustomerMoment,
  planned: { applications: readonly NamedApplication[]; currency: string },
): Promise<void> {
  const { currency } = planned;
  const spending = planned.applications.filter(isSpentCredit);
  if (spending.length === 0) return;
  const { now } = at.moment;
  const left = roundMoney(await spendableCredit(em, creditKeyOf(at.customer, currency), now), currency);
  const short = subtract(
    sum(
      spending.map(({ amount }) => amount),
      currency,
    ),
    left,
  );
  if (isPositive(short)) refuseSpending(spending, { shortage: { at: now, balance: negate(short) }, currency });
}

/** What an API charge is to do beside paying with its money; others do nothing beside it. */
export async function plannedCredits(em: EntityManager, { attempt }: AttemptMoment): Promise<AttemptCredit[]> {
  if (attempt.origin !== 'api') return [];
  const { accountId, id } = attempt;
  return em.find(AttemptCredit, { accountId, attempt: [accountId, id] }, { orderBy: { id: 'asc' } });
}

/** An invoice that a charge is to pay: with its money, which holds it, and with credit. */
export interface Target {
  at: InvoiceMoment;
  /** Of its money. */
  amount: string;
  isHeld: boolean;
  credits: readonly Part[];
}

/**
 * Applies a payment whose money has arrived: to each invoice as much as that still owes, with as much of the planned credit as there
 * still is; then what is meant for the credit balance. Answers what each invoice was paid.
 */
export async function applyArrived(
  em: EntityManager,
  at: AttemptMoment,
  arrived: { payment: Payment; targets: readonly Target[]; credits: readonly AttemptCredit[] },
): Promise<Money[]> {
  const { payment, targets, credits } = arrived;
  const { currency } = payment;
  const isSpending = targets.some((target) => target.credits.length > 0);
  const key = creditKeyOf(at.customer, currency);
  let left = isSpending ? roundMoney(await spendableCredit(em, key, payment.date), currency) : zero(currency);
  const paid: Money[] = [];
  for (const target of targets) {
    const offered = minimum(totalOf(target.credits, currency), left);
    const { all, spent } = await applyTarget(em, { payment, target, offered });
    left = subtract(left, spent);
    paid.push(all);
  }
  for (const { type, amount } of credits) {
    const rest = minimum(amount, payment.balance);
    if (type === 'credit' && isPositive(rest)) applyCredit(em, at.moment, { payment, amount: rest });
  }
  if (credits.length > 0) await settle(em, at, payment);
  return paid;
}

/** The payment grows by the credit that an invoice takes. */
async function applyTarget(
  em: EntityManager,
  pay: { payment: Payment; target: Target; offered: Money },
): Promise<{ all: Money; spent: Money }> {
  const { payment, target, offered } = pay;
  const { currency } = payment;
  grow(payment, offered);
  let left = offered;
  const parts = target.credits.map((part) => {
    const amount = minimum(part.amount, left);
    left = subtract(left, amount);
    return { ...part, amount };
  });
  const money = target.isHeld ? [{ type: 'invoice' as const, amount: target.amount }] : [];
  const applied = await applyPayment(em, target.at, { payment, parts: [...money, ...parts], attempted: target.isHeld });
  const spent = sum(applied.slice(money.length), currency);
  grow(payment, subtract(spent, offered));
  return { all: sum(applied, currency), spent };
}

function grow(payment: Payment, by: Money): void {
  payment.amount = add(roundMoney(payment.amount, payment.currency), by);
  payment.balance = add(payment.balance, by);
}

function totalOf(parts: readonly Part[], currency: string): Money {
  return sum(
    parts.map(({ amount }) => amount),
    currency,
  );
}

/** What it spends was looked up under the customer's lock: there is enough. */
async function settle(em: EntityManager, at: AttemptMoment, payment: Payment): Promise<void> {
  const { currency, date: from } = payment;
  const refuse = () => {
    throw new Error(`payment ${payment.id} spent more credit than there was`);
  };
  await settleCreditOf(em, at.customer, { payment, currency, from, refuse });
}
