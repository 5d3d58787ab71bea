import { exactAmount } from '../../../../billing/limits.ts';
import { decimalIn, isCurrency, isPositive, type Money } from '../../../../billing/money/money.ts';
import type { ChosenInvoices } from '../../../../billing/payments/severalInvoices.ts';
import { Refusal } from '../../../../billing/refusal.ts';
import { setting } from '../../../../billing/settings.ts';
import {
  type PayableInvoice,
  type Planned,
  payableInvoices,
  planPayment,
  type Unfit,
} from '../../../../commands/portal/paying.ts';
import { openBalances } from '../../../../db/queries/portal/owed.ts';
import { Invoice } from '../../../../db/schema/invoice.ts';
import { fill } from '../../../../words/text.ts';
import { LARGEST_ID } from '../../../body/readers.ts';
import type { PortalVisit } from '../place.ts';
import { NothingThere } from '../site.ts';

/** What a page about paying is asked for: in its address, and in its forms. */
export interface Wanted {
  currency: string;
  chosen: ChosenInvoices;
}

/**
 * The currency that is asked for, or else the customer's if something is open in it, or else one in which something is. Throws NothingThere
 * for one that does not exist.
 */
export async function currencyIn({ em, account, customer, currency }: PortalVisit, asked: unknown): Promise<string> {
  if (typeof asked === 'string' && asked !== '') {
    if (!isCurrency(asked)) throw new NothingThere();
    return asked;
  }
  const balances = await openBalances(em, { accountId: account.id, customerId: customer.id });
  return balances.find((one) => one.currency === currency)?.currency ?? balances.at(0)?.currency ?? currency;
}

/** Invoices that are named at most. */
const MOST_NAMED = 10;

/** What changed since a page showed invoices (their ids): those that can no longer be paid are named. */
export async function changedText(visit: PortalVisit, currency: string, ids: readonly number[]): Promise<string> {
  const { em, account, customer, words, head } = visit;
  const open = new Set((await payable(visit, currency)).map(({ id }) => id));
  const gone = ids.filter((id) => !open.has(id));
  if (gone.length === 0) return words.errorChanged;
  const of = { accountId: account.id, customer, id: { $in: gone }, number: { $ne: null } };
  const found = await em.fork().find(Invoice, of, { orderBy: { id: 'asc' }, limit: MOST_NAMED + 1 });
  const numbers = found.map(({ number }) => head.pen.own(number ?? ''));
  if (numbers.length === 0) return words.errorChanged;
  const named = numbers.length > MOST_NAMED ? [...numbers.slice(0, MOST_NAMED), '…'] : numbers;
  return `${words.errorChanged} ${fill(words.errorGone, { invoices: named.join(' · ') })}`;
}

/** The ids that a form or an address names. Null: they are malformed. */
export function idsIn(text: string): number[] | null {
  if (!IDS.test(text)) return null;
  const ids = [...new Set(text.split('.').map(Number))];
  return ids.every((id) => id > 0 && id <= LARGEST_ID) ? ids : null;
}

const IDS = /^\d{1,10}(\.\d{1,10}){0,199}$/;

/** Reads what is asked for. Null: it is malformed. */
export function wantedIn(params: URLSearchParams, currency: string): Wanted | null {
  const of = params.get('of');
  if (of !== null) {
    const ids = idsIn(of);
    return ids && { currency, chosen: { kind: 'some', ids } };
  }
  const typed = params.get('amount');
  if (typed === null) return { currency, chosen: { kind: 'all' } };
  const amount = typedAmount(typed, currency);
  return amount === null ? null : { currency, chosen: { kind: 'amount', amount } };
}

/** The same as part of an address. */
export function wantedQuery({ currency, chosen }: Wanted, more: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams({ currency });
  if (chosen.kind === 'some') query.set('of', chosen.ids.join('.'));
  if (chosen.kind === 'amount') query.set('amount', chosen.amount);
  for (const [name, value] of Object.entries(more)) query.set(name, value);
  return query.toString();
}

const MOST_DIGITS = 14;

/** The decimal text of a typed amount, with a point or a comma. Null: it is none, or has more decimals than the currency. */
export function typedAmount(typed: string, currency: string): Money | null {
  const text = typed.trim();
  if (!new RegExp(`^\\d{1,${MOST_DIGITS}}([.,]\\d{1,4})?$`).test(text)) return null;
  const { decimal } = decimalIn(text.replace(',', '.'), { maxDecimals: 4, maxSignificant: MOST_DIGITS + 1 });
  if (decimal === null || !isPositive(decimal)) return null;
  try {
    return exactAmount(decimal, currency, 'amount');
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/** Whether a part of an invoice can be paid. */
export const takesParts = ({ account }: Pick<PortalVisit, 'account'>): boolean => setting(account, 'partial_payments');

/** The invoices that can be paid in a currency, and one more if there are more than one payment takes. */
export function payable({ em, account, customer, now }: PortalVisit, currency: string): Promise<PayableInvoice[]> {
  return payableInvoices(em, { accountId: account.id, customerId: customer.id, currency }, now);
}

/** What each invoice would get. */
export function planOf({ em, account, customer, now }: PortalVisit, wanted: Wanted): Promise<Planned | Unfit> {
  return planPayment(em, { account, customerId: customer.id, ...wanted }, now);
}
