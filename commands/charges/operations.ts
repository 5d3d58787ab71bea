import { roundMoney } from '../../billing/money/money.ts';
import type { Attempt, AttemptKind } from '../../db/schema/attempt.ts';
import type { Cipher, GatewayInstrument, GatewayOperation } from '../ports/ports.ts';

/** An attempt with the facts that its operation needs. */
export interface Operated {
  attempt: Attempt;
  /** The gateway's reference of the charge that it refunds; null: it refunds none. */
  refundedCharge: string | null;
}

/**
 * Whether a kind of operation is promised: the request was answered before the gateway did it, so it is retried until it is done. Others
 * are abandoned if they were not confirmed.
 */
const PROMISED: Readonly<Record<AttemptKind, boolean>> = {
  charge: false,
  vault: false,
  verify_source: false,
  delete_source: true,
  refund: false,
};

/** Whether the operation of an attempt is retried until the gateway has done it. */
export function isPromised({ kind }: Attempt): boolean {
  return PROMISED[kind];
}

/** The operation of an attempt, as the gateway takes it. */
export function operationOf(cipher: Cipher, { attempt, refundedCharge }: Operated): GatewayOperation {
  const common = { key: attempt.key, accountId: attempt.accountId, customerId: attempt.customer.id };
  switch (attempt.kind) {
    case 'charge':
      return {
        ...common,
        ...moneyOf(attempt),
        ...(attempt.shown ?? { description: `Attempt ${attempt.id}` }),
        kind: 'charge',
        instrument: instrumentOf(cipher, attempt),
        vault: attempt.vault,
        payer: attempt.payer ?? null,
      };
    case 'vault':
      return {
        ...common,
        kind: 'vault',
        instrument: instrumentOf(cipher, attempt),
        method: attempt.method ?? 'credit_card',
        payer: attempt.payer ?? null,
      };
    case 'delete_source':
      return {
        ...common,
        kind: 'delete_source',
        reference: attempt.source?.gatewayId ?? '',
        sourceType: attempt.source?.type ?? 'card',
      };
    case 'verify_source':
      return {
        ...common,
        kind: 'verify_source',
        reference: attempt.source?.gatewayId ?? '',
        amounts: openAmounts(cipher, attempt.sealedToken ?? ''),
      };
    case 'refund':
      return { ...common, ...moneyOf(attempt), kind: 'refund', reference: refundedCharge ?? '' };
  }
}

function moneyOf({ id, kind, amount, currency }: Attempt): { amount: string; currency: string } {
  if (!amount || !currency) throw new Error(`${kind} attempt ${id} has no amount`);
  return { amount: roundMoney(amount, currency), currency };
}

function instrumentOf(cipher: Cipher, { sealedToken, source }: Attempt): GatewayInstrument {
  return sealedToken ? { token: cipher.decrypt(sealedToken) } : { reference: source?.gatewayId ?? '' };
}

/** Seals the amounts of micro-deposits, which only the gateway compares. */
export function sealAmounts(cipher: Cipher, amounts: readonly string[]): string {
  return cipher.encrypt(amounts.join(' '));
}

function openAmounts(cipher: Cipher, sealed: string): string[] {
  return cipher.decrypt(sealed).split(' ');
}
