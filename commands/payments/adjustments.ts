import type { EventType } from '../../billing/eventTypes.ts';
import { exactAmount } from '../../billing/limits.ts';
import {
  compare,
  isNegative,
  isPositive,
  type Money,
  negate,
  roundMoney,
  subtract,
} from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import { reserveIds } from '../../db/ids.ts';
import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Shortage } from '../../db/queries/credit/creditBalance.ts';
import { CreditBalanceAdjustment } from '../../db/schema/creditBalanceAdjustment.ts';
import { CreditBalanceChange } from '../../db/schema/creditBalanceChange.ts';
import { presentCreditBalanceAdjustment, presentWholeCustomer } from '../../present/customers/customer.ts';
import {
  recomputeCredit,
  refuseInsufficientCredit,
  refuseSpentCredit,
  toWholeSecond,
} from '../credit/creditBalance.ts';
import type { Caller } from '../kernel/caller.ts';
import { assignChanges, differs } from '../kernel/changes.ts';
import {
  type LockedCustomer,
  lockNamedCustomer,
  lockOwner,
  refuseAnonymous,
  retryOnOwnerChange,
} from '../kernel/lockedCustomer.ts';
import { Missing } from '../kernel/missing.ts';
import { ledger, post } from '../kernel/posting.ts';
import { record } from '../kernel/record.ts';
import { payOpenInvoices } from './spending.ts';

export interface NewCreditBalanceAdjustment {
  caller: Caller;
  customerId: number;
  /** Null: the customer's currency, else the account's. */
  currency: string | null;
  /** Decimal text. A positive amount adds credit, a negative one removes it. */
  amount: string;
  /** Null: now. */
  date: Date | null;
  notes: string | null;
  /** The credit note whose amount beyond its invoice it credits. */
  creditNoteId?: number;
  /** The refund that pays the credit out, or that gives it back. */
  refundId?: number;
}

export interface CreditBalanceAdjustmentChange {
  caller: Caller;
  id: number;
  fields: { amount?: string | undefined; date?: Date | undefined; notes?: string | null | undefined };
  /** Fields that cannot change. Another value is refused. */
  fixed: { customerId?: number | null | undefined; currency?: string | undefined };
}

interface LockedAdjustment extends LockedCustomer {
  adjustment: CreditBalanceAdjustment;
}

/**
 * Raises or lowers a credit balance. New credit pays open invoices. Refuses zero, and an amount that would make the balance negative at its
 * date or later.
 */
export async function createCreditBalanceAdjustment(
  em: EntityManager,
  input: NewCreditBalanceAdjustment,
  systemNow: Date,
): Promise<CreditBalanceAdjustment> {
  const locked = await lockNamedCustomer(em, input, systemNow);
  const { accountId } = locked.customer;
  const { now } = locked.moment;
  const currency = input.currency ?? locked.customer.currency ?? input.caller.account.currency;
  const amount = adjustmentAmount(input.amount, currency);
  const { credit_balance_adjustment: id } = await reserveIds(em, 'credit_balance_adjustment');
  const known = {
    accountId,
    id,
    customer: locked.customer,
    currency,
    amount,
    notes: input.notes,
    creditNoteId: input.creditNoteId ?? null,
    refundId: input.refundId ?? null,
  };
  const times = { date: input.date ?? now, createdAt: now, updatedAt: now };
  const adjustment = em.create(CreditBalanceAdjustment, { ...known, ...times });
  const own = { ...locked, adjustment };
  em.create(CreditBalanceChange, {
    accountId,
    customer: locked.customer,
    currency,
    amount,
    adjustment,
    at: toWholeSecond(adjustment.date),
    balance: '0', // `recomputeFrom` computes it
    countsFromDate: true,
  });
  postAdjustment(em, own, 'post');
  await recomputeFrom(em, own, { from: adjustment.date, param: 'amount', reversed: null });
  recordAdjustment(em, own, { type: 'credit_balance_adjustment.created' });
  if (isPositive(amount)) await payOpenInvoices(em, locked, { currency });
  return adjustment;
}

/** Changes an adjustment, if anything differs. Refuses a change that would make the balance negative at any time. Throws Missing. */
export async function updateCreditBalanceAdjustment(
  em: EntityManager,
  change: CreditBalanceAdjustmentChange,
  systemNow: Date,
): Promise<CreditBalanceAdjustment> {
  const locked = await lockAdjustment(em, change, systemNow);
  const { adjustment, moment } = locked;
  refuseRefund(adjustment);
  refuseFixed(adjustment, change.fixed);
  const amount = change.fields.amount && adjustmentAmount(change.fields.amount, adjustment.currency);
  const isDated =
    change.fields.date && toWholeSecond(change.fields.date).getTime() !== toWholeSecond(adjustment.date).getTime();
  const isOther = amount !== undefined && amount !== roundMoney(adjustment.amount, adjustment.currency);
  const fields = {
    notes: change.fields.notes,
    amount: isOther ? amount : undefined,
    date: isDated ? change.fields.date : undefined,
  };
  if (!differs(adjustment, fields)) return adjustment;
  if (fields.notes) refuseAnonymous(locked.customer, 'notes');
  const before = adjustmentEventObject(locked);
  const from = fields.date && fields.date < adjustment.date ? fields.date : adjustment.date;
  const isReposted = isOther || fields.date !== undefined;
  const was = roundMoney(adjustment.amount, adjustment.currency);
  const reversed = isOther && !isDated ? subtract(was, amount) : was;
  const how = { from, param: isOther ? 'amount' : 'date', reversed: isPositive(reversed) ? reversed : null };
  if (isReposted) postAdjustment(em, locked, 'reverse');
  assignChanges(adjustment, { ...fields, updatedAt: moment.now });
  if (isReposted) await rewriteChange(em, locked, how);
  recordAdjustment(em, locked, { type: 'credit_balance_adjustment.updated', before });
  const { currency } = adjustment;
  if (isDated || compare(adjustment.amount, was) > 0) await payOpenInvoices(em, locked, { currency });
  return adjustment;
}

