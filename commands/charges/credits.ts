import {
  add,
  isPositive,
  type Money,
  minimum,
  negate,
  roundMoney,
  subtract,
  sum,
  zero,
} from '../../billing/money/money.ts';
import { isPaidFromBalance } from '../../billing/payments/credit.ts';
import type { EntityManager } from '../../db/orm.ts';
import { spendableCredit } from '../../db/queries/credit/creditBalance.ts';
import type { AttemptCredit } from '../../db/schema/attemptParts.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import type { Payment } from '../../db/schema/payment.ts';
import { lockCreditNotes, recordBalanceChanges } from '../aggregates/creditNote.ts';
import type { LockedEstimate } from '../aggregates/estimate.ts';
import type { LockedInvoice } from '../aggregates/invoice.ts';
import { creditKeyOf, recomputeUsedCredit, refuseOverspending } from '../credit/creditBalance.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { affectsCreditBalance, type NamedApplication } from '../payments/applications.ts';
import {
  applyCredit,
  applyFee,
  applyPayment,
  applyToDeposit,
  type Part,
  updateAfterBalanceChange,
} from '../payments/applying.ts';
import { totalOf } from '../payments/creditPayments.ts';
import { depositRoom, recordDepositChanges, takesDeposit } from '../payments/deposits.ts';
import type { LockedAttempt } from './openAttempt.ts';

/** Refuses planned applications that spend more credit than there is. */
export async function checkCredit(
  em: EntityManager,
  locked: LockedCustomer,
  planned: { applications: readonly NamedApplication[]; currency: string },
): Promise<void> {
  const { currency } = planned;
  const spending = planned.applications.filter(isPaidFromBalance);
  if (spending.length === 0) return;
  const { now } = locked.moment;
  const left = roundMoney(await spendableCredit(em, creditKeyOf(locked.customer, currency), now), currency);
  const shortage = subtract(
    sum(
      spending.map(({ amount }) => amount),
      currency,
    ),
    left,
  );
  if (isPositive(shortage))
    refuseOverspending(spending, { shortage: { at: now, balance: negate(shortage) }, currency });
}

/** An invoice that a charge pays, with its money, with credit, or with both. */
export interface Target {
  locked: LockedInvoice;
  /** The part paid with the charge's money. */
  amount: string;
  /** Whether the charge's money pays it: the attempt then reserves the invoice. */
  isCharged: boolean;
  /** Whether AutoPay or a request to pay the invoice charges. */
  isAutomatic: boolean;
  credits: readonly Part[];
}

/** Money that stays unapplied, because its document no longer accepts it. */
export interface UnappliedMoney {
  amount: Money;
  /** Description of the document, with its status. */
  document: string;
}

/**
 * Applies a payment whose money has arrived: to each invoice up to its balance, together with the planned credit that is still available,
 * then to deposits of estimates, to the credit balance and to the convenience fee. Returns the amount paid on each invoice, that put aside as
 * deposits, and the money that stays unapplied because its document no longer accepts it.
 */
export async function applyReceivedPayment(
  em: EntityManager,
  locked: LockedAttempt,
  received: {
    payment: Payment;
    targets: readonly Target[];
    credits: readonly AttemptCredit[];
    /** The estimates of its deposits, locked. */
    estimates: readonly LockedEstimate[];
    fee: Money;
  },
): Promise<{ paid: Money[]; deposited: Money; unapplied: UnappliedMoney[] }> {
  const { payment, targets, credits, estimates, fee } = received;
  const { currency } = payment;
  const ids = credits.flatMap(({ creditNote }) => creditNote?.id ?? []);
  const notes = await lockCreditNotes(em, locked, [...new Set(ids)]);
  const key = creditKeyOf(locked.customer, currency);
  let left = credits.some(isPaidFromBalance)
    ? roundMoney(await spendableCredit(em, key, payment.date), currency)
    : zero(currency);
  const paid: Money[] = [];
  const unapplied: UnappliedMoney[] = [];
  recordBalanceChanges(em, notes, () => {
    for (const target of targets) {
      const { all, spent, rest } = applyTarget(em, { payment, target, left });
      left = subtract(left, spent);
      paid.push(all);
      unapplied.push({ amount: rest, document: inWords(target.locked.invoice) });
    }
  });
  const before = payment.balance;
  unapplied.push(...(await addToDeposits(em, locked, { payment, credits, estimates })));
  const deposited = subtract(before, payment.balance);
  for (const { type, amount } of credits) {
    const rest = minimum(amount, payment.balance);
    if (type === 'credit' && isPositive(rest)) applyCredit(em, locked.moment, { payment, amount: rest });
  }
  if (isPositive(fee)) applyFee(em, locked.moment, { payment, amount: fee });
  const invoices = targets.map((target) => target.locked);
  await updateAfterBalanceChange(em, invoices);
  if (affectsCreditBalance(credits)) await recomputeUsedCredit(em, locked.customer, [payment]);
  return { paid, deposited, unapplied: unapplied.filter(({ amount }) => isPositive(amount)) };
}

