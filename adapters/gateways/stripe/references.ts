import type { GatewayOperation } from '../../../commands/ports/ports.ts';

/**
 * The references of operations. A charge is its PaymentIntent, a vaulting its SetupIntent. Stripe knows no unconfirmed refunds, deletions
 * and verifications, so that the references of these say all that `confirm` needs. `dashboard`: a refund that was made at Stripe.
 */
export type Reference =
  | { kind: 'charge' | 'vault' | 'dashboard'; id: string }
  | { kind: 'refund'; intent: string; units: number; key: string }
  | { kind: 'delete_source'; source: string; key: string }
  | { kind: 'verify_source'; intent: string; amounts: number[]; key: string }
  | { kind: 'refused'; code: string }
  | { kind: 'unknown' };

const KEY = '[0-9a-f-]{36}';
const REFUND = new RegExp(`^refund_(pi_\\w+)_(\\d+)_(${KEY})$`);
const DELETION = new RegExp(`^delete_(\\w+)_(${KEY})$`);
const VERIFICATION = new RegExp(`^verify_(seti_\\w+)_(\\d+)_(\\d+)_(${KEY})$`);
const REFUSED = new RegExp(`^refused_(\\w+)_${KEY}$`);
const BY_PREFIX = { pi: 'charge', seti: 'vault', re: 'dashboard', pyr: 'dashboard' } as const;

export const refundReference = (of: { intent: string; units: number; key: string }): string =>
  `refund_${of.intent}_${of.units}_${of.key}`;

export const deletionReference = (source: string, key: string): string => `delete_${source}_${key}`;

export const verificationReference = (intent: string, amounts: number[], key: string): string =>
  `verify_${intent}_${amounts.join('_')}_${key}`;

/** The reference of an operation that the adapter or Stripe refused. It can never happen. */
export const refusedReference = (code: string, { key }: Pick<GatewayOperation, 'key'>): string =>
  `refused_${code}_${key}`;

export function readReference(reference: string): Reference {
  const [, prefix] = /^(pi|seti|re|pyr)_\w+$/.exec(reference) ?? [];
  if (isPrefix(prefix)) return { kind: BY_PREFIX[prefix], id: reference };
  const [, refunded = '', units = '', refundKey] = REFUND.exec(reference) ?? [];
  if (refundKey) return { kind: 'refund', intent: refunded, units: Number(units), key: refundKey };
  const [, source = '', deletionKey] = DELETION.exec(reference) ?? [];
  if (deletionKey) return { kind: 'delete_source', source, key: deletionKey };
  const [, intent = '', first, second, key] = VERIFICATION.exec(reference) ?? [];
  if (key) return { kind: 'verify_source', intent, amounts: [Number(first), Number(second)], key };
  const [, code] = REFUSED.exec(reference) ?? [];
  return code ? { kind: 'refused', code } : { kind: 'unknown' };
}

const isPrefix = (text: string | undefined): text is keyof typeof BY_PREFIX => text !== undefined && text in BY_PREFIX;
