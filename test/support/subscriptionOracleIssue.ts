import { bindCover } from './subscriptionOracleCover.ts';
import { type Invoice, invoiceOf, type Line } from './subscriptionOracleInvoice.ts';
import type { State } from './subscriptionOracleState.ts';
import { activeCoupons, type Coupon } from './subscriptionOracleTerms.ts';

// Issues the invoices of the oracle of subscriptions.

type Facts = Pick<Invoice, 'kind' | 'n' | 'date' | 'period'>;

/** Bills lines, and all pending lines with them. Nothing is issued without lines. */
export function issue(state: State, facts: Facts, bill: Bill): Invoice | null {
  const { pending, choices } = state;
  const lines = choices.pendingFirst ? pending.concat(bill.lines) : bill.lines.concat(pending);
  if (lines.length === 0) return null;
  state.pending = [];
  const { taxes } = state.terms;
  const document = { lines, coupons: bill.coupons, taxes, currency: state.sold.currency };
  const { segment, creditBalance } = state;
  const invoice = invoiceOf({ ...facts, segment, document, creditBalance }, choices);
  for (const cover of state.covers) bindCover(cover, { lines, invoice, taxes });
  state.creditBalance -= invoice.creditApplied;
  state.invoices.push(invoice);
  payFromCredit(state, invoice.credited, billsTakenBack(lines));
  return invoice;
}

/** New credit pays what is open of some invoices, then other open ones, the oldest first. The rest is credit of the customer. */
export function payFromCredit(state: State, credit: bigint, first: ReadonlySet<Invoice>): void {
  let left = credit;
  const rank = (one: Invoice) => (first.has(one) ? 0 : 1);
  const inOrder = state.invoices.toSorted((one, other) => rank(one) - rank(other) || one.date - other.date);
  for (const invoice of isSpent(state) ? inOrder : []) {
    const owed = invoice.voided ? 0n : invoice.total - invoice.creditApplied;
    const applied = left < owed ? left : owed;
    invoice.creditApplied += applied;
    left -= applied;
  }
  state.creditBalance += left;
}

const isSpent = ({ choices, sold }: State) => choices.applyCredits && sold.invoicesArePaid !== true;

/** The invoices with what credits take back. */
function billsTakenBack(lines: readonly Line[]): Set<Invoice> {
  const credits = lines.filter(({ unitCost }) => unitCost.startsWith('-'));
  return new Set(credits.flatMap(({ takesBack = [] }) => takesBack.flatMap(({ invoice }) => invoice ?? [])));
}

export interface Bill {
  lines: Line[];
  /** Coupons of the document. */
  coupons: Coupon[];
}

/** Today's coupons, for an invoice that bills no whole period. */
export function couponsNow(state: State): Coupon[] {
  return activeCoupons(state.terms).map(({ coupon }) => coupon);
}
