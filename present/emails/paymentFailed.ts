import type { PlanAsk } from '../../billing/collection/planProgress.ts';
import { roundMoney } from '../../billing/money/money.ts';
import { knownDeclineCode } from '../../billing/payments/declines.ts';
import type { Customer } from '../../db/schema/customer.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { payingWordsOf } from '../../words/paying/words.ts';
import { planFigure, printablePlan } from '../printed/plan.ts';
import type { ViewOf } from '../variables/kinds.ts';
import type { paymentFailedVariables } from '../variables/money.ts';
import { mail } from './layout.ts';
import { greeted } from './letter.ts';
import type { Link } from './parts.ts';
import { type MailedSource, sourceInWords } from './paymentSource.ts';
import { ownOf } from './variables.ts';
import { type Reader, type Seller, type Writing, writingFor } from './writing.ts';

/** A decline as the gateway told it. */
interface ToldDecline {
  code: string | null;
  message: string | null;
}

export interface PaymentFailedFacts {
  seller: Seller;
  customer: Reader & Pick<Customer, 'name'>;
  invoice: Pick<Invoice, 'number' | 'currency' | 'date' | 'balance' | 'nextPaymentAttemptAt' | 'dueAt' | 'pastDue'>;
  /** What the payment plan of the invoice asks for. Unset or null: no plan collects it. */
  ask?: PlanAsk | null;
  source: MailedSource | null;
  /** The source that is charged next instead; null: none. */
  fallback: MailedSource | null;
  /** The code of the gateway, with its own words. */
  decline: ToldDecline;
  /** Whether the bank wants the customer to authenticate, which is possible on the page that pays the invoice. */
  needsCustomer: boolean;
  /** URLs of the pages on which the customer replaces its payment source, and pays the invoice. */
  links: { source: string; pay: string };
}

/** Template auto_payment_failed_email: why the charge failed and what happens next, or that the customer has to confirm the payment. */
export const paymentFailedEmail = mail((facts: PaymentFailedFacts) => {
  const { seller, customer, invoice, source, decline, needsCustomer, links } = facts;
  const number = invoice.number ?? '';
  const { currency } = invoice;
  const writing = writingFor(seller, customer, { currency, timeZone: seller.timeZone });
  const { language, direction, say, labels, words, formats } = writing;
  const plan = facts.ask ? printablePlan(facts.ask) : null;
  const figure = plan && planFigure(plan, { balance: invoice.balance, isLate: invoice.pastDue }, writing);
  const amount = figure?.value ?? formats.money(invoice.balance);
  const [update, pay] = [
    { label: words.updateSource, href: links.source },
    { label: words.payNow, href: links.pay },
  ];
  return {
    language,
    direction,
    seller: seller.name,
    subject: say(needsCustomer ? 'confirmSubject' : 'failedSubject', { number }),
    heading: say(needsCustomer ? 'confirmHeading' : 'failedHeading', { number }),
    figure: amount,
    figureNote: figure?.note ?? null,
    tone: needsCustomer ? 'plain' : 'bad',
    paragraphs: [
      greeted(customer, writing, [
        needsCustomer ? words.confirmHere : say('declined', { reason: declineInWords(language, decline) }),
      ]),
      ...whatIsNext(facts, writing),
    ],
    rows: [
      { label: labels.invoice, value: number },
      { label: words.invoiceDate, value: formats.day(invoice.date) },
      ...(source ? [{ label: labels.method, value: sourceInWords(source, writing) }] : []),
      ...(plan ? [{ label: labels.balance, value: formats.money(invoice.balance) }] : []),
      { label: labels.amountDue, value: amount },
    ],
    own: ownOf(writing, variablesOf(facts, writing)),
    action: needsCustomer ? pay : update,
    links: [needsCustomer ? update : pay, ...contactOf(facts, writing)],
    footer: say('sentBy', { seller: seller.name, number: customer.number }),
  };
});

function variablesOf(facts: PaymentFailedFacts, writing: Writing): ViewOf<typeof paymentFailedVariables> {
  const { invoice, decline, source, needsCustomer, links } = facts;
  const { number, currency, balance, nextPaymentAttemptAt, dueAt } = invoice;
  const { formats, language } = writing;
  return {
    invoice: {
      number: number ?? '',
      currency,
      balance: formats.money(balance),
      balance_number: roundMoney(balance, currency),
      next_attempt: nextPaymentAttemptAt ? formats.day(nextPaymentAttemptAt) : null,
      due_date: dueAt ? formats.day(dueAt) : null,
    },
    reason: declineInWords(language, decline),
    method: source ? sourceInWords(source, writing) : null,
    needs_customer: needsCustomer,
    source_url: links.source,
    pay_url: links.pay,
  };
}

/** The address of a person who helps. */
function contactOf({ seller, invoice }: PaymentFailedFacts, { words }: Writing): Link[] {
  const address = seller.replyTo ?? seller.email;
  if (!address) return [];
  const subject = encodeURIComponent(invoice.number ?? '');
  return [
    {
      label: `${words.contactUs}: ${address}`,
      href: `mailto:${encodeURIComponent(address).replaceAll('%40', '@')}?subject=${subject}`,
    },
  ];
}

/** The paragraph about what follows; empty: nothing. */
function whatIsNext({ invoice, fallback, needsCustomer }: PaymentFailedFacts, writing: Writing): string[] {
  const { words, say, formats } = writing;
  const { nextPaymentAttemptAt, dueAt } = invoice;
  const payThenBy = dueAt ? [say('payThenBy', { day: formats.day(dueAt) })] : [];
  if (needsCustomer) return payThenBy;
  if (fallback) return [say('tryOther', { method: sourceInWords(fallback, writing) })];
  if (nextPaymentAttemptAt) return [say('tryAgain', { day: formats.day(nextPaymentAttemptAt) })];
  return [[words.tryNoMore, ...payThenBy].join(words.space)];
}

/** The reason of a decline in a language. The gateway's own words if the code is unknown. */
export function declineInWords(language: string, { code, message }: ToldDecline): string {
  const known = knownDeclineCode(code);
  const { declines } = payingWordsOf(language);
  return known === null ? (message ?? declines.generic_decline) : declines[known];
}
