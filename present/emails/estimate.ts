import { isPositive, roundMoney } from '../../billing/money/money.ts';
import { depositDue, whyDepositUnpayable } from '../../billing/payments/payable.ts';
import type { Estimate } from '../../db/schema/estimate.ts';
import { payingWordsOf } from '../../words/paying/words.ts';
import { fill } from '../../words/text.ts';
import { type Addressed, depositUrlOf, documentUrl } from '../kernel/links.ts';
import type { estimateVariables } from '../variables/documents.ts';
import type { ViewOf } from '../variables/kinds.ts';
import { mail } from './layout.ts';
import { type LetterFacts, letter, type Words } from './letter.ts';
import type { EmailParts } from './parts.ts';
import { dayOf, ownOf } from './variables.ts';
import { type Writing, writingFor } from './writing.ts';

/** An estimate, as far as its mail shows it. */
type MailedEstimate = Addressed &
  Pick<
    Estimate,
    | 'number'
    | 'date'
    | 'expiresAt'
    | 'purchaseOrder'
    | 'currency'
    | 'timeZone'
    | 'total'
    | 'deposit'
    | 'depositPaid'
    | 'depositReceived'
    | 'closed'
    | 'status'
  >;

export interface EstimateMailFacts extends LetterFacts {
  estimate: MailedEstimate;
}

/** Template estimate_email: the price, how long it is valid, and the deposit, which is paid by a button once the estimate is approved. */
export const estimateEmail = mail((facts: EstimateMailFacts) => {
  const { estimate, seller, customer } = facts;
  const writing = writingFor(seller, customer, estimate);
  const { say, formats } = writing;
  const named = { number: estimate.number ?? '', seller: seller.name };
  return letter(facts, writing, {
    subject: say('estimateSubject', named),
    heading: say('estimateHeading', named),
    figure: formats.money(estimate.total),
    tone: 'plain',
    sentences: sentencesOf(estimate, writing),
    rows: rowsOf(estimate, writing),
    own: ownOf(writing, variablesOf(estimate, writing)),
    ...linksOf(estimate, writing),
  });
});

function variablesOf(
  estimate: MailedEstimate,
  writing: Writing,
): Omit<ViewOf<typeof estimateVariables>, 'lines' | 'sums'> {
  const { number, date, expiresAt, purchaseOrder, currency, timeZone, total, deposit } = estimate;
  const { formats } = writing;
  return {
    estimate: {
      number: number ?? '',
      ...dayOf(writing, date, timeZone),
      expires: expiresAt ? formats.day(expiresAt) : null,
      purchase_order: purchaseOrder ?? null,
      currency,
      total: formats.money(total),
      total_number: roundMoney(total, currency),
      deposit: isPositive(deposit) ? formats.money(deposit) : null,
      url: documentUrl('estimate', estimate),
      pay_url: whyDepositUnpayable(estimate) ? null : depositUrlOf(estimate),
    },
  };
}

/** The buttons: to pay what is left of the deposit, and to view the estimate. */
function linksOf(estimate: MailedEstimate, { words, language, formats }: Writing): Pick<Words, 'action' | 'more'> {
  const view = { label: words.viewEstimate, href: documentUrl('estimate', estimate) };
  if (whyDepositUnpayable(estimate)) return { action: view };
  const label = fill(payingWordsOf(language).payDeposit, { amount: formats.money(depositDue(estimate)) });
  return { action: { label, href: depositUrlOf(estimate) }, more: [view] };
}

/** Sentences about the customer's answer or how long the estimate is valid, and about the deposit. */
function sentencesOf(estimate: MailedEstimate, { words, say, formats }: Writing): string[] {
  const { status, expiresAt, deposit, depositPaid } = estimate;
  if (status === 'invoiced') return [words.invoiced];
  if (status === 'declined') return [words.noLongerValid];
  const isApproved = status === 'approved';
  const valid = expiresAt ? say('validUntilDay', { day: formats.day(expiresAt) }) : words.estimateHere;
  const amount = formats.money(depositDue(estimate));
  const asked = say(isApproved ? 'payDepositOf' : 'asksDeposit', { amount });
  return [isApproved ? words.approved : valid, ...(isPositive(deposit) && !depositPaid ? [asked] : [])];
}

function rowsOf(estimate: MailedEstimate, { labels, words, formats }: Writing): EmailParts['rows'] {
  const { date, expiresAt, purchaseOrder, total, deposit } = estimate;
  return [
    { label: labels.estimate, value: estimate.number ?? '' },
    { label: labels.date, value: formats.day(date) },
    ...(expiresAt ? [{ label: words.validUntil, value: formats.day(expiresAt) }] : []),
    ...(purchaseOrder ? [{ label: labels.purchaseOrder, value: purchaseOrder }] : []),
    { label: labels.total, value: formats.money(total) },
    ...(isPositive(deposit) ? [{ label: labels.deposit, value: formats.money(deposit) }] : []),
  ];
}
