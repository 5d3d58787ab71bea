import { LATE_FEE_LINE } from '../../billing/collection/lateFee.ts';
import { type Money, sum } from '../../billing/money/money.ts';
import { labelsOf } from '../../present/printed/labels.ts';
import type { LockedInvoice } from '../aggregates/invoice.ts';
import { newLine } from '../documents/lines.ts';

/** Name of a late fee in the customer's language. */
export const lateFeeName = ({ customer, moment }: LockedInvoice): string =>
  labelsOf(customer.language ?? moment.caller.account.language).lateFee;

/** A line that charges a late fee or takes one back, without discounts and taxes. */
export const lateFeeLine = (locked: LockedInvoice, amount: Money) =>
  newLine({ type: LATE_FEE_LINE, name: lateFeeName(locked), unitCost: amount, discountable: false, taxable: false });

/** Sum of the late fees on the lines of an invoice. */
export function feesOnLines({ invoice, lines }: LockedInvoice): Money {
  const fees = lines.filter(({ type }) => type === LATE_FEE_LINE);
  return sum(
    fees.map(({ amount }) => amount),
    invoice.currency,
  );
}
