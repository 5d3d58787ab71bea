import { add, isPositive, type Money, minimum, roundMoney, subtract, sum } from '../../billing/money.ts';
import { setting } from '../../billing/settings.ts';
import { reserveIds } from '../../db/ids.ts';
import type { EntityManager } from '../../db/orm.ts';
import { hasCredit, spendableCredit } from '../../db/queries/credit/creditBalance.ts';
import type { Estimate } from '../../db/schema/estimate.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { Payment } from '../../db/schema/payment.ts';
import { lockOpenNotes, recordBalanceChanges } from '../aggregates/creditNote.ts';
import { updateInvoiceStatus } from '../aggregates/invoice.ts';
import { creditKeyOf, recomputeCreditOfPayment } from '../credit/creditBalance.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { affectsCreditBalance } from '../payments/applications.ts';
import { applyPart, type Part } from '../payments/applying.ts';
import { recordPayment } from '../payments/payments.ts';

/**
 * Pays an invoice at issue by a payment without money: from the customer's open credit notes, oldest first, then from its credit balance.
 * Makes no query if the customer has no credit. The caller records the invoice's event.
 */
export async function payFromCredit(em: EntityManager, at: LockedCustomer, invoice: Invoice): Promise<void> {
  const { customer, moment } = at;
  if (!customer.hasCredit || !isPositive(invoice.balance)) return;
  if (!setting(moment.caller.account, 'apply_credits_at_issue')) return;
  const { accountId, currency } = invoice;
  const owed = roundMoney(invoice.balance, currency);
  const notes = await lockOpenNotes(em, at, { currency, most: MOST_NOTES });
  const parts = partsOf(notes, owed);
  const fromNotes = totalOf(parts, currency);
  const key = creditKeyOf(customer, currency);
  const rest = subtract(owed, fromNotes);
  const spendable = isPositive(rest) ? await spendableCredit(em, key, moment.now) : '0';
  const fromBalance = roundMoney(minimum(spendable, rest), currency);
  if (isPositive(fromBalance)) parts.push({ type: 'applied_credit', amount: fromBalance });
  if (parts.length === 0) {
    customer.hasCredit = await hasCredit(em, key);
    return;
  }
  const payment = await newCreditPayment(em, at, { amount: add(fromNotes, fromBalance), currency });
  recordBalanceChanges(em, notes, () => {
    for (const part of parts) applyPart(em, { moment, invoice }, { payment, part });
  });
  updateInvoiceStatus(invoice, moment.now);
  if (affectsCreditBalance(parts)) {
    const refuse = () => {
      throw new Error(`invoice ${invoice.id} of account ${accountId} was paid from credit that is not there`);
    };
    await recomputeCreditOfPayment(em, customer, { payment, currency, from: moment.now, refuse });
  }
  recordPayment(em, at, { payment, charge: null, type: 'payment.created' });
}

/** A payment has at most 1000 applications; one of them may be from the credit balance. */
const MOST_NOTES = 999;

/** The part of each credit note that pays, in order, until the whole amount is paid. */
function partsOf(notes: Awaited<ReturnType<typeof lockOpenNotes>>, owed: Money): Part[] {
  const parts: Part[] = [];
  let left = owed;
  for (const { creditNote } of notes) {
    if (!isPositive(left)) break;
    const amount = roundMoney(minimum(creditNote.balance, left), creditNote.currency);
    parts.push({ type: 'credit_note', amount, creditNote });
    left = subtract(left, amount);
  }
  return parts;
}

function totalOf(parts: readonly Part[], currency: string): Money {
  return sum(
    parts.map(({ amount }) => amount),
    currency,
  );
}

/** Creates a payment from credit, without money. */
async function newCreditPayment(
  em: EntityManager,
  { customer, moment }: LockedCustomer,
  { amount, currency }: { amount: Money; currency: string },
): Promise<Payment> {
  const { payment: id } = await reserveIds(em, 'payment');
  const { accountId } = customer;
  return em.create(Payment, {
    accountId,
    id,
    customer,
    currency,
    amount,
    balance: amount,
    credit: '0',
    date: moment.now,
    method: 'other',
    source: 'api',
    voided: false,
    matched: false,
    metadata: {},
    createdAt: moment.now,
    updatedAt: moment.now,
  });
}

/**
 * Pays the invoice of an estimate at issue by a payment without money, from the estimate's deposit. The caller records the invoice's event.
 */
export async function payFromDeposit(
  em: EntityManager,
  at: LockedCustomer,
  { invoice, estimate }: { invoice: Invoice; estimate: Estimate },
): Promise<void> {
  const { currency } = invoice;
  const amount = roundMoney(minimum(estimate.depositLeft, invoice.balance), currency);
  if (!isPositive(amount)) return;
  const payment = await newCreditPayment(em, at, { amount, currency });
  applyPart(em, { moment: at.moment, invoice }, { payment, part: { type: 'deposit', amount, estimate } });
  updateInvoiceStatus(invoice, at.moment.now);
  recordPayment(em, at, { payment, charge: null, type: 'payment.created' });
}
