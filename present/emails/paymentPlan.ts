import { awaitsApproval } from '../../billing/collection/paymentPlan.ts';
import { type PlanAsk, planAsk } from '../../billing/collection/planProgress.ts';
import { isPositive, roundMoney, sum } from '../../billing/money/money.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import type { PaymentPlan } from '../../db/schema/paymentPlan.ts';
import { managingWordsOf } from '../../words/managing/words.ts';
import { documentUrl } from '../kernel/links.ts';
import { planFigure, printablePlan } from '../printed/plan.ts';
import type { ViewOf } from '../variables/kinds.ts';
import type { paymentPlanVariables } from '../variables/money.ts';
import { mail } from './layout.ts';
import { greeted } from './letter.ts';
import type { EmailParts } from './parts.ts';
import { ownOf } from './variables.ts';
import { type Reader, type Seller, type Writing, writingFor } from './writing.ts';

export interface PaymentPlanFacts {
  seller: Seller;
  customer: Reader;
  invoice: Pick<Invoice, 'accountId' | 'id' | 'token' | 'number' | 'currency' | 'timeZone' | 'autopay' | 'pastDue'>;
  plan: Pick<PaymentPlan, 'status' | 'installments' | 'approvalToken' | 'approval'>;
  /** The customer's time. */
  now: Date;
  /** Whether the customer has been mailed other installments before. */
  isChanged: boolean;
  to: { name: string };
  /** URLs of the pages on which the customer pays the invoice, approves the plan (null: no approval is asked for) and adds a source. */
  links: { pay: string; approve: string | null; source: string };
}

/**
 * Template payment_plan_email: the unpaid installments with their dates. A plan that waits for its approval links to the page that takes it,
 * one that waits for a payment source to the page that adds it. Any other links to the invoice, and without AutoPay to the page that pays it.
 */
export const paymentPlanEmail = mail((facts: PaymentPlanFacts) => {
  const { seller, customer, invoice, plan, to } = facts;
  const { currency, timeZone } = invoice;
  const writing = writingFor(seller, customer, { currency, timeZone });
  const { language, direction, say, labels, formats } = writing;
  const number = invoice.number ?? '';
  const unpaid = plan.installments.filter(({ balance }) => isPositive(balance));
  const total = sum(
    unpaid.map(({ balance }) => balance),
    currency,
  );
  const printed = plan.status === 'active' ? printablePlan(askIn(facts)) : null;
  const { value: figure, note: figureNote } = printed
    ? planFigure(printed, { balance: total, isLate: invoice.pastDue }, writing)
    : { value: formats.money(total), note: null };
  return {
    language,
    direction,
    seller: seller.name,
    ...titlesOf(facts, writing, number),
    figure,
    figureNote,
    tone: 'plain',
    paragraphs: [greeted(to, writing, sentencesOf(facts, writing))],
    rows: [
      { label: labels.invoice, value: number },
      ...unpaid.map(({ date, balance }) => ({ label: formats.day(new Date(date)), value: formats.money(balance) })),
      ...(printed ? [{ label: labels.balance, value: formats.money(total), isSum: true as const }] : []),
      { label: labels.amountDue, value: figure, isSum: true },
    ],
    own: ownOf(writing, variablesOf(facts, writing, unpaid)),
    ...linksOf(facts, writing),
    footer: say('sentBy', { seller: seller.name, number: customer.number }),
  };
});

function askIn({ plan, invoice, now }: PaymentPlanFacts): PlanAsk {
  return planAsk(plan.installments, { now: now.getTime(), zone: invoice.timeZone });
}

function variablesOf(
  { invoice, plan, isChanged }: PaymentPlanFacts,
  { formats }: Writing,
  unpaid: readonly PaymentPlan['installments'][number][],
): ViewOf<typeof paymentPlanVariables> {
  const { number, currency } = invoice;
  return {
    invoice: { number: number ?? '', currency, url: documentUrl('invoice', invoice) },
    installments: unpaid.map(({ date, balance }) => ({
      date: formats.day(new Date(date)),
      amount: formats.money(balance),
      amount_number: roundMoney(balance, currency),
    })),
    needs_approval: awaitsApproval(plan),
    is_changed: isChanged,
  };
}

function titlesOf(
  { seller, plan, isChanged }: PaymentPlanFacts,
  { say }: Writing,
  number: string,
): Pick<EmailParts, 'subject' | 'heading'> {
  const named = { number, seller: seller.name };
  if (awaitsApproval(plan)) return { subject: say('planAskSubject', named), heading: say('planAskHeading', named) };
  return isChanged
    ? { subject: say('planChangedSubject', named), heading: say('planChangedHeading', named) }
    : { subject: say('planSubject', named), heading: say('planHeading', named) };
}

function sentencesOf(
  { seller, plan, invoice }: PaymentPlanFacts,
  { language, words: { planHere }, say }: Writing,
): string[] {
  const words = managingWordsOf(language);
  if (awaitsApproval(plan)) return [say('planOffer', { seller: seller.name })];
  const how = invoice.autopay ? words.planAutomatic : words.planByHand;
  return [planHere, plan.status === 'pending_signup' ? words.planLastStep : how];
}

function linksOf(
  { plan, invoice, links }: PaymentPlanFacts,
  { language, words }: Writing,
): Pick<EmailParts, 'action' | 'links'> {
  const view = { label: words.viewInvoice, href: documentUrl('invoice', invoice) };
  if (awaitsApproval(plan) && links.approve) return { action: { label: words.planApprove, href: links.approve } };
  if (plan.status === 'pending_signup')
    return { action: { label: managingWordsOf(language).planAddSource, href: links.source } };
  return invoice.autopay ? { action: view } : { action: { label: words.payNow, href: links.pay }, links: [view] };
}
