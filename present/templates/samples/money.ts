import type { RenderedEmail } from '../../emails/layout.ts';
import { paymentFailedEmail } from '../../emails/paymentFailed.ts';
import { paymentPlanEmail } from '../../emails/paymentPlan.ts';
import { cardExpiringEmail, sourceRemovedEmail } from '../../emails/paymentSource.ts';
import { receiptEmail } from '../../emails/receipt.ts';
import { refundEmail } from '../../emails/refund.ts';
import { reminderEmail } from '../../emails/reminder.ts';
import { DAYS, documentOf, NO_PAGE, PRICE, type SampleFacts, TOKEN } from './facts.ts';

const source = { type: 'card' as const, brand: 'visa', last4: '4242' };

const chargeOf = (refunds: { amount: string; status: 'succeeded' }[]) => ({
  gatewayId: 'ch_example',
  amount: PRICE,
  convenienceFee: '0',
  createdAt: DAYS.date,
  source,
  refunds,
});

export function sampleReceipt(facts: SampleFacts): RenderedEmail {
  const money = { amount: PRICE, balance: '0', credit: '0', currency: facts.currency };
  const made = { date: DAYS.date, method: 'credit_card' as const, reference: '1001', receiptNumber: 'REC-00042' };
  const payment = { accountId: 0, id: 7, token: TOKEN, refunds: [], ...money, ...made };
  return receiptEmail({ ...facts, payment, charge: chargeOf([]), applied: [{ number: 'INV-00042', amount: PRICE }] });
}

export function sampleRefund(facts: SampleFacts): RenderedEmail {
  const refund = { gatewayId: 're_example', amount: PRICE, currency: facts.currency, createdAt: DAYS.date };
  return refundEmail({ ...facts, refund, charge: chargeOf([{ amount: PRICE, status: 'succeeded' }]) });
}

export function samplePaymentFailed(facts: SampleFacts): RenderedEmail {
  const times = { dueAt: DAYS.due, nextPaymentAttemptAt: DAYS.retry };
  return paymentFailedEmail({
    ...facts,
    invoice: { ...documentOf(facts, 'INV-00042'), ...times, balance: PRICE, pastDue: false },
    source,
    fallback: null,
    decline: { code: 'insufficient_funds', message: null },
    needsCustomer: false,
    links: { source: NO_PAGE, pay: NO_PAGE },
  });
}

export function sampleCardExpiring(facts: SampleFacts): RenderedEmail {
  return cardExpiringEmail({ ...facts, source, expires: { year: 2026, month: 12 }, link: NO_PAGE });
}

export function sampleSourceRemoved(facts: SampleFacts): RenderedEmail {
  return sourceRemovedEmail({ ...facts, source, link: NO_PAGE });
}

/** Two installments, whole in every currency: 125 + 124 = 249. */
export function samplePaymentPlan(facts: SampleFacts): RenderedEmail {
  const first = { id: 0, date: DAYS.date.getTime(), amount: '125', balance: '125' };
  const second = { id: 1, date: DAYS.due.getTime(), amount: '124', balance: '124' };
  return paymentPlanEmail({
    ...facts,
    invoice: { ...documentOf(facts, 'INV-00042'), autopay: false, pastDue: false },
    now: DAYS.start,
    plan: {
      status: 'active',
      installments: [first, second],
      approval: null,
      approvalToken: null,
    },
    isChanged: false,
    links: { pay: NO_PAGE, approve: null, source: NO_PAGE },
  });
}

/** An invoice that has been past due for ten days. */
export function sampleReminder(facts: SampleFacts): RenderedEmail {
  const open = { issuedAt: DAYS.date, voidedAt: null, paid: false, closed: false };
  const items = [{ invoice: { ...documentOf(facts, 'INV-00042'), ...open }, amount: PRICE, dueAt: DAYS.wasDue }];
  return reminderEmail({ ...facts, items, credits: [], now: DAYS.now, optOutUrl: NO_PAGE });
}
