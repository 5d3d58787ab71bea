import { isPositive, negate, subtract } from '../../billing/money/money.ts';
import { type Json, member, type Presented } from '../kernel/values.ts';
import { type EventFacts, type EventWords, generally, money, text } from './eventFacts.ts';

/** Money that has arrived or is on its way, or credit that pays. */
export function receivedPayment({ object }: EventFacts): EventWords | string {
  const isPending = statusOf(object.charge) === 'pending';
  if (object.credit && object.credit === object.amount) return `${money(object, 'amount')} paid from credit`;
  const amount = `payment of ${money(object, 'amount')} by ${text(object.method)}`;
  return isPending ? { what: `${amount} on its way`, why: 'the gateway will tell' } : `${amount} received`;
}

/** A change of a payment: a refund, a dispute of its charge, or another change. */
export function changedPayment(facts: EventFacts): EventWords | string {
  const { object, previous } = facts;
  const dispute = disputeInWords(facts);
  if (dispute !== null) return dispute;
  const before = [...refundsIn(previous.charge), ...refundsIn(previous)].map(refundInWords);
  const now = [...refundsIn(object.charge), ...refundsIn(object)];
  const changed = now.find((refund) => !before.includes(refundInWords(refund)));
  if (!('charge' in previous || 'refunds' in previous) || !changed) return generally(facts);
  if (changed.method) return sentInWords(changed);
  const refund = `refund of ${money(changed, 'amount')}`;
  if (changed.status === 'pending') return { what: `${refund} on its way`, why: 'the gateway will tell' };
  if (changed.status === 'failed') return { what: `${refund} failed`, why: text(changed.failure_message) };
  return `${refund} made`;
}

/** The change of a dispute in words; null: another change. */
function disputeInWords({ object, previous }: EventFacts): string | null {
  const [now, before] = [member(object.charge, 'disputed'), member(previous.charge, 'disputed')];
  if (typeof before !== 'boolean' || now === before) return null;
  return now ? 'dispute opened' : 'dispute over: the money is back';
}

/** A refund that no gateway sent: "refund of 40.00 usd by wire_transfer recorded". */
function sentInWords(refund: Presented): EventWords | string {
  const { method, reference, status } = refund;
  const amount = money(refund, 'amount');
  const by = reference ? `${text(method)} (${text(reference)})` : text(method);
  if (status === 'failed') return { what: `refund of ${amount} undone`, why: text(refund.failure_message) };
  if (refund.returned) return { what: `${amount} were returned, by ${by}`, why: 'the bank took the transfer back' };
  return `refund of ${amount} by ${by} recorded`;
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
export function writtenOffInWords({ object, previous }: EventFacts): EventWords | null {
  const [now, before] = [object.written_off, previous.written_off];
  if (typeof now !== 'number' || typeof before !== 'number') return null;
  const number = text(object.number);
  const change = subtract(String(now), String(before));
  const isMore = isPositive(change);
  const amount = Number(isMore ? change : negate(change));
  const inWords = money({ currency: object.currency ?? null, amount }, 'amount');
  if (!isMore)
    return { what: `${number} owes ${money(object, 'balance')}`, why: `the write-off of ${inWords} was taken back` };
  const why =
    text(object.write_off_reason ?? null) || 'the payment came up short by no more than the account tolerates';
  if (object.paid) return { what: `${number} paid, ${inWords} of it written off`, why };
  return { what: `${inWords} of ${number} written off, ${money(object, 'balance')} are owed`, why };
}
