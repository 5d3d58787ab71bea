import { Fault, invalid } from './fault.ts';
import { type Params, textIn, textsIn } from './form.ts';
import { found, type Refund, tell, type World } from './world.ts';

export function createRefund(world: World, params: Params): Refund {
  const intent = found(world.payments, textIn(params, 'payment_intent'), 'payment_intent');
  const charge = world.charges.get(intent.latest_charge ?? '');
  if (!charge) throw invalid('This PaymentIntent does not have a successful charge to refund.');
  if (charge.disputed) throw kept({ code: 'charge_disputed', message: 'The charge has been charged back.' });
  const left = charge.amount - charge.amount_refunded;
  if (left === 0) throw kept({ code: 'charge_already_refunded', message: 'The charge has already been refunded.' });
  const amount = Number(textIn(params, 'amount') ?? left);
  if (amount > left)
    throw kept({ param: 'amount', message: 'Refund amount is greater than unrefunded amount on charge.' });
  const { behaviour } = found(world.methods, intent.payment_method, 'PaymentMethod');
  if (behaviour.refund === 'refuse')
    throw kept({ code: 'charge_not_refundable', message: 'The card takes no refunds.' });
  const refund: Refund = {
    id: world.newId('re'),
    object: 'refund',
    amount,
    currency: charge.currency,
    status: behaviour.refund === 'pend' ? 'pending' : 'succeeded',
    charge: charge.id,
    payment_intent: intent.id,
    metadata: textsIn(params, 'metadata'),
    created: world.now(),
  };
  charge.amount_refunded += amount;
  world.refunds.set(refund.id, refund);
  tell(world, 'refund.created', refund);
  tell(world, 'charge.refunded', charge);
  return refund;
}

/** A refusal that Stripe keeps under the key of the request. */
const kept = (error: Record<string, unknown>) =>
  new Fault(400, { type: 'invalid_request_error', ...error }, { isKept: true });

/** Ends a pending refund, or one that had succeeded. `reason`: why it fails; null: it succeeds. */
export function endRefund(world: World, id: string, reason: string | null): void {
  const refund = found(world.refunds, id, 'refund');
  refund.status = reason ? 'failed' : 'succeeded';
  if (reason) {
    refund.failure_reason = reason;
    const charge = [...world.charges.values()].find((one) => one.id === refund.charge);
    if (charge) charge.amount_refunded -= refund.amount;
  }
  tell(world, reason ? 'refund.failed' : 'refund.updated', refund);
}
