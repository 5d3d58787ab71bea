import { type Money, sum } from '../../billing/money/money.ts';
import type { CreditUse } from '../../billing/payments/creditSpending.ts';
import { reserveIds, reserveSeveralIds } from '../../db/ids.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { CreditNote } from '../../db/schema/creditNote.ts';
import { Payment } from '../../db/schema/payment.ts';
import {
  type LockedCreditNote,
  lockCreditNotes,
  recordBalanceChanges,
  updateCreditNoteStatus,
} from '../aggregates/creditNote.ts';
import { recomputeUsedCredit } from '../credit/creditBalance.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import type { Part } from './applying.ts';
import { recordPayment } from './paymentEvents.ts';

/** The most applications of a payment. */
const MOST_APPLICATIONS = 1000;

/** A use of credit, and the part of its payment. */
export interface PaidUse extends CreditUse {
  part: Part;
}

/**
 * Pays from credit by payments without money, one for each date. `apply` applies a payment, `update` then brings what is paid up to date.
 * Records the events of payments and credit notes. `unrecorded`: a credit note whose event the caller records.
 */
export async function payByCredit(
  em: EntityManager,
  locked: LockedCustomer,
  paid: {
    uses: readonly CreditUse[];
    currency: string;
    unrecorded?: CreditNote | null;
    apply(payment: Payment, uses: readonly PaidUse[]): void;
    update(): Promise<void> | void;
  },
): Promise<void> {
  const { uses, currency, unrecorded = null } = paid;
  const noteIds = new Set(uses.flatMap(({ noteId }) => noteId ?? []));
  const notes = await lockCreditNotes(em, locked, [...noteIds]);
  const payments = await newCreditPayments(em, locked, { uses, currency });
  const recorded = notes.filter(({ creditNote }) => creditNote !== unrecorded);
  recordBalanceChanges(em, recorded, () => {
    for (const { payment, uses: own } of payments)
      paid.apply(
        payment,
        own.map((use) => ({ ...use, part: partOf(use, notes) })),
      );
  });
  if (unrecorded) updateCreditNoteStatus(unrecorded, locked.moment.now);
  await paid.update();
  const ofBalance = payments.filter(({ uses: own }) => own.some(({ noteId }) => noteId === null));
  await recomputeUsedCredit(
    em,
    locked.customer,
    ofBalance.map(({ payment }) => payment),
  );
  for (const { payment } of payments) recordPayment(em, locked, { payment, charge: null, type: 'payment.created' });
}

function partOf({ noteId, amount }: CreditUse, notes: readonly LockedCreditNote[]): Part {
  if (noteId === null) return { type: 'applied_credit', amount };
  const creditNote = notes.find((one) => one.creditNote.id === noteId)?.creditNote ?? null;
  return { type: 'credit_note', amount, creditNote };
}

/** Creates the payments for uses of credit: one for each date. */
async function newCreditPayments(
  em: EntityManager,
  locked: LockedCustomer,
  { uses, currency }: { uses: readonly CreditUse[]; currency: string },
): Promise<{ payment: Payment; uses: CreditUse[] }[]> {
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
    return { uses: own, payment: addCreditPayment(em, locked, of) };
  });
}

/** Creates a payment from credit, without money. */
export async function newCreditPayment(
  em: EntityManager,
  locked: LockedCustomer,
  of: { amount: Money; currency: string; date: Date },
): Promise<Payment> {
  const { payment: id } = await reserveIds(em, 'payment');
  return addCreditPayment(em, locked, { ...of, id });
}

function addCreditPayment(
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

/** The sum of amounts of a currency. */
export function totalOf(parts: readonly { amount: Money }[], currency: string): Money {
  return sum(
    parts.map(({ amount }) => amount),
    currency,
  );
}
