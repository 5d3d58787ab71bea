import { isPositive, negate, subtract } from '../../billing/money/money.ts';
import { type Json, member, type Presented } from '../kernel/values.ts';
import { became, type EventFacts, type EventWords, generally, methodName, money, say, text } from './eventFacts.ts';

/** Texts of events of payments, charges and payment sources, by type. */
export const moneyTexts: Readonly<Record<string, (facts: EventFacts) => EventWords | string>> = {
  'payment.created': receivedPayment,
  'payment.updated': changedPayment,
  'payment.deleted': (facts) => ofAmount(facts, facts.words.payment.voided),
  'charge.failed': (facts) => {
    const { chargeFailed, noReason } = facts.words.payment;
    return { what: ofAmount(facts, chargeFailed), why: text(facts.object.failure_message) || noReason };
  },
  'charge.disputed': (facts) => {
    const { chargeDisputed, chargeDisputedWhy: why } = facts.words.payment;
    return { what: ofAmount(facts, chargeDisputed), why };
  },
  'payment_source.created': (facts) => say(facts, facts.words.source.added, { source: sourceOf(facts) }),
  'payment_source.updated': changedSource,
  'payment_source.deleted': (facts) => say(facts, facts.words.source.deleted, { source: sourceOf(facts) }),
};

/** A sentence about the amount of an event. `of`: the object that has the amount; absent: that of the event. */
const ofAmount = (facts: EventFacts, label: string, of = facts.object): string =>
  say(facts, label, { amount: money(facts, 'amount', of) });

/** A change of a payment source: it cannot be charged any more, or it became the default. */
function changedSource(facts: EventFacts): EventWords | string {
  const { byDefault, unchargeable } = facts.words.source;
  const source = sourceOf(facts);
  if (!became(facts, 'chargeable', false)) return say(facts, byDefault, { source });
  return { what: say(facts, unchargeable, { source }), why: text(facts.object.failure_reason) };
}

/** A payment source in words: "Visa 4242", "bank account 6789". */
function sourceOf(facts: EventFacts): string {
  const { object: type, brand, last4 } = facts.object;
  const { card, bankAccount } = facts.words.source;
  if (type === 'card' && text(brand)) return `${text(brand)} ${text(last4)}`;
  return say(facts, type === 'card' ? card : bankAccount, { last4: text(last4) });
}

/** Money that has arrived or is on its way, or credit that pays. */
function receivedPayment(facts: EventFacts): EventWords | string {
  const { object } = facts;
  const { fromCredit, onItsWay, received, gatewayTells: why } = facts.words.payment;
  if (object.credit && object.credit === object.amount) return ofAmount(facts, fromCredit);
  const values = { amount: money(facts, 'amount'), method: methodName(facts, object.method) };
  const isPending = statusOf(object.charge) === 'pending';
  return isPending ? { what: say(facts, onItsWay, values), why } : say(facts, received, values);
}

/** A change of a payment: a refund, a dispute of its charge, or another change. */
function changedPayment(facts: EventFacts): EventWords | string {
  const { object, previous } = facts;
  const { refundOnItsWay, refundFailed, refundMade, gatewayTells } = facts.words.payment;
  const dispute = disputeInWords(facts);
  if (dispute !== null) return dispute;
  const before = [...refundsIn(previous.charge), ...refundsIn(previous)].map(refundInWords);
  const now = [...refundsIn(object.charge), ...refundsIn(object)];
  const changed = now.find((refund) => !before.includes(refundInWords(refund)));
  if (!('charge' in previous || 'refunds' in previous) || !changed) return generally(facts);
  if (changed.method) return sentInWords(facts, changed);
  if (changed.status === 'pending') return { what: ofAmount(facts, refundOnItsWay, changed), why: gatewayTells };
  if (changed.status === 'failed')
    return { what: ofAmount(facts, refundFailed, changed), why: text(changed.failure_message) };
  return ofAmount(facts, refundMade, changed);
}

/** The change of a dispute in words; null: another change. */
function disputeInWords({ object, previous, words }: EventFacts): string | null {
  const [now, before] = [member(object.charge, 'disputed'), member(previous.charge, 'disputed')];
  if (typeof before !== 'boolean' || now === before) return null;
  return now ? words.payment.disputeOpened : words.payment.disputeOver;
}

/** A refund that no gateway sent: "refund of $40.00 by wire transfer recorded". */
function sentInWords(facts: EventFacts, refund: Presented): EventWords | string {
  const { refundUndone, returned, returnedWhy, refundRecorded, withReference } = facts.words.payment;
  if (refund.status === 'failed')
    return { what: ofAmount(facts, refundUndone, refund), why: text(refund.failure_message) };
  const name = methodName(facts, refund.method);
  const reference = text(refund.reference);
  const method = reference ? say(facts, withReference, { method: name, reference }) : name;
  const values = { amount: money(facts, 'amount', refund), method };
  return refund.returned
    ? { what: say(facts, returned, values), why: returnedWhy }
    : say(facts, refundRecorded, values);
}

const refundInWords = ({ id, status }: Presented) => `${text(id)} ${text(status)}`;

/** The refunds of a charge or a payment. Older events have none of payments. */
function refundsIn(of: Json | undefined): Presented[] {
  const refunds = member(of, 'refunds');
  return Array.isArray(refunds) ? refunds.filter(isPresented) : [];
}

function isPresented(value: Json): value is Presented {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The status of a related object; empty: there is none. */
function statusOf(related: Json | undefined): string {
  return text(member(related, 'status'));
}

/** A write-off of a part of an invoice, or its reversal; null: another change. */
export function writtenOffInWords(facts: EventFacts): EventWords | null {
  const { object, previous } = facts;
  const { writeOffBack, writeOffBackWhy, tolerated, paidWrittenOff, writtenOff } = facts.words.invoice;
  const [now, before] = [object.written_off, previous.written_off];
  if (typeof now !== 'number' || typeof before !== 'number') return null;
  const change = subtract(String(now), String(before));
  const isMore = isPositive(change);
  const of = { currency: object.currency ?? null, amount: Number(isMore ? change : negate(change)) };
  const [number, amount] = [text(object.number), money(facts, 'amount', of)];
  const balance = money(facts, 'balance');
  if (!isMore)
    return { what: say(facts, writeOffBack, { number, balance }), why: say(facts, writeOffBackWhy, { amount }) };
  const why = text(object.write_off_reason ?? null) || tolerated;
  const what = object.paid
    ? say(facts, paidWrittenOff, { number, amount })
    : say(facts, writtenOff, { number, amount, balance });
  return { what, why };
}
