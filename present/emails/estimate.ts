import { isPositive } from '../../billing/money.ts';
import type { Estimate } from '../../db/schema/estimate.ts';
import { documentUrl } from '../links.ts';
import { formatDay, formatMoney } from './format.ts';
import type { EmailParts, RenderedEmail } from './layout.ts';
import { type LetterFacts, letter } from './letter.ts';

export interface EstimateMailFacts extends LetterFacts {
  estimate: Estimate;
}

/** estimate_email: what something would cost, until when that holds, and what is asked up front. */
export function estimateEmail(facts: EstimateMailFacts): RenderedEmail {
  const { estimate, seller } = facts;
  const number = estimate.number ?? '';
  return letter(facts, {
    subject: `Estimate ${number} from ${seller.name}`,
    heading: `Your estimate ${number}`,
    figure: formatMoney(estimate.total, estimate.currency),
    tone: 'plain',
    sentence: ['this is your estimate.', ...stateOf(estimate)].join(' '),
    rows: rowsOf(estimate, number),
    action: { label: 'View estimate', href: documentUrl('estimate', estimate) },
  });
}

/** What is still to be answered, or how it was. */
function stateOf(estimate: Estimate): string[] {
  const { status, expiresAt, deposit, depositPaid, currency } = estimate;
  if (status === 'invoiced') return ['It has become an invoice.'];
  if (status === 'declined') return ['It does not hold any more.'];
  const asksDeposit = isPositive(deposit) && !depositPaid;
  return [
    ...(status === 'approved' ? ['You have approved it.'] : []),
    ...(status !== 'approved' && expiresAt ? [`It holds until ${dayOf(estimate, expiresAt)}.`] : []),
    ...(asksDeposit ? [`We ask for a deposit of ${formatMoney(deposit, currency)}.`] : []),
  ];
}

function rowsOf(estimate: Estimate, number: string): EmailParts['rows'] {
  const { currency, date, expiresAt, purchaseOrder, total, deposit } = estimate;
  return [
    { label: 'Estimate', value: number },
    { label: 'Date', value: dayOf(estimate, date) },
    ...(expiresAt ? [{ label: 'Holds until', value: dayOf(estimate, expiresAt) }] : []),
    ...(purchaseOrder ? [{ label: 'Purchase order', value: purchaseOrder }] : []),
    { label: 'Total', value: formatMoney(total, currency) },
    ...(isPositive(deposit) ? [{ label: 'Deposit', value: formatMoney(deposit, currency) }] : []),
  ];
}

function dayOf({ timeZone }: Estimate, at: Date): string {
  return formatDay(at, timeZone);
}
