import { counted } from '../../billing/counted.ts';
import type { Reason, ReasonCode, Wait } from '../../billing/wait.ts';
import { interruptedInWords } from '../payments/attempt.ts';

const WORDS: Readonly<Record<ReasonCode, (detail: string | null) => string>> = {
  soft_decline: (code) => `soft decline ${code}`,
  hard_decline: (code) => `hard decline ${code}`,
  needs_customer: (code) => `needs_customer decline ${code}`,
  unreachable: () => interruptedInWords({ kind: 'charge' }, 'unreachable'),
  interrupted: () => interruptedInWords({ kind: 'charge' }, 'interrupted'),
  not_made: () => interruptedInWords({ kind: 'charge' }, 'not_made'),
  unauthenticated: () => interruptedInWords({ kind: 'charge' }, 'unauthenticated'),
  refused: () => interruptedInWords({ kind: 'charge' }, 'refused'),
  latest_date: () => 'the next period would end after 2199',
  ahead_of_period: (days) => `it bills ${counted(Number(days), 'day')} before its periods`,
  in_arrears: () => 'the period ends, and it bills in arrears',
  step_failed: (message) => message || 'the step before was refused',
};

/** The reason of a wait: "soft decline insufficient_funds". */
export function reasonInWords({ code, detail }: Reason): string {
  return WORDS[code](detail);
}

/** A planned step with its reason: "attempt 2 of 4: soft decline insufficient_funds". */
export function waitInWords({ step, reason }: Pick<Wait, 'step' | 'reason'>): string {
  return reason ? `${step}: ${reasonInWords(reason)}` : step;
}
