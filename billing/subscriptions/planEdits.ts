import {
  type Installment,
  LEAST_INSTALLMENTS,
  MOST_INSTALLMENTS,
  paidInstallments,
} from '../collection/paymentPlan.ts';
import { exactAmount } from '../limits.ts';
import { compare, isPositive, isZero, type Money, roundMoney, subtract, sum } from '../money/money.ts';
import { Refusal } from '../refusal.ts';
import { localDay, startOfDay } from '../time/calendar.ts';

/**
 * An installment in a request. `id` names the installment that it changes, and is null for a new one. If the date or the amount is null,
 * the installment keeps it. The amount is decimal text and includes what is paid.
 */
export interface WantedInstallment {
  id: number | null;
  date: number | null;
  amount: string | null;
}

/** An installment after a change; null id: it is a new one. */
export interface EditedInstallment extends Omit<Installment, 'id'> {
  id: number | null;
}

export interface Edits {
  wanted: readonly WantedInstallment[];
  /** replace: unpaid installments that are not named are removed. change: all that are not named stay. */
  mode: 'replace' | 'change';
  /** The installments of the plan that is running. */
  present: readonly Installment[];
  /** Balance of the invoice. */
  balance: Money;
  currency: string;
  now: number;
  zone: string;
}

/** An installment with its place in the request. */
interface Placed {
  one: EditedInstallment;
  /** Null: it was not named. */
  index: number | null;
  /** Whether the request gives it another date. */
  isDated: boolean;
}

/**
 * The installments after a change, the paid ones first. Refuses: too few or too many; ids that the plan does not have, or that are named
 * twice; changes of paid installments; dates that are past or do not increase; amounts that are not positive or not more than is paid; and
 * a sum other than the balance.
 */
export function editInstallments(edits: Edits): EditedInstallment[] {
  const { wanted, mode, present, currency } = edits;
  refuseRepeated(wanted);
  const named = wanted.map((_, index) => placedOf(edits, index));
  const absent = present.filter(({ id }) => wanted.every((one) => one.id !== id));
  const staying = mode === 'change' ? absent : paidInstallments(absent, currency);
  const all = [...staying.map((one): Placed => ({ one, index: null, isDated: false })), ...named];
  const placeOf = ({ one }: Placed) => present.findIndex(({ id }) => id === one.id);
  const paid = all.filter(({ one }) => isZero(one.balance)).toSorted((one, other) => placeOf(one) - placeOf(other));
  const owed = all.filter(({ one }) => !isZero(one.balance));
  const open = mode === 'change' ? owed.toSorted((one, other) => one.one.date - other.one.date) : owed;
  if (open.length === 0 || all.length < LEAST_INSTALLMENTS || all.length > MOST_INSTALLMENTS)
    throw new Refusal(
      'parameter_invalid',
      `A payment plan has ${LEAST_INSTALLMENTS} to ${MOST_INSTALLMENTS} installments: ${all.length}`,
      'installments',
    );
  checkDates(open, edits);
  checkSum(open, edits);
  return [...paid, ...open].map(({ one }) => one);
}

function refuseRepeated(wanted: readonly WantedInstallment[]): void {
  for (const [index, { id }] of wanted.entries())
    if (id !== null && wanted.findIndex((other) => other.id === id) < index)
      throw new Refusal('parameter_invalid', `Installment ${id} is named twice`, `installments[${index}][id]`);
}

/** A named installment as it is after the change. */
function placedOf({ wanted, present, currency }: Edits, index: number): Placed {
  const { id, date, amount } = wanted[index] ?? { id: null, date: null, amount: null };
  const param = (name: string) => `installments[${index}][${name}]`;
  const was = id === null ? null : present.find((one) => one.id === id);
  if (was === undefined) throw new Refusal('resource_missing', `Installment was not found: ${id}`, param('id'));
  if (was === null && date === null)
    throw new Refusal('parameter_invalid', 'A new installment needs a date', param('date'));
  const exact = amount === null ? was?.amount : exactAmount(amount, currency, param('amount'));
  if (exact === undefined) throw new Refusal('parameter_invalid', 'A new installment needs an amount', param('amount'));
  if (!isPositive(exact)) throw new Refusal('parameter_invalid', `Amount must be positive: ${exact}`, param('amount'));
  const at = date ?? was?.date ?? 0;
  const isDated = at !== was?.date;
  if (!was) return { one: { id, date: at, amount: exact, balance: exact }, index, isDated };
  if (isZero(was.balance)) {
    if (isDated || compare(exact, was.amount) !== 0)
      throw new Refusal('state_conflict', `Installment ${was.id} is paid and cannot be changed`, param('id'));
    return { one: was, index, isDated };
  }
  const paid = subtract(was.amount, was.balance);
  if (compare(exact, paid) <= 0)
    throw new Refusal(
      'parameter_invalid',
      `Amount must be more than the paid part of ${roundMoney(paid, currency)}`,
      param('amount'),
    );
  return { one: { id: was.id, date: at, amount: exact, balance: subtract(exact, paid) }, index, isDated };
}

function checkDates(open: readonly Placed[], { now, zone }: Edits): void {
  const today = startOfDay(localDay(now, zone), zone);
  for (const [place, { one, index, isDated }] of open.entries()) {
    const former = open[place - 1];
    const param = `installments[${index ?? former?.index ?? 0}][date]`;
    if (isDated && one.date < today) throw new Refusal('parameter_invalid', 'Date must not be past', param);
    if (!former) continue;
    if (one.date <= former.one.date) throw new Refusal('parameter_invalid', 'Dates must increase', param);
    if (compare(one.balance, one.amount) < 0)
      throw new Refusal(
        'state_conflict',
        `Installment ${one.id} is partly paid: no unpaid one can be before it`,
        param,
      );
  }
}

function checkSum(open: readonly Placed[], { balance, currency }: Edits): void {
  const total = sum(
    open.map(({ one }) => one.balance),
    currency,
  );
  if (compare(total, balance) !== 0)
    throw new Refusal(
      'parameter_invalid',
      `Installments must add up to the balance of ${roundMoney(balance, currency)}: they add up to ${roundMoney(total, currency)}`,
      'installments',
    );
}

/** Whether a request names all installments that a plan has, as they are, with or without their ids. */
export function areInstallments(wanted: readonly WantedInstallment[], present: readonly Installment[]): boolean {
  return (
    wanted.length === present.length &&
    present.every(({ id, date, amount }, index) => {
      const other = wanted[index];
      const isSameId = other?.id === null || other?.id === id;
      return isSameId && other?.date === date && other.amount !== null && compare(other.amount, amount) === 0;
    })
  );
}

/** Whether a change leaves the installments of a plan as they are. */
export function isUnchanged(edited: readonly EditedInstallment[], present: readonly Installment[]): boolean {
  return (
    edited.length === present.length &&
    present.every(({ id, date, amount }, index) => {
      const other = edited[index];
      return other?.id === id && other.date === date && compare(other.amount, amount) === 0;
    })
  );
}