/** Writes the change of the credit balance again, after the adjustment has changed. */
async function rewriteChange(
  em: EntityManager,
  locked: LockedAdjustment,
  how: { from: Date; param: string; reversed: Money | null },
): Promise<void> {
  const { adjustment } = locked;
  const { accountId, id } = adjustment;
  const row = await em.findOneOrFail(CreditBalanceChange, { accountId, adjustment: [accountId, id] });
  Object.assign(row, { amount: adjustment.amount, at: toWholeSecond(adjustment.date) });
  postAdjustment(em, locked, 'post');
  await recomputeFrom(em, locked, how);
}

/** Deletes an adjustment. Refuses when its credit has been spent. Throws Missing. */
export async function deleteCreditBalanceAdjustment(
  em: EntityManager,
  key: { caller: Caller; id: number },
  systemNow: Date,
): Promise<void> {
  const locked = await lockAdjustment(em, key, systemNow);
  const { adjustment } = locked;
  const { currency, date: from } = adjustment;
  refuseRefund(adjustment);
  postAdjustment(em, locked, 'reverse');
  recordAdjustment(em, locked, { type: 'credit_balance_adjustment.deleted' });
  em.remove(adjustment);
  const amount = roundMoney(adjustment.amount, currency);
  await recomputeCredit(em, locked.customer, {
    currency,
    from,
    refuse: (shortage) => refuseSpentCredit(amount, { shortage, currency }),
  });
  if (isNegative(amount)) await payOpenInvoices(em, locked, { currency });
}

async function lockAdjustment(
  em: EntityManager,
  { caller, id }: { caller: Caller; id: number },
  systemNow: Date,
): Promise<LockedAdjustment> {
  const accountId = caller.account.id;
  const locked = await retryOnOwnerChange(() =>
    lockOwner(em, { caller, table: 'credit_balance_adjustment', id }, systemNow),
  );
  const adjustment = await lockRow(em, CreditBalanceAdjustment, { accountId, id });
  if (!adjustment) throw new Missing('Credit balance adjustment', id);
  return { ...locked, adjustment };
}

/** The amount of an adjustment. Refuses zero, and more decimals than the currency has. */
function adjustmentAmount(amount: string, currency: string): Money {
  const exact = exactAmount(amount, currency, 'amount');
  if (!isNegative(exact) && !isPositive(exact))
    throw new Refusal('parameter_invalid', 'Amount must not be 0', 'amount');
  return exact;
}

/** Refuses to change the adjustment of a refund by itself. */
function refuseRefund({ id, refundId }: CreditBalanceAdjustment): void {
  if (!refundId) return;
  const message = `Adjustment ${id} belongs to refund ${refundId}: delete the refund if the money did not leave`;
  throw new Refusal('state_conflict', message);
}

function refuseFixed(adjustment: CreditBalanceAdjustment, fixed: CreditBalanceAdjustmentChange['fixed']): void {
  const { customerId, currency } = fixed;
  if (customerId !== undefined && customerId !== adjustment.customer.id)
    throw new Refusal('state_conflict', 'The customer of an adjustment cannot be changed', 'customer');
  if (currency !== undefined && currency !== adjustment.currency)
    throw new Refusal('state_conflict', 'The currency of an adjustment cannot be changed', 'currency');
}

/**
 * Recomputes the balances from a date on. `reversed`: the credit that a change of the adjustment removes; null: none, but a negative
 * adjustment spends credit. It decides only the message of a refusal.
 */
async function recomputeFrom(
  em: EntityManager,
  locked: LockedAdjustment,
  how: { from: Date; param: string; reversed: Money | null },
): Promise<void> {
  const { currency, amount } = locked.adjustment;
  const { from, param, reversed } = how;
  const refuse = (shortage: Shortage) =>
    reversed === null
      ? refuseInsufficientCredit(negate(roundMoney(amount, currency)), { shortage, currency, param })
      : refuseSpentCredit(reversed, { shortage, currency, param });
  await recomputeCredit(em, locked.customer, { currency, from, refuse });
}

/** Posts the ledger entries of an adjustment, or of its reversal, at its current date. Credit that a refund pays out leaves as money. */
function postAdjustment(em: EntityManager, locked: LockedAdjustment, how: 'post' | 'reverse'): void {
  const { accountId, currency, amount, date: documentAt, refundId = null } = locked.adjustment;
  const exact = roundMoney(amount, currency);
  const about = { customerId: locked.customer.id, invoiceId: null, paymentId: null, refundId };
  const debit = refundId ? ledger.cash : ledger.creditAdjustments;
  const reason = refundId ? 'refund' : 'adjustment';
  const signed = how === 'post' ? exact : negate(exact);
  post(em, { accountId, currency, reason, ...about, documentAt, postedAt: locked.moment.now }, [
    { debit, credit: ledger.customerCredits, amount: signed },
  ]);
}

function adjustmentEventObject({ adjustment, customer }: LockedAdjustment) {
  return { ...presentCreditBalanceAdjustment(adjustment), customer: presentWholeCustomer(customer) };
}

function recordAdjustment(
  em: EntityManager,
  locked: LockedAdjustment,
  change: { type: EventType; before?: ReturnType<typeof adjustmentEventObject> },
): void {
  const { type, before } = change;
  const subject = { type: 'credit_balance_adjustment', id: locked.adjustment.id, row: locked.adjustment };
  record(em, locked.moment, { type, subject, object: adjustmentEventObject(locked), before });
}
