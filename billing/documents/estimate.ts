import { stepTexts } from '../stepTexts.ts';
import { capAtLatest, endOfDay, localDay } from '../time/calendar.ts';
import type { NextStep, Wait } from '../wait.ts';

export const estimateStatuses = ['draft', 'not_sent', 'sent', 'approved', 'invoiced', 'declined', 'voided'] as const;
export type EstimateStatus = (typeof estimateStatuses)[number];

export interface EstimateFacts {
  voided: boolean;
  draft: boolean;
  invoiced: boolean;
  closed: boolean;
  approved: boolean;
  sent: boolean;
}

/** Status of an estimate: the first of voided, draft, invoiced, declined, approved, sent and not_sent that applies. */
export function estimateStatus(facts: EstimateFacts): EstimateStatus {
  if (facts.voided) return 'voided';
  if (facts.draft) return 'draft';
  if (facts.invoiced) return 'invoiced';
  if (facts.closed && !facts.approved) return 'declined';
  if (facts.approved) return 'approved';
  return facts.sent ? 'sent' : 'not_sent';
}

/** Input of the expiry rule for one estimate. Times are epoch milliseconds. */
export interface ExpiryState {
  /** It can no longer expire: a draft, voided, deleted, invoiced, closed or approved, or a part of its deposit is paid. */
  over: boolean;
  /** Null: the estimate never expires. */
  expiresAt: number | null;
  zone: string;
}

export type EstimateStep = { kind: 'expire' };

/** The step due at `now`, if any, and all pending waits. */
export function nextEstimateStep({ over, expiresAt, zone }: ExpiryState, now: number): NextStep<EstimateStep> {
  if (over || expiresAt === null) return { due: null, waits: [] };
  const at = expiryAt(expiresAt, zone);
  const waits: Wait[] = [{ rule: 'expire', at, step: stepTexts.expire }];
  return { due: at <= now ? { kind: 'expire' } : null, waits };
}

/** When an estimate expires, in epoch milliseconds: at the end of its expiration date, in local time. */
export function expiryAt(expiresAt: number, zone: string): number {
  return capAtLatest(endOfDay(localDay(expiresAt, zone), zone));
}

export interface EstimateLockFacts extends Omit<EstimateFacts, 'draft'> {
  /** The account setting: the event that locks amounts and identity of a document. */
  lockDocuments: 'sent' | 'paid';
  /** Whether any part of its deposit is paid. */
  deposited: boolean;
}

/** Reason why currency, number, date, items, discounts and taxes of an estimate are locked; null: they may change. */
export function whyEstimateLocked(facts: EstimateLockFacts): string | null {
  if (facts.voided) return 'is voided';
  if (facts.invoiced) return 'is invoiced: change the invoice';
  if (facts.approved) return 'is approved: void it and create another one';
  if (facts.closed) return 'is closed: reopen it first';
  if (facts.deposited) return 'has a deposit paid: remove that payment first';
  return facts.sent && facts.lockDocuments === 'sent' ? 'has been sent' : null;
}
