import { endOfDay, heldAtLatest, localDay } from './calendar.ts';
import type { NextStep } from './wait.ts';

export type EstimateStatus = 'draft' | 'not_sent' | 'sent' | 'approved' | 'invoiced' | 'declined' | 'voided';

export interface EstimateFacts {
  voided: boolean;
  draft: boolean;
  invoiced: boolean;
  closed: boolean;
  approved: boolean;
  sent: boolean;
}

/** Status of an estimate: the first that holds of voided, draft, invoiced, declined, approved, sent, not_sent. */
export function estimateStatus(facts: EstimateFacts): EstimateStatus {
  if (facts.voided) return 'voided';
  if (facts.draft) return 'draft';
  if (facts.invoiced) return 'invoiced';
  if (facts.closed && !facts.approved) return 'declined';
  if (facts.approved) return 'approved';
  return facts.sent ? 'sent' : 'not_sent';
}

/** What the expiry of one estimate looks at. Times are epoch milliseconds. */
export interface ExpiryState {
  /** Nothing is to be answered any more, or it has been: draft, voided, invoiced, closed, approved, or its customer has begun to pay. */
  over: boolean;
  /** Null: it holds for good. */
  expiresAt: number | null;
  zone: string;
}

export type EstimateStep = { kind: 'expire' };

/** The step that is due at `now`, and what is waited for. */
export function nextEstimateStep({ over, expiresAt, zone }: ExpiryState, now: number): NextStep<EstimateStep> {
  if (over || expiresAt === null) return { due: null, waits: [] };
  const at = expiryAt(expiresAt, zone);
  const waits = [{ rule: 'expire', at, step: 'expires when the day of expiration_date ends' }];
  return { due: at <= now ? { kind: 'expire' } : null, waits };
}

/** An estimate holds until the local day of its expiration date has ended. */
export function expiryAt(expiresAt: number, zone: string): number {
  return heldAtLatest(endOfDay(localDay(expiresAt, zone), zone));
}

export interface EstimateLockFacts extends Omit<EstimateFacts, 'draft'> {
  /** The setting: what locks amounts and identity of a document. */
  lockDocuments: 'sent' | 'paid';
  /** Whether some of its deposit has arrived. */
  deposited: boolean;
}

/** Why currency, number, date, items, discounts and taxes of an estimate are what they are for good; null: they may change. */
export function whyEstimateLocked(facts: EstimateLockFacts): string | null {
  if (facts.voided) return 'is voided';
  if (facts.invoiced) return 'is invoiced: change the invoice';
  if (facts.approved) return 'is approved: void it and make another';
  if (facts.closed) return 'is closed: reopen it first';
  if (facts.deposited) return 'has a deposit paid: take that payment off first';
  return facts.sent && facts.lockDocuments === 'sent' ? 'has been sent' : null;
}
