import { type Dispute, found, tell, type World } from './world.ts';

const FEE = 1500;
const WEEK_SECONDS = 7 * 86_400;

export interface Disputed {
  status?: string;
  reason?: string;
  amount?: number;
  /** Currency of the account's balance, in which fees are counted. */
  balance?: string;
}

/** Opens a dispute of a PaymentIntent that succeeded. */
export function openDispute(world: World, payment: string, how: Disputed = {}): Dispute {
  const intent = found(world.payments, payment, 'payment_intent');
  const charge = found(world.charges, intent.latest_charge, 'charge');
  const { status = 'needs_response', reason = 'fraudulent', amount = charge.amount, balance = intent.currency } = how;
  const dispute: Dispute = {
    id: world.newId('du'),
    object: 'dispute',
    amount,
    currency: intent.currency,
    status,
    reason,
    charge: charge.id,
    payment_intent: intent.id,
    evidence_details: { due_by: world.now() + WEEK_SECONDS },
    balance_transactions: [{ amount: -amount, fee: FEE, currency: balance, type: 'adjustment' }],
  };
  charge.disputed = true;
  world.disputes.set(dispute.id, dispute);
  tell(world, 'charge.dispute.created', dispute);
  return dispute;
}

/** Ends a dispute. `refundedFee`: the part of the fee that Stripe gives back. */
export function endDispute(world: World, id: string, status: 'won' | 'lost' | 'warning_closed', refundedFee = 0): void {
  const dispute = found(world.disputes, id, 'dispute');
  dispute.status = status;
  if (status === 'won' && Array.isArray(dispute.balance_transactions))
    dispute.balance_transactions.push({ amount: dispute.amount, fee: -refundedFee, currency: dispute.currency });
  tell(world, 'charge.dispute.closed', dispute);
}
