import { isSpentBalance } from '../../billing/credit.ts';
import { add, isPositive, type Money, minimum, negate, roundMoney, subtract, sum, zero } from '../../billing/money.ts';
import type { EntityManager } from '../../db/orm.ts';
import { spendableCredit } from '../../db/queries/credit/creditBalance.ts';
import { AttemptCredit } from '../../db/schema/attemptCredit.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import type { Payment } from '../../db/schema/payment.ts';
import { changingBalances, lockCreditNotes } from '../aggregates/creditNote.ts';
import type { LockedEstimate } from '../aggregates/estimate.ts';
import type { LockedInvoice } from '../aggregates/invoice.ts';
import { creditKeyOf, recomputeCreditOfPayment, refuseSpending } from '../credit/creditBalance.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { type NamedApplication, touchesBalance } from '../payments/applications.ts';
import { applyCredit, applyPayment, followBalances, type Part, putAside } from '../payments/applying.ts';
import { changingDeposits, depositRoom, takesDeposit } from '../payments/deposits.ts';
import type { LockedAttempt } from './outcome.ts';

/** Refuses planned applications that spend more credit than there is. */
export async function checkCredit(
  em: EntityManager,
  at: LockedCustomer,
  planned: { applications: readonly NamedApplication[]; currency: string },
): Promise<void> {
  const { currency } = planned;
  const spending = planned.applications.filter(isSpentBalance);
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

/** The planned applications of a charge besides its money for invoices: those paid by credit, to a deposit or to the credit balance. */
export async function plannedCredits(em: EntityManager, { attempt }: LockedAttempt): Promise<AttemptCredit[]> {
  if (attempt.origin !== 'api') return [];
  const { accountId, id } = attempt;
  return em.find(AttemptCredit, { accountId, attempt: [accountId, id] }, { orderBy: { id: 'asc' } });
}

/** An invoice that a charge pays, with its money, with credit, or with both. */
export interface Target {
  at: LockedInvoice;
  /** The part paid with the charge's money. */
  amount: string;
  isCharged: boolean;
  credits: readonly Part[];
}

/** Money for a document that no longer takes it; it stays unapplied. */
export interface Late {
  amount: Money;
  /** Whether the charge's money pays it: the attempt then reserves the invoice. */
  /** The document, in words. */
  untakenBy: string;
}

/**
 * Applies a payment whose money has arrived: to each invoice up to its balance, together with the planned credit that is still available,
 * then to deposits of estimates and to the credit balance. Returns the amount paid on each invoice, and the money that stays unapplied
 * because its document no longer accepts it.
 */
export async function applyArrived(
  em: EntityManager,
  at: LockedAttempt,
  arrived: {
    payment: Payment;
    targets: readonly Target[];
    credits: readonly AttemptCredit[];
    /** The estimates of its deposits, locked. */
    estimates: readonly LockedEstimate[];
  },
): Promise<{ paid: Money[]; late: Late[] }> {
  const { payment, targets, credits, estimates } = arrived;
  const { currency } = payment;
  const ids = credits.flatMap(({ creditNote }) => creditNote?.id ?? []);
  const notes = await lockCreditNotes(em, at, [...new Set(ids)]);
  const key = creditKeyOf(at.customer, currency);
  let left = credits.some(isSpentBalance)
    ? roundMoney(await spendableCredit(em, key, payment.date), currency)
    : zero(currency);
  const paid: Money[] = [];
  const late: Late[] = [];
  changingBalances(em, notes, () => {
    for (const target of targets) {
      const { all, spent, untaken } = applyTarget(em, { payment, target, left });
      left = subtract(left, spent);
      paid.push(all);
      late.push({ amount: untaken, untakenBy: inWords(target.at.invoice) });
    }
  });
  late.push(...(await putDepositsAside(em, at, { payment, credits, estimates })));
  for (const { type, amount } of credits) {
    const rest = minimum(amount, payment.balance);
    if (type === 'credit' && isPositive(rest)) applyCredit(em, at.moment, { payment, amount: rest });
  }
  const invoices = targets.map((target) => target.at);
  await followBalances(em, invoices);
  if (touchesBalance(credits)) await recomputeSpentCredit(em, at, payment);
  return { paid, late: late.filter(({ amount }) => isPositive(amount)) };
}

/** Description of an invoice: "invoice INV-00001 (paid)". */
function inWords({ number, id, status, paid, voidedAt }: Invoice): string {
  return `invoice ${number ?? id} (${paid || voidedAt ? status : 'closed'})`;
}

/** Adds to each estimate's deposit as much as it still takes; nothing if it takes no deposit any more. Answers the rest of each. */
async function putDepositsAside(
  em: EntityManager,
  at: LockedAttempt,
  put: { payment: Payment; credits: readonly AttemptCredit[]; estimates: readonly LockedEstimate[] },
): Promise<Late[]> {
  const { payment, credits, estimates } = put;
  const late: Late[] = [];
  await changingDeposits(em, estimates, () => {
    for (const { estimate } of estimates) {
      const planned = credits.filter((credit) => credit.estimate?.id === estimate.id);
      const meant = totalOf(planned, payment.currency);
      const most = minimum(meant, depositRoom(estimate), payment.balance);
      const amount = roundMoney(takesDeposit(estimate) ? most : '0', payment.currency);
      if (isPositive(amount)) putAside(em, at.moment, { payment, part: { type: 'estimate', amount }, estimate });
      const { number, id, status } = estimate;
      late.push({ amount: subtract(meant, amount), untakenBy: `estimate ${number ?? id} (${status})` });
    }
  });
  return [...late, ...deletedMeanwhile(put)];
}

/** Money for estimates that were deleted. */
function deletedMeanwhile(put: {
  payment: Payment;
  credits: readonly AttemptCredit[];
  estimates: readonly LockedEstimate[];
}): Late[] {
  const there = new Set(put.estimates.map(({ estimate }) => estimate.id));
  return put.credits.flatMap(({ estimate, amount }) =>
    !estimate || there.has(estimate.id)
      ? []
      : {
          amount: roundMoney(amount, put.payment.currency),
          untakenBy: `estimate ${estimate.number ?? estimate.id} (deleted)`,
        },
  );
}

/**
 * Applies a payment's money and planned credit to one invoice. Increases the payment by the applied credit. `left`: the remaining credit
 * balance. `all`: the amount paid; `spent`: the part that the credit balance paid; `rest`: the money that the invoice did not accept.
 */
function applyTarget(
  em: EntityManager,
  pay: { payment: Payment; target: Target; left: Money },
): { all: Money; spent: Money; untaken: Money } {
  const { payment, target } = pay;
  const { currency } = payment;
  let { left } = pay;
  const parts = target.credits.map((part) => {
    const most = isSpentBalance(part) ? left : availableOf(part.creditNote);
    const amount = roundMoney(minimum(part.amount, most), currency);
    if (isSpentBalance(part)) left = subtract(left, amount);
    return { ...part, amount };
  });
  const offered = totalOf(parts, currency);
  grow(payment, offered);
  const money = target.isCharged ? [{ type: 'invoice' as const, amount: target.amount }] : [];
  const applied = applyPayment(em, target.at, { payment, parts: [...money, ...parts], attempted: target.isCharged });
  const taken = applied.slice(money.length);
  grow(payment, subtract(sum(taken, currency), offered));
  const spent = taken.filter((_, index) => parts[index]?.type === 'applied_credit');
  const untaken = subtract(roundMoney(target.amount, currency), sum(applied.slice(0, money.length), currency));
  return { all: sum(applied, currency), spent: sum(spent, currency), untaken };
}

/** The remaining balance of a credit note that is open, else zero. */
function availableOf(creditNote: Part['creditNote']): string {
  return creditNote?.status === 'open' ? creditNote.balance : '0';
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

/** Recomputes the credit balance. It is large enough, because it was read while the customer was locked. */
async function recomputeSpentCredit(em: EntityManager, at: LockedAttempt, payment: Payment): Promise<void> {
  const { currency, date: from } = payment;
  const refuse = () => {
    throw new Error(`payment ${payment.id} spent more credit than there was`);
  };
  await recomputeCreditOfPayment(em, at.customer, { payment, currency, from, refuse });
}
