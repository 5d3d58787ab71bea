import type Stripe from 'stripe';
import { subtract, sum } from '../../../billing/money/money.ts';
import type { GatewayDispute, GatewayRefund, GatewayReturn, GatewayReversals } from '../../../commands/ports/ports.ts';
import { amountOf } from './amounts.ts';
import type { Call } from './client.ts';
import { declineOf } from './declines.ts';
import { madeAtStripe } from './events.ts';
import { readMark } from './marks.ts';

/**
 * The state of a dispute at Stripe. Null: the bank does not hold the money. It only asks (`warning_…`), or the charge was refunded before
 * there was a dispute (`prevented`).
 */
const STATUS: Readonly<Record<string, GatewayDispute['status'] | null>> = {
  needs_response: 'open',
  under_review: 'open',
  appeal_needs_response: 'open',
  appeal_under_review: 'open',
  won: 'won',
  lost: 'lost',
  warning_needs_response: null,
  warning_under_review: null,
  warning_closed: null,
  prevented: null,
};

/** Most disputes and refunds of a charge that are read. */
const MOST = 10_000;

/** Reads what banks took back of a charge. A dispute of all of a bank debit is its return: it cannot be answered. */
export async function readTakenBack(call: Call, reference: string): Promise<GatewayReversals> {
  const list = (stripe: Stripe) =>
    stripe.disputes.list({ payment_intent: reference, limit: 100, expand: ['data.charge'] });
  const all = await call((stripe) => list(stripe).autoPagingToArray({ limit: MOST }));
  const oldestFirst = all.toReversed();
  const returns = oldestFirst.filter(isReturn);
  const disputes = oldestFirst.filter((dispute) => !isReturn(dispute)).flatMap(presentDispute);
  const [first] = returns;
  return { returned: first ? presentReturn(first) : null, disputes };
}

const MADE: Readonly<Record<string, GatewayRefund['status']>> = {
  succeeded: 'succeeded',
  pending: 'pending',
  requires_action: 'pending',
};

/** Reads what banks took back of a charge, and its refunds that were made at Stripe itself. */
export async function readReversals(call: Call, reference: string, deployment: string): Promise<GatewayReversals> {
  const refunds = await readMadeRefunds(call, reference, deployment);
  return { ...(await readTakenBack(call, reference)), refunds };
}

/** Reads the refunds of a charge of this deployment that were made at Stripe itself, oldest first. */
async function readMadeRefunds(call: Call, reference: string, deployment: string): Promise<GatewayRefund[]> {
  const list = (stripe: Stripe) =>
    stripe.refunds.list({ payment_intent: reference, limit: 100, expand: ['data.payment_intent'] });
  const all = await call((stripe) => list(stripe).autoPagingToArray({ limit: MOST }));
  return all.toReversed().flatMap((refund) => {
    const { id, amount, currency, created, payment_intent: payment } = refund;
    const status = MADE[refund.status ?? ''];
    if (!status || !madeAtStripe(refund) || typeof payment === 'string') return [];
    if (!payment || !readMark(deployment, payment.metadata)) return [];
    return [{ reference: id, amount: amountOf(amount, currency), status, recordedAt: new Date(created * 1000) }];
  });
}

/** The part of a charge that banks hold or took back, of its amount. */
export function takenBackOf(
  { returned, disputes }: GatewayReversals,
  of: { amount: string; currency: string },
): string {
  const kept = disputes.map((dispute) => (dispute.status === 'open' ? dispute.amount : dispute.amountLost));
  return sum(returned ? [of.amount, ...kept] : kept, of.currency);
}

const DEBITS = ['us_bank_account', 'sepa_debit'];

function isReturn({ charge, amount, status }: Stripe.Dispute): boolean {
  if (typeof charge === 'string' || status === 'won' || STATUS[status] === null) return false;
  return DEBITS.includes(charge.payment_method_details?.type ?? '') && amount === charge.amount;
}

/** Why banks return debits, in words. */
const RETURNS: Readonly<Record<string, string>> = {
  bank_cannot_process: 'The bank could not process the debit.',
  customer_initiated: 'The owner of the bank account objected to the debit.',
  debit_not_authorized: 'The owner of the bank account did not authorize the debit.',
  incorrect_account_details: 'The details of the bank account are wrong.',
  insufficient_funds: 'The bank account has insufficient funds.',
};

function presentReturn(dispute: Stripe.Dispute): GatewayReturn {
  const { reason } = dispute;
  const message = RETURNS[reason] ?? 'The bank took the debit back.';
  const { kind } = declineOf({ code: reason, message });
  return { code: reason, message, kind: reason in RETURNS ? kind : 'hard', fee: feeOf(dispute) };
}

function presentDispute(dispute: Stripe.Dispute): GatewayDispute[] {
  const { id, amount, currency, reason, evidence_details: evidence } = dispute;
  const status = STATUS[dispute.status];
  if (status === undefined) throw new Error(`Dispute ${id} has a status that is not known: ${dispute.status}`);
  if (status === null) return [];
  const total = amountOf(amount, currency);
  return [
    {
      reference: id,
      status,
      amount: total,
      amountLost: status === 'lost' ? total : '0',
      reason,
      evidenceDueAt: evidence.due_by === null ? null : new Date(evidence.due_by * 1000),
      fee: feeOf(dispute),
    },
  ];
}

/** Fees that Stripe took and has not given back. Null: it took them in another currency than that of the charge, or told none. */
function feeOf({ balance_transactions: transactions, currency }: Stripe.Dispute): string | null {
  if (transactions.length === 0 || transactions.some((one) => one.currency !== currency)) return null;
  return transactions.reduce(
    (fees, { fee }) => {
      return fee < 0 ? subtract(fees, amountOf(-fee, currency)) : sum([fees, amountOf(fee, currency)], currency);
    },
    amountOf(0, currency),
  );
}
