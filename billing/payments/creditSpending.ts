import type { Installment } from '../collection/paymentPlan.ts';
import { add, isPositive, type Money, minimum, roundMoney, subtract } from '../money/money.ts';

/** Credit of a customer that is left. Times are epoch milliseconds. */
export interface CreditPiece {
  /** The credit note; null: a part of the credit balance. */
  noteId: number | null;
  /** Id of the credit note, or of the change that added this part to the credit balance. */
  id: number;
  arrivedAt: number;
  /** Whether it pays from its arrival on. False: it is from before credit paid open invoices, and pays at the time it is applied. */
  countsFromArrival: boolean;
  amount: Money;
}

/** The credit that does not pay an invoice by itself. */
export interface Withheld {
  notes: readonly { id: number; amount: Money }[];
  /** So much of what the changes of the credit balance up to one have added; null: nothing. */
  balance: { throughChangeId: number; amount: Money } | null;
}

export const NOTHING_WITHHELD: Withheld = { notes: [], balance: null };

/** An invoice that credit can pay. Times are epoch milliseconds. */
export interface OpenDebt {
  invoiceId: number;
  date: number;
  dueAt: number;
  balance: Money;
  /** The installments of its running payment plan; null: it has none. */
  installments: readonly Installment[] | null;
  withheld: Withheld;
}

/** A part of a credit that pays an invoice. `at`: the date of its payment, epoch milliseconds. */
export interface CreditUse {
  invoiceId: number;
  noteId: number | null;
  amount: Money;
  at: number;
}

/**
 * Divides credit over open invoices: in the order of its arrival, over what is owed, the oldest due date first. Each installment of a payment
 * plan is owed at its own date. A use is dated at the later of the invoice's date and the arrival of the credit. One use for each invoice,
 * source and date, in the order in which the invoices are paid.
 */
export function spendCredit(
  pieces: readonly CreditPiece[],
  debts: readonly OpenDebt[],
  { now, currency }: { now: number; currency: string },
): CreditUse[] {
  const left = pieces.toSorted(byArrival).map((piece) => ({ piece, amount: piece.amount }));
  const uses = new Map<string, CreditUse>();
  for (const { debt, amount: owed } of debts.flatMap(partsOf).toSorted(byDueDate)) {
    let open = owed;
    const withheld = withholding(debt.withheld);
    for (const one of left) {
      if (!isPositive(open)) break;
      const { piece } = one;
      const usable = subtract(one.amount, withheld(piece, one.amount));
      if (!isPositive(usable)) continue;
      const amount = roundMoney(minimum(usable, open), currency);
      one.amount = subtract(one.amount, amount);
      open = subtract(open, amount);
      const at = Math.max(debt.date, piece.countsFromArrival ? piece.arrivedAt : now);
      const key = `${debt.invoiceId} ${piece.noteId} ${at}`;
      const before = uses.get(key);
      if (before) before.amount = add(before.amount, amount);
      else uses.set(key, { invoiceId: debt.invoiceId, noteId: piece.noteId, amount, at });
    }
    while (left[0] && !isPositive(left[0].amount)) left.shift();
    if (left.length === 0) break;
  }
  return [...uses.values()];
}

/** The order of arrival. At the same time credit notes come first. */
function byArrival(one: CreditPiece, other: CreditPiece): number {
  const ofBalance = (piece: CreditPiece) => (piece.noteId === null ? 1 : 0);
  return one.arrivedAt - other.arrivedAt || ofBalance(one) - ofBalance(other) || one.id - other.id;
}

interface DebtPart {
  debt: OpenDebt;
  dueAt: number;
  amount: Money;
}

/** The unpaid installments of an invoice, or its balance. */
function partsOf(debt: OpenDebt): DebtPart[] {
  const { installments, balance: amount, dueAt } = debt;
  if (!installments) return [{ debt, dueAt, amount }];
  return installments
    .filter(({ balance }) => isPositive(balance))
    .map(({ date, balance }) => ({ debt, dueAt: date, amount: balance }));
}

function byDueDate(one: DebtPart, other: DebtPart): number {
  return one.dueAt - other.dueAt || one.debt.invoiceId - other.debt.invoiceId;
}

/**
 * Returns a function that tells how much of a piece is withheld. Ask it in the order in which the pieces arrived: the oldest parts of the
 * credit balance are withheld first.
 */
function withholding({ notes, balance }: Withheld): (piece: CreditPiece, left: Money) => Money {
  let rest = balance?.amount ?? '0';
  return ({ noteId, id }, left) => {
    if (noteId !== null) return minimum(notes.find((note) => note.id === noteId)?.amount ?? '0', left);
    if (balance === null || id > balance.throughChangeId) return '0';
    const amount = minimum(rest, left);
    rest = subtract(rest, amount);
    return amount;
  };
}

/** An addition to the credit balance, with the id of its change. */
export interface CreditAddition {
  id: number;
  at: number;
  countsFromDate: boolean;
  amount: Money;
}

/**
 * The unspent parts of a credit balance, if the oldest additions were spent first. `additions` has the latest ones, newest first. `balance`
 * is what is left in all, `spendable` what can be spent now. If more is left than these additions, the oldest of them stands for the rest.
 */
export function unspentParts(
  additions: readonly CreditAddition[],
  { balance, spendable, currency }: { balance: Money; spendable: Money; currency: string },
): CreditPiece[] {
  const pieces: CreditPiece[] = [];
  let left = balance;
  for (const [index, { id, at, countsFromDate, amount: added }] of additions.entries()) {
    if (!isPositive(left)) break;
    const amount = index === additions.length - 1 ? left : minimum(added, left);
    left = subtract(left, amount);
    pieces.unshift({ noteId: null, id, arrivedAt: at, countsFromArrival: countsFromDate, amount });
  }
  let room = spendable;
  return pieces.flatMap((piece) => {
    const amount = roundMoney(minimum(piece.amount, room), currency);
    room = subtract(room, amount);
    return isPositive(amount) ? [{ ...piece, amount }] : [];
  });
}
