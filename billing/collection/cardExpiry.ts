import { stepText, stepTexts } from '../stepTexts.ts';
import { addDays, startOfDay } from '../time/calendar.ts';
import type { NextStep, Wait } from '../wait.ts';

/** Input of the notice rule for one payment source. */
export interface CardExpiryState {
  /** It is the default card of a customer with AutoPay, and can be charged. */
  isCharged: boolean;
  /** Last month in which the card is valid; null: it has none, as a bank account. */
  expires: ExpiryMonth | null;
  /** Days from the notice to the first day on which the card is no longer valid; 0: there is no notice. */
  noticeDays: number;
  /** Month that was announced last, as `monthInWords` writes it; null: none was. */
  noticedFor: string | null;
  zone: string;
}

export interface ExpiryMonth {
  year: number;
  /** 1 to 12. */
  month: number;
}

export type PaymentSourceStep = { kind: 'announce_expiry' };

/** The notice due at `now`, if any, and the wait for it. There is none for a card that has expired. */
export function nextPaymentSourceStep(state: CardExpiryState, now: number): NextStep<PaymentSourceStep> {
  const { isCharged, expires, noticeDays, noticedFor, zone } = state;
  if (!isCharged || !expires || noticeDays === 0 || noticedFor === monthInWords(expires))
    return { due: null, waits: [] };
  const expiredAt = expiredFrom(expires, zone);
  if (expiredAt <= now) return { due: null, waits: [] };
  const at = addDays(expiredAt, -noticeDays, zone);
  const step = noticeDays === 1 ? stepTexts.card_expires_tomorrow : stepText('card_expires', { days: noticeDays });
  const waits: Wait[] = [{ rule: 'card_expiring', at, step }];
  return { due: at <= now ? { kind: 'announce_expiry' } : null, waits };
}

/** First instant at which a card is no longer valid, epoch milliseconds: the start of the month after its last one. */
export function expiredFrom({ year, month }: ExpiryMonth, zone: string): number {
  const next = month === 12 ? { year: year + 1, month: 1 } : { year, month: month + 1 };
  return startOfDay(`${monthInWords(next)}-01`, zone);
}

/** A month as `2027-03`. */
export function monthInWords({ year, month }: ExpiryMonth): string {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`;
}
