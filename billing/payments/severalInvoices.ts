import { add, compare, isPositive, type Money, minimum, roundMoney, subtract, zero } from '../money/money.ts';

/** An open invoice that can be paid. `owed`: what pays all of it now. */
export interface OwedInvoice {
  id: number;
  owed: Money;
}

/** What a customer chose to pay: all, some invoices, or an amount. */
export type ChosenInvoices =
  | { kind: 'all' }
  | { kind: 'some'; ids: readonly number[] }
  | { kind: 'amount'; amount: Money };

/** What one payment gives to each invoice. */
export interface SeveralInvoices {
  parts: { id: number; amount: Money }[];
  total: Money;
}

/** Invoices that one payment pays at most. */
export const MOST_INVOICES_AT_ONCE = 200;

/**
 * Spreads a payment over invoices, which are in the order of their due dates: an amount pays the oldest due first. `nothing`: nothing would be
 * paid. `too_much`: the amount is larger than what the invoices take. `gone`: a chosen invoice can no longer be paid.
 */
export function spreadOver(
  invoices: readonly OwedInvoice[],
  chosen: ChosenInvoices,
  currency: string,
): SeveralInvoices | 'nothing' | 'too_much' | 'gone' {
  const open = invoices.filter(({ owed }) => isPositive(owed));
  if (chosen.kind === 'amount') return spreadAmount(open.slice(0, MOST_INVOICES_AT_ONCE), chosen.amount, currency);
  const ids = chosen.kind === 'some' ? new Set(chosen.ids) : null;
  const picked = ids ? open.filter(({ id }) => ids.has(id)) : open;
  if (ids && picked.length < ids.size) return 'gone';
  if (picked.length === 0) return 'nothing';
  if (ids && picked.length > MOST_INVOICES_AT_ONCE) return 'too_much';
  const parts = picked.slice(0, MOST_INVOICES_AT_ONCE).map(({ id, owed }) => ({ id, amount: owed }));
  return { parts, total: totalOf(parts, currency) };
}

function spreadAmount(
  open: readonly OwedInvoice[],
  amount: Money,
  currency: string,
): SeveralInvoices | 'nothing' | 'too_much' {
  const parts: SeveralInvoices['parts'] = [];
  let left = amount;
  for (const { id, owed } of open) {
    if (!isPositive(left)) break;
    const part = roundMoney(minimum(left, owed), currency);
    parts.push({ id, amount: part });
    left = subtract(left, part);
  }
  if (compare(left, '0') > 0) return 'too_much';
  return parts.length === 0 ? 'nothing' : { parts, total: totalOf(parts, currency) };
}

const totalOf = (parts: SeveralInvoices['parts'], currency: string): Money =>
  roundMoney(add(zero(currency), ...parts.map(({ amount }) => amount)), currency);
