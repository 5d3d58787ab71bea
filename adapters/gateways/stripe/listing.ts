import type Stripe from 'stripe';
import type { GatewayPage, GatewayRange, GatewayRecord } from '../../../commands/ports/ports.ts';
import { amountOf } from './amounts.ts';
import type { Call } from './client.ts';
import { refundIn } from './events.ts';
import { keyIn, type Mark, readMark } from './marks.ts';
import { readTakenBack, takenBackOf } from './reversals.ts';

/** Most objects in an answer of Stripe, and most in a window of one second. */
const PAGE = 100;
const MOST = 10_000;
/** Length of the first window, and most lengths that a window grows by at once. */
const FIRST_SECONDS = 3600;
const GROWTH = 4;
/** Stripe's clock may be ahead of ours. */
const AHEAD_SECONDS = 300;

/** A stretch of time, epoch seconds. */
interface Window {
  from: number;
  to: number;
}

/**
 * Lists charges and refunds in a range of time, oldest first. Stripe lists the newest first, and no page begins at the oldest. So a page is
 * the objects of a short window of time. A window with too many is halved; the one after an empty window is longer. Stripe's times have no
 * fractions of seconds: a range includes the seconds in which it begins and ends.
 */
export async function listRecords(call: Call, range: GatewayRange, deployment: string): Promise<GatewayPage> {
  const end = Math.ceil(Math.min(range.until.getTime(), Date.now() + AHEAD_SECONDS * 1000) / 1000);
  const [from = Math.floor(range.since.getTime() / 1000), length = FIRST_SECONDS] =
    range.after?.split('/').map(Number) ?? [];
  if (from >= end) return { records: [], next: null };
  const { window, payments, refunds } = await shortEnough(call, { from, to: Math.min(end, from + length) });
  const charges = await Promise.all(payments.map((payment) => chargeRecord(call, payment, deployment)));
  const records = [...charges.flat(), ...refunds.flatMap((refund) => refundRecord(refund, deployment))];
  const used = window.to - window.from;
  const nextLength = payments.length + refunds.length < PAGE / GROWTH ? used * GROWTH : used;
  return {
    records: records.toSorted((one, other) => one.recordedAt.getTime() - other.recordedAt.getTime()),
    next: window.to < end ? `${window.to}/${nextLength}` : null,
  };
}

interface Listed {
  window: Window;
  payments: Stripe.PaymentIntent[];
  refunds: Stripe.Refund[];
}

/**
 * The objects of a window. If they do not fit into one answer, it halves the window until its first part fits. If a window of one second
 * has too many, it reads several answers.
 */
async function shortEnough(call: Call, window: Window): Promise<Listed> {
  const created = { gte: window.from, lt: window.to };
  const pages = (stripe: Stripe) => ({
    payments: stripe.paymentIntents.list({ created, limit: PAGE, expand: ['data.latest_charge'] }),
    refunds: stripe.refunds.list({ created, limit: PAGE, expand: ['data.payment_intent'] }),
  });
  const seconds = window.to - window.from;
  if (seconds <= 1) {
    const payments = await call((stripe) => pages(stripe).payments.autoPagingToArray({ limit: MOST }));
    const refunds = await call((stripe) => pages(stripe).refunds.autoPagingToArray({ limit: MOST }));
    return { window, payments: payments.toReversed(), refunds: refunds.toReversed() };
  }
  const payments = await call((stripe) => pages(stripe).payments);
  const refunds = await call((stripe) => pages(stripe).refunds);
  if (payments.has_more || refunds.has_more)
    return shortEnough(call, { from: window.from, to: window.from + Math.floor(seconds / 2) });
  return { window, payments: payments.data.toReversed(), refunds: refunds.data.toReversed() };
}

const STATUS: Readonly<Record<string, GatewayRecord['status']>> = {
  succeeded: 'succeeded',
  processing: 'pending',
  pending: 'pending',
  requires_action: 'pending',
};

/** A charge of this deployment that took money or will. */
async function chargeRecord(call: Call, payment: Stripe.PaymentIntent, deployment: string): Promise<GatewayRecord[]> {
  const mark = readMark(deployment, payment.metadata);
  const status = payment.status === 'requires_action' ? undefined : STATUS[payment.status];
  if (!mark || !status) return [];
  const { amount: units, currency, id: reference } = payment;
  const amount = amountOf(units, currency);
  const charge = payment.latest_charge;
  const isDisputed = typeof charge === 'object' && charge?.disputed === true;
  const takenBack = isDisputed ? takenBackOf(await readTakenBack(call, reference), { amount, currency }) : '0';
  return [{ ...factsOf(mark, payment), kind: 'charge', reference, amount, status, chargeReference: null, takenBack }];
}

/** A refund of such a charge, also one that was made at Stripe. */
function refundRecord(refund: Stripe.Refund, deployment: string): GatewayRecord[] {
  const { payment_intent: payment, amount: units, currency, metadata } = refund;
  if (typeof payment === 'string' || !payment) return [];
  const mark = readMark(deployment, payment.metadata);
  const status = STATUS[refund.status ?? ''];
  if (!mark || !status) return [];
  const amount = amountOf(units, currency);
  const facts = factsOf({ ...mark, key: keyIn(metadata) ?? refund.id }, refund);
  return [
    {
      ...facts,
      kind: 'refund',
      reference: refundIn(refund),
      amount,
      status,
      chargeReference: payment.id,
      takenBack: '0',
    },
  ];
}

function factsOf(mark: Mark, { created, currency }: { created: number; currency: string }) {
  const recordedAt = new Date(created * 1000);
  return { ...mark, currency, madeAt: recordedAt, recordedAt };
}
