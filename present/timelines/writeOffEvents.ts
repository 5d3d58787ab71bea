import { isPositive, negate, subtract } from '../../billing/money.ts';
import { type EventFacts, type EventWords, money, text } from './eventFacts.ts';

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
