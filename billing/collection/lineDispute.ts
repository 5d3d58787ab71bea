import { Refusal } from '../refusal.ts';
import { addDaysToDay, capAtLatest, endOfDay, localDay } from '../time/calendar.ts';

/** A line of an invoice that its customer disputes. */
export interface DisputedLine {
  /** Id of the line. */
  line: number;
  /** The customer's words. */
  reason: string;
  /** Epoch milliseconds. */
  at: number;
}

/** Refuses a line that is disputed already. */
export function checkNotDisputed(disputed: readonly DisputedLine[], line: number): void {
  if (!disputed.some((one) => one.line === line)) return;
  throw new Refusal('state_conflict', `Line ${line} is disputed already`, 'line_item');
}

/**
 * Until when nobody asks for a disputed invoice: the end of the day that lies `days` after the first dispute. A later dispute does not
 * lengthen the hold. Epoch milliseconds.
 */
export function heldUntil({ held, days, now, zone }: { held: number | null; days: number; now: number; zone: string }) {
  return held ?? capAtLatest(endOfDay(addDaysToDay(localDay(now, zone), days), zone));
}