/** Description of an invoice: "invoice INV-00001 (paid)". */
function inWords({ number, id, status, paid, voidedAt }: Invoice): string {
  return `invoice ${number ?? id} (${paid || voidedAt ? status : 'closed'})`;
}

/** Adds money to the deposits of estimates, as far as each still accepts a deposit. Returns the rest of each. */
async function addToDeposits(
  em: EntityManager,
  locked: LockedAttempt,
  received: { payment: Payment; credits: readonly AttemptCredit[]; estimates: readonly LockedEstimate[] },
): Promise<UnappliedMoney[]> {
  const { payment, credits, estimates } = received;
  const unapplied: UnappliedMoney[] = [];
  await recordDepositChanges(em, estimates, () => {
    for (const { estimate } of estimates) {
      const planned = credits.filter((credit) => credit.estimate?.id === estimate.id);
      const wanted = totalOf(planned, payment.currency);
      const most = minimum(wanted, depositRoom(estimate), payment.balance);
      const amount = roundMoney(takesDeposit(estimate) ? most : '0', payment.currency);
      if (isPositive(amount))
        applyToDeposit(em, locked.moment, { payment, part: { type: 'estimate', amount }, estimate });
      const { number, id, status } = estimate;
      unapplied.push({ amount: subtract(wanted, amount), document: `estimate ${number ?? id} (${status})` });
    }
  });
  return [...unapplied, ...moneyOfDeletedEstimates(received)];
}

/** Money for estimates that were deleted meanwhile. */
function moneyOfDeletedEstimates(received: {
  payment: Payment;
  credits: readonly AttemptCredit[];
  estimates: readonly LockedEstimate[];
}): UnappliedMoney[] {
  const existing = new Set(received.estimates.map(({ estimate }) => estimate.id));
  return received.credits.flatMap(({ estimate, amount }) =>
    !estimate || existing.has(estimate.id)
      ? []
      : {
          amount: roundMoney(amount, received.payment.currency),
          document: `estimate ${estimate.number ?? estimate.id} (deleted)`,
        },
  );
}

/**
 * Applies a payment's money and planned credit to one invoice, and increases the payment by the credit. `left` is the credit balance that
 * remains. Returns the amount paid (`all`), the part of it that the credit balance paid (`spent`), and the money that the invoice did not
 * accept (`rest`).
 */
function applyTarget(
  em: EntityManager,
  pay: { payment: Payment; target: Target; left: Money },
): { all: Money; spent: Money; rest: Money } {
  const { payment, target } = pay;
  const { currency } = payment;
  let { left } = pay;
  const parts = target.credits.map((part) => {
    const most = isPaidFromBalance(part) ? left : availableOf(part.creditNote);
    const amount = roundMoney(minimum(part.amount, most), currency);
    if (isPaidFromBalance(part)) left = subtract(left, amount);
    return { ...part, amount };
  });
  const offered = totalOf(parts, currency);
  increase(payment, offered);
  const money = target.isCharged ? [{ type: 'invoice' as const, amount: target.amount }] : [];
  const applied = applyPayment(em, target.locked, {
    payment,
    parts: [...money, ...parts],
    attempted: target.isCharged,
    isAutomatic: target.isAutomatic,
  });
  const taken = applied.slice(money.length);
  increase(payment, subtract(sum(taken, currency), offered));
  const spent = taken.filter((_, index) => parts[index]?.type === 'applied_credit');
  const rest = subtract(roundMoney(target.amount, currency), sum(applied.slice(0, money.length), currency));
  return { all: sum(applied, currency), spent: sum(spent, currency), rest };
}

/** The remaining balance of a credit note that is open, else zero. */
function availableOf(creditNote: Part['creditNote']): string {
  return creditNote?.status === 'open' ? creditNote.balance : '0';
}

function increase(payment: Payment, by: Money): void {
  payment.amount = add(roundMoney(payment.amount, payment.currency), by);
  payment.balance = add(payment.balance, by);
}
